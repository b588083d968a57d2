"""Hostile texts that are too large to keep, or hold bytes that no text file should hold."""

from __future__ import annotations

from typing import Final

_BODY: Final = "int func0(int a, int b) { return a + b; }\n"


def _function(inside: str) -> str:
    return f"int func0(int a, int b) {{ {inside} return a + b; }}\n"


def _macros(first: str, times: int, levels: int) -> str:
    """Write macros that each stand for the one before, several times."""
    more = (f"#define A{n + 1} {f'A{n} ' * times}\n" for n in range(levels))
    return f"#define A0 {first}\n" + "".join(more)


def _strings(levels: int) -> str:
    """Write macros of a function's arguments that double with each level."""
    more = (f"#define B{n + 1}(x) B{n}(x x) B{n}(x x)\n" for n in range(levels))
    return "#define B0(x) x\n" + "".join(more)


GENERATED: Final[dict[str, str]] = {
    "e3_empty_text": "",
    "e3_blank_text": " \n\t\f\v\r\n " * 100,
    "macro_tree_of_a_billion": _macros("x " * 10, 10, 9) + _function("int x; A9;"),
    "macro_tree_that_doubles": _macros("+1", 2, 40) + _function("a = 0 A40;"),
    "macro_arguments_that_double": _strings(24) + _function("a = sizeof(B24(1 +) 1);"),
    "macro_of_a_megabyte": "#define A " + "+1" * 500_000 + "\n" + _function("a = 0 A;"),
    "include_itself_30_times": '#define F "code.c"\n#if __INCLUDE_LEVEL__ < 190\n'
    + "#include F\n" * 30
    + "#endif\n",
    "nested_conditions": "#if 1\n" * 100_000 + _BODY + "#endif\n" * 100_000,
    "condition_of_parentheses": f"#if {'(' * 100_000}1{')' * 100_000}\n#endif\n{_BODY}",
    "flood_of_warnings": "#warning flood\n" * 100_000 + _BODY,
    "escapes_in_an_error": "#error \x1b[2J\x1b]0;owned\x07 \x9b31m wiped\n" + _BODY,
    "nul_before_a_directive": "\0#include </etc/passwd>\n" + _BODY,
    "carriage_return_directive": 'int x;\r#include "/etc/passwd"\r' + _BODY,
    "form_feed_directive": '\f\v#\f\vinclude "/etc/passwd"\n' + _BODY,
    "byte_order_mark_directive": '\ufeff#include "/etc/passwd"\n' + _BODY,
    "nested_parentheses": _function(f"a = {'(' * 100_000}a{')' * 100_000};"),
    "nested_parentheses_short": _function(f"a = {'(' * 30_000}a{')' * 30_000};"),
    "nested_blocks": _function("{" * 100_000 + "a++;" + "}" * 100_000),
    "nested_blocks_short": _function("{" * 30_000 + "a++;" + "}" * 30_000),
    "nested_signs": _function(f"a = {'- ' * 100_000}a;"),
    "nested_casts": _function(f"a = {'(int)' * 10_000}a;"),
    "nested_conditionals": _function("a = " + "a ? b : " * 8_000 + "b;"),
    "nested_else": _function("if (a) a++; else " * 3_500 + "b++;"),
    "nested_loops": _function("for (;;) " * 7_000 + "a++;"),
    "nested_declarators": _function(f"int {'*' * 60_000}p;"),
    "nested_declarators_in_parentheses": _function(f"int {'(*' * 15_000}p{')' * 15_000};"),
    "nested_arrays": _function(f"int p{'[2]' * 20_000}; a = sizeof p;"),
    "nested_structs": _function("struct { " * 5_000 + "int x;" + "} x;" * 5_000),
    "nested_initialisers": _function(f"int x = {'{' * 30_000}1{'}' * 30_000};"),
    "nested_calls": _function(f"a = {'func0(1, ' * 6_000}1{')' * 6_000};"),
    "nested_statement_expressions": _function(f"a = {'({ ' * 180}a;{' })+1;' * 180}"),
    "sum_of_30000": _function("a = " + "a+" * 30_000 + "b;"),
    "unclosed_parentheses": _function(f"a = {'(' * 60_000}"),
    "unknown_names": _function(" ".join(f"unknown_{n};" for n in range(60_000))),
    "unknown_names_short": _function("".join(f"x{n};" for n in range(8_000))),
    "unknown_types": _function("".join(f"t{n} *v{n};" for n in range(4_000))),
    "a_million_cases": _function(
        f"switch (a) {{ {''.join(f'case {n}:' for n in range(1_000_000))} return 1; }}"
    ),
    "thousands_of_cases": _function(
        f"switch (a) {{ {''.join(f'case {n}:' for n in range(5_500))} return 1; }}"
    ),
    "thousands_of_labels": _function("".join(f"l{n}:;" for n in range(7_000))),
    "identifier_of_a_megabyte": _function(f"int {'x' * 1_000_000} = a;"),
    "identifier_of_60_kb": _function(f"int {'x' * 60_000} = a;"),
    "unknown_identifier_of_60_kb": _function(f"a = {'x' * 60_000};"),
    "unknown_identifiers_of_20_kb": _function(f"{'x' * 20_000};{'y' * 20_000};{'z' * 20_000};"),
    "string_of_a_megabyte": _function(f'a = "{"x" * 1_000_000}"[b];'),
    "strings_side_by_side": _function("a = sizeof(" + '""' * 30_000 + ");"),
    "number_of_60_kb": _function(f"a = {'9' * 60_000};"),
    "nul_in_the_middle": "int func0(int a, int b) { return a\0 + b; }\n",
    "nul_in_a_string": 'int func0(int a, int b) { return "x\0y"[a] + b; }\n',
    "nul_at_the_end": _BODY + "\0",
    "nul_only": "\0" * 1_000,
    "invalid_utf8_in_a_name": _function("int x\udcff\udcfe = a; b = x\udcff;"),
    "invalid_utf8_in_a_string": 'int func0(int a, int b) { return "\udcff\udcc0\udc80"[a] + b; }\n',
    "invalid_utf8_in_a_comment": f"/* \udcff\udced\udca0\udc80 */ {_BODY}",
    "half_of_a_surrogate_pair": 'int func0(int a, int b) { return "\ud800"[a] + b; }\n',
    "escapes_in_an_unknown_name": "int func0(int a, int b) { return \x1b[2J\x1b]0;t\x07; }\n",
    "escapes_in_a_string": 'int func0(int a, int b) { return "\x1b[2J\x1b]0;t\x07" + unknown; }\n',
    "letters_that_look_alike": "int func0(int \u0430, int a) { return \u0430 + a + \u200b; }\n",
    "bytes_of_an_object_file": "\x7fELF\x02\x01\x01" + "\0" * 9 + "\x02\0>\0" + _BODY,
}
