"""Lightning's complaints about a config, turned into one line."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator

from lightning.pytorch import Trainer
from lightning.pytorch.utilities.exceptions import MisconfigurationException

from sk2d.commands.config_keys import Section
from sk2d.errors import ConfigError

COMPLAINTS = (ValueError, TypeError, RuntimeError, NotImplementedError, ImportError)


@contextlib.contextmanager
def told_by_lightning() -> Iterator[None]:
    """Turn what Lightning says about a config into a `ConfigError`; other errors pass.

    Yields:
        Nothing.

    Raises:
        ConfigError: Lightning refused a setting, or a combination of settings.
    """
    try:
        yield
    except MisconfigurationException as error:
        raise complaint(error) from error
    except COMPLAINTS as error:
        if not raised_by_lightning(error):
            raise
        raise complaint(error) from error


def raised_by_lightning(error: BaseException) -> bool:
    """Tell whether Lightning's own code raised an error.

    Args:
        error: The error, caught.

    Returns:
        Whether the innermost frame is Lightning's.
    """
    trace = error.__traceback__
    assert trace is not None, "the error was caught"
    while trace.tb_next:
        trace = trace.tb_next
    return str(trace.tb_frame.f_globals.get("__name__")).split(".")[0] == "lightning"


def complaint(error: BaseException) -> ConfigError:
    """Make an error of ours out of Lightning's.

    Args:
        error: What Lightning raised.

    Returns:
        The error, with the first trainer key that the message names as its place.
    """
    text = first_line(error)
    known = Section("trainer", Trainer).parameters()
    named = [word for word in re.findall(r"\w+", text) if word in known and "_" in word]
    named += [word for word in re.findall(r"[`(](\w+)", text) if word in known]
    where = f"trainer.{named[0]}" if named else "trainer"
    return ConfigError(
        text.rstrip("."), where=where, remedy="docs/config.md tells how the keys go together"
    )


def first_line(error: BaseException) -> str:
    """Give a message as one line.

    Args:
        error: Any error.

    Returns:
        At most 500 characters.
    """
    return " ".join(str(error).split())[:500]
