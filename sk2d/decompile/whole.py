"""One compilable file for a whole binary."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from sk2d.c.calls import prototype
from sk2d.c.inference import infer
from sk2d.c.normalization import shim
from sk2d.decompile.records import Decompiled
from sk2d.errors import SourceError
from sk2d.sandbox import compile_c

ROUNDS: Final = 12
_NAMED_LINE: Final = re.compile(r"line (\d+):")
_LINE: Final = re.compile(r":(\d+):\d+: (?:fatal )?error:")


@dataclass(frozen=True)
class Whole:
    """The file.

    Args:
        text: C.
        compiles: Whether it does.
        left_out: Functions that stand in it as text only, with the reason.
    """

    text: str
    compiles: bool
    left_out: dict[str, str]


def whole_file(functions: Sequence[Decompiled]) -> Whole:
    """Put functions into one file; those with which it would not compile stand there as text.

    Args:
        functions: Functions with verdicts.

    Returns:
        The file.
    """
    left_out = {f.name: f.verdict.message or "no code" for f in functions if not f.verdict.compiles}
    text = ""
    for _ in range(ROUNDS):
        kept = [function for function in functions if function.name not in left_out]
        header, refused = _header(kept)
        left_out |= refused
        kept = [function for function in kept if function.name not in refused]
        text, starts = _written(functions, kept, header, left_out)
        found = compile_c(text)
        guilty = {} if found.compiles else _guilty(found.message, starts)
        if not guilty:
            return Whole(text, found.compiles, left_out)
        left_out |= guilty
    return Whole(text, False, left_out)


def _header(functions: Sequence[Decompiled]) -> tuple[str, dict[str, str]]:
    """Infer one header for functions; also give those that no header suits together with others."""
    kept = list(functions)
    refused: dict[str, str] = {}
    while True:
        try:
            return infer(_body(kept), shim=True), refused
        except SourceError as error:
            if not kept:
                return "", refused
            place = _misfit_of(kept, str(error))
            refused[kept[place].name] = str(error)
            del kept[place]


def _misfit_of(functions: Sequence[Decompiled], message: str) -> int:
    """Find the function that has no place in a file: by the line that is named, else by trial."""
    line = _NAMED_LINE.match(message)
    if line is None:
        return _first_misfit(functions)
    at = _data(functions).count("\n")
    for place, function in enumerate(functions):
        at += function.code.count("\n") + 1
        if int(line[1]) <= at:
            return place
    return _first_misfit(functions)


def _first_misfit(functions: Sequence[Decompiled]) -> int:
    """Find the first function with which no header suits all before it: a search by halves."""
    low, high = 0, len(functions)  # the first `low` have a header, the first `high` have none
    while high - low > 1:
        middle = (low + high) // 2
        try:
            infer(_body(functions[:middle]), shim=True)
            low = middle
        except SourceError:
            high = middle
    return low


def _data(functions: Sequence[Decompiled]) -> str:
    lines = (line for each in functions for line in each.definitions.splitlines(keepends=True))
    return "".join(dict.fromkeys(lines))


def _body(functions: Sequence[Decompiled]) -> str:
    return _data(functions) + "\n".join(function.code for function in functions)


def _written(
    functions: Sequence[Decompiled],
    kept: Sequence[Decompiled],
    header: str,
    left_out: dict[str, str],
) -> tuple[str, list[tuple[int, str]]]:
    """Write the file; also give the line at which each function begins."""
    heads = "".join(f"{head}\n" for function in kept if (head := _head(function.code)))
    text = f"{shim()}{header}\n{_data(kept)}\n{heads}\n"
    starts = []
    for function in functions:
        starts.append((text.count("\n") + 1, function.name))
        text += _block(function, left_out.get(function.name))
    return text, starts


def _head(code: str) -> str:
    try:
        return prototype(code)
    except SourceError:
        return ""


def _block(function: Decompiled, why_not: str | None) -> str:
    title = f"/* {function.name} at {function.address:#x} */\n"
    if why_not is None:
        return f"{title}{function.code}\n\n"
    reason = " ".join(why_not.split())[:200].replace("*/", "* /")
    text = function.code or function.pseudo
    return f"{title}#if 0 /* {reason} */\n{text}\n#endif\n\n"


def _guilty(message: str, starts: Sequence[tuple[int, str]]) -> dict[str, str]:
    """Find the functions in whose lines the compiler found errors."""
    found: dict[str, str] = {}
    for line in message.splitlines():
        place = _LINE.search(line)
        if place is None:
            continue
        before = [name for start, name in starts if start <= int(place[1])]
        if before:
            found.setdefault(before[-1], line.partition("error:")[2].strip())
    return found
