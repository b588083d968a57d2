"""One reward, three callers."""

from __future__ import annotations

import pytest

from sk2d.errors import ConfigError
from sk2d.rewards.candidates import Candidate
from sk2d.rl.adapters import compute_score, trl_reward
from sk2d.rl.rewarding import build_reward

GOLD = "int func1(int var1) { return var1 + 1; }"
WORSE = "int func1(int var1) { return 2; }"


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
