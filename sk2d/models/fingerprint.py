"""Fingerprints of models: which base an adapter belongs to, whatever the folder is called."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import torch
from safetensors import SafetensorError, safe_open
from torch import Tensor

from sk2d.errors import ModelError
from sk2d.models.adapters import ADAPTER_CONFIG, is_adapter
from sk2d.models.bases import base_folder, revision_of, weight_files

ADAPTER_FILES = ("adapter_model.safetensors", "adapter_model.bin")
_TOKENIZER_FILES = ("tokenizer.model", "vocab.json", "merges.txt", "vocab.txt")


class Fingerprint(NamedTuple):
    """What a model is, in hex digits.

    Attributes:
        weights: SHA-256 over all tensors by name, dtype, shape and bytes.
        tokenizer: SHA-256 over the tokenizer's rules.
        revision: Commit of a model from the hub; not compared.
    """

    weights: str
    tokenizer: str
    revision: str | None = None


def fingerprint(base: str | Path) -> Fingerprint:
    """Compute the fingerprint of a model; sharding and file format do not change it.

    Args:
        base: Folder, name under `models/`, or hub name. An adapter's fingerprint covers its base
            as its config names it.

    Returns:
        The fingerprint.
    """
    folder = base_folder(str(base))
    return Fingerprint(_weights_hash(folder), _tokenizer_hash(folder), revision_of(folder))


def _weights_hash(folder: Path) -> str:
    files = _weight_files(folder)
    total = hashlib.sha256()
    entries = sorted(_tensor_hashes(files))
    for name, digest in entries:
        total.update(f"{name}\0{digest}\n".encode())
    if is_adapter(folder):
        config = json.loads((folder / ADAPTER_CONFIG).read_text(encoding="utf-8"))
        scale = {
            key: config.get(key) for key in ("r", "lora_alpha", "use_rslora", "target_modules")
        }
        scale["target_modules"] = sorted(scale["target_modules"] or [])
        total.update(json.dumps(scale, sort_keys=True).encode())
        total.update(str(config.get("base_model_name_or_path")).encode())
    return total.hexdigest()


def _weight_files(folder: Path) -> list[Path]:
    if is_adapter(folder):
        files = [folder / name for name in ADAPTER_FILES if (folder / name).is_file()][:1]
    else:
        files = weight_files(folder)
    if not files:
        raise ModelError(
            "the folder has no weights, or not all files of its index",
            where=str(folder),
            remedy="Copy or download the model again",
        )
    return files


def _tensor_hashes(files: list[Path]) -> Iterator[tuple[str, str]]:
    """Give name and hash of each tensor, one tensor in memory at a time."""
    for name, tensor in read_tensors(files):
        own = hashlib.sha256(f"{tensor.dtype}\0{tuple(tensor.shape)}\0".encode())
        own.update(tensor.contiguous().reshape(-1).view(torch.uint8).numpy().data)
        yield name, own.hexdigest()


def read_tensors(files: list[Path]) -> Iterator[tuple[str, Tensor]]:
    """Read tensors from files, one at a time.

    Args:
        files: Safetensors files, or files that torch wrote.

    Yields:
        Name and tensor.

    Raises:
        ModelError: When a file is damaged.
    """
    for file in files:
        try:
            if file.suffix == ".safetensors":
                with safe_open(file, framework="pt") as opened:
                    for name in opened.keys():  # noqa: SIM118  (no mapping)
                        yield name, opened.get_tensor(name)
            else:
                stored = torch.load(file, map_location="cpu", weights_only=True, mmap=True)
                yield from stored.items()
        except (SafetensorError, RuntimeError, ValueError) as error:
            raise ModelError(
                f"the file is damaged ({str(error).splitlines()[0]})",
                where=str(file),
                remedy="Copy or download the model again",
            ) from error


def _tokenizer_hash(folder: Path) -> str:
    """Hash a tokenizer's rules; padding and truncation are settings of its last user, not rules."""
    path = folder / "tokenizer.json"
    if path.is_file():
        rules = json.loads(path.read_text(encoding="utf-8"))
        rules["padding"] = rules["truncation"] = None
        return hashlib.sha256(json.dumps(rules, sort_keys=True).encode()).hexdigest()
    total = hashlib.sha256()
    for name in _TOKENIZER_FILES:
        if (folder / name).is_file():
            total.update(name.encode() + b"\0" + (folder / name).read_bytes())
    return total.hexdigest()


def check_fingerprint(expected: Fingerprint, base: str | Path) -> None:
    """Refuse a base that is not the one an adapter was trained on.

    Args:
        expected: Fingerprint of the right base.
        base: The base at hand.

    Raises:
        ModelError: When weights or tokenizer differ; the message names both hashes.
    """
    found = fingerprint(base)
    for part, right, wrong in (
        ("weights", expected.weights, found.weights),
        ("tokenizer", expected.tokenizer, found.tokenizer),
    ):
        if right != wrong:
            raise ModelError(
                f"this is not the base that the adapter was trained on: its {part} have the "
                f"hash {wrong[:16]}, the adapter's base had {right[:16]}",
                where=str(base),
                remedy="Give the right --base, or --force to merge all the same",
            )
