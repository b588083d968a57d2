"""flatline, Ghidra's decompiler engine from a package: the front end that is always there."""

from sk2d.frontends.flatline.client import Flatline

__all__ = ["Flatline"]
