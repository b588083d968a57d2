"""A small random Llama with a tokenizer trained on given texts: for the demo and for tests."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import torch
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

from sk2d.corpus.files import read_rows
from sk2d.errors import ModelError
from sk2d.models.folders import new_folder

END, PAD = "<|end|>", "<|pad|>"


def texts_of(rows: Sequence[Path]) -> Iterator[str]:
    """Give every text in files of rows, whatever their columns are.

    Args:
        rows: Files that `read_rows` reads.

    Yields:
        Each string value.
    """
    for path in rows:
        for row, _ in read_rows(path):
            yield from (value for value in row.values() if isinstance(value, str))


def train_tokenizer(texts: Iterable[str], vocabulary: int) -> PreTrainedTokenizerFast:
    """Train a byte-level BPE tokenizer without BOS, with an end token and a pad token.

    Args:
        texts: Texts to train on.
        vocabulary: Most tokens; a few texts may give fewer.

    Returns:
        The tokenizer; the same texts give the same one.
    """
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=vocabulary,
        special_tokens=[PAD, END],
        initial_alphabet=sorted(pre_tokenizers.ByteLevel.alphabet()),
        show_progress=False,
    )
    tokenizer.train_from_iterator(texts, trainer)
    return PreTrainedTokenizerFast(tokenizer_object=tokenizer, eos_token=END, pad_token=PAD)


def make_tiny(
    texts: Iterable[str],
    output: Path,
    *,
    vocabulary: int = 1024,
    hidden: int = 128,
    layers: int = 4,
    heads: int = 4,
    positions: int = 2048,
    seed: int = 0,
    overwrite: bool = False,
) -> Path:
    """Make a small random Llama and its tokenizer.

    Args:
        texts: Texts to train the tokenizer on.
        output: Folder to write.
        vocabulary: Rows of the embedding, and most tokens of the tokenizer.
        hidden: Hidden size, a multiple of `heads`.
        layers: Number of blocks.
        heads: Attention heads.
        positions: Longest sequence.
        seed: Seed of the weights; the global RNG is left as it was.
        overwrite: Replace an existing folder.

    Returns:
        The folder.

    Raises:
        ModelError: When the sizes do not go together.
    """
    smallest = 256 + 2  # every byte and the two special tokens
    if vocabulary < smallest or hidden % heads or hidden // heads % 2:
        raise ModelError(
            f"vocabulary {vocabulary}, hidden {hidden} and heads {heads} do not go together",
            where=str(output),
            remedy=f"Use a vocabulary of {smallest} or more, and an even number of hidden units "
            "per head",
        )
    with new_folder(output, overwrite=overwrite) as folder:
        tokenizer = train_tokenizer(texts, vocabulary)
        tokenizer.save_pretrained(folder)
        config = LlamaConfig(
            vocab_size=vocabulary,
            hidden_size=hidden,
            intermediate_size=hidden * 8 // 3 // 8 * 8,
            num_hidden_layers=layers,
            num_attention_heads=heads,
            num_key_value_heads=heads,
            max_position_embeddings=positions,
            tie_word_embeddings=True,
            bos_token_id=None,
            eos_token_id=tokenizer.eos_token_id,
            pad_token_id=tokenizer.pad_token_id,
        )
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(seed)
            LlamaForCausalLM(config).save_pretrained(folder)
    return output


def parameter_count(folder: Path) -> int:
    """Count the weights of a model folder without loading them.

    Args:
        folder: A folder with one `model.safetensors`.

    Returns:
        The number of stored weights.
    """
    with (folder / "model.safetensors").open("rb") as file:
        header = json.loads(file.read(int.from_bytes(file.read(8), "little")))
    sizes = [tensor["shape"] for name, tensor in header.items() if name != "__metadata__"]
    return sum(int(torch.Size(shape).numel()) for shape in sizes)
