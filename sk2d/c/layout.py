"""The layout of every text that a model reads or is trained to write, in one place.

Training rows and the decompiler's prompts take it from here: a model that saw formatted code is
never asked about code that is not.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from sk2d.c.style import format_with_reasons
from sk2d.c.tokens import tokenize
from sk2d.errors import SourceError

_EMPTY_LINES = re.compile(r"\n\s*\n")


def lay_out(codes: Sequence[str]) -> list[str | SourceError]:
    """Bring C functions into the layout that models read: Google style without empty lines.

    Args:
        codes: Texts of C functions.

    Returns:
        For each in order its text, or why it could not be formatted, see `format_with_reasons`.

    Raises:
        UserError: clang-format cannot be started.
    """  # noqa: DOC502
    # Before formatting: clang-format leaves a brace alone that follows an empty line.
    return format_with_reasons([without_empty_lines(code) for code in codes])


def without_empty_lines(code: str) -> str:
    """Take out empty lines, and white space at both ends.

    Args:
        code: C source.

    Returns:
        The same tokens in lines that are not empty.
    """
    if not _EMPTY_LINES.search(code):
        return code.strip()
    parts = (
        _EMPTY_LINES.sub("\n", token.text) if token.kind == "space" else token.text
        for token in tokenize(code)
    )
    return "".join(parts).strip()
