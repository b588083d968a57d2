"""The files and folders that a config names: base, rows, run folder, checkpoint."""

from __future__ import annotations

import json
import pickle
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import torch

from sk2d.commands.config.check import Values
from sk2d.commands.config.devices import device_count, is_first_process
from sk2d.commands.config.policy import is_policy
from sk2d.corpus.files import count_rows, is_hub_name, read_rows
from sk2d.corpus.rl_rows import rl_row
from sk2d.data.sets import SAME
from sk2d.data.sources import RowSource
from sk2d.errors import ConfigError, DataError, ResumeError, UserError
from sk2d.models.load import resolve_base
from sk2d.models.strategies.checkpoint_folder import RUN, is_checkpoint_folder
from sk2d.phases.checkpoint_files import find_checkpoint

RESULTS = ("checkpoints", "model", "metrics.csv", "samples.jsonl", "run.json")
CHECKPOINT_KEYS = {"state_dict", "pytorch-lightning_version"}


def missing_paths(values: Values, command: str) -> Iterator[UserError]:
    """Find files and folders that are missing, unreadable, or in use by another run.

    Args:
        values: The values of the config.
        command: `fit`, `validate`, `test` or `predict`.

    Yields:
        One error per path; `where` starts with the key.
    """
    yield from _base(values)
    yield from _data(values)
    yield from _run_folder(values)
    if values.get("ckpt_path"):
        yield from _checkpoint(values)
    elif command == "fit":
        yield from _results(values)


def _base(values: Values) -> Iterator[UserError]:
    base, cutoff = values.get("model.base"), values.get("data.cutoff")
    if not isinstance(base, str):
        return
    try:
        config = Path(resolve_base(base)) / "config.json"
    except UserError as problem:
        yield ConfigError(problem.what, where=f"model.base: {problem.where}", remedy=problem.remedy)
        return
    longest = _positions(config)
    if longest is not None and isinstance(cutoff, int) and cutoff > longest:
        yield ConfigError(
            f"{cutoff} tokens are more than the {longest} positions of {base}",
            where="data.cutoff",
            remedy=f"Give {longest} or less",
        )


def _positions(config: Path) -> int | None:
    try:
        found = json.loads(config.read_text(encoding="utf-8"))["max_position_embeddings"]
    except (OSError, ValueError, KeyError, TypeError):
        return None  # a hub name, an adapter, or a model without a limit; loading tells the rest
    return found if isinstance(found, int) else None


def _data(values: Values) -> Iterator[UserError]:
    arguments = values.arguments("data")
    build: type[Any] = values.sections["data"].owner
    problems = build(**arguments).check()
    sound = [problem for problem in problems if values.is_sound(str(problem.where))]
    if not values.is_sound("data.batch_size", "data.effective_batch"):
        sound = [problem for problem in sound if problem.where != "data.effective_batch"]
    yield from sound
    wrong = {problem.where for problem in sound}
    for name in ("train", "val", "test"):
        path = arguments.get(name)
        named = (
            isinstance(path, str)
            and path != SAME
            and f"data.{name}" not in wrong
            and not is_hub_name(path)
        )
        if named:
            yield from _first_row(name, str(path), is_policy(values))
    if not wrong and isinstance(arguments["train"], str):
        yield from _interval(values, arguments)


def _first_row(name: str, path: str, for_policy: bool) -> Iterator[UserError]:
    try:
        source: Iterator[Any] = RowSource(path, need_target=name != "test").rows()
        if for_policy:
            source = (rl_row(raw, where) for raw, where in read_rows(path))
        if next(source, None) is None:
            remedy = "Name a file that holds rows"
            yield DataError(f"{path} holds no row", where=f"data.{name}", remedy=remedy)
    except UserError as problem:
        where = f"data.{name}: {problem.where}"
        yield DataError(problem.what, where=where, remedy=problem.remedy)


def _interval(values: Values, data: dict[str, Any]) -> Iterator[UserError]:
    """Refuse an interval that no epoch reaches; rows that are left out make it shorter still."""
    interval, path = values.get("trainer.val_check_interval"), data["train"]
    by_epoch = values.get("trainer.check_val_every_n_epoch") is not None
    if not isinstance(interval, int) or not by_epoch or is_hub_name(path):
        return
    per_batch = data["effective_batch"] if is_policy(values) else data["batch_size"]
    rows = count_rows(path)
    if rows is None:
        return
    rows = min(rows + 1, data["limit"] or rows + 1)  # the last line may lack its newline
    most = -(-rows // (per_batch * device_count(values.get, values.site)))
    if interval > most:
        yield ConfigError(
            f"{interval} batches are more than an epoch has (at most {most})",
            where="trainer.val_check_interval",
            remedy="Lower it, or set trainer.check_val_every_n_epoch to null to count over epochs",
        )


def _run_folder(values: Values) -> Iterator[UserError]:
    for key in ("trainer.default_root_dir", "checkpoint.dirpath"):
        root = values.get(key)
        if root is None:
            continue
        nearest = next(path for path in (Path(root), *Path(root).parents) if path.exists())
        if not nearest.is_dir():
            remedy = "Name a folder; it need not exist"
            yield ConfigError(f"{nearest} is a file", where=key, remedy=remedy)
        elif not _is_writable(nearest):
            what = f"{nearest} cannot be written to"
            yield ConfigError(what, where=key, remedy="Name a folder of your own")


def _is_writable(folder: Path) -> bool:
    try:
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


def _checkpoint(values: Values) -> Iterator[UserError]:
    root = Path(values.get("trainer.default_root_dir") or "runs")
    folder = Path(values.get("checkpoint.dirpath") or root / "checkpoints")
    try:
        check_checkpoint(find_checkpoint(str(values.get("ckpt_path")), folder))
    except UserError as problem:
        where = f"ckpt_path: {problem.where}"
        yield type(problem)(problem.what, where=where, remedy=problem.remedy)


def check_checkpoint(path: Path) -> None:
    """Check that a file is a checkpoint of a run, without loading its tensors.

    Args:
        path: An intact file.

    Raises:
        ResumeError: It is something else.
    """
    remedy = "Name a checkpoint of a run's checkpoints folder, or last"
    if is_checkpoint_folder(path):
        path = path / RUN
    if path.is_dir():
        raise ResumeError("this is a folder", where=str(path), remedy=remedy)
    try:
        found = torch.load(path, map_location="meta", weights_only=True, mmap=True)
    except (RuntimeError, pickle.UnpicklingError) as error:
        what = "torch cannot load it as plain types and tensors"
        raise ResumeError(what, where=str(path), remedy=remedy) from error
    if not isinstance(found, dict) or not found.keys() >= CHECKPOINT_KEYS:
        raise ResumeError("this is no checkpoint of a run", where=str(path), remedy=remedy)


def _results(values: Values) -> Iterator[UserError]:
    if not is_first_process():
        return
    root = Path(values.get("trainer.default_root_dir") or "runs")
    found = [name for name in RESULTS if (root / name).exists()]
    if found and not values.get("overwrite") and not values.get("trainer.fast_dev_run"):
        yield ConfigError(
            f"{root} holds another run ({found[0]})",
            where="trainer.default_root_dir",
            remedy="Resume it with --ckpt_path last, choose another folder, or give --overwrite",
        )
