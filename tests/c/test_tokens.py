"""Any text is cut into tokens that join up to it, and each kind ends where C ends it."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from sk2d.c.tokens import (
    GNU_KEYWORDS,
    KEYWORDS,
    MAX_SOURCE_BYTES,
    clean_source,
    significant,
    string_literals,
    tokenize,
)
from sk2d.errors import Reason, SourceError
from tests.c.c_programs import functions

# Pieces that open, close or join tokens: their neighbours are where a tokenizer goes wrong.
PIECES = [
    '"', "'", "\\", "\n", "\r\n", "\r", "//", "/*", "*/", "/", "*", "#", "##", "# define a", "%:",
    "<:", ":>", "<%", "?""?/", "a", "a$b", "$", "0x1p+", "1e-3", "1.5f", ".", "..", "...", ".5",
    "L'", 'u8"', "R\"(", "->", "+", "++", "<<=", ">>", ":", "::", "@", "`", " ", "\t", "\f", "\v",
    "é", "→", "\u00a0", "\u2028", "\x85", "\0", "\ufeff", "\udce9", "²", "٣", "_Bool",
]  # fmt: skip
texts = st.one_of(st.text(), st.lists(st.sampled_from(PIECES)).map("".join), functions())


def cut(code: str) -> list[tuple[str, str]]:
    """Kinds and texts without white space."""
    return [(token.kind, token.text) for token in tokenize(code) if token.kind != "space"]


@settings(deadline=None, max_examples=300)
@given(texts)
@example('# "\\\n/*\n*/ x')
@example("'\\")
def test_the_tokens_join_up_to_the_text(code: str) -> None:
    tokens = list(tokenize(code))
    assert "".join(token.text for token in tokens) == code
    assert all(code[token.start : token.end] == token.text != "" for token in tokens)
    assert [t.start for t in tokens] == [0, *(t.end for t in tokens)][: len(tokens)]


@settings(deadline=None, max_examples=200)
@given(texts)
def test_a_directive_elsewhere_changes_no_other_token(code: str) -> None:
    """Texts with and without `#` take two ways through the code, which must agree."""
    if "#" not in code:
        assert cut(code) == cut(f"#\n{code}")[1:]


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        ('"plain"', "string"), ('"a\\"b"', "string"), ('"\\\\"', "string"), ('L"x"', "string"),
        ('u8"x"', "string"), ('U"x"', "string"), ('"http://a/* b */"', "string"), ('""', "string"),
        ('"one \\\ntwo"', "string"), ('"one \\\r\ntwo"', "string"), ('"naïve → ok"', "string"),
        ("'a'", "char"), ("'\\''", "char"), ("L'\\x41'", "char"), ("'\"'", "char"),
        ("'//'", "char"),
        ("// it's \"open", "comment"), ("/* a \"b */", "comment"), ("/**/", "comment"),
        ("/* two\nlines */", "comment"), ("// goes \\\n on", "comment"), ("/* open", "comment"),
        ("0", "number"), ("0x1F", "number"), ("0x1p-3", "number"), ("1.5e+10f", "number"),
        (".5", "number"), ("1.", "number"), ("0b101", "number"), ("10ull", "number"),
        ("0xFFi64", "number"), ("1e5", "number"), ("0x1.8p0", "number"),
        ("a", "name"), ("_x1", "name"), ("a$b", "name"), ("$a", "name"), ("größe", "name"),
        ("while", "name"), ("u8", "name"),
        ("->", "op"), ("++", "op"), ("...", "op"), ("<<=", "op"), ("::", "op"), ("@", "op"),
        ("\\", "op"), ("`", "op"), ("\0", "op"),
        ("#define A 1", "directive"), ("#", "directive"), ("  # if A", "directive"),
        ("#define A \\\n  2", "directive"), ("#define A \\\r\n  2", "directive"),
        ("#define A /* two\nlines */ 1", "directive"), ('#define A "\\"', "directive"),
        ("#define A '\"' /* x */", "directive"), ("#error don't", "directive"),
    ],
)  # fmt: skip
def test_one_token(code: str, kind: str) -> None:
    assert cut(code) == [(kind, code.strip())]


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("a+++++b", "a ++ ++ + b"), ("a->b.c...d", "a -> b . c ... d"), ("a- -1", "a - - 1"),
        ("x=0xe+1;", "x = 0xe+1 ;"), ("1..2", "1..2"), ("a<<=b>>c<=d", "a <<= b >> c <= d"),
        ("f@<eax>(::g)", "f @ < eax > ( :: g )"), ("foo@plt(1)", "foo @ plt ( 1 )"),
        ("a<:1:>", "a < : 1 : >"), ("<%%>", "< % % >"), ("L 'a'", "L 'a'"), ("a?b:c", "a ? b : c"),
        ("u8 'a'", "u8 'a'"), ("a/b", "a / b"), ("a//b\nc", "a c"), ("a/*b*/c", "a c"),
        ("a /= /**/ b", "a /= b"), ("x = y /*p*/ z", "x = y z"), ("a.b", "a . b"),
        ("&&label", "&& label"), ("a ## b", "a ## b"), ("a\\\n+b", "a \\ + b"),
    ],
)  # fmt: skip
def test_neighbours(code: str, words: str) -> None:
    assert significant(code) == words.split(" ")


@pytest.mark.parametrize("quote", ['"', "'"])
def test_a_literal_that_is_not_closed_ends_with_its_line(quote: str) -> None:
    assert cut(f"a = {quote}b;\nc;")[2:] == [
        (cut(quote)[0][0], f"{quote}b;"),
        ("name", "c"),
        ("op", ";"),
    ]
    assert cut(f"{quote}b\\")[0][1] == f"{quote}b\\"


def test_a_directive_stands_only_where_a_line_begins() -> None:
    assert cut("a # b") == [("name", "a"), ("op", "#"), ("name", "b")]
    assert cut("a\n # b c\nd") == [("name", "a"), ("directive", "# b c"), ("name", "d")]
    assert cut("/* x */ # b")[1] == ("directive", "# b")
    assert cut("# if A // b")[1] == ("comment", "// b")
    assert cut("#a\n#b") == [("directive", "#a"), ("directive", "#b")]
    assert cut("a /*\n*/ # b")[-2:] == [("op", "#"), ("name", "b")]


def test_a1_literals_with_comment_signs_are_literals() -> None:
    code = 'f("see http://a.b/c", \'"\', "/* keep */" "x\\"//"); // "no"\n/* "no" */ g(L"w");'
    assert string_literals(code) == [
        '"see http://a.b/c"', "'\"'", '"/* keep */"', '"x\\"//"', 'L"w"',
    ]  # fmt: skip


def test_layout_means_nothing() -> None:
    code = "int f(int a){return a+1/*x*/;}"
    assert significant(code) == significant("int f ( int a )\n{\n\treturn a + 1; // x\n}\n")
    assert significant(code) != significant(code.replace("a+1", "a+2"))


@pytest.mark.parametrize("opener", ['"', "'", "/*", "//", "#", "\\", "(", '"\\', "#/", "/", 'u8"'])
def test_long_runs_take_linear_time(opener: str) -> None:
    """Would not end within the tests' time limit if a pattern went back over what it has read."""
    code = opener * (MAX_SOURCE_BYTES // len(opener))
    assert sum(len(token.text) for token in tokenize(code)) == len(code)


def test_keywords_are_those_of_c11_and_gcc() -> None:
    assert len(KEYWORDS) == 44
    assert {"while", "_Generic", "restrict", "inline"} <= KEYWORDS
    assert {"__attribute__", "typeof", "asm", "__int128"} <= GNU_KEYWORDS
    assert not KEYWORDS & GNU_KEYWORDS
    assert not {"class", "main", "bool", "NULL"} & (KEYWORDS | GNU_KEYWORDS)


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("", Reason.EMPTY),
        (" \r\n\t", Reason.EMPTY),
        ("\ufeff\n", Reason.EMPTY),
        ("int a;\0", Reason.NUL_BYTE),
        ("\ud800", Reason.NOT_TEXT),
        ("é" * (MAX_SOURCE_BYTES // 2 + 1), Reason.TOO_LARGE),
        ("x" * 2**20, Reason.TOO_LARGE),
    ],
)
def test_text_that_cannot_be_worked_on_has_a_reason(code: str, reason: Reason) -> None:
    with pytest.raises(SourceError) as caught:
        clean_source(code)
    assert caught.value.reason == reason


def test_a17_text_is_cleaned_once_and_keeps_its_bytes() -> None:
    assert clean_source("\ufeffint a;\r\nint b;\rint c;\n") == "int a;\nint b;\nint c;\n"
    assert clean_source("naïve \udce9 \ufeff") == "naïve \udce9 \ufeff"
    assert clean_source("x" * MAX_SOURCE_BYTES) == "x" * MAX_SOURCE_BYTES


@given(texts)
def test_cleaning_twice_is_cleaning_once(code: str) -> None:
    try:
        clean = clean_source(code)
    except SourceError:
        return
    assert "\r" not in clean
    if not clean.startswith("\ufeff"):
        assert clean_source(clean) == clean
