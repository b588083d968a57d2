"""Rows on disk: their columns, and reading and writing the files that hold them; no torch here."""
