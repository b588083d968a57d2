"""The naming reward: values by hand, the released answers, cheats, and embedders that fail."""

from __future__ import annotations

import json
import math
import re
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sk2d.c.rename import obfuscate
from sk2d.endpoint import UnreachableError
from sk2d.errors import ConfigError
from sk2d.metrics.identifiers import names_by_kind
from sk2d.prompts import unwrap
from sk2d.rewards.candidates import Candidate, Score, Verdict
from sk2d.rewards.naming import Mode, NamingReward
from sk2d.rewards.naming_skeleton import distance, named, nearness, skeleton, telling_text
from sk2d.rewards.naming_upstream import MOST, summary
from sk2d.rewards.naming_vectors import Vectors
from tests.rewards.embedders import Failing, Words

MODES = get_args(Mode)
EMBEDDED = ("paper", "upstream", "strict")
CODE = """\
static int count_words(struct reader *input, int limit) {
  int found = 0; /* so far */
  while (input->next_char && found < limit) {
    if (isspace(*input->next_char)) found++;
    advance_reader(input);
  }
  printf("%d words", found);
  return found;
}"""
IR = obfuscate(CODE).ir
OTHER = "double mean_of(const double *values, int size) { return sum(values, size) / size; }"
NAMED = re.sub(r"\b(func|type|var|field)(\d)\b", r"\1_\2", IR)
"""The IR with names that say nothing."""


def score(text: str, mode: Mode = "strict", reference: str = CODE, ir: str | None = IR) -> Score:
    (found,) = NamingReward(mode, Words())([Candidate(text, reference, ir=ir)])
    return found


def names_of(code: str) -> list[str]:
    return sorted(name for names in names_by_kind(code).values() for name in names)


def begun_with(code: str, statement: str) -> str:
    head, brace, rest = code.partition("{")
    return f"{head}{brace} {statement} {rest}"


# What is right.


@pytest.mark.parametrize("mode", MODES)
def test_the_reference_has_the_maximum(mode: Mode) -> None:
    found = score(CODE, mode)
    assert found.score == pytest.approx(1, abs=1e-9)
    assert found.verdict is Verdict.OK
    assert found.parts["refused"] == 0
    assert found.parts["names"] == 1


@pytest.mark.parametrize("mode", MODES)
def test_every_released_answer_has_the_maximum(mode: Mode, released: Callable[..., Path]) -> None:
    lines = released("sk2_norm2code_examples.jsonl").read_text().splitlines()
    rows = [json.loads(line) for line in lines]
    gold = [Candidate(row["output"], row["output"], ir=unwrap(row["input"])) for row in rows]
    no_ir = [Candidate(one.text, one.reference) for one in gold]
    assert len(gold) == 20
    for found in NamingReward(mode, Words())([*gold, *no_ir]):
        assert found.score == pytest.approx(1, abs=1e-6)
        assert found.verdict is Verdict.OK


@pytest.mark.parametrize("mode", MODES)
def test_layout_is_not_paid(mode: Mode) -> None:
    assert score("\n" + CODE.replace("  ", "\t"), mode).score == pytest.approx(1)


@pytest.mark.parametrize("mode", MODES)
def test_line_markers_of_a_reference_are_no_part_of_it(mode: Mode) -> None:
    marked = f'# 7 "words.c"\n{CODE}'
    assert score(CODE, mode, marked).score == pytest.approx(1)
    assert score(marked, mode, marked).score == pytest.approx(1 if mode == "upstream" else 0)


def test_paper_by_hand() -> None:
    class Angle:
        name = "angle"

        def __call__(self, texts: Sequence[str]) -> list[list[float]]:
            return [[7.0, 0.0] if "right" in text else [-3.0, 4.0] for text in texts]

    one = Candidate("int left(void) { return 1; }", "int right(void) { return 1; }")
    (found,) = NamingReward("paper", Angle())([one])
    assert found.score == found.parts["cosine"] == pytest.approx(-0.6)
    (found,) = NamingReward("upstream", Angle())([one])
    assert found.score == pytest.approx(0.36)  # the sign is lost, as upstream
    (found,) = NamingReward("strict", Angle())([one])
    assert found.score == 0


def test_lexical_by_hand() -> None:
    reference = "int add_two(int first, int second) { return first + second; }"
    found = score("int add(int first, int other) { return first + other; }", "lexical", reference)
    assert found.score == pytest.approx(2 * 2 / (4 + 3))  # add, first | add two first second
    assert "cosine" not in found.parts


def test_no_name_is_asked_of_the_function() -> None:
    found = score(CODE.replace("count_words", "words_counted"))
    assert found.verdict is Verdict.OK
    assert found.score is not None
    assert 0.8 < found.score < 1


# Upstream's summary.


@pytest.mark.parametrize(
    ("code", "line"),
    [
        ("int f(int a) { return g(a); }", "func: g f || var: a a"),
        ("t f(void) { return p->x + p->y; }", "func: f || type: t || field: y x || var: p p"),
        ("int *f(void) { (*h)(1); goto L; L: return MAX; }", "func: f || var: MAX h"),
        ('/* a */ "b" 1 + ;', ""),
        ("", ""),
    ],
)
def test_a_summary_by_hand(code: str, line: str) -> None:
    assert summary(code) == line


def test_a_summary_ends_with_the_beginning_of_the_text_or_not_at_all() -> None:
    code = "int f(void) { " + "".join(f"v{number}; " for number in range(100)) + "}"
    (func, var) = summary(code).split(" || ")
    assert func == "func: f"
    assert var.split()[1:] == [f"v{99 - number}" for number in range(MOST)]


def test_upstream_pays_for_words_that_are_no_function() -> None:
    assert score("", "upstream").verdict is Verdict.EMPTY
    assert score("/* count_words */ 1;", "upstream").score == 0
    cheat = score(" ".join(f"{name};" for name in names_of(CODE)), "upstream")
    assert cheat.score is not None
    assert cheat.score > 0.3
    assert cheat.verdict is Verdict.OK


# Structure.


def test_distances_by_hand() -> None:
    one = skeleton("int f(int a, int b) { return a - b; }")
    assert distance(one, skeleton("int func1(int var1, int var2)\n{return var1-var2;}")) == 0
    assert distance(one, skeleton("int f(int a, int b) { return b - a; }")) == 2  # swapped
    assert distance(one, skeleton("int f(int a, int b) { return a - a; }")) == 1
    assert distance(one, skeleton("int f(int a, int b) { int x; return a - b; }")) == 3
    assert distance(one, skeleton("int f(int a, int b) { return strlen(a - b); }")) == 3


def test_nearness_by_hand() -> None:
    reference, ir = "int f(int a) { return a + 1; }", "int func1(int var1) { return ++var1; }"
    assert len(skeleton(reference).words) == 13
    for text in (reference, ir, "int g(int x) { return ++x; }"):
        assert nearness(text, reference, ir, 0.25) == 1
    longer = "int g(int x) { int y; return ++x; }"  # three tokens too many
    assert nearness(longer, reference, ir, 0.5) == pytest.approx(1 - 3 / (0.5 * 13))
    assert nearness(longer, reference, ir, 0.1) == 0


def test_what_is_named() -> None:
    assert named(CODE, CODE, IR) == 1
    assert named(IR, CODE, IR) == 0
    assert named(IR.replace("var1", "input"), CODE, IR) == pytest.approx(1 / 7)
    own = "int func1(int var1) { return var1; }"
    assert named(own, own, own) == 1  # the source calls them so


def test_a_telling_text_says_only_what_it_uses() -> None:
    code = (
        'int f(int unused_parameter) { int never; char *s = "invented"; /* words */ '
        'label: puts("known"); puts(s); return 0; }'
    )
    text = telling_text(code, 'int f(int a) { puts("known"); }', "int func1(int var1) { }")
    assert "unused_parameter" in text
    assert '"known"' in text
    assert not re.search("never|invented|words|label", text)


# Cheats.

NOTHING: dict[str, Callable[[str], str]] = {
    "an empty text": lambda code: "",
    "white space": lambda code: " \n",
    "a comment": lambda code: f"// {' '.join(names_of(code))}",
    "all in a comment": lambda code: "/*" + re.sub(r"/\*.*?\*/", "", code) + "*/",
    "a body of a comment": lambda code: (
        f"{code.partition('{')[0]} {{ /* {' '.join(names_of(code))} */ }}"
    ),
    "prose": lambda code: " ".join(names_of(code)),
    "a declaration": lambda code: f"int {', '.join(names_of(code))};",
    "no body": lambda code: code.partition("{")[0] + ";",
    "two functions": lambda code: f"{code}\n{code.replace('count_words', 'twice')}",
    "an include": lambda code: f'#include "reader.h"\n{code}',
    "a macro": lambda code: f"#define {names_of(code)[0]} 1\n{code}",
}
NO_REAL_FUNCTION: dict[str, Callable[[str], str]] = {
    "unused declarations": lambda code: f"void f(void) {{ int {', '.join(names_of(code))}; }}",
    "statements": lambda code: f"void f(void) {{ {'; '.join(names_of(code))}; }}",
    "a string": lambda code: f'void f(void) {{ puts("{" ".join(names_of(code))}"); }}',
    "a head": lambda code: code.partition("{")[0] + "{ return 0; }",
    "another function": lambda code: OTHER,
}
DRESSED: dict[str, Callable[[str], str]] = {
    "a comment": lambda code: f"/* {' '.join(names_of(code))} */",
    "a string": lambda code: f'"{" ".join(names_of(code))}";',
    "unused declarations": lambda code: f"int {', '.join(names_of(code))};",
    "labels": lambda code: " ".join(f"{name}: ;" for name in names_of(code)),
    "set variables": lambda code: " ".join(f"int {name}; {name} = 0;" for name in names_of(code)),
    "dead code": lambda code: f"if (0) {{ {'; '.join(names_of(code))}; }}",
}


@pytest.mark.parametrize("mode", ["paper", "lexical", "strict"])
@pytest.mark.parametrize("cheat", NOTHING)
def test_what_is_refused_is_paid_nothing(mode: Mode, cheat: str) -> None:
    found = score(NOTHING[cheat](CODE), mode)
    assert found.score == 0
    assert found.verdict not in (Verdict.OK, Verdict.CANNOT_JUDGE)
    assert found.parts == {"refused": 1.0}
    assert found.message


@pytest.mark.parametrize("cheat", NO_REAL_FUNCTION)
def test_strict_pays_little_for_what_is_no_real_function(cheat: str) -> None:
    found = score(NO_REAL_FUNCTION[cheat](CODE))
    assert found.score is not None
    assert found.score <= 0.3


@pytest.mark.parametrize("cheat", DRESSED)
def test_strict_pays_no_more_for_names_that_do_nothing(cheat: str) -> None:
    plain, dressed = score(NAMED), score(begun_with(NAMED, DRESSED[cheat](CODE)))
    assert plain.score is not None
    assert dressed.score is not None
    assert dressed.score <= plain.score + 1e-9 < 0.9


def test_strict_pays_nothing_for_the_ir() -> None:
    assert score(IR).score == 0
    assert score(begun_with(IR, "/* count words of a reader */")).score == 0
    half = IR
    for placeholder, name in list(obfuscate(CODE).mapping.items())[:4]:
        half = re.sub(rf"\b{placeholder}\b", name, half)
    assert 0.2 < (score(half).score or 0) < 0.8


# Rows that are broken.


@pytest.mark.parametrize("mode", MODES)
def test_a_broken_reference_costs_its_own_candidates(mode: Mode) -> None:
    batch = [Candidate(CODE, ""), Candidate(CODE, " \n"), Candidate(CODE, CODE)]
    found = NamingReward(mode, Words())(batch)
    assert [one.verdict for one in found] == [Verdict.CANNOT_JUDGE] * 2 + [Verdict.OK]
    assert [one.score for one in found[:2]] == [None, None]


def test_a_reference_that_is_no_c_cannot_be_judged_by_names() -> None:
    for mode in ("lexical", "strict", "paper"):
        found = score(CODE, mode, "int f( { return")
        assert found.score is None
        assert found.verdict is Verdict.CANNOT_JUDGE


def test_an_ir_that_is_none_is_made_from_the_reference() -> None:
    missing, broken = score(NAMED, ir=None), score(NAMED, ir="int func1( {")
    assert missing.score == broken.score == score(NAMED).score
    assert "no IR" in missing.message
    assert "obfuscated" in broken.message
    assert not score(NAMED).message


# Embedders.


def test_a_batch_is_one_call_and_references_are_remembered() -> None:
    embedder = Words()
    reward = NamingReward("paper", embedder)
    reward([Candidate(CODE, CODE), Candidate(OTHER, CODE), Candidate(OTHER, CODE)])
    assert [len(asked) for asked in embedder.asked] == [2]
    reward([Candidate(NAMED, CODE), Candidate("", CODE)])
    assert embedder.asked[1:] == [[NAMED]]
    reward([Candidate("", CODE)])
    assert len(embedder.asked) == 2


def test_the_references_used_last_are_kept() -> None:
    embedder = Words()
    vectors = Vectors(embedder, kept=2)
    vectors.cosines([("x", "one"), ("x", "two"), ("x", "one"), ("x", "three")])
    vectors.cosines([("one", "three")])
    assert "three" not in embedder.asked[-1]
    embedder.asked.clear()
    vectors.cosines([("y", "two"), ("y", "three")])
    assert embedder.asked in ([["y"]], [["y", "two"]])


def test_an_embedder_that_fails_costs_what_it_failed_for() -> None:
    embedder = Failing(lambda text: "mean_of" in text)
    batch = [Candidate(CODE, CODE), Candidate(OTHER, CODE), Candidate(NAMED, CODE)]
    found = NamingReward("paper", embedder)(batch)
    assert [one.verdict for one in found] == [Verdict.OK, Verdict.CANNOT_JUDGE, Verdict.OK]
    assert found[1].score is None
    assert found[1].message == "the embedder failed: no memory left"
    assert [len(asked) for asked in embedder.asked] == [3, 1, 1, 1]


def test_an_endpoint_that_is_gone_is_asked_once() -> None:
    embedder = Failing(lambda text: True, UnreachableError)
    batch = [Candidate(CODE, CODE), Candidate(OTHER, CODE)]
    found = NamingReward("paper", embedder)(batch)
    assert [one.verdict for one in found] == [Verdict.CANNOT_JUDGE] * 2
    assert len(embedder.asked) == 1


@pytest.mark.parametrize("wrong", ["few", "nan", "long"])
def test_vectors_that_are_none(wrong: str) -> None:
    class Wrong(Words):
        def __call__(self, texts: Sequence[str]) -> list[list[float]]:
            made = [self.vector(text) for text in texts]
            if OTHER in texts:
                at = texts.index(OTHER)
                made[at] = {"few": [], "nan": [math.nan], "long": [1.0, 2.0]}[wrong]
            return [one for one in made if one]

    found = NamingReward("paper", Wrong())([Candidate(OTHER, CODE), Candidate(CODE, CODE)])
    assert [one.verdict for one in found] == [Verdict.CANNOT_JUDGE, Verdict.OK]
    assert found[0].message.startswith("the embedder failed")


def test_a_vector_of_zeros_is_like_nothing() -> None:
    assert Vectors(Words()).cosines([("", "one"), ("", ""), ("one", "one")]) == [0, 0, 1]


def test_threads_may_ask_at_the_same_time() -> None:
    reward, found = NamingReward("paper", Words(), kept=1), []
    batches = [[Candidate(CODE, CODE), Candidate(OTHER, reference)] for reference in (CODE, OTHER)]
    work = [threading.Thread(target=lambda b=b: found.append(reward(b))) for b in batches * 8]  # type: ignore[misc]
    for thread in work:
        thread.start()
    for thread in work:
        thread.join()
    assert len(found) == 16
    assert all(one.verdict is Verdict.OK for scores in found for one in scores)


# What always holds.

TEXTS = st.one_of(
    st.text(max_size=60),
    st.sampled_from(
        [CODE, IR, OTHER, NAMED, "", "int f(void) { return 0; }", "{", "/*", '"', "\0"]
    ),
    st.sampled_from(
        ["\ud800", "#if 1", "int f() {" * 9, "typedef int x;", "int f(a) int a; {g();}"]
    ),
)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(TEXTS, TEXTS, st.none() | TEXTS), max_size=5), st.sampled_from(MODES))
def test_any_batch_has_one_score_for_each_in_order(
    rows: list[tuple[str, str, str | None]], mode: Mode
) -> None:
    batch = [Candidate(text, reference, ir=ir) for text, reference, ir in rows]
    found = NamingReward(mode, Words())(batch)
    assert len(found) == len(batch)
    for one, row in zip(found, batch, strict=True):
        (alone,) = NamingReward(mode, Words())([row])
        assert (one.verdict, one.message) == (alone.verdict, alone.message)
        assert one.score == (None if alone.score is None else pytest.approx(alone.score))
        assert (one.score is None) == (one.verdict is Verdict.CANNOT_JUDGE)
        assert one.score is None or -1 <= one.score <= 1 + 1e-9
        assert one.seconds >= 0


# Settings.


@pytest.mark.parametrize("mode", EMBEDDED)
def test_a_mode_that_needs_an_embedder_says_so(mode: Mode) -> None:
    with pytest.raises(ConfigError, match=f"'{mode}' needs an embedder"):
        NamingReward(mode)


def test_lexical_needs_none() -> None:
    (found,) = NamingReward("lexical")([Candidate(CODE, CODE)])
    assert found.score == 1


def test_settings_that_make_no_sense() -> None:
    with pytest.raises(ConfigError, match="Did you mean strict?"):
        NamingReward("strikt", Words())  # type: ignore[arg-type]
    with pytest.raises(ConfigError, match="bound: it must be more than 0"):
        NamingReward("strict", Words(), bound=0)
    with pytest.raises(ConfigError, match="kept: it must not be negative"):
        NamingReward("paper", Words(), kept=-1)
