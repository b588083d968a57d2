"""Which names of the headers programs may use, and which ones are the headers' own business."""

from __future__ import annotations

import re
from typing import Final

_RESERVED_BUT_PUBLIC: Final = re.compile(
    r"_(?:exit|Exit|tolower|toupper|setjmp|longjmp|IO[FLN]BF|SC_\w+|PC_\w+|CS_\w+"
    r"|POSIX_\w+|XOPEN_\w+|environ)\Z"
)
_SKIPPED: Final = re.compile(
    r"(?!_*off64)\w*f(?:32|64|128)x?(?:\w*)\Z|__?[fF]loat\d+\w*\Z|__?ISw?[a-z]+\Z"
)
"""Variants for `_Float128` and its like, some 900 names that programs hardly ever use, and the bits
behind `isalpha` and its like."""

_TAKEN_BY_PROGRAMS: Final = re.compile(
    r"(?:EMPTY|SHADOW|MOUNTED|CTRL|re_(?:match|search|compile|set)\w*)\Z"
)
"""Names that are in no standard, and that programs give to things of their own more often."""

_FEATURE_TESTS: Final = re.compile(r"_(?:POSIX|XOPEN)_(?:\w*SOURCE\w*|C_BIND|\w*VERSION)\Z")


def is_public(name: str) -> bool:
    """Tell whether programs may use a name.

    Args:
        name: A name that a header declares.

    Returns:
        False for names with the underscore of the implementation.
    """
    if not name.startswith("_"):
        return True
    return bool(_RESERVED_BUT_PUBLIC.match(name)) and not _FEATURE_TESTS.match(name)


def is_skipped(name: str) -> bool:
    """Tell whether a name is left out of the table altogether.

    Args:
        name: A name that a header declares.

    Returns:
        True for those of `_Float128` and its like, and for some that no standard has.
    """
    return bool(_SKIPPED.match(name) or _TAKEN_BY_PROGRAMS.match(name))
