"""Prototypes of the C library in the types of Ghidra's engine, whose names count bytes (`int4`)."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Final

from sk2d.c import libc
from sk2d.c.tokens import significant

NO_RETURN: Final = frozenset(
    (
        *("exit", "_exit", "_Exit", "abort", "quick_exit", "pthread_exit", "__libc_start_main"),
        *("longjmp", "_longjmp", "siglongjmp", "__longjmp_chk", "err", "errx", "verr", "verrx"),
        *("__assert_fail", "__assert_perror_fail", "__assert", "__fortify_fail", "__chk_fail"),
        *("__stack_chk_fail", "__stack_chk_fail_local", "_Unwind_Resume", "__cxa_throw"),
        *("__cxa_rethrow", "__cxa_bad_cast", "__cxa_throw_bad_array_new_length"),
    )
)
"""Functions after whose call nothing follows."""

_DROPPED: Final = frozenset(
    ("const", "volatile", "restrict", "__restrict", "__restrict__", "extern", "static")
)
_WORDS: Final = frozenset(
    ("char", "short", "int", "long", "signed", "unsigned", "float", "double", "void", "bool")
) | {"_Bool"}
_DEPTH: Final = 8
"""Typedefs of typedefs that are followed."""


@functools.cache
def prototype(name: str, bits: int) -> str | None:
    """Give the declaration of a library function as the engine reads it.

    Args:
        name: Name of the function.
        bits: Size of a pointer, 32 or 64.

    Returns:
        Such as `extern uint8 strlen(char *);`, or None for a function that is not in the table or
        takes or gives what the engine has no type for.
    """
    if libc.kind_of(name) != "func":
        return None
    words = significant(str(libc.declaration(name)))
    if name not in words:
        return None
    place = words.index(name)
    if words[place + 1 : place + 2] != ["("] or "(" in words[:place]:
        return None
    close = len(words) - 1 - words[::-1].index(")")
    result = engine_type(words[:place], bits)
    parameters = _parameters(words[place + 2 : close], bits)
    if result is None or parameters is None:
        return None
    if bits == 32 and result.startswith("float"):
        return None  # it comes back on the floating-point stack, which only the engine follows
    return f"extern {result} {name}({', '.join(parameters)});"


def variable(name: str, bits: int) -> str | None:
    """Give the declaration of a library variable as the engine reads it.

    Args:
        name: Name of the variable, such as `stdout`.
        bits: Size of a pointer, 32 or 64.

    Returns:
        Such as `FILE *stdout`, or None for one that is not in the table.
    """
    if libc.kind_of(name) != "var":
        return None
    words = significant(str(libc.declaration(name)))
    if name not in words or "[" in words:
        return None
    kind = engine_type(words[: words.index(name)], bits)
    return kind and f"{kind} {name}"


STRUCTURES: Final = ("FILE", "DIR")
"""Types whose inside no program looks into; the engine knows them by name."""


def opaque_types() -> list[str]:
    """Define the types of `STRUCTURES` for the engine.

    Returns:
        One definition each.
    """
    return [f"struct {name} {{ char opaque[8]; }};" for name in STRUCTURES]


def _parameters(words: Sequence[str], bits: int) -> list[str] | None:
    if words in (["void"], []):
        return ["void"]
    parts: list[list[str]] = [[]]
    depth = 0
    for word in words:
        depth += {"(": 1, ")": -1}.get(word, 0)
        if word == "," and depth == 0:
            parts.append([])
        else:
            parts[-1].append(word)
    found: list[str] = []
    for part in parts:
        kind = "..." if part == ["..."] else engine_type(part, bits)
        if kind is None or kind == "void":
            return None
        found.append(kind)
    return found


def engine_type(words: Sequence[str], bits: int, depth: int = 0) -> str | None:
    """Translate a type.

    Args:
        words: Words of a type, without a name.
        bits: Size of a pointer, 32 or 64.
        depth: How many typedefs were followed already.

    Returns:
        The engine's words for it, or None where it has none.
    """
    kept = [word for word in words if word not in _DROPPED]
    if "(" in kept:
        return "void *"  # a pointer to a function
    if "[" in kept:
        kept = [*kept[: kept.index("[")], "*"]
    stars = kept.count("*")
    base = _base([word for word in kept if word != "*"], bits, depth)
    if base is None:
        return "void " + "*" * stars if stars else None
    return f"{base} {'*' * stars}".strip() if stars else base


def _base(words: Sequence[str], bits: int, depth: int) -> str | None:
    if words and set(words) <= _WORDS:
        return _arithmetic(list(words), bits)
    if words[:1] == ["enum"]:
        return "int4"
    if len(words) != 1 or depth > _DEPTH:
        return None
    if words[0] in STRUCTURES:
        return words[0]
    if words[0] == "__builtin_va_list":
        return "void *"
    if libc.kind_of(words[0]) != "type":
        return None
    text = significant(str(libc.declaration(words[0])))
    if text[:1] != ["typedef"] or words[0] not in text:
        return None
    inside = text[1 : text.index(words[0])]
    return engine_type(inside, bits, depth + 1) if "{" not in inside else None


def _arithmetic(words: list[str], bits: int) -> str:
    unsigned = "u" if "unsigned" in words else ""
    if "void" in words:
        return "void"
    if "float" in words:
        return "float4"
    if "double" in words:
        return "float16" if "long" in words else "float8"
    if "_Bool" in words or "bool" in words:
        return "bool"
    if "char" in words:
        return "char" if words == ["char"] else f"{unsigned}int1"
    if "short" in words:
        return f"{unsigned}int2"
    longs = words.count("long")
    size = 8 if longs == 2 else bits // 8 if longs else 4
    return f"{unsigned}int{size}"
