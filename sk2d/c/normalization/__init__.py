"""Decompiler output brought into plain C: four dialects, two profiles, one shim header."""

from sk2d.c.normalization.dialects import DIALECTS, detect_dialect
from sk2d.c.normalization.normalizer import PROFILES, normalize, normalize_many
from sk2d.c.normalization.shim import HEADER, INCLUDED, shim, shim_names

__all__ = [
    "DIALECTS",
    "HEADER",
    "INCLUDED",
    "PROFILES",
    "detect_dialect",
    "normalize",
    "normalize_many",
    "shim",
    "shim_names",
]
