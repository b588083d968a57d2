"""Hostile texts: each gets its verdict in its time, leaves nothing and learns nothing."""

from __future__ import annotations

import re
import time
from collections import Counter
from itertools import cycle, islice

import pytest

from sk2d.rewards.candidates import Score, Verdict
from sk2d.rewards.structure import StructureMode, StructureReward
from sk2d.sandbox import COMPILE_LIMITS, TestFailure, compile_c
from tests.attacks.catalogue import (
    ATTACKS,
    HEALTHY,
    HERE,
    MODES,
    TIGHT,
    Attack,
    candidate,
    outcome,
    run_its_test,
    running_limits,
    wanted,
)
from tests.attacks.conftest import Host
from tests.attacks.generated import GENERATED
from tests.attacks.watching import watched

MESSAGE_BYTES = 65_536
WALL = 10 * COMPILE_LIMITS.cpu_seconds + 10
COMPILED = [attack for attack in ATTACKS if attack.kind != "run"]
TESTED = [attack for attack in ATTACKS if attack.test]


CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
ODD = [a for a in ATTACKS if CONTROLS.search(a.text({}))]


def parameters(attacks: list[Attack]) -> list[object]:
    return [
        pytest.param(attack, id=attack.name, marks=[pytest.mark.slow] * attack.slow)
        for attack in attacks
    ]


def check_message(message: str, host: Host) -> None:
    assert host.canary not in message
    assert "root:" not in message
    assert len(message.encode("utf-8", "surrogateescape")) <= MESSAGE_BYTES


def check_score(score: Score, verdict: str, host: Host) -> None:
    assert score.verdict == verdict
    assert score.score is not None
    assert (0 <= score.score <= 2) if verdict == Verdict.OK else score.score == 0
    check_message(score.message, host)


@pytest.mark.parametrize("attack", parameters(ATTACKS))
def test_the_reward(attack: Attack, host: Host) -> None:
    text = attack.text(host.places)
    modes = MODES[:1] if attack.kind == "run" else MODES  # to compile, those are harmless
    limit = len(modes) * COMPILE_LIMITS.cpu_seconds
    with watched(host.temporary, limit, len(modes) * WALL):
        scores = [StructureReward(mode, workers=1)([candidate(text)])[0] for mode in modes]
    for mode, score in zip(modes, scores, strict=True):
        check_score(score, wanted(attack, mode), host)


@pytest.mark.parametrize("attack", parameters(ODD))
def test_a_message_of_the_reward_does_nothing_to_a_terminal(attack: Attack, host: Host) -> None:
    (score,) = StructureReward("paper", workers=1)([candidate(attack.text(host.places))])
    assert not CONTROLS.search(score.message)


@pytest.mark.parametrize("attack", parameters(COMPILED))
def test_the_bare_jail(attack: Attack, host: Host) -> None:
    text = attack.text(host.places)
    with watched(host.temporary, TIGHT.cpu_seconds, TIGHT.wall_seconds or 0):
        verdict = compile_c(text, TIGHT)
    assert outcome(verdict) in attack.jail
    check_message(verdict.message, host)
    assert not CONTROLS.search(verdict.message)


@pytest.mark.parametrize("attack", parameters(TESTED))
def test_a_test_program(attack: Attack, host: Host) -> None:
    text = attack.text(host.places)
    limits = running_limits(attack)
    assert limits.wall_seconds is not None
    with watched(host.temporary, COMPILE_LIMITS.cpu_seconds, WALL + limits.wall_seconds):
        verdict = run_its_test(text, limits)
    check_message(verdict.message, host)
    assert not CONTROLS.search(verdict.message)
    assert "connected" not in verdict.message
    assert verdict.passed is False
    assert verdict.reason in attack.test


def test_a_healthy_function_is_none_of_this(host: Host) -> None:
    assert compile_c(HEALTHY).compiles
    assert run_its_test(HEALTHY).passed
    for mode in MODES:
        (score,) = StructureReward(mode, workers=1)([candidate(HEALTHY)])
        assert score.verdict == Verdict.OK


def test_the_catalogue_is_whole() -> None:
    names = [attack.name for attack in ATTACKS]
    assert sorted(names) == sorted([path.stem for path in HERE.glob("*.c")] + list(GENERATED))
    assert len(names) >= 70
    assert set(Counter(a.kind for a in ATTACKS)) == {"preprocessor", "compiler", "assembler", "run"}
    assert {a.paper for a in ATTACKS} | {a.strict for a in ATTACKS} <= set(Verdict)
    assert {reason for a in ATTACKS for reason in a.test} <= set(TestFailure)
    assert {word for a in ATTACKS for word in a.jail} == {"yes", "no", "limit"}


@pytest.mark.slow
@pytest.mark.parametrize("mode", MODES)
def test_200_at_once(mode: StructureMode, host: Host) -> None:
    attacks = list(islice(cycle(COMPILED), 200))
    candidates = []
    for attack in attacks:
        candidates += [candidate(attack.text(host.places)), candidate(HEALTHY)]
    reward = StructureReward(mode)
    started = time.monotonic()
    scores = reward(candidates)
    print(f"{len(scores)} in {mode}: {time.monotonic() - started:.1f} s")
    for attack, score in zip(attacks, scores[::2], strict=True):
        check_score(score, wanted(attack, mode), host)
    assert {score.verdict for score in scores[1::2]} == {Verdict.OK}
    assert all(score.score for score in scores[1::2])
    with watched(host.temporary, COMPILE_LIMITS.cpu_seconds, WALL):
        assert reward([candidate(HEALTHY)])[0].verdict == Verdict.OK
