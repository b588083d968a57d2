"""Texts that are C no more: seeded damage to C and pseudo-code, and texts that are extreme.

The same seed gives the same texts everywhere, so that a failure can be named by its number.
"""

from __future__ import annotations

import functools
import json
import random
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from sk2d.c.tokens import tokenize
from tests.imports import ROOT

OWN_TEXTS: Final = (
    "int f(void){ return puts(\"see http://a.b/c\"); }",
    "#define LIMIT(a) \\\n  ((a) > 10 ? 10 : (a))\nstatic int g(int n) { return LIMIT(n); }\n",
    "int __usercall f@<eax>(int a1@<edi>)\n{\n  return ::g + foo@plt(a1) + 0xFFi64;\n}",
    "void f(int a1){ LOBYTE(a1) = 1; *(_DWORD *)(a1 + 4LL) = CONCAT22(0, 1); }",
    "undefined8 FUN_00101159(long param_1)\n{\n  undefined8 uVar1; /* WARNING: x */\n"
    "  uVar1 = (*(code *)PTR_00104018)(param_1 + -0x80000000,0x1f);\n  return uVar1;\n}",
    "typedef struct node { struct node *next; int (*call)(struct node *, ...); } node;\n"
    "int walk(node *n) { for (; n; n = n->next) if (n->call(n, 1)) goto out;\nout: return 0; }",
    "char *pick(a, b) int a; char *b; { return a ? b : 0; }",
    "int f(int cnt) { puts(\"naïve → ok\"); return cnt; }",
    "void f(void) { switch (x) { case 1 ... 5: { T v = { .a = { [2] = 1 } }; } default:; } }",
    "int h(s *p, int v) { if ((v) && p->n > 0) a * b; return ({ int q = (T) *p; q; }); }",
    "__int64 __fastcall sub_1230(__m128i *a1, unsigned __int64 a2) // rax\n{\n  int v3; // eax\n"
    "  JUMPOUT(0x40);\n  return *(_QWORD *)&a1[1].m128i_i8[8 * a2] + (unsigned int)&loc_1234;\n}",
    "#if A\nint f() {\n#else\nint f(int x) {\n#endif\n  return __LINE__; }",
)  # fmt: skip
"""Small texts that hold what is hard: dialects, macros, K&R, literals, designators, ambiguities."""

ODD: Final = [
    "\0", "\r", "\r\n", "\ufeff", "\udce9", "\udcff", "\ud800", "é", "→", "\u2028", "\u202e", "😀",
    "\x1b[31m", "\x7f", "\x0c", "\\", "\\\n", "\"", "'", "/*", "*/", "//", "#", "# if x\n", "##",
    "#include <stdio.h>\n", "#else\n", "#endif\n", "?""?/", "%:", "(", ")", "{", "}", "[", "]",
    "((", "}}", ";", ",", "::", "@", "@<eax>", "$", "`", "...", "va_arg(ap, int *)", "sizeof",
    "typedef", "struct {", "case 1:", "else", "do", "goto x;", "asm(\"\")", "__attribute__((x(",
    "_Generic(", "0x", "1e", "0xFFFFFFFFFFFFFFFFFFFF", "09", "1.2.3", "L'", "'abcdef'", "u8\"",
    "R\"(", "a$b", "var1", "func1", "type1", "field1", "LOBYTE(", "CONCAT88(",
    "*(_OWORD *)", "operator new(", "int;", "a * b;", "(T)(x)", "({", "})", "&&x", "x ? : y",
    ".a = 1", "[1] = 2", "int f() {}",
]  # fmt: skip

Mutation = Callable[[random.Random, str, str], str]


def _tokens(text: str) -> list[str]:
    return [token.text for token in tokenize(text)]


def _change_tokens(change: Callable[[random.Random, list[str]], None]) -> Mutation:
    def mutate(draw: random.Random, text: str, other: str) -> str:
        words = _tokens(text)
        change(draw, words)
        return "".join(words)

    return mutate


def _delete(draw: random.Random, words: list[str]) -> None:
    for _ in range(draw.randrange(1, 4)):
        if words:
            del words[draw.randrange(len(words))]


def _duplicate(draw: random.Random, words: list[str]) -> None:
    if words:
        start = draw.randrange(len(words))
        words[start:start] = words[start : start + draw.randrange(1, 12)]


def _swap(draw: random.Random, words: list[str]) -> None:
    if words:
        one, other = draw.randrange(len(words)), draw.randrange(len(words))
        words[one], words[other] = words[other], words[one]


def _insert(draw: random.Random, words: list[str]) -> None:
    for _ in range(draw.randrange(1, 4)):
        words.insert(draw.randrange(len(words) + 1), draw.choice(ODD))


def _replace(draw: random.Random, words: list[str]) -> None:
    """Put one token of the text, or an odd one, in the place of another."""
    if words:
        words[draw.randrange(len(words))] = draw.choice([draw.choice(words), draw.choice(ODD)])


def _drop_brackets(draw: random.Random, words: list[str]) -> None:
    words[:] = [w for w in words if w not in "(){}[]" or w == "" or draw.random() < 0.9]


def _rename(draw: random.Random, words: list[str]) -> None:
    """Give one name to two things."""
    names = sorted({w for w in words if w.isidentifier()})
    if names:
        one, other = draw.choice(names), draw.choice(names)
        words[:] = [other if w == one else w for w in words]


def _truncate(draw: random.Random, text: str, other: str) -> str:
    return text[: draw.randrange(len(text) + 1)]


def _behead(draw: random.Random, text: str, other: str) -> str:
    return text[draw.randrange(len(text) + 1) :]


def _splice(draw: random.Random, text: str, other: str) -> str:
    return text[: draw.randrange(len(text) + 1)] + other[draw.randrange(len(other) + 1) :]


def _two(draw: random.Random, text: str, other: str) -> str:
    return text + draw.choice(["", "\n", ";", "\r\n"]) + other


def _bytes(draw: random.Random, text: str, other: str) -> str:
    """Change bytes, so that the text may be no UTF-8 any more."""
    raw = bytearray(text.encode("utf-8", "surrogatepass"))
    for _ in range(draw.randrange(1, 6)):
        if raw:
            raw[draw.randrange(len(raw))] = draw.randrange(256)
    return raw.decode("utf-8", "surrogateescape")


def _line_ends(draw: random.Random, text: str, other: str) -> str:
    return text.replace("\n", draw.choice(["\r\n", "\r", "\n\n", "\\\n", "\x0c", " "]))


def _garbage(draw: random.Random, text: str, other: str) -> str:
    length = draw.randrange(300)
    if draw.random() < 0.5:
        return "".join(draw.choice(ODD) for _ in range(length // 4))
    return draw.randbytes(length).decode("utf-8", "surrogateescape")


def _words_in_any_order(draw: random.Random, text: str, other: str) -> str:
    words = [word for word in _tokens(text) if not word.isspace()]
    draw.shuffle(words)
    return " ".join(words)


def _nest(draw: random.Random, text: str, other: str) -> str:
    """Put brackets around a token, or open many and close few."""
    words = _tokens(text) or [""]
    at, levels = draw.randrange(len(words)), draw.choice([5, 50, 500])
    opener, closer = draw.choice(
        ["()", "{}", "[]", ("(a)", ""), ("*", ""), ("-", ""), ("if(a)", "")]
    )
    words[at] = opener * levels + words[at] + closer * draw.choice([levels, levels, levels - 1])
    return "".join(words)


def _lengthen(draw: random.Random, text: str, other: str) -> str:
    """Make a name, number, literal, comment or line ever so long."""
    words = _tokens(text) or [""]
    at = draw.randrange(len(words))
    words[at] = (words[at] or "a") * draw.choice([20, 200])
    return "".join(words)


MUTATIONS: Final[dict[str, Mutation]] = {
    "delete": _change_tokens(_delete),
    "duplicate": _change_tokens(_duplicate),
    "swap": _change_tokens(_swap),
    "insert": _change_tokens(_insert),
    "replace": _change_tokens(_replace),
    "brackets": _change_tokens(_drop_brackets),
    "rename": _change_tokens(_rename),
    "truncate": _truncate,
    "behead": _behead,
    "splice": _splice,
    "two": _two,
    "bytes": _bytes,
    "line_ends": _line_ends,
    "garbage": _garbage,
    "any_order": _words_in_any_order,
    "nest": _nest,
    "lengthen": _lengthen,
    "nothing": lambda draw, text, other: text,
}


@functools.cache
def base_texts() -> tuple[str, ...]:
    """The texts that are damaged: ours, and those of the shipped examples."""
    texts = list(OWN_TEXTS)
    for name, keys in (("pairs", ("pseudo", "code")), ("skin", ("input",))):
        for line in (ROOT / "examples" / f"{name}.jsonl").read_text().splitlines()[::4]:
            row = json.loads(line)
            texts += [row[key] for key in keys]
    return tuple(dict.fromkeys(texts))


def mutated(
    count: int, seed: int = 0, texts: Sequence[str] | None = None
) -> Iterator[tuple[str, str]]:
    """Give damaged texts, each with the names of what was done to it."""
    draw = random.Random(seed)
    texts = texts or base_texts()
    names = sorted(MUTATIONS)
    for _ in range(count):
        done = [draw.choice(names) for _ in range(draw.choice([1, 1, 1, 2, 3]))]
        text = draw.choice(texts)
        for name in done:
            text = MUTATIONS[name](draw, text, draw.choice(texts))
        yield "+".join(done), text


def extremes() -> dict[str, str]:
    """Texts at the limits of what the steps are made for, and beyond, by name."""
    body = "int f(int a) {{ {} return a; }}".format
    opened = "".join(f"#if b{n}\n" for n in range(14))
    record = 'int f(int cnt) {\n  puts("naïve");\n  return cnt;\n}\n'
    return {
        "empty": "",
        "blank": " \t\r\n\x0c",
        "only_bom": "\ufeff",
        "only_comment": "/* nothing */",
        "nul": record.replace("cnt", "c\0nt"),
        "crlf": record.replace("\n", "\r\n"),
        "cr": record.replace("\n", "\r"),
        "bom": "\ufeff" + record,
        "latin_1": record.encode("latin-1").decode("utf-8", "surrogateescape"),
        "surrogate": record + "\ud800",
        "megabyte": body("x();" * 262_144),
        "limit": body("x();\n" * 52_000),
        "half_limit": body("y = x(a, 1);\n" * 9_000),
        "parentheses_10000": body("a = " + "(" * 10_000 + "1" + ")" * 10_000 + ";"),
        "parentheses_open": body("a = " + "(" * 10_000),
        "parentheses_150": body("a = " + "(" * 150 + "1" + ")" * 150 + ";"),
        "braces_10000": body("{" * 10_000 + "}" * 10_000),
        "brackets_5000": body("a" + "[0]" * 5_000 + " = 1;"),
        "ifs_2000": body("if (a) " * 2_000 + ";"),
        "elses_2000": body("if (a) b(); else " * 2_000 + ";"),
        "sum_20000": body("a = " + "+".join(["a"] * 20_000) + ";"),
        "ternaries_3000": body("a = " + "a ? b : " * 3_000 + "c;"),
        "commas_20000": body("a = (" + "a, " * 20_000 + "b);"),
        "casts_5000": body("a = " + "(int)" * 5_000 + "1;"),
        "stars_5000": body("int " + "*" * 5_000 + "p;"),
        "minuses_5000": body("a = " + "- " * 5_000 + "1;"),
        "calls_2000": body("f(" * 2_000 + ")" * 2_000 + ";"),
        "members_5000": body("a = p" + "->n" * 5_000 + ";"),
        "less_3000": body("a" + "<b" * 3_000 + ";"),
        "initialiser": "int a[] = {" + "1, " * 50_000 + "};",
        "initialiser_deep": "int a = " + "{" * 3_000 + "}" * 3_000 + ";",
        "structs_deep": "struct s {" * 3_000 + "};" * 3_000,
        "pointers_to_functions": "int " + "(*" * 2_000 + "f" + ")(void)" * 2_000 + ";",
        "long_name": body("n" * 200_000 + " = 1;"),
        "long_string": body('puts("' + "x" * 200_000 + '");'),
        "long_number": body("a = " + "9" * 100_000 + ";"),
        "long_hexadecimal": body("a = 0x" + "f" * 100_000 + ";"),
        "long_comment": body("/*" + "x " * 100_000 + "*/"),
        "strings": body("p = " + '"a" ' * 20_000 + ";"),
        "many_names": body("".join(f"x{n} = y{n}(z{n});" for n in range(4_000))),
        "many_types": body("".join(f"T{n} v{n};" for n in range(4_000))),
        "many_members": body("".join(f"p->m{n} = q.n{n};" for n in range(4_000))),
        "many_aliases": body("".join(f"v{n} = v{n + 1};" for n in range(4_000))),
        "many_pointers": body("".join(f"*v{n} = v{n + 1};" for n in range(1_000))),
        "many_structures": body("".join(f"v{n} = v{n + 1}->m;" for n in range(1_000))),
        "own_members": body("v = v->a; v->b = &v; w = v->b->b; w->a = w; v = *w->b;"),
        "labels": body("".join(f"l{n}: goto l{n};" for n in range(5_000))),
        "cases": body("switch (a) {" + "".join(f"case {n}:" for n in range(9_000)) + ";}"),
        "functions": "".join(f"int f{n}(void) {{ return {n}; }}\n" for n in range(3_000)),
        "branches_14": opened + "int x;\n" + "#else\n#endif\n" * 14,
        "branches_open": "#if a\n" * 20_000,
        "hashes": "#" * 50_000,
        "macros": "".join(f"#define M{n} M{n + 1} M{n + 1}\n" for n in range(3_000)) + body("M0"),
        "continued": "#define A \\\n" + " a \\\n" * 20_000 + "\nint f() { A }",
        "quotes": '"' * 50_001,
        "apostrophes": "'\\" * 50_001,
        "backslashes": "\\" * 50_000,
        "comment_open": body("/*" * 50_000),
        "stars_in_comment": "/*" + "*" * 200_000,
        "closers": "}" * 50_000 + ")" * 50_000,
        "at_signs": "f@<eax>" * 20_000,
        "colons": "::" * 50_000 + "a",
        "control_bytes": bytes(range(1, 256)).decode("latin-1") * 50,
        "not_utf8": bytes(range(1, 256)).decode("utf-8", "surrogateescape") * 50,
        "concatenated": body("a = CONCAT44(" * 200 + "1" + ",1)" * 200 + ";"),
        "low_bytes": body("LOBYTE(" * 200 + "a" + ") = 1" * 1 + ")" * 199 + ";"),
        "attributes": body("__attribute__((" * 2_000 + "))" * 2_000 + ";"),
        "statement_expressions": body("a = " + "({" * 500 + "1;" + "});" * 500),
        "generic": body("a = " + "_Generic(1, int: " * 300 + "1" + ")" * 300 + ";"),
        "typeof": body("typeof(" * 500 + "a" + ")" * 500 + " b;"),
    }  # fmt: skip
