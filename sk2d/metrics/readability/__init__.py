"""R2I, the relative readability index of decompiled code."""

from sk2d.metrics.readability.features import features
from sk2d.metrics.readability.parsing import UnreadableError
from sk2d.metrics.readability.scoring import r2i

__all__ = ["UnreadableError", "features", "r2i"]
