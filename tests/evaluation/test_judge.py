"""The judge, against a local server that speaks the protocol."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from sk2d import endpoint
from sk2d.evaluation import judge
from sk2d.evaluation.journal import Journal
from sk2d.evaluation.judge import Cost, Endpoint, Judge, NoJudgeError, mark_in
from tests.endpoint_server import EndpointServer, serving


class Server(EndpointServer):
    """Completes chats with what `say` makes of the first message."""

    def __init__(self) -> None:
        super().__init__(self.complete)
        self.say = lambda text: "Short. Rating: 4"

    def complete(self, body: dict[str, Any]) -> tuple[int, str]:
        content = self.say(body["messages"][0]["content"])
        message = {"role": "assistant", "content": content}
        return 200, json.dumps({"choices": [{"message": message}]})


@pytest.fixture
def server() -> Iterator[Server]:
    with serving(Server()) as made:
        yield made


def judge_of(server: Server, tmp_path: Path, **settings: Any) -> Judge:
    return Judge(Endpoint(server.url, "m", **settings), Journal(tmp_path / "judge.jsonl"))


def test_marks_come_in_order_and_nothing_is_asked_twice(server: Server, tmp_path: Path) -> None:
    server.say = lambda text: "Rating: 5" if "good" in text else "It is bad.\n\nRating: 2/5"
    codes = ["int good;", "int bad;", "int good;"]
    told: list[tuple[int, int]] = []
    first = judge_of(server, tmp_path, key="secret")
    assert first.mark(codes, lambda *numbers: told.append(numbers)) == [5, 2, 5]
    assert told == [(0, 2), (1, 2), (2, 2)]
    assert {asked["path"] for asked in server.asked} == {"/v1/chat/completions"}
    assert {asked["model"] for asked in server.asked} == {"m"}
    assert server.keys == ["Bearer secret"] * 2
    assert judge_of(server, tmp_path).mark([*codes, "int new;"]) == [5, 2, 5, 2]
    assert len(server.asked) == 3


def test_the_cost_is_of_what_was_not_asked_yet(server: Server, tmp_path: Path) -> None:
    codes = ["int a;", "x" * 4_000]
    made = judge_of(server, tmp_path, price=(2.0, 8.0))
    made.mark(codes[:1])
    tokens = (len(judge.TEMPLATE) + 4_000) // 4
    assert made.cost([*codes, *codes]) == Cost(1, tokens, 60, (tokens * 2 + 60 * 8) / 1e6)
    assert judge_of(server, tmp_path).cost(codes).money is None


def test_the_cost_is_told_before_anything_is_asked(server: Server, tmp_path: Path) -> None:
    told: list[tuple[int, int]] = []

    def announce(cost: Cost) -> None:
        told.append((cost.requests, len(server.asked)))

    made = Judge(Endpoint(server.url, "m"), Journal(tmp_path / "j.jsonl"), announce)
    made.mark(["int a;", "int b;"])
    assert told == [(2, 0)]


def test_a_reply_without_a_mark_is_kept_and_scores_nothing(server: Server, tmp_path: Path) -> None:
    server.say = lambda text: "I would rather not."
    assert judge_of(server, tmp_path).mark(["int a;"]) == [None]
    assert judge_of(server, tmp_path).mark(["int a;"]) == [None]
    assert len(server.asked) == 1


def test_a_busy_endpoint_is_asked_again(server: Server, tmp_path: Path) -> None:
    server.failures = [(429, "slow down"), (503, "")]
    assert judge_of(server, tmp_path).mark(["int a;"]) == [4]
    assert len(server.asked) == 3


def test_what_was_answered_before_a_failure_is_kept(server: Server, tmp_path: Path) -> None:
    made = judge_of(server, tmp_path, requests=1)
    server.say = lambda text: (server.failures.append((401, "no key")), "Rating: 3")[1]
    with pytest.raises(NoJudgeError, match="401 Unauthorized: no key"):
        made.mark(["int a;", "int b;"])
    server.say = lambda text: "Rating: 1"
    assert judge_of(server, tmp_path).mark(["int a;", "int b;"]) == [3, 1]


def test_what_is_no_completion_is_said(server: Server, tmp_path: Path) -> None:
    server.failures = [(200, "<html>hello</html>")]
    with pytest.raises(NoJudgeError, match="no chat completion"):
        judge_of(server, tmp_path).mark(["int a;"])


def test_an_endpoint_that_is_not_there_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    waits: list[float] = []
    monkeypatch.setattr(endpoint.time, "sleep", waits.append)
    nobody = Judge(Endpoint("http://127.0.0.1:9/v1", "m"), Journal(tmp_path / "j.jsonl"))
    with pytest.raises(NoJudgeError, match="cannot be reached"):
        nobody.mark(["int a;"])
    assert waits == [1, 2, 4, 8]


@pytest.mark.parametrize(
    ("reply", "mark"),
    [
        ("Rating: 3", 3),
        ("**Rating:** 4/5.", 4),
        ("Rating: 1\nno, Rating: 2", 2),
        ("rating = 5", 5),
        ("Rating: 4.5", None),
        ("Rating: 42", None),
        ("Rating: 4/10", None),
        ("Rating: 0", None),
        ("4", None),
        ("operating 3", None),
        ("", None),
    ],
)
def test_marks_in_replies(reply: str, mark: int | None) -> None:
    assert mark_in(reply) == mark
