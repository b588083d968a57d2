"""Numbers that say how good decompiled code is."""
