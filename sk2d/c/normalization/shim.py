"""The shim header: what raw decompiler output needs to compile."""

from __future__ import annotations

import functools
import re
from pathlib import Path
from typing import Final

HEADER: Final = Path(__file__).with_name("shim.h")
"""The header as a file, for `gcc -include`."""

INCLUDED: Final = ("float", "limits", "stdarg", "stdbool", "stddef", "stdint", "smmintrin")
"""The headers, all of gcc itself, that the shim includes."""

_DEFINE: Final = re.compile(r"^#define (\w+)", re.MULTILINE)
_TYPEDEF: Final = re.compile(r"^typedef [^;]*?\b(\w+)(?: SK2D_ALIAS|\(\))?;", re.MULTILINE)
_FUNCTION: Final = re.compile(
    r"^[a-zA-Z][\w *]*?(?:\b|\()(\w+)\)?\((?=[\w.*) ])[^;{}]*?[;{\n]", re.MULTILINE
)
_VARIABLE: Final = re.compile(r"^(?:extern|static) [\w *]+?\b(\w+)(?: __attribute__.*)?;", re.M)
_ROTATIONS: Final = frozenset(f"__RO{way}{n}__" for way in "LR" for n in (1, 2, 4, 8, 16))


def shim() -> str:
    """Give the shim header.

    Returns:
        Its text, to stand before decompiler output.
    """
    return HEADER.read_text(encoding="utf-8")


@functools.cache
def shim_names() -> frozenset[str]:
    """Give the names that the shim declares itself, for whoever declares the rest.

    Names of the headers in `INCLUDED` are not among them.

    Returns:
        Macros, types, functions and variables.
    """
    text = shim()
    found = {name for pattern in (_DEFINE, _TYPEDEF, _FUNCTION, _VARIABLE) for name in
             pattern.findall(text)}  # fmt: skip
    return frozenset(found | _ROTATIONS)
