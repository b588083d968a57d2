"""Entries of the table for macros, expanded so that each stands without the headers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from sk2d.c.libc.entries import Entry
from sk2d.c.libc.preprocessed import RawMacro, gcc, gcc_errors, includes
from sk2d.c.libc.visibility import is_public, is_skipped
from sk2d.c.tokens import KEYWORDS, tokenize

_OVERRIDES: Final[Mapping[str, str]] = {
    "assert": "#define assert(expression) ((expression) ? (void) 0"
    " : __assert_fail(#expression, __FILE__, __LINE__, __func__))",
    "assert_perror": "#define assert_perror(errnum) (!(errnum) ? (void) 0"
    " : __assert_perror_fail((errnum), __FILE__, __LINE__, __func__))",
    "NULL": "#define NULL ((void *)0)",
    "EOF": "#define EOF (-1)",
    "INT_MIN": "#define INT_MIN (-2147483647 - 1)",
    "LONG_MIN": "#define LONG_MIN (-9223372036854775807L - 1L)",
    "LLONG_MIN": "#define LLONG_MIN (-9223372036854775807LL - 1LL)",
}
"""Macros whose text in the headers depends on the place, or that read better in another form."""

_REPLACED: Final[Sequence[tuple[str, str]]] = (
    (r"\b__bswap_(16|32|64)\b", r"__builtin_bswap\1"),
    (r"\b__uint16_identity\b", "(unsigned short)"),
    (r"\b__uint32_identity\b", "(unsigned)"),
    (r"\b__uint64_identity\b", "(unsigned long)"),
    (r"__extension__ ?", "__extension__ "),
    (r"\A\((\w+)\)\Z", r"\1"),
    (r'" "', ""),
    (r"\A0x7f{7}\Z", "2147483647"),
    (r"\A0x7f{15}(L+)\Z", r"9223372036854775807\1"),
    (r"\A0x7f{3}\Z", "32767"),
    (r"\A0x7f\Z", "127"),
)
"""Small inline functions of the headers, for which gcc has builtins and casts."""

_TYPES: Final = ("bool",)
_TYPE_NAMES: Final = (
    "int", "unsigned", "long", "unsigned long", "long long", "unsigned long long", "char",
    "signed char", "unsigned char", "short", "unsigned short", "float", "double", "long double",
    "char *", "const char *", "wchar_t *", "void *", "FILE *", "_Bool", "float _Complex",
    "double _Complex", "void (*)(int)", "struct sockaddr *", "struct in6_addr", "unsigned char *",
    "char **", "locale_t", "sem_t *", "const fenv_t *", "DIR *", "fenv_t *",
)  # fmt: skip
_ARITHMETIC: Final = frozenset(_TYPE_NAMES[:14])
_MEMBER_PATH: Final = re.compile(r"(\w+)((?:\s*\.\s*\w+|\[0\])+)\Z")
_ASSIGNED: Final = re.compile(r"^([kc])_(\d+):\n\t\.(?:long|byte)\t(\d+)", re.MULTILINE)


def macro_entries(
    raw: Mapping[str, RawMacro],
    owners: Mapping[str, str],
    headers: Sequence[str],
    declared: Mapping[str, Entry],
    prototypes: Mapping[str, str],
    scalars: Mapping[str, Sequence[str]],
) -> dict[str, Entry]:
    """Make the entries of all macros that programs may use.

    Args:
        raw: The macros as the headers define them.
        owners: Header by path of a file.
        headers: The headers.
        declared: Entries of everything else.
        prototypes: What function-like macros take and give.
        scalars: The simple types that the headers' own names stand for.

    Returns:
        Entry by name.
    """
    wanted = [m for m in raw.values() if _is_wanted(m, owners, declared)]
    texts = _definitions(wanted, headers)
    texts = {name: _without_aliases(text, scalars) for name, text in texts.items()}
    types = _types([m for m in wanted if m.name in texts and m.params is None], headers, texts)
    known = set(declared) | set(texts)
    found = {}
    for macro in wanted:
        if macro.name not in texts:
            continue
        c_type, constant = types.get(macro.name, ("", False))
        if macro.params is not None:
            c_type = prototypes.get(macro.name, "")
        kind = "type" if macro.name in _TYPES else "constant" if constant else "macro"
        text = texts[macro.name]
        needs = tuple(sorted(set(_needs(text, macro, known))))
        header = owners[macro.file]
        found[macro.name] = Entry(macro.name, kind, header, needs, c_type, text)  # type: ignore[arg-type]
    return found


def _is_wanted(macro: RawMacro, owners: Mapping[str, str], declared: Mapping[str, Entry]) -> bool:
    known = macro.file in owners and is_public(macro.name) and not is_skipped(macro.name)
    return known and bool(macro.body) and macro.name not in declared and macro.name != macro.body


def _definitions(macros: Sequence[RawMacro], headers: Sequence[str]) -> dict[str, str]:
    """Expand the bodies of macros once and for all."""
    calls = "".join(f"@@ {i} {_call(m)}\n" for i, m in enumerate(macros))
    expanded = gcc(["-E", "-P", "-w"], includes(headers) + calls)
    texts = {}
    for line in re.findall(r"^@@ (\d+) ?(.*)$", expanded, re.MULTILINE):
        macro = macros[int(line[0])]
        text = _definition(macro, line[1])
        if text is not None:
            texts[macro.name] = text
    return texts


def _call(macro: RawMacro) -> str:
    if macro.params is None:
        return macro.name
    return f"{macro.name}({macro.params.replace('...', '__VA_ARGS__')})"


def _definition(macro: RawMacro, expansion: str) -> str | None:
    if macro.name in _OVERRIDES:
        return _OVERRIDES[macro.name]
    body = " ".join((macro.body if "#" in macro.body else expansion).split())
    for pattern, replacement in _REPLACED:
        body = re.sub(pattern, replacement, body)
    if not body or body == macro.name or "@@" in body:
        return None
    params = "" if macro.params is None else f"({macro.params})"
    return f"#define {macro.name}{params} {body}"


def _without_aliases(text: str, scalars: Mapping[str, Sequence[str]]) -> str:
    return re.sub(r"\b__\w+_t\b", lambda m: " ".join(scalars.get(m[0], [m[0]])), text)


def _needs(text: str, macro: RawMacro, known: set[str]) -> Iterator[str]:
    before = ""
    taken = {macro.name, *re.findall(r"\w+", macro.params or "")}
    for token in list(tokenize(text[len("#define ") :])):
        if token.kind == "name" and token.text not in taken and token.text not in KEYWORDS:
            key = f"{before} {token.text}" if before in ("struct", "union", "enum") else token.text
            if before not in (".", "->") and key in known:
                yield key
        before = before if token.blank else token.text


def member_path(text: str) -> list[str] | None:
    """Tell whether a macro stands for a member of a member, as `st_atime` does.

    Args:
        text: The definition of an object-like macro.

    Returns:
        The members one goes through, or None.
    """
    body = text.split(" ", 2)[2] if text.count(" ") > 1 else ""
    if not _MEMBER_PATH.match(body):
        return None
    return re.findall(r"[A-Za-z_]\w*", body)


def _types(
    macros: Sequence[RawMacro], headers: Sequence[str], texts: Mapping[str, str]
) -> dict[str, tuple[str, bool]]:
    """Let gcc say which type each macro has, and whether it is a constant."""
    good = [m for m in macros if not set(texts[m.name]) & set("{};")]
    cases = ", ".join(f"{name}: {i + 1}" for i, name in enumerate(_TYPE_NAMES))
    head = includes(headers) + f"#define TYPE(x) _Generic((x), {cases}, default: 99)\n"
    for check in ("const int k_{i} = TYPE({n});", "char c_{i} = 1 + __builtin_constant_p({n});"):
        good = _compiling(head, good, check)
    lines = "".join(
        f"const int k_{i} = TYPE({m.name});\nchar c_{i} = 1 + __builtin_constant_p({m.name});\n"
        for i, m in enumerate(good)
    )
    assembly = gcc(["-S", "-w", "-o", "-"], head + lines)
    values = {(kind, int(i)): int(v) for kind, i, v in re.findall(_ASSIGNED, assembly)}
    found = {}
    for i, macro in enumerate(good):
        code = values[("k", i)]
        name = _TYPE_NAMES[code - 1] if code != 99 else ""
        found[macro.name] = (name, name in _ARITHMETIC and values[("c", i)] == 2)
    return found


def _compiling(head: str, macros: list[RawMacro], check: str) -> list[RawMacro]:
    """Keep the macros for which a line compiles; one mistake may hide others, hence the loop."""
    first = head.count("\n") + 1
    while True:
        lines = "\n".join(check.format(i=i, n=m.name) for i, m in enumerate(macros))
        wrong = _errors(head + lines)
        if not wrong:
            return macros
        macros = [m for i, m in enumerate(macros) if first + i not in wrong]


def _errors(text: str) -> set[int]:
    said = gcc_errors(["-w", "-fmax-errors=0"], text)
    return {int(n) for n in re.findall(r"^<stdin>:(\d+):\d+: (?:error|note)", said, re.MULTILINE)}
