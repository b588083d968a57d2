"""Embeddings by an endpoint, against a local server that speaks the protocol."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from sk2d import endpoint
from sk2d.endpoint import EndpointError, UnreachableError
from sk2d.rewards.candidates import Candidate, Verdict
from sk2d.rewards.endpoint_embedder import EndpointEmbedder
from sk2d.rewards.naming import NamingReward
from tests.endpoint_server import EndpointServer, serving
from tests.rewards.embedders import Words

CODE = "int count_words(int limit) { return limit + 1; }"
OTHER = "int mean_of(int values) { return values + 1; }"


class Server(EndpointServer):
    """Embeds by words, in a mixed order."""

    def __init__(self) -> None:
        super().__init__(self.embed)
        self.refuses = "nothing of the kind"

    def embed(self, body: dict[str, Any]) -> tuple[int, str]:
        if any(self.refuses in text for text in body["input"]):
            return 400, '{"error": "too long"}'
        vectors = enumerate(Words()(body["input"]))
        data = [{"index": number, "embedding": vector} for number, vector in vectors]
        return 200, json.dumps({"object": "list", "data": data[::-1]})


@pytest.fixture
def server() -> Iterator[Server]:
    with serving(Server()) as made:
        yield made


def test_vectors_come_in_order_batch_by_batch(server: Server) -> None:
    embedder = EndpointEmbedder(server.url + "/", "m", key="secret", batch=2)
    texts = [CODE, OTHER, "x"]
    assert embedder(texts) == Words()(texts)
    assert [asked["input"] for asked in server.asked] == [texts[:2], texts[2:]]
    assert {(asked["path"], asked["model"]) for asked in server.asked} == {("/v1/embeddings", "m")}
    assert server.keys == ["Bearer secret"] * 2
    assert embedder([]) == []


def test_a_busy_endpoint_is_asked_again(server: Server) -> None:
    server.failures = [(429, "slow down"), (503, "")]
    assert EndpointEmbedder(server.url, "m")([CODE]) == Words()([CODE])
    assert len(server.asked) == 3


@pytest.mark.parametrize(
    ("code", "body", "message"),
    [
        (401, "no key", "the embedder answers with 401 Unauthorized: no key"),
        (200, "<html>", "holds no 1 embeddings: '<html>'"),
        (200, '{"data": []}', "holds no 1 embeddings"),
        (200, '{"data": [{"index": 0, "embedding": "AACAPw=="}]}', "holds no 1 embeddings"),
        (200, '{"data": [{"index": 0, "embedding": null}]}', "holds no 1 embeddings"),
        (200, "[]", "holds no 1 embeddings"),
    ],
)
def test_what_holds_no_embeddings_is_said(
    server: Server, code: int, body: str, message: str
) -> None:
    server.failures = [(code, body)]
    with pytest.raises(EndpointError, match=message) as error:
        EndpointEmbedder(server.url, "m")([CODE])
    assert server.url in str(error.value)
    assert not isinstance(error.value, UnreachableError)


def test_a_text_that_is_refused_costs_its_candidate(server: Server) -> None:
    server.refuses = "mean_of"
    reward = NamingReward("paper", EndpointEmbedder(server.url, "m"))
    found = reward([Candidate(CODE, CODE), Candidate(OTHER, CODE)])
    assert [one.verdict for one in found] == [Verdict.OK, Verdict.CANNOT_JUDGE]
    assert "400 Bad Request" in found[1].message


def test_an_endpoint_that_is_not_there_ends_no_run(monkeypatch: pytest.MonkeyPatch) -> None:
    waits: list[float] = []
    monkeypatch.setattr(endpoint.time, "sleep", waits.append)
    reward = NamingReward("paper", EndpointEmbedder("http://127.0.0.1:9/v1", "m"))
    found = reward([Candidate(CODE, CODE), Candidate(OTHER, CODE), Candidate("", CODE)])
    assert [one.score for one in found] == [None, None, 0]
    assert "the embedder cannot be reached" in found[0].message
    assert waits == [1, 2, 4, 8]
