"""Where a base lies: a folder, a name under `models/`, or a name on the hub."""

from __future__ import annotations

import json
import re
import time
from pathlib import Path

import torch
from huggingface_hub import snapshot_download, try_to_load_from_cache
from huggingface_hub.errors import HfHubHTTPError
from rich.console import Console

from sk2d.corpus.files import shipped
from sk2d.errors import ModelError, did_you_mean
from sk2d.models.adapters import is_adapter
from sk2d.models.tiny import make_tiny, texts_of

MODELS = Path("models")
# Names that this project makes or fetches itself, and the command that does so.
KNOWN_BASES = {
    "tiny": "python cli.py models tiny",
    "smollm2-135m": "python cli.py models fetch smollm2-135m",
}
WAIT_S = 300.0
_HUB_NAME = re.compile(r"[A-Za-z0-9][\w.-]*/[A-Za-z0-9][\w.-]*")
_WANTED = ["*.safetensors", "*.json", "*.model", "*.txt", "*.bin"]
_WEIGHTS = ("model.safetensors", "pytorch_model.bin")
_INDEXES = ("model.safetensors.index.json", "pytorch_model.bin.index.json")


def weight_files(folder: Path) -> list[Path]:
    """Give the files of a whole model's weights.

    Args:
        folder: A model folder.

    Returns:
        One file, or all shards of the index; empty when there are none or a shard is missing.
    """
    for index in (folder / name for name in _INDEXES):
        if index.is_file():
            shards = set(json.loads(index.read_text(encoding="utf-8"))["weight_map"].values())
            files = [folder / shard for shard in sorted(shards)]
            return files if all(file.is_file() for file in files) else []
    return next(([folder / name] for name in _WEIGHTS if (folder / name).is_file()), [])


def is_model_folder(folder: Path) -> bool:
    """Tell whether a folder holds a whole model or an adapter.

    Args:
        folder: Any path.

    Returns:
        True when a model's or an adapter's config stands in it.
    """
    return (folder / "config.json").is_file() or is_adapter(folder)


def model_folder(path: Path) -> Path:
    """Find the model folder that a path means: itself, or the `model/` of a run folder.

    Args:
        path: An existing folder.

    Returns:
        The folder with the config in it.

    Raises:
        ModelError: When neither holds a model.
    """
    for folder in (path, path / "model"):
        if is_model_folder(folder):
            return folder
    raise ModelError(
        "the folder holds no config.json and no adapter_config.json",
        where=str(path),
        remedy="Give a model folder, or a run folder whose training came to its end",
    )


def resolve_base(base: str) -> str:
    """Find what a base's name means, without reading or fetching it.

    Args:
        base: Folder (a run folder means its `model/`), name under `models/`, or hub name.

    Returns:
        A folder, or the hub name as it is. For `tiny` the folder may have yet to be made.

    Raises:
        ModelError: When there is no such base; the message names the command that gets it.
    """
    given = Path(base).expanduser()
    for path in (given, MODELS / base):
        if path.is_dir():
            return str(model_folder(path))
    if base == "tiny" and shipped("examples") is not None:
        return str(MODELS / base)
    if base in KNOWN_BASES:
        raise ModelError(
            f"{MODELS / base} is not there yet", where=base, remedy=f"Run: {KNOWN_BASES[base]}"
        )
    if _HUB_NAME.fullmatch(base) and not given.parent.is_dir():
        return base
    near = did_you_mean(base, [*KNOWN_BASES, *(p.name for p in MODELS.glob("*"))]) or ""
    raise ModelError(
        "there is no such model folder, and it is no hub name (owner/name)",
        where=base,
        remedy=f"{near} Folders and names are looked up in the working folder and in {MODELS}/; "
        "python cli.py models --help tells how to get one",
    )


def local_folder(base: str) -> Path | None:
    """Give the folder of a base if it is on this machine; nothing is fetched or made.

    Args:
        base: As for `resolve_base`.

    Returns:
        A folder with the model's config and tokenizer, or None.
    """
    path = Path(resolve_base(base))
    if path.is_dir():
        return path
    if not _HUB_NAME.fullmatch(base):
        return None
    found = try_to_load_from_cache(base, "config.json")
    return Path(found).parent if isinstance(found, str) else None


def base_folder(base: str) -> Path:
    """Give the folder of a base; a hub model is downloaded, the tiny one made, if need be.

    Args:
        base: As for `resolve_base`.

    Returns:
        A folder with a model or an adapter in it.
    """
    found = resolve_base(base)
    path = Path(found)
    if path.is_dir():
        return path
    if path == MODELS / "tiny":
        return _make_tiny(path)
    return _snapshot(found)


def _make_tiny(folder: Path) -> Path:
    examples = shipped("examples")
    assert examples is not None, "resolve_base looked for it"
    rows = sorted(examples.glob("*.jsonl"))
    if not rows:
        raise ModelError(
            f"no rows in {examples} to train a tokenizer on",
            where="tiny",
            remedy="Run: python cli.py models tiny --rows FILE.jsonl",
        )
    if torch.distributed.is_initialized() and torch.distributed.get_rank() > 0:
        return _made_by_the_first_process(folder)
    Console(stderr=True).print(f"Making the tiny model in {folder} from {examples}/*.jsonl")
    make_tiny(texts_of(rows), folder)
    return folder


def _made_by_the_first_process(folder: Path) -> Path:
    """Wait for the model, of which Transformers writes the weights in the first process only."""
    until = time.monotonic() + WAIT_S
    while not is_model_folder(folder):
        if time.monotonic() > until:
            raise ModelError(
                f"the first process has not made it within {WAIT_S:.0f} s",
                where=str(folder),
                remedy="Run: python cli.py models tiny",
            )
        time.sleep(0.2)
    return folder


def _snapshot(name: str) -> Path:
    """Give a hub model's folder in the local cache, downloaded unless it is complete there."""
    try:
        folder = Path(snapshot_download(name, allow_patterns=_WANTED, local_files_only=True))
        if is_adapter(folder) or weight_files(folder):
            return folder
    except OSError:  # not in the cache yet: download it
        pass
    try:
        return Path(snapshot_download(name, allow_patterns=_WANTED))
    except (OSError, ValueError, HfHubHTTPError) as error:
        raise ModelError(
            f"it cannot be fetched from the hub ({type(error).__name__})",
            where=name,
            remedy="Check the name and the connection, log in if the model is gated, or copy its "
            f"folder to {MODELS / name.split('/')[1]} and give that",
        ) from error


def revision_of(folder: Path) -> str | None:
    """Give the commit of a model that lies in the hub's cache.

    Args:
        folder: A model folder.

    Returns:
        The commit, or None for a folder from elsewhere.
    """
    return folder.name if folder.parent.name == "snapshots" else None
