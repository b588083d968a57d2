"""Type inference: the header that a piece of C lacks."""

from sk2d.c.inference.inferring import infer

__all__ = ["infer"]
