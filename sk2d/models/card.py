"""What a model folder says about itself: `sk2d.json` for programs, README.md for people."""

from __future__ import annotations

import dataclasses
import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sk2d.errors import ModelError
from sk2d.models.fingerprint import Fingerprint

FACTS = "sk2d.json"
SCHEMA = 1


@dataclass(frozen=True)
class ModelFacts:
    """How a model came about and how it is to be asked.

    Args:
        phase: skeleton or skin.
        prompt: Name of the prompt that it was trained with.
        prompt_hash: Hash of that prompt's exact strings.
        base: Name or folder of the model that training started from.
        base_fingerprint: What that model was.
        versions: Library versions.
        training: Summary of the training: steps, rows, loss, ...
        merged: Name of the adapter that was merged into the weights, for a merged model.
        quantization: How the base's weights were quantised while an adapter was trained on them
            (nf4, int8); `base_fingerprint` is that of the base as it is stored, unquantised.
    """

    phase: str
    prompt: str
    prompt_hash: str
    base: str
    base_fingerprint: Fingerprint
    versions: dict[str, str] = field(default_factory=dict)
    training: dict[str, Any] = field(default_factory=dict)
    merged: str | None = None
    quantization: str | None = None

    def to_json(self) -> str:
        """Give the content of `sk2d.json`.

        Returns:
            Indented JSON with a schema version.
        """
        values = dataclasses.asdict(self) | {"base_fingerprint": self.base_fingerprint._asdict()}
        return json.dumps({"schema": SCHEMA} | values, indent=2, ensure_ascii=False) + "\n"


def read_facts(folder: Path) -> ModelFacts | None:
    """Read what a model folder says about itself.

    Args:
        folder: A model folder.

    Returns:
        The facts, or None for a folder that sk2d did not write.

    Raises:
        ModelError: When the file is damaged or of a newer schema.
    """
    path = folder / FACTS
    if not path.is_file():
        return None
    try:
        values = json.loads(path.read_text(encoding="utf-8"))
        schema = values.pop("schema")
        if schema != SCHEMA:
            raise ModelError(
                f"schema {schema} is unknown here, {SCHEMA} is known",
                where=str(path),
                remedy="Update sk2d",
            )
        values["base_fingerprint"] = Fingerprint(**values["base_fingerprint"])
        return ModelFacts(**values)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise ModelError(
            f"the file is damaged ({type(error).__name__}: {error})",
            where=str(path),
            remedy="Copy the model folder again; it is written at the end of a training run",
        ) from error


def model_card(facts: ModelFacts, *, adapter: bool) -> str:
    """Write the model card.

    Args:
        facts: What is known of the model.
        adapter: The folder holds an adapter, not a whole model.

    Returns:
        Markdown with the front matter that model hubs read.
    """
    kind = "LoRA adapter" if adapter else "causal language model"
    library = "peft" if adapter else "transformers"
    rows = {
        "Phase": facts.phase,
        "Prompt": f"`{facts.prompt}` (hash `{facts.prompt_hash}`)",
        "Base": f"`{facts.base}`",
        "Base revision": facts.base_fingerprint.revision or "none",
        "Base weights": f"`{facts.base_fingerprint.weights[:16]}`",
        "Base tokenizer": f"`{facts.base_fingerprint.tokenizer[:16]}`",
        "Base in training": facts.quantization or "not quantised",
        "Merged adapter": facts.merged or "none",
        **{f"Training: {key}": _short(value) for key, value in facts.training.items()},
        "Versions": ", ".join(f"{name} {version}" for name, version in facts.versions.items()),
    }
    table = "\n".join(f"| {key} | {value} |" for key, value in rows.items())
    return f"""---
library_name: {library}
base_model: {json.dumps(facts.base)}
tags: [decompilation, sk2d, {facts.phase}]
---

# {facts.phase}: {kind}

Trained with sk2d to turn decompiler output back into C. Ask it with the prompt named below and
no other: another wording gives worse answers.

| | |
| --- | --- |
{table}

`{FACTS}` holds the same facts in full.
"""


def _short(value: Any) -> str:
    """Give a value in one cell of a table."""
    if isinstance(value, dict):
        return ", ".join(f"{key} {_short(item)}" for key, item in value.items())
    return f"{value:.6g}" if isinstance(value, float) else str(value).replace("|", "\\|")
