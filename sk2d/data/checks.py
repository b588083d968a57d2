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
_WHOLE_NUMBERS = (
    ("cutoff", MIN_CUTOFF, False),
    ("batch_size", 1, False),
    ("effective_batch", 1, False),
    ("num_workers", 0, False),
    ("seed", 0, False),
    ("preview", 0, False),
    ("limit", 1, True),
)


def check_settings(settings: dict[str, Any]) -> list[UserError]:
    """Check the settings of a data module.

    Args:
        settings: Its arguments by name.

    Returns:
        One error per mistake; `where` is the key.
    """
    return [*_files(settings), *_numbers(settings), *_shares(settings), *_choices(settings)]


def _files(settings: dict[str, Any]) -> Iterator[UserError]:
    for key in ("train", "val", "test", "predictions"):
        source = settings[key]
        if source is None or (source and is_hub_name(source)) or (key == "val" and source == SAME):
            continue
        try:
            find_file(source)
        except DataError as error:
            yield DataError(
                f"{error.where}: {error.what}", where=f"data.{key}", remedy=error.remedy
            )


def _numbers(settings: dict[str, Any]) -> Iterator[UserError]:
    wrong = set()
    for key, least, may_be_null in _WHOLE_NUMBERS:
        value = settings[key]
        if value is None and may_be_null:
            continue
        if isinstance(value, bool) or not isinstance(value, int) or value < least:
            wrong.add(key)
            yield ConfigError(
                f"{value!r} is not a whole number of at least {least}",
                where=f"data.{key}",
                remedy=f"Set it to {least} or more" + (", or to null" if may_be_null else ""),
            )
    if not wrong & {"batch_size", "effective_batch"}:
        try:
            micro_batches_per_step(settings["effective_batch"], settings["batch_size"])
        except ConfigError as error:
            yield error


def _shares(settings: dict[str, Any]) -> Iterator[UserError]:
    if not 0 <= settings["val_share"] < 1:
        yield ConfigError(
            f"{settings['val_share']!r} is no share of the functions to hold back",
            where="data.val_share",
            remedy="Set it to 0 or more and below 1 (0 means no validation)",
        )
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
