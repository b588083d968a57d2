"""Cosines of embeddings: one call for a batch, references kept, a failure costs what failed."""

from __future__ import annotations

import math
import threading
from array import array
from collections import OrderedDict
from collections.abc import Sequence
from typing import Final, Protocol

from sk2d.endpoint import UnreachableError

KEPT: Final = 4096
"""References whose embeddings are kept: 8 kB each at 1,024 dimensions."""


class Embedder(Protocol):
    """Turns texts into vectors of one length, of any norm.

    Attributes:
        name: What logs call it.
    """

    name: str

    def __call__(self, texts: Sequence[str]) -> list[list[float]]:
        """Embed texts.

        Args:
            texts: Any texts.

        Returns:
            A vector for each, in order.
        """


class Vectors:
    """Compares texts with references by an embedder; several threads may ask at the same time.

    Args:
        embedder: The embedder; whatever it raises costs the texts that it was asked about.
        kept: References whose vectors are kept, the ones used last.
    """

    def __init__(self, embedder: Embedder, kept: int = KEPT) -> None:
        self.embedder = embedder
        self.kept = kept
        self._references: OrderedDict[str, array[float]] = OrderedDict()
        self._lock = threading.Lock()

    def cosines(self, pairs: Sequence[tuple[str, str]]) -> list[float | str]:
        """Give the cosine of each text and its reference.

        Args:
            pairs: Texts with their references.

        Returns:
            Cosines in [-1, 1], 0 for a vector of zeros; a message in place of one that the
            embedder failed for.
        """
        texts = list(dict.fromkeys(text for pair in pairs for text in pair))
        known = self._known(texts)
        known |= self._embedded([text for text in texts if text not in known])
        self._keep({reference: known[reference] for _, reference in pairs})
        return [_cosine(known[text], known[reference]) for text, reference in pairs]

    def _known(self, texts: list[str]) -> dict[str, array[float] | str]:
        known: dict[str, array[float] | str] = {}
        with self._lock:
            for text in texts:
                vector = self._references.get(text)
                if vector is not None:
                    self._references.move_to_end(text)
                    known[text] = vector
        return known

    def _keep(self, found: dict[str, array[float] | str]) -> None:
        with self._lock:
            for text, vector in found.items():
                if not isinstance(vector, str):
                    self._references[text] = vector
            while len(self._references) > self.kept:
                self._references.popitem(last=False)

    def _embedded(self, texts: list[str]) -> dict[str, array[float] | str]:
        """Embed texts in one call; where that fails, each in one of its own."""
        if not texts:
            return {}
        try:
            return dict(zip(texts, self._vectors(texts), strict=True))
        except UnreachableError as error:  # asking for each alone would only take longer
            return dict.fromkeys(texts, _message(error))
        except Exception as error:  # whatever a model or a driver raises must not end a run
            if len(texts) == 1:
                return {texts[0]: _message(error)}
        return {text: found for one in texts for text, found in self._embedded([one]).items()}

    def _vectors(self, texts: list[str]) -> list[array[float] | str]:
        vectors = self.embedder(texts)
        if len(vectors) != len(texts):
            raise ValueError(f"it gave {len(vectors)} vectors for {len(texts)} texts")
        return [_unit(vector) for vector in vectors]


def _message(error: Exception) -> str:
    return f"the embedder failed: {' '.join(str(error).split())[:300] or type(error).__name__}"


def _unit(vector: Sequence[float]) -> array[float] | str:
    """Bring a vector to length 1; one of zeros stays."""
    values = array("d", vector)
    length = math.hypot(*values)
    if not math.isfinite(length):
        return "the embedder failed: a vector is not finite"
    return array("d", (value / length for value in values)) if length else values


def _cosine(one: array[float] | str, other: array[float] | str) -> float | str:
    if isinstance(one, str):
        return one
    if isinstance(other, str):
        return other
    if len(one) != len(other):
        return f"the embedder failed: vectors of {len(one)} and {len(other)} numbers"
    return max(-1.0, min(1.0, math.fsum(a * b for a, b in zip(one, other, strict=True))))
