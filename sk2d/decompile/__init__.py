"""From a binary to C: front end, normalisation, both phases, names, verdicts."""

from sk2d.decompile.binary import Decompiler
from sk2d.decompile.records import Decompiled, Name, Verdict
from sk2d.decompile.selection import select

__all__ = ["Decompiled", "Decompiler", "Name", "Verdict", "select"]
