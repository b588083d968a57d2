"""The errors that sk2d raises: what went wrong, where, and what to do next.

A `UserError` is a mistake that the user can mend: the command line prints it in one line, without
a traceback, and ends with exit code 2. `TrainingStopped` ends a run that must not go on, with exit
code 1. Our own mistakes stay plain Python exceptions (`assert`) with their traceback.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence


class Sk2dError(Exception):
    """Root of all errors that sk2d raises on purpose; `exit_code` is what the shell sees."""

    exit_code = 1


class UserError(Sk2dError):
    """A mistake of the user, told in one line with the place and the remedy.

    Args:
        what: What is wrong, without a full stop at the end.
        where: The place: `file:line:column`, a config key such as `data.cutoff`, or a folder.
        remedy: What to do next, as a sentence without a full stop at the end.
    """

    exit_code = 2

    def __init__(self, what: str, *, where: str | None = None, remedy: str | None = None) -> None:
        self.what = what
        self.where = where
        self.remedy = remedy
        super().__init__(self._line())

    def _line(self) -> str:
        place = f"{self.where}: " if self.where else ""
        remedy = f". {self.remedy}" if self.remedy else ""
        return " ".join(f"{place}{self.what}{remedy}".split())


class ConfigError(UserError):
    """A config key or value that cannot be used; `where` is the key."""


class DataError(UserError):
    """Rows that cannot be read or used; `where` is `file:line:column` where it is known."""


class ModelError(UserError):
    """A model folder, base or adapter that cannot be used."""


class ResumeError(UserError):
    """A checkpoint that cannot be resumed from, or not with these settings."""


class UserErrors(UserError):
    """Several mistakes of the user, reported together, one line each.

    Args:
        problems: The mistakes in the order in which they are to be read; at least one.
    """

    def __init__(self, problems: Sequence[UserError]) -> None:
        assert problems, "an empty list of problems is no error"
        self.problems = list(problems)
        super().__init__(problems[0].what, where=problems[0].where, remedy=problems[0].remedy)

    def __str__(self) -> str:
        """Give one line per problem."""
        return "\n".join(str(problem) for problem in self.problems)


class TrainingStopped(Sk2dError):
    """A run that was ended because going on would waste it (non-finite or diverging loss)."""


def did_you_mean(word: str, known: Iterable[str]) -> str | None:
    """Give the remedy for a misspelt word.

    Args:
        word: What the user wrote.
        known: The words that would have been right.

    Returns:
        `Did you mean X?` for the nearest known word, or None when nothing is near.
    """
    near = difflib.get_close_matches(word, list(known), n=1, cutoff=0.6)
    return f"Did you mean {near[0]}?" if near else None


class Interrupted(Sk2dError):
    """A run that was told to stop by a signal and has saved itself.

    Args:
        number: The signal.
        checkpoint: The checkpoint that was written, or None when no step had been done.
    """

    def __init__(self, number: int, checkpoint: str | None) -> None:
        self.exit_code = 128 + number
        saved = (
            f"saved {checkpoint}; go on with --ckpt_path last"
            if checkpoint
            else "no optimiser step was done yet, so nothing was saved"
        )
        super().__init__(f"stopped by signal {number}: {saved}")
