"""What goes wrong after a config was checked, told in one line by the key that it is about."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator

from jsonargparse import Namespace
from lightning.pytorch import Trainer
from lightning.pytorch.utilities.exceptions import MisconfigurationException

from sk2d.commands.config.classes import KINDS
from sk2d.commands.config.files import clean_key
from sk2d.commands.config.keys import Section
from sk2d.errors import ConfigError, UserError, UserErrors

# Keys whose value names something outside the config.
NAMED_THINGS = (
    "model.init_args.base",
    "data.init_args.train",
    "data.init_args.val",
    "data.init_args.test",
    "data.init_args.predictions",
)
COMPLAINTS = (MisconfigurationException, ValueError, TypeError, RuntimeError, ImportError)


@contextlib.contextmanager
def told_by_key(config: Namespace | None = None) -> Iterator[None]:
    """Tell a user's mistakes by the key that they are about; errors of our own pass.

    Args:
        config: The resolved config, to find the key that a file, folder or name belongs to.

    Yields:
        Nothing.

    Raises:
        ConfigError: Lightning refused a setting, or a combination of settings.
        UserError: A file, folder or name of the config cannot be used.
        COMPLAINTS: Neither; the error passes as it is.
    """
    try:
        yield
    except UserError as error:
        keys = [key for key in NAMED_THINGS if config and _is_about(error, config.get(key))]
        if not keys or isinstance(error, UserErrors):
            raise
        where = f"{clean_key(keys[0])}: {error.where}"
        raise UserError(error.what, where=where, remedy=error.remedy) from error
    except COMPLAINTS as error:
        said = said_by_lightning(error)
        if said is None:
            raise
        where, what = complaint(said)
        remedy = "docs/config.md tells how the keys go together"
        raise ConfigError(what, where=where, remedy=remedy) from error


def _is_about(error: UserError, thing: str | None) -> bool:
    """Tell whether an error is about a thing, or a place in it such as `file:3`."""
    where = error.where or ""
    return thing is not None and (where == thing or where.startswith(f"{thing}:"))


def said_by_lightning(error: BaseException | None) -> BaseException | None:
    """Find what Lightning's own code raised, in an error or in what led to it.

    Args:
        error: The error, caught.

    Returns:
        The first whose innermost frame is Lightning's; None when there is none.
    """
    while error is not None:
        trace = error.__traceback__
        while trace is not None and trace.tb_next:
            trace = trace.tb_next
        module = trace.tb_frame.f_globals.get("__name__") if trace else ""
        if str(module).split(".")[0] == "lightning":
            return error
        error = error.__cause__ or error.__context__
    return None


def complaint(error: BaseException) -> tuple[str, str]:
    """Read a message of Lightning's.

    Args:
        error: What Lightning raised.

    Returns:
        The first trainer key that it names, and what is wrong.
    """
    text = first_line(error)
    known = Section("trainer", Trainer).parameters()
    named = [word for word in re.findall(r"\w+", text) if word in known and "_" in word]
    named += [word for word in re.findall(r"[`(](\w+)", text) if word in known]
    where = f"trainer.{named[0]}" if named else _key_of_class(error)
    return where, text.rstrip(".")


def _key_of_class(error: BaseException) -> str:
    trace = error.__traceback__
    while trace is not None and trace.tb_next:
        trace = trace.tb_next
    owner = trace.tb_frame.f_locals.get("self") if trace else None
    keys = [key for key, kinds in KINDS.items() if isinstance(owner, kinds)]
    return f"{keys[0]} ({type(owner).__name__})" if keys else "trainer"


def first_line(error: BaseException) -> str:
    """Give a message as one line.

    Args:
        error: Any error.

    Returns:
        At most 500 characters.
    """
    return " ".join(str(error).split())[:500]
