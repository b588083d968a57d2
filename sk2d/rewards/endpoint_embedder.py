"""Embeddings by an OpenAI-style endpoint (`POST /v1/embeddings`)."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from sk2d.endpoint import EndpointError, Service


class EndpointEmbedder:
    """Asks an endpoint for embeddings; texts that are too long for the model are its affair.

    Args:
        url: Address up to `/v1`, without `/embeddings`.
        model: Name of the model.
        key: Secret, where the endpoint wants one.
        batch: Most texts in one question.
        seconds: Longest time for one reply.
    """

    def __init__(
        self,
        url: str,
        model: str,
        key: str | None = None,
        batch: int = 64,
        seconds: float = 120.0,
    ) -> None:
        self.name = f"{model} at {url}"
        self.model = model
        self.batch = batch
        self.service = Service(url, "the embedder", key, seconds)

    def __call__(self, texts: Sequence[str]) -> list[list[float]]:
        """Embed texts.

        Args:
            texts: Any texts.

        Returns:
            A vector for each, in order.

        Raises:
            EndpointError: The endpoint cannot be reached, refuses, or replies with something else.
        """  # noqa: DOC502
        parts = [texts[at : at + self.batch] for at in range(0, len(texts), self.batch)]
        return [vector for part in parts for vector in self._ask(part)]

    def _ask(self, texts: Sequence[str]) -> list[list[float]]:
        body = self.service.post("embeddings", {"model": self.model, "input": list(texts)})
        try:
            reply: Any = json.loads(body)
            by_index = {item["index"]: item["embedding"] for item in reply["data"]}
            return [[float(x) for x in by_index[number]] for number in range(len(texts))]
        except (ValueError, LookupError, TypeError) as error:
            said = body[:200].decode(errors="replace")
            what = f"the embedder's reply holds no {len(texts)} embeddings: {said!r}"
            remedy = "Give the address up to /v1"
            raise EndpointError(what, where=self.service.url, remedy=remedy) from error
