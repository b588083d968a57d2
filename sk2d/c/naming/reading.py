"""Reading a text until all its names are settled."""

from __future__ import annotations

from typing import Final

from sk2d.c.naming.cursor import PLACEHOLDER, Knowledge, WrongSyntaxError
from sk2d.c.naming.directives import Remaining, define_macros
from sk2d.c.naming.ledger import (
    CALLED,
    FILE_SCOPE,
    GUESSED_TYPE,
    GUESSED_VALUE,
    MEMBER,
    OBJECT,
    TYPE,
    VALUE,
    Entry,
    Ledger,
    unite,
)
from sk2d.c.naming.lexemes import Lexemes, readings
from sk2d.c.naming.statements import StatementReader

_PASSES: Final = 5
_VALUES: Final = CALLED | OBJECT | VALUE


def read(lexemes: Lexemes) -> tuple[Ledger, list[tuple[int, Entry]]]:
    """Read a text.

    What one place proves of a name may change how another is read, so the text is read again as
    long as a guess turns out wrong.

    Args:
        lexemes: Its tokens.

    Returns:
        What was found, and all places of names in order with what they stand for.

    Raises:
        WrongSyntaxError: The text is no C.
    """
    ledger, knowledge, error = _read_until_settled(lexemes, Knowledge())
    if error is not None and any(PLACEHOLDER.fullmatch(text) for text in lexemes.texts):
        plain = Knowledge(spelling=False)
        ledger, knowledge, error = _read_until_settled(lexemes, plain)
    if error is not None:
        raise WrongSyntaxError(error.what, error.token) from error
    _join_declared(ledger)
    _settle(ledger, knowledge)
    places = [(lexemes.starts[token], entry) for token, entry in ledger.uses.items()]
    places += Remaining(lexemes, ledger).notes() if lexemes.directives else []
    _settle(ledger, knowledge)
    places.sort(key=lambda p: p[0])
    return ledger, places


def _read_until_settled(
    lexemes: Lexemes, knowledge: Knowledge
) -> tuple[Ledger, Knowledge, WrongSyntaxError | None]:
    for _ in range(_PASSES):
        ledger, error = _read_once(lexemes, knowledge)
        learnt = _learn(ledger, knowledge)
        if learnt is None:
            break
        knowledge = learnt
    return ledger, knowledge, error


def _read_once(lexemes: Lexemes, knowledge: Knowledge) -> tuple[Ledger, WrongSyntaxError | None]:
    """Read every way through the `#if` of a text; one that is C is enough."""
    ledger = Ledger()
    if lexemes.directives:
        define_macros(lexemes, ledger)
    error: WrongSyntaxError | None = None
    succeeded = False
    failed: list[tuple[int, Entry, int]] = []
    ways = list(readings(lexemes))
    for number, index in enumerate(ways):
        if succeeded and number == len(ways) - 1:
            break
        reader = None
        try:
            reader = StatementReader(lexemes.texts, lexemes.kinds, index, ledger, knowledge)
            reader.whole()
        except WrongSyntaxError as wrong:
            error = error or wrong
            failed += reader.notes if reader else []
        else:
            succeeded = True
            ledger.commit(reader.notes)
    if not succeeded:
        for _, entry, roles in failed:
            entry.roles |= roles
        return ledger, error
    return ledger, None


def _learn(ledger: Ledger, knowledge: Knowledge) -> Knowledge | None:
    """Find names of which a guess was wrong; None if there are none."""
    types, values = set(knowledge.types), set(knowledge.values)
    for (namespace, name), entry in ledger.free.items():
        if namespace != "ordinary":
            continue
        roles = entry.roles
        proven = roles & TYPE and entry.macro != "function"
        if proven and roles & (_VALUES | GUESSED_VALUE) and knowledge.verdict(name) is not True:
            types.add(name)
            values.discard(name)
        elif not proven and roles & _VALUES and roles & GUESSED_TYPE and name not in types:
            values.add(name)
    if types == knowledge.types and values == knowledge.values:
        return None
    return Knowledge(frozenset(types), frozenset(values), knowledge.spelling)


def _join_declared(ledger: Ledger) -> None:
    """Make all declarations and uses of a name on file level the same entity."""
    first: dict[tuple[str, str], Entry] = {}
    for entry in ledger.declared.values():
        if entry.scope != FILE_SCOPE:
            continue
        unite(first.setdefault((entry.namespace, entry.name), entry), entry)
        free = ledger.free.get((entry.namespace, entry.name))
        if free is not None and not free.macro:
            unite(entry, free)
    _join_parameters(ledger)


def _join_parameters(ledger: Ledger) -> None:
    """Make the parameters of two heads of one body the same, by name."""
    heads: dict[tuple[int, str], Entry] = {}
    for note in ledger.functions.values():
        for parameter in note.parameters:
            unite(heads.setdefault((note.end, parameter.name), parameter), parameter)


def _settle(ledger: Ledger, knowledge: Knowledge) -> None:
    """Decide what the names are that no declaration explains."""
    for (namespace, name), entry in ledger.free.items():
        if namespace == "ordinary" and entry.same is None:
            _settle_one(entry, knowledge.verdict(name), knowledge.is_field_placeholder(name))


def _settle_one(entry: Entry, verdict: bool | None, spelled_field: bool) -> None:
    roles = entry.roles
    if entry.macro == "function":
        entry.kind = "func"
    elif roles & TYPE or (verdict is True and not roles & (OBJECT | VALUE)):
        entry.kind = "type"
    elif roles & CALLED:
        entry.kind = "func"
    elif roles & GUESSED_TYPE and not roles & _VALUES and verdict is not False:
        entry.kind = "type"
    elif roles == MEMBER or (spelled_field and roles in (0, GUESSED_VALUE)):
        entry.kind = "field"
    else:
        entry.kind = "var"
