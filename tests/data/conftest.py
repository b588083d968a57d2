"""Small tokenizers trained on the spot, and files of rows."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers, processors, trainers
from transformers import PreTrainedTokenizerFast

C_TEXTS = [
    "int func1(int var1, char *var2) {\n  return var1 + 1;\n}\n\n",
    "static void func2(type1 *var1) {\n  var1->field1 = 0;\n  if (!var1) return;\n}\n",
    "# This is the pseudo code:\n# What is the source code?\n  int x;\n\nchar *s;\n",
] * 20

MakeTokenizer = Callable[..., PreTrainedTokenizerFast]


def train_tokenizer(
    bos: str = "<s>",
    eos: str = "</s>",
    pad: str | None = "<pad>",
    add_bos: bool = False,
    add_eos: bool = False,
    plain_added: tuple[str, ...] = (),
    specials_last: bool = False,
) -> PreTrainedTokenizerFast:
    backend = Tokenizer(models.BPE())
    backend.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    backend.decoder = decoders.ByteLevel()
    special = list(dict.fromkeys(token for token in (bos, eos, pad) if token))
    trainer = trainers.BpeTrainer(
        vocab_size=400,
        special_tokens=[] if specials_last else special,
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    backend.train_from_iterator(C_TEXTS, trainer)
    backend.add_special_tokens(special)
    backend.add_tokens([AddedToken(text, special=False) for text in plain_added])
    if add_bos or add_eos:
        whole = [bos] * add_bos + ["$A"] + [eos] * add_eos
        ids = [(token, backend.token_to_id(token)) for token in (bos, eos)]
        backend.post_processor = processors.TemplateProcessing(
            single=" ".join(whole), special_tokens=ids
        )
    return PreTrainedTokenizerFast(
        tokenizer_object=backend, bos_token=bos, eos_token=eos, pad_token=pad
    )


@pytest.fixture(scope="session")
def make_tokenizer() -> MakeTokenizer:
    made: dict[tuple[Any, ...], PreTrainedTokenizerFast] = {}

    def make(**settings: Any) -> PreTrainedTokenizerFast:
        key = tuple(sorted(settings.items()))
        if key not in made:
            made[key] = train_tokenizer(**settings)
        return made[key]

    return make


@pytest.fixture
def tokenizer(make_tokenizer: MakeTokenizer) -> PreTrainedTokenizerFast:
    return make_tokenizer(add_bos=True)


def some_rows(count: int = 40, functions: int = 20) -> list[dict[str, Any]]:
    """Rows of different lengths; each function comes count / functions times."""
    return [
        {
            "id": f"row{number}",
            "program": "p",
            "func_name": f"f{number % functions}",
            "instruction": "",
            "input": f"int func1(int var1) {{\n{' var1++;' * (number % 7)}\n  return {number};\n}}",
            "output": f"int f{number}(int n) {{\n  return n + {'1 + ' * (number % 5)}1;\n}}",
            "system": "",
        }
        for number in range(count)
    ]


@pytest.fixture
def write_rows(tmp_path: Path) -> Callable[..., Path]:
    def write(rows: list[dict[str, Any]], name: str = "rows.jsonl") -> Path:
        path = tmp_path / name
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        return path

    return write
