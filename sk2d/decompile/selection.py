"""Which functions of a binary are meant."""

from __future__ import annotations

from collections.abc import Sequence

from sk2d.errors import UserError, UserErrors, did_you_mean
from sk2d.frontends.records import Target

WHERE = "--function"
SHOWN = 8


def select(targets: Sequence[Target], wanted: Sequence[str]) -> list[Target]:
    """Find functions by name or address.

    Args:
        targets: All functions of the file.
        wanted: Names, and addresses in hexadecimal (`0x401136`); an address inside a function
            means that function.

    Returns:
        The functions, each once, in the order of `wanted`.

    Raises:
        UserErrors: Some are not there, or their name is that of several.
    """
    found: dict[int, Target] = {}
    problems: list[UserError] = []
    for word in wanted:
        try:
            target = _by_address(targets, word) if _is_address(word) else _by_name(targets, word)
        except UserError as problem:
            problems.append(problem)
        else:
            found[target.address] = target
    if problems:
        raise UserErrors(problems)
    return list(found.values())


def _is_address(word: str) -> bool:
    try:
        return word.lower().startswith("0x") and int(word, 16) >= 0
    except ValueError:
        return False


def _by_address(targets: Sequence[Target], word: str) -> Target:
    address = int(word, 16)
    for target in targets:
        if target.address <= address < target.address + max(1, target.size):
            return target
    near = sorted(targets, key=lambda target: abs(target.address - address))[:3]
    listed = ", ".join(f"{target.name} at {target.address:#x}" for target in near)
    remedy = f"Near are {listed}" if listed else "The file has no functions"
    raise UserError("no function is there", where=f"{WHERE} {word}", remedy=remedy)


def _by_name(targets: Sequence[Target], word: str) -> Target:
    named = [target for target in targets if target.name == word]
    if len(named) == 1:
        return named[0]
    where = f"{WHERE} {word}"
    if named:
        listed = ", ".join(f"{target.address:#x}" for target in named[:SHOWN])
        what = f"{len(named)} functions have this name"
        raise UserError(what, where=where, remedy=f"Give one of their addresses: {listed}")
    near = did_you_mean(word, [target.name for target in targets])
    first = ", ".join(target.name for target in targets[:SHOWN])
    remedy = near or f"The first of {len(targets)} are {first}"
    raise UserError("there is no function of this name", where=where, remedy=remedy)
