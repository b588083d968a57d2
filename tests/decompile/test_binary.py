from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from sk2d.decompile import Decompiler
from sk2d.decompile.binary import callees_first
from sk2d.frontends.records import PseudoFunction, Target

PSEUDO = {
    0x10: ("main", "int main(void) { return FUN_20(300) + FUN_30(2); }", (0x20, 0x30)),
    0x20: ("FUN_20", "int FUN_20(int a) { return FUN_30(a); }", (0x30,)),
    0x30: ("FUN_30", "int FUN_30(undefined4 a) { return a + 0x1234; }", ()),
    0x40: ("FUN_40", "", ()),
}
TARGETS = [Target(name, at, 8, name == "main") for at, (name, _, _) in PSEUDO.items()]


class Stand:
    """A front end that knows its answers."""

    name = "stand"

    def missing(self) -> str | None:
        return None

    def functions(self, binary: Path) -> list[Target]:
        return TARGETS

    def decompile(self, binary: Path, targets: Sequence[Target]) -> Iterator[PseudoFunction]:
        for target in targets:
            name, text, calls = PSEUDO[target.address]
            warnings = () if text else ("it hung",)
            yield PseudoFunction(name, target.address, 8, text, "ghidra", warnings, calls=calls)


class Answer:
    def __init__(self, text: str, finished: bool = True) -> None:
        self.text, self.finished = text, finished


class Models:
    """Phases that answer by rule: the first makes placeholders, the second names."""

    def __init__(self, in_turn: bool) -> None:
        self.models = {"skeleton": None, "skin": None}
        self.in_turn = in_turn
        self.asked: list[str] = []

    def get(self, phase: str) -> Any:
        self.asked.append(phase)
        return self if phase == "skeleton" else Skin()

    def answers(self, codes: Sequence[str]) -> Iterator[Answer | None]:
        for code in codes:
            text = code.replace("FUN_20", "func1").replace("FUN_30", "func2")
            yield None if "main" in code else Answer(text, "4660" not in text)


class Skin:
    def answers(self, codes: Sequence[str]) -> Iterator[Answer]:
        for code in codes:
            text = code.replace("func1", "twice").replace("FUN_20", "doubled")
            yield Answer(text.replace("func2", "add").replace("FUN_30", "plus"))


def test_without_models_the_result_is_normalised_pseudo_code_in_order() -> None:
    told: dict[str, int] = {}

    def tell(step: str, count: int) -> None:
        told[step] = told.get(step, 0) + count

    found = list(Decompiler(Stand(), tell=tell).run(Path("x"), TARGETS, TARGETS))
    assert [each.name for each in found] == ["main", "FUN_20", "FUN_30", "FUN_40"]
    assert found[2].code == found[2].pseudo_norm
    assert "4660" in found[2].code
    assert [each.verdict.compiles for each in found] == [True, True, True, None]
    assert found[3].verdict.message == "it hung"
    assert told == {"pseudo": 4, "verdict": 4}


@pytest.mark.parametrize("in_turn", [False, True])
def test_callees_come_first_and_keep_their_names(in_turn: bool) -> None:
    models: Any = Models(in_turn)
    found = {e.name: e for e in Decompiler(Stand(), models).run(Path("x"), TARGETS, TARGETS)}
    assert list(found)[:3] == ["FUN_30", "FUN_20", "main"]
    assert "int add(" in found["FUN_30"].code
    assert "return add(a)" in found["FUN_20"].code
    # The answer for main says `doubled` and `plus`: the names of their definitions win.
    assert "twice(300) + add(2)" in found["main"].code
    assert found["main"].ir is None
    assert any("leaves no room" in warning for warning in found["main"].warnings)
    assert any("cut off" in warning for warning in found["FUN_30"].warnings)
    assert all(each.verdict.compiles for each in list(found.values())[:3])


def test_names_of_an_earlier_run_are_kept() -> None:
    first: Any = Models(False)
    done = list(Decompiler(Stand(), first).run(Path("x"), TARGETS[2:3], TARGETS))
    assert "int add(" in done[0].code
    again: Any = Models(False)
    [main] = Decompiler(Stand(), again).run(Path("x"), TARGETS[:1], TARGETS, done)
    assert "add(2)" in main.code


def test_a_circle_of_calls_ends() -> None:
    records = [
        PseudoFunction(str(at), at, 1, "x", "ghidra", calls=calls)
        for at, calls in {1: (2,), 2: (3,), 3: (1, 99), 4: (4,)}.items()
    ]
    assert callees_first(records) == [3, 2, 1, 4]


def test_calls_may_be_deeper_than_recursion() -> None:
    count = 5000
    records = [
        PseudoFunction(str(at), at, 1, "x", "ghidra", calls=(at + 1,)) for at in range(count)
    ]
    assert callees_first(records) == list(range(count))[::-1]
