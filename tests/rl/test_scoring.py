"""What fails costs one answer, and rows whose reference falls short are of no use."""

from __future__ import annotations

from collections.abc import Sequence

from sk2d.rewards.candidates import Candidate, Score, Verdict
from sk2d.rl.rewarding import build_reward
from sk2d.rl.scoring import failure_share, scored, shortfall


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


def test_a_reference_that_falls_short_is_told_with_its_reason() -> None:
    good, marked = (
        "int func1(int var1) { return var1; }",
        '# 930 "a.c"\nint func1(void) { return 1; }',
    )
    bad = "int func1(int var1) { return nothing; }"
    rows = [Candidate(text, text) for text in (good, marked, bad)]
    found = shortfall(build_reward("skeleton"), rows)
    assert found[:2] == [None, None]
    assert found[2] is not None
    assert "not_compiling" in found[2]
