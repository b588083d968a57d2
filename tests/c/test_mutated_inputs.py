"""Every step takes any text: a result or a reason, no other error, and none takes over 5 s.

Time is CPU time, of this process and of the programs it starts, so that a busy machine makes no
test fail.
"""

from __future__ import annotations

import json
import resource
import signal
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType

import pytest

from sk2d.c.tokens import clean_source, significant
from sk2d.errors import Reason, SourceError
from tests.c.mutations import base_texts, extremes, mutated

LIMIT_SECONDS = 5.0
STEPS = (
    "normalize_sound", "normalize_upstream", "obfuscate", "obfuscate_with_pseudo", "restore",
    "format", "infer", "infer_shim",
)  # fmt: skip
FAST = (
    "empty", "blank", "only_bom", "only_comment", "nul", "crlf", "cr", "bom", "latin_1",
    "surrogate", "megabyte", "parentheses_10000", "parentheses_open", "parentheses_150",
    "branches_14", "own_members", "long_number", "long_hexadecimal", "control_bytes", "not_utf8",
    "low_bytes",
)  # fmt: skip
"""Extreme texts that take little time; the others are left to the slow tests."""


class TooSlowError(Exception):
    """A step used more CPU time than it may."""


@dataclass
class Tally:
    """What became of the texts, by step."""

    texts: int = 0
    results: Counter[str] = field(default_factory=Counter)
    reasons: Counter[tuple[str, Reason]] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)
    slowest: dict[str, float] = field(default_factory=dict)

    def check(self) -> None:
        """Fail unless each text gave a result or a reason in each step."""
        assert not self.failures, "\n".join(self.failures[:10])
        for step in STEPS:
            reasons = sum(n for (name, _), n in self.reasons.items() if name == step)
            assert self.results[step] + reasons == self.texts, step


def _restore(text: str) -> str:
    from sk2d.c.rename import obfuscate, restore

    ir, mapping = obfuscate(text)
    restored = restore(ir, mapping)
    assert significant(restored) == significant(clean_source(text)), "restored to another text"
    return restored


def _normalize(text: str, number: int, profile: str) -> str:
    from sk2d.c.normalization import DIALECTS, normalize

    dialects = ["auto", *(d for d in DIALECTS if d != "auto")]
    return normalize(text, dialect=dialects[number % len(dialects)], profile=profile)  # type: ignore[arg-type]


def _format(text: str) -> str:
    from sk2d.c.style import format_with_reasons

    (done,) = format_with_reasons([text])
    if isinstance(done, SourceError):
        raise done
    return done


def _obfuscate(text: str, pseudo: str | None) -> str:
    from sk2d.c.rename import obfuscate

    return obfuscate(text, pseudo).ir


def _infer(text: str, shim: bool) -> str:
    from sk2d.c.inference import infer

    return infer(text, shim=shim)


def run_step(step: str, text: str, other: str, number: int) -> str:
    """Do one step with one text."""
    calls: dict[str, Callable[[], str]] = {
        "normalize_sound": lambda: _normalize(text, number, "sound"),
        "normalize_upstream": lambda: _normalize(text, number, "upstream"),
        "obfuscate": lambda: _obfuscate(text, None),
        "obfuscate_with_pseudo": lambda: _obfuscate(text, other),
        "restore": lambda: _restore(text),
        "format": lambda: _format(text),
        "infer": lambda: _infer(text, False),
        "infer_shim": lambda: _infer(text, True),
    }
    return calls[step]()


def _cpu_seconds() -> float:
    """CPU time of this process and of the ended ones that it started."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + used.ru_utime + used.ru_stime


@contextmanager
def watched() -> Iterator[None]:
    """Break off what uses too much CPU time, or fail afterwards where Python cannot break off."""

    def stop(number: int, frame: FrameType | None) -> None:
        raise TooSlowError(f"over {LIMIT_SECONDS} s of CPU time")

    start = _cpu_seconds()
    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, LIMIT_SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
    if _cpu_seconds() - start > LIMIT_SECONDS:
        raise TooSlowError(f"{_cpu_seconds() - start:.1f} s of CPU time")


def run_all(named: Iterable[tuple[str, str]], steps: Iterable[str] = STEPS) -> Tally:
    """Take texts through steps, each on its own."""
    tally, other = Tally(), "int f(void) { return 0; }"
    for number, (name, text) in enumerate(named):
        tally.texts += 1
        for step in steps:
            start = _cpu_seconds()
            try:
                with watched():
                    result = run_step(step, text, other, number)
                assert isinstance(result, str)
                tally.results[step] += 1
            except SourceError as error:
                tally.reasons[step, Reason(error.reason)] += 1
            except Exception as error:  # any other is what is looked for
                shown = repr(text if len(text) < 600 else f"{text[:600]}...")
                what = f"{type(error).__name__}: {str(error)[:200]}"
                tally.failures.append(f"{step}, text {number} ({name}): {what}\n    {shown}")
            tally.slowest[step] = max(tally.slowest.get(step, 0), _cpu_seconds() - start)
        other = text
    return tally


def test_500_damaged_texts_go_through_every_step() -> None:
    tally = run_all(mutated(500))
    tally.check()
    assert tally.texts == 500
    for step in STEPS:  # damage that leaves nothing to work on would test little
        assert tally.results[step] > 50, step


@pytest.mark.parametrize(
    "name",
    [name if name in FAST else pytest.param(name, marks=pytest.mark.slow) for name in extremes()],
)
def test_an_extreme_text_goes_through_every_step(name: str) -> None:
    run_all([(name, extremes()[name])]).check()


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1, 31))
def test_20000_damaged_texts_go_through_every_step(seed: int) -> None:
    run_all(mutated(500, seed)).check()


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(31, 41))
def test_5000_damaged_released_texts_go_through_every_step(
    seed: int, released: Callable[[str], Path]
) -> None:
    lines = released("bringup_pairs.jsonl").read_text().splitlines()[seed::40]
    rows = [json.loads(line) for line in lines]
    texts = [row[key] for row in rows for key in ("pseudo", "code")]
    run_all(mutated(500, seed, texts)).check()


def test_the_same_seed_gives_the_same_texts() -> None:
    once = list(mutated(60, 7))
    assert once == list(mutated(60, 7))
    assert once != list(mutated(60, 8))
    assert len({text for _, text in once}) > 40
    assert len(base_texts()) > 100


def test_the_runner_sees_crashes_slow_steps_and_missing_results(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def broken(step: str, text: str, other: str, number: int) -> str:
        if text == "crash":
            raise KeyError("x")
        if text == "slow":
            while True:
                pass
        if text == "reason":
            raise SourceError(Reason.EMPTY, "no code")
        return text

    monkeypatch.setitem(globals(), "run_step", broken)
    monkeypatch.setitem(globals(), "LIMIT_SECONDS", 0.1)
    tally = run_all([("a", text) for text in ("fine", "crash", "slow", "reason")], ["format"])
    assert [line.split(" (")[0] for line in tally.failures] == ["format, text 1", "format, text 2"]
    assert "KeyError" in tally.failures[0]
    assert "TooSlowError" in tally.failures[1]
    assert tally.results == {"format": 1}
    assert tally.reasons == {("format", Reason.EMPTY): 1}
    with pytest.raises(AssertionError):
        tally.check()
    tally.failures.clear()
    with pytest.raises(AssertionError, match="normalize_sound"):
        tally.check()
