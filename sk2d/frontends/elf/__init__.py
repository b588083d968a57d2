"""ELF files as a decompiler needs them: flat memory, names, and where functions begin."""

from sk2d.frontends.elf.image import Image, Range, Symbol
from sk2d.frontends.elf.loading import load_elf

__all__ = ["Image", "Range", "Symbol", "load_elf"]
