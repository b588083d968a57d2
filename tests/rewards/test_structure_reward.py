"""The Skeleton's reward: what references get, and what cheats do not."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from benchmarks.reward_cheats import UNPAID, WORTHLESS, best_rows, gold_rows, paid
from sk2d.errors import ConfigError, JailError
from sk2d.rewards import compiling, references
from sk2d.rewards.candidates import Candidate, Score, Verdict
from sk2d.rewards.structure import StructureMode, StructureReward, Weights

HEADER = "typedef struct { int field1; struct type2 *field2; } type1;\nint func2(int);\n"
GOLD = """int func1(type1 *var1, int var2) {
  int var3 = 0;
  for (int var4 = 0; var4 < var2; var4++) {
    if (var1[var4].field1 > var3) var3 = func2(var1[var4].field1);
  }
  return var3;
}"""
MODES: list[StructureMode] = ["paper", "strict"]


def score(text: str, mode: StructureMode = "strict", weights: Weights = Weights()) -> Score:  # noqa: B008
    return StructureReward(mode, weights)([Candidate(text, GOLD, HEADER)])[0]


@pytest.mark.parametrize("mode", ["paper", "upstream", "strict"])
def test_the_reference_gets_the_most(mode: StructureMode) -> None:
    found = score(GOLD, mode)
    assert (found.score, found.verdict) == (2.0, Verdict.OK)
    assert StructureReward(mode).maximum(Candidate(GOLD, GOLD, HEADER)) == 2.0


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("cheat", WORTHLESS)
def test_what_is_worth_nothing(cheat: str, mode: StructureMode) -> None:
    """E3: a text that compiles and says nothing must not be paid."""
    assert score(WORTHLESS[cheat](GOLD), mode).score == 0.0


@pytest.mark.parametrize("cheat", UNPAID)
def test_strict_does_not_pay_for_names_that_do_nothing(cheat: str) -> None:
    found = score(UNPAID[cheat](GOLD))
    assert found.score is not None
    assert found.score <= 0.6


def test_upstream_pays_for_an_empty_text_and_for_a_comment() -> None:
    assert score("", "upstream").score == 1.0
    assert score("/* " + GOLD + " */", "upstream").score == 2.0
    assert score("int f(void) { return g(); }", "upstream").verdict is Verdict.OK  # it only warns
    assert score("int f(void) {", "upstream").score == 0.0


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        (GOLD.replace("func1(", "func3("), Verdict.SIGNATURE),
        (GOLD.replace("int func1(", "long func1("), Verdict.SIGNATURE),
        (GOLD.replace("int var2)", "char *var2)"), Verdict.SIGNATURE),
        (GOLD.replace("var3 = 0;", 'var3 = "a";'), Verdict.CONVERSION),
        (GOLD.replace("var3 = 0;", "var3 = var9;"), Verdict.NOT_COMPILING),
    ],
)
def test_strict_wants_the_signature_and_clean_conversions(text: str, verdict: Verdict) -> None:
    found = score(text)
    assert (found.score, found.verdict) == (0.0, verdict)


def test_storage_and_layout_do_not_count() -> None:
    assert score("static inline " + GOLD).score == 2.0
    assert score("/* a */ " + " ".join(GOLD.split())).score == 2.0
    assert score(f"#include <stdlib.h>\n{GOLD}").score == 2.0


def test_paper_is_one_plus_the_jaccard_index() -> None:
    found = score("int func1(type1 *var1) { return var1->field1; }", "paper")
    assert found.parts["placeholders"] == pytest.approx(4 / 8)
    assert found.score == pytest.approx(1.5)
    assert score("int func1(void) { return 1; }", "paper").score == pytest.approx(1 + 1 / 8)


def test_strict_grows_with_likeness() -> None:
    texts = [
        "int func1(type1 *var1, int var2) { return 0; }",
        "int func1(type1 *var1, int var2) { return func2(var1->field1); }",
        GOLD.replace("if (var1[var4].field1 > var3) ", ""),
        GOLD.replace("> var3", ">= var3"),
        GOLD,
    ]
    scores = [score(text).score or 0.0 for text in texts]
    assert scores == sorted(scores)
    assert scores[0] < 0.3
    assert scores[-2] < scores[-1] == 2.0


def test_warnings_and_tests_have_weights() -> None:
    weights = Weights(warnings=0.25, tests=1.0)
    header = "int g(int a);"
    gold = "int g(int a) { return a + 1; }"
    row = Candidate(
        gold, gold, header, "g", test="#include <assert.h>\nint main(void) { assert(g(1) == 2); }"
    )
    wrong = "int g(int a) { return a - 1; }"
    warned = "int g(int a) { char *b = &a; return a + (b != 0); }"
    reward = StructureReward("paper", weights)
    first, second, third = reward(
        [
            row,
            Candidate(wrong, gold, header, "g", test=row.test),
            Candidate(warned, gold, header, "g"),
        ]
    )
    assert (first.score, first.parts["tests"]) == (3.0, 1.0)
    assert (second.score, second.parts["tests"]) == (2.0, 0.0)
    assert third.parts["warnings"] == 1.0
    assert third.score == pytest.approx(1.75)
    assert reward.maximum(row) == 3.0


def test_order_is_kept_over_many_chunks() -> None:
    texts = [
        GOLD if n % 3 else f"int func1(type1 *var1, int var2) {{ return {n}; }}" for n in range(150)
    ]
    found = StructureReward("strict")([Candidate(text, GOLD, HEADER) for text in texts])
    assert [one.score == 2.0 for one in found] == [n % 3 != 0 for n in range(150)]


def test_no_workers_is_a_mistake() -> None:
    with pytest.raises(ConfigError, match="workers: it must be at least 1"):
        StructureReward(workers=0)


def test_a_failure_of_the_jail_is_no_fault_of_the_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(codes: object) -> None:
        raise JailError("gone")

    monkeypatch.setattr(compiling, "compile_many", fails)
    found = score(GOLD)
    assert found.score is None
    assert found.verdict is Verdict.CANNOT_JUDGE


def test_a_main_is_judged_where_the_reference_is_one() -> None:
    gold = "int main(void) { return 0; }"
    assert StructureReward("strict")([Candidate(gold, gold)])[0].score == 2.0


@pytest.mark.parametrize(("mode", "left_out"), [("paper", 2), ("strict", 5), ("upstream", 0)])
def test_released_rows(released: Callable[[str], Path], mode: StructureMode, left_out: int) -> None:
    """Left out: one with `#ifdef`, one without its header, and for strict three conversions."""
    rows = gold_rows(released("sk2_rl_examples.jsonl"))
    assert len(rows) - len(best_rows(rows, mode)) == left_out


@pytest.mark.parametrize("mode", MODES)
def test_cheats_on_released_rows(released: Callable[[str], Path], mode: StructureMode) -> None:
    rows = best_rows(gold_rows(released("sk2_rl_examples.jsonl")), mode)
    for name, cheat in WORTHLESS.items():
        assert max(paid(rows, mode, cheat)) == 0.0, name
    if mode == "strict":
        for name, cheat in UNPAID.items():
            assert max(paid(rows, mode, cheat)) <= 0.3, name


def test_upstream_on_released_rows(released: Callable[[str], Path]) -> None:
    rows = gold_rows(released("sk2_rl_examples.jsonl"))
    assert set(paid(rows, "upstream", lambda gold: "")) == {0.5}
    in_comment = WORTHLESS["a body that is a comment"]
    shares = paid(best_rows(rows, "paper"), "upstream", in_comment)
    assert 2 * sum(shares) / len(shares) == pytest.approx(1.99, abs=0.01)


def test_a_reference_that_the_guards_refuse_cannot_be_judged_strictly() -> None:
    """Not paid by the laxer formula without a word."""
    gold = "#ifdef A\nint f(void) { return 1; }\n#endif"
    answer = "int f(void) { return 1; }"
    (strict,) = StructureReward("strict")([Candidate(answer, gold)])
    assert (strict.score, strict.verdict) == (None, Verdict.CANNOT_JUDGE)
    assert "the reference is refused" in strict.message
    (paper,) = StructureReward("paper")([Candidate(answer, gold)])
    assert paper.score == 2.0


def test_a_header_is_inferred_where_there_is_none() -> None:
    gold = "size_t f(type1 *var1) { return strlen(var1->field1); }"
    assert StructureReward("strict")([Candidate(gold, gold, None)])[0].score == 2.0
    (found,) = StructureReward("strict")([Candidate(gold, "int f(", None)])
    assert (found.score, found.verdict) == (None, Verdict.CANNOT_JUDGE)


def test_a_reference_is_read_again_after_a_failure_of_the_jail(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    gold = "int f(int a) { return a + 77; }"

    def fails(code: str) -> None:
        raise JailError("gone")

    with monkeypatch.context() as patch:
        patch.setattr(references, "compile_c", fails)
        assert StructureReward("strict")([Candidate(gold, gold)])[0].score is None
    assert StructureReward("strict")([Candidate(gold, gold)])[0].score == 2.0
