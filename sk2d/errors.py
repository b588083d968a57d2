"""The errors that sk2d raises: what went wrong, where, and what to do next.

A `UserError` is a mistake that the user can mend: the command line prints it in one line, without
a traceback, and ends with exit code 2. `TrainingStopped` ends a run that must not go on, with exit
code 1. Our own mistakes stay plain Python exceptions (`assert`) with their traceback.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from typing import Final


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


class FrontendError(UserError):
    """A binary cannot be read, or a decompiler is missing or failed."""


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


class OutOfMemory(UserError):
    """A run that needed more memory than there is; `where` is the part of the run."""


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


class Reason(StrEnum):
    """Why a record could not be used: the closed list that every reject is counted under."""

    # The row.
    MALFORMED = "malformed"
    MISSING_FIELD = "missing_field"
    # The text.
    EMPTY = "empty"
    NUL_BYTE = "nul_byte"
    NOT_TEXT = "not_text"
    TOO_LARGE = "too_large"
    TOO_DEEP = "too_deep"
    # The syntax.
    SYNTAX_ERROR = "syntax_error"
    NO_FUNCTION = "no_function"
    SEVERAL_FUNCTIONS = "several_functions"
    NAME_CLASH = "name_clash"
    # Formatting.
    FMT_TIMEOUT = "fmt_timeout"
    FMT_FAILED = "fmt_failed"
    FMT_CHANGED = "fmt_changed_tokens"
    # Type inference and its proof.
    TYPE_CONFLICT = "type_conflict"
    NOT_COMPILING = "not_compiling"
    COMPILE_TIMEOUT = "compile_timeout"
    UNSUPPORTED = "unsupported"
    # Filters.
    TOO_FEW_LINES = "too_few_lines"
    TOO_MANY_LINES = "too_many_lines"
    IS_MAIN = "is_main"
    DUPLICATE = "duplicate"
    NEAR_DUPLICATE = "near_duplicate"
    CONTAMINATED = "contaminated"
    # The machinery.
    STEP_TIMEOUT = "step_timeout"
    STEP_CRASHED = "step_crashed"
    WORKER_DIED = "worker_died"


EXPLANATIONS: Final[Mapping[Reason, str]] = {
    Reason.MALFORMED: "the line is no JSON object",
    Reason.MISSING_FIELD: "a column that is needed is not there, or holds no text",
    Reason.EMPTY: "there is no code",
    Reason.NUL_BYTE: "the text holds a NUL byte",
    Reason.NOT_TEXT: "the text holds half of a surrogate pair",
    Reason.TOO_LARGE: "the text is longer than any function that a model could read",
    Reason.TOO_DEEP: "the code is nested too deeply",
    Reason.SYNTAX_ERROR: "the code is no valid C",
    Reason.NO_FUNCTION: "the text holds no function definition that can be worked on",
    Reason.SEVERAL_FUNCTIONS: "the text holds more than one function definition",
    Reason.NAME_CLASH: "one name stands for two things that C tells apart only with the headers",
    Reason.FMT_TIMEOUT: "clang-format reached its limit of CPU time or memory, also alone",
    Reason.FMT_FAILED: "clang-format crashed or refused the text",
    Reason.FMT_CHANGED: "clang-format would have changed the tokens",
    Reason.TYPE_CONFLICT: "the uses of a name cannot be given one type",
    Reason.NOT_COMPILING: "the code does not compile with its inferred header",
    Reason.COMPILE_TIMEOUT: "the compiler reached its limit of CPU time or memory",
    Reason.UNSUPPORTED: "the code uses something that type inference does not know",
    Reason.TOO_FEW_LINES: "the function has too few lines to learn from",
    Reason.TOO_MANY_LINES: "the function has too many lines",
    Reason.IS_MAIN: "the function is main",
    Reason.DUPLICATE: "the same pair stood in an earlier row",
    Reason.NEAR_DUPLICATE: "nearly the same source stood in an earlier row",
    Reason.CONTAMINATED: "the function is in a given evaluation set",
    Reason.STEP_TIMEOUT: "a step took longer than its limit",
    Reason.STEP_CRASHED: "a step failed by a mistake of sk2d's own; please report the message",
    Reason.WORKER_DIED: "the process that worked on the row died, also when it had this row alone",
}


class SourceError(UserError):
    """C text that a step cannot work on, with a reason from the closed list.

    Args:
        reason: The reason that it is counted under.
        what: What is wrong with this text.
        where: The place in the text.
        remedy: What to do next.
    """

    def __init__(
        self, reason: Reason, what: str, *, where: str | None = None, remedy: str | None = None
    ) -> None:
        self.reason = reason
        super().__init__(f"{what} ({reason})", where=where, remedy=remedy)


class JailError(Sk2dError):
    """The jail failed, so that nothing can be said about the code in it ("cannot judge")."""
