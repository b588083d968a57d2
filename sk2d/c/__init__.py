"""One C function as tokens, tree, names and types: text in, text out."""

from sk2d.c.inference import infer
from sk2d.c.normalization import normalize
from sk2d.c.rename import Obfuscated, obfuscate, restore
from sk2d.c.style import format_functions

__all__ = ["Obfuscated", "format_functions", "infer", "normalize", "obfuscate", "restore"]
