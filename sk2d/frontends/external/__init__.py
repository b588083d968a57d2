"""Decompilers that people install themselves: Ghidra, IDA with Hex-Rays, angr."""

from sk2d.frontends.external.installed import Angr, Ghidra, Ida

__all__ = ["Angr", "Ghidra", "Ida"]
