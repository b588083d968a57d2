"""Cheap checks of the data settings, all mistakes at once, before anything is read."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

from sk2d.corpus.files import find_file, is_hub_name
from sk2d.data.plan import micro_batches_per_step
from sk2d.data.sets import SAME
from sk2d.data.tokens import TooLong
from sk2d.errors import ConfigError, DataError, UserError, did_you_mean

MIN_CUTOFF = 16

# Key, smallest value, whether null is allowed.
_Ranges = tuple[tuple[str, int, bool], ...]
_OF_ALL: _Ranges = (("seed", 0, False), ("preview", 0, False), ("limit", 1, True))
_OF_SUPERVISED: _Ranges = (
    ("cutoff", MIN_CUTOFF, False),
    ("batch_size", 1, False),
    ("effective_batch", 1, False),
    ("num_workers", 0, False),
    *_OF_ALL,
)
_OF_ROLLOUTS: _Ranges = (
    ("cutoff", MIN_CUTOFF, False),
    ("batch_size", 1, False),
    ("effective_batch", 1, False),
    ("val_rows", 1, False),
    ("val_batch", 1, False),
    *_OF_ALL,
)


def check_settings(settings: dict[str, Any]) -> list[UserError]:
    """Check the settings of the data of supervised training.

    Args:
        settings: Its arguments by name.

    Returns:
        One error per mistake; `where` is the key.
    """
    return [
        *_files(settings, "train", "val", "test", "predictions"),
        *_numbers(settings, _OF_SUPERVISED),
        *_steps(settings),
        *_shares(settings),
        *_choices(settings),
    ]


def check_rollout_settings(settings: dict[str, Any]) -> list[UserError]:
    """Check the settings of the data of reinforcement learning.

    Args:
        settings: Its arguments by name.

    Returns:
        One error per mistake; `where` is the key.
    """
    return [
        *_files(settings, "train", "val"),
        *_numbers(settings, _OF_ROLLOUTS),
        *_held_back(settings),
    ]


def _files(settings: dict[str, Any], *keys: str) -> Iterator[UserError]:
    for key in keys:
        source = settings[key]
        if source is None or (source and is_hub_name(source)) or (key == "val" and source == SAME):
            continue
        try:
            find_file(source)
        except DataError as error:
            yield DataError(
                f"{error.where}: {error.what}", where=f"data.{key}", remedy=error.remedy
            )


def _numbers(settings: dict[str, Any], ranges: _Ranges) -> Iterator[UserError]:
    for key, least, may_be_null in ranges:
        value = settings[key]
        if not (value is None and may_be_null) and not _is_whole(value, least):
            yield ConfigError(
                f"{value!r} is not a whole number of at least {least}",
                where=f"data.{key}",
                remedy=f"Set it to {least} or more" + (", or to null" if may_be_null else ""),
            )


def _is_whole(value: Any, least: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= least


def _steps(settings: dict[str, Any]) -> Iterator[UserError]:
    sizes = settings["effective_batch"], settings["batch_size"]
    if all(_is_whole(size, 1) for size in sizes):
        try:
            micro_batches_per_step(*sizes)
        except ConfigError as error:
            yield error


def _held_back(settings: dict[str, Any]) -> Iterator[UserError]:
    if not 0 <= settings["val_share"] < 1:
        yield ConfigError(
            f"{settings['val_share']!r} is no share of the functions to hold back",
            where="data.val_share",
            remedy="Set it to 0 or more and below 1 (0 means no validation)",
        )


def _shares(settings: dict[str, Any]) -> Iterator[UserError]:
    yield from _held_back(settings)
    if not 0 <= settings["predictions_share"] <= 1:
        yield ConfigError(
            f"{settings['predictions_share']!r} is no share of the rows",
            where="data.predictions_share",
            remedy="Set it between 0 and 1",
        )


def _choices(settings: dict[str, Any]) -> Iterator[UserError]:
    known = get_args(TooLong)
    if settings["too_long"] not in known:
        near = did_you_mean(str(settings["too_long"]), known)
        yield ConfigError(
            f"{settings['too_long']!r} is no policy for rows that are too long",
            where="data.too_long",
            remedy=near or f"Known: {', '.join(known)}",
        )
    folder = settings["cache_dir"]
    if folder is not None and Path(folder).exists() and not Path(folder).is_dir():
        yield ConfigError(
            f"{folder} is a file, not a folder",
            where="data.cache_dir",
            remedy="Name a folder; it need not exist",
        )
