"""One C function as tokens, tree, names and types: text in, text out.

What is exported here is loaded on first use, so that whoever needs one step does not wait for all.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from sk2d.c.inference import infer
    from sk2d.c.normalization import normalize
    from sk2d.c.rename import Obfuscated, obfuscate, restore
    from sk2d.c.style import format_functions

__all__ = ["Obfuscated", "format_functions", "infer", "normalize", "obfuscate", "restore"]

_HOME: Final = {
    "Obfuscated": "rename",
    "format_functions": "style",
    "infer": "inference",
    "normalize": "normalization",
    "obfuscate": "rename",
    "restore": "rename",
}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_HOME[name]}"), name)
