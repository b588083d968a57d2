"""One reward, three callers."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from sk2d.errors import ConfigError
from sk2d.rewards.candidates import Candidate, Score, Verdict
from sk2d.rl.adapters import compute_score, failure_share, scored, trl_reward
from sk2d.rl.rewarding import build_reward

GOLD = "int func1(int var1) { return var1 + 1; }"
WORSE = "int func1(int var1) { return 2; }"


class Raising:
    """A reward that fails at one text."""

    def __call__(self, candidates: Sequence[Candidate]) -> list[Score]:
        if any(one.text == "raise" for one in candidates):
            raise KeyError("fifth")
        return [Score(float(len(one.text)), Verdict.OK) for one in candidates]


def test_an_exception_costs_one_candidate() -> None:
    """E9: the run goes on, and the failure is counted."""
    texts = ["a", "bb", "ccc", "dddd", "raise", "f", "gg", "hhh"]
    scores = scored(Raising(), [Candidate(text, "") for text in texts])
    assert [score.score for score in scores] == [1, 2, 3, 4, None, 1, 2, 3]
    assert scores[4].verdict is Verdict.CANNOT_JUDGE
    assert "KeyError" in scores[4].message
    assert failure_share(scores) == 1 / 8
    assert failure_share([]) == 0.0


def test_verl_and_trl_get_what_the_reward_gives() -> None:
    (direct,) = build_reward("skeleton")([Candidate(WORSE, GOLD)])
    found = compute_score("sk2d_skeleton", WORSE, GOLD, {"header": None, "index": 3})
    assert found["score"] == direct.score
    assert (found["verdict"], found["cannot_judge"]) == ("ok", 0.0)
    assert found["used"] == direct.parts["used"]
    columns = {"reference": [GOLD, GOLD], "header": ["", ""], "func_name": [None, None]}
    rewarded = trl_reward(build_reward("skeleton"))
    chats = [WORSE, [{"role": "assistant", "content": GOLD}]]
    assert rewarded(chats, trainer_state=object(), **columns) == [direct.score, 2.0]


def test_modes_and_sources_go_together() -> None:
    assert compute_score("sk2d_skin", GOLD, GOLD, mode="lexical")["score"] == 1.0
    with pytest.raises(ConfigError, match="the Skeleton gives none"):
        build_reward("skeleton", "lexical")
