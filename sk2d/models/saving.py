"""Write model folders, whole, with all that is needed to ask the model the right way."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from torch import Tensor, nn
from transformers import GenerationConfig, PreTrainedTokenizerBase

from sk2d.errors import ModelError
from sk2d.models.adapters import check_finite
from sk2d.models.answers import end_ids
from sk2d.models.attention import causal_lm_of
from sk2d.models.bases import resolve_base
from sk2d.models.card import FACTS, ModelFacts, model_card
from sk2d.models.folders import new_folder
from sk2d.models.peft_library import PeftModel


def save_model_folder(
    model: nn.Module,
    tokenizer: PreTrainedTokenizerBase,
    folder: Path,
    facts: ModelFacts | None,
    *,
    overwrite: bool = False,
    weights: dict[str, Tensor] | None = None,
) -> Path:
    """Write a model folder, whole or not at all: PEFT layout for an adapter, else Hugging Face's.

    Args:
        model: The model, with or without LoRA.
        tokenizer: Its tokenizer.
        folder: Where it is to stand. A folder that sk2d wrote before is replaced.
        facts: What is known of the model, for `sk2d.json` and the model card.
        overwrite: Replace a folder of another origin, too.
        weights: The trained weights by their names in the model, where the model does not hold
            them itself.

    Returns:
        The folder.
    """
    ours = (folder / FACTS).is_file()
    with new_folder(folder, overwrite=overwrite or ours) as temporary:
        write_model(model, tokenizer, temporary, facts, where=str(folder), weights=weights)
    return folder


def write_model(
    model: nn.Module,
    tokenizer: PreTrainedTokenizerBase,
    folder: Path,
    facts: ModelFacts | None,
    *,
    where: str,
    weights: dict[str, Tensor] | None = None,
) -> None:
    """Write a model's files into an empty folder.

    Args:
        model: The model, with or without LoRA.
        tokenizer: Its tokenizer.
        folder: The folder to write into.
        facts: What is known of the model.
        where: The folder's final name, for messages.
        weights: As for `save_model_folder`.
    """
    adapter = isinstance(model, PeftModel)
    remedy = "Take an earlier checkpoint and a lower lr; for a cast to float16, use bfloat16"
    check_finite(weights.items() if weights else _saved_tensors(model), where, remedy)
    state = weights if adapter or weights is None else _whole_state(model, weights)
    causal_lm = causal_lm_of(model)
    with _as_saved(causal_lm, tokenizer) as generation:
        if isinstance(model, PeftModel):
            for config in model.peft_config.values():
                config.base_model_name_or_path = _base_place(facts) if facts else None
            # Embeddings are never trained here, and PEFT would ask the hub about them.
            model.save_pretrained(str(folder), save_embedding_layers=False, state_dict=state)
        else:
            causal_lm.save_pretrained(folder, state_dict=state)
            if weights:
                _say_float32(folder / "config.json")
        generation.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    if facts is not None:
        (folder / FACTS).write_text(facts.to_json(), encoding="utf-8")
        (folder / "README.md").write_text(model_card(facts, adapter=adapter), encoding="utf-8")


def _whole_state(model: nn.Module, weights: dict[str, Tensor]) -> dict[str, Tensor]:
    """Add to a model's weights what it keeps besides; tied weights are there under one name."""
    kept = model.state_dict().keys()
    return weights | {name: held for name, held in model.named_buffers() if name in kept}


def _say_float32(config: Path) -> None:
    """Put the dtype of weights that came from elsewhere in place of that of the model's own."""
    held = json.loads(config.read_text(encoding="utf-8"))
    config.write_text(json.dumps(held | {"dtype": "float32"}, indent=2) + "\n", encoding="utf-8")


def _base_place(facts: ModelFacts) -> str:
    """Give the base's folder or hub name, with which plain PEFT finds it."""
    try:
        return resolve_base(facts.base)
    except ModelError:  # moved away during the training, which must not be lost for that
        return facts.base


def _saved_tensors(model: nn.Module) -> Iterable[tuple[str, Tensor]]:
    if isinstance(model, PeftModel):
        return ((name, p) for name, p in model.named_parameters() if "lora_" in name)
    return model.state_dict().items()


@contextmanager
def _as_saved(causal_lm: Any, tokenizer: PreTrainedTokenizerBase) -> Iterator[GenerationConfig]:
    """Give a model the configs that its folder is to have, for as long as it is written.

    Every end token is named, the key/value cache is on again after training with gradient
    checkpointing, and no sampling settings of the base are left: answers are greedy by default.
    """
    kept = causal_lm.generation_config, causal_lm.config.use_cache
    generation = GenerationConfig(
        bos_token_id=tokenizer.bos_token_id,
        eos_token_id=end_ids(causal_lm, tokenizer),
        pad_token_id=tokenizer.pad_token_id,
    )
    causal_lm.generation_config, causal_lm.config.use_cache = generation, True
    try:
        yield generation
    finally:
        causal_lm.generation_config, causal_lm.config.use_cache = kept
