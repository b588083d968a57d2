"""Embedders without a model: what they give is known by hand."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence

from sk2d.metrics.identifiers import sub_tokens

SIZE = 256


class Words:
    """Counts the words of a text, comments included, in buckets; notes what it was asked."""

    name = "words"

    def __init__(self) -> None:
        self.asked: list[list[str]] = []

    def __call__(self, texts: Sequence[str]) -> list[list[float]]:
        self.asked.append(list(texts))
        return [self.vector(text) for text in texts]

    def vector(self, text: str) -> list[float]:
        vector = [0.0] * SIZE
        for word in sub_tokens(text):
            vector[hashlib.sha256(word.encode()).digest()[0]] += 1
        return vector


class Failing(Words):
    """Fails for a batch that holds a text it cannot take."""

    def __init__(
        self, refuses: Callable[[str], bool], error: type[Exception] = RuntimeError
    ) -> None:
        super().__init__()
        self.refuses = refuses
        self.error = error

    def __call__(self, texts: Sequence[str]) -> list[list[float]]:
        made = super().__call__(texts)
        if any(map(self.refuses, texts)):
            raise self.error("no memory\nleft")
        return made
