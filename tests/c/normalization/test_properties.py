"""On any C: literals are kept, numbers keep their value, and twice is as once."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from sk2d.c.normalization import normalize
from sk2d.c.parse import parse, syntax_error
from sk2d.c.tokens import significant, string_literals, tokenize
from sk2d.errors import SourceError
from tests.c.c_programs import HARD, functions

PARTS = [
    "_DWORD", "unsigned", "__int64", "undefined", "undefined8", "byte", "uint", "int8", "xunknown4",
    "__fastcall", "@", "<", ">", "eax", "::", "a", "b", "operator", "new", "(", ")", "[", "]", "{",
    "}", "*", "&", "=", ";", ":", ",", ".", "->", "?", "~", "16", "0xFF", "0xFFFFFFFF", "0xE+1",
    "1i64", "_0_4_", "_4_3_", "auVar1", "param_1", "return", "struct", "va_arg", "__asm", "goto",
    "case", "L", "m128i_i32", "__m128i", "0LL", "D", ".0", "part", "_IO_FILE", "std", "`", "\\",
    '"s"', "'c'", "// x\n", "/* y */", "#define A 0xF\n", " ", "\n",
]  # fmt: skip
TOKENS = st.lists(st.sampled_from(PARTS), max_size=40)
LITERALS = st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=12).map(
    lambda s: '"' + s.replace("\\", "\\\\").replace('"', '\\"') + '"'
)
DIALECT = st.sampled_from(["auto", "ida", "ghidra", "flatline", "angr"])


def normalized(code: str, dialect: str) -> str | None:
    try:
        return normalize(code, dialect)
    except SourceError:
        return None


@settings(max_examples=300, deadline=None)
@given(parts=TOKENS, dialect=DIALECT)
def test_any_tokens_give_a_stable_result_or_a_reason(parts, dialect):
    text = normalized(" ".join(parts), dialect)
    if text is not None:
        assert normalize(text, dialect) == text


@settings(max_examples=100, deadline=None)
@given(parts=TOKENS, literals=st.lists(LITERALS, min_size=1, max_size=4), dialect=DIALECT)
def test_literals_are_kept(parts, literals, dialect):
    parts = [
        part for part in parts if part not in ("`", "__asm", '"s"', "// x\n", "#define A 0xF\n")
    ]
    step = max(len(parts) // len(literals), 1)
    for number, literal in enumerate(literals):
        parts.insert(number * (step + 1), f" {literal} ")
    code = " ".join(parts)
    text = normalized(code, dialect)
    if text is not None:
        assert string_literals(text) == string_literals(code)


@settings(max_examples=60, deadline=None)
@given(code=functions(without=HARD))
def test_plain_c_stays_plain_c(code):
    text = normalize(code)
    assert normalize(text) == text
    assert string_literals(text) == string_literals(code)
    assert syntax_error(parse(code)) is not None or syntax_error(parse(text)) is None
    assert len(significant(text)) == len(significant(code))


@settings(max_examples=100, deadline=None)
@given(value=st.integers(0, 2**64 - 1), suffix=st.sampled_from(["", "u", "L", "uLL", "LL"]))
def test_numbers_keep_their_value(value, suffix):
    text = normalize(f"x = a - {value:#x}{suffix};")
    (number,) = [token.text for token in tokenize(text) if token.kind == "number"]
    assert int(number.rstrip("uUlL")) == value
