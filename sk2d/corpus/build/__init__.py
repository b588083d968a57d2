"""From a tree of C sources to raw pairs: compile, decompile, match."""

from sk2d.corpus.build.building import build_corpus
from sk2d.corpus.build.settings import Settings

__all__ = ["Settings", "build_corpus"]
