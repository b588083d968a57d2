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
def test_any_tokens_give_a_result_or_a_reason(parts, dialect):
    text = normalized(" ".join(parts), dialect)
    assert text is None or text.strip()


TYPES = st.sampled_from(
    ["int", "_DWORD", "__int64", "unsigned __int8", "unsigned _QWORD", "_OWORD", "_BOOL4", "T *",
     "undefined", "undefined8", "byte", "uint", "ulong", "code *", "int4", "uint8", "xunknown4",
     "int8", "float8", "__m128i", "struct S", "std::vector<int>", "_IO_FILE *", "struct _IO_FILE *"]
)  # fmt: skip
NAMES = st.sampled_from(
    ["v1", "a1", "param_1", "local_28", "auVar3", "iVar2", "::g", "A::f", "f.part.0",
     "byte", "f@plt"]
)  # fmt: skip
NUMBERS = st.sampled_from(["0", "0x10", "0xFFFFFFFF", "0x80000000LL", "3i64", "0LL", "1.5", "'c'"])


def joined(pattern: str, *parts: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.tuples(*parts).map(lambda values: pattern.format(*values))


def larger(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.one_of(
        joined("({})({})", TYPES, inner),
        joined("*({} *)({} + {})", TYPES, inner, inner),
        joined("{}({}, {})", NAMES, inner, inner),
        joined("{}[{}]", NAMES, inner),
        joined("{}->field", NAMES),
        joined("{}._4_4_", NAMES),
        joined("{}.m128i_i32[{}]", NAMES, inner),
        joined("{} + {}", inner, inner),
        joined("LODWORD({})", NAMES),
        joined("va_arg({}, {} *)", NAMES, TYPES),
    )


VALUES = st.recursive(st.one_of(NAMES, NUMBERS), larger, max_leaves=6)
STATEMENTS = st.one_of(
    joined("{} x{};", TYPES, st.sampled_from(["", "[4]", "; // eax"])),
    joined("{} auVar3 [16];", st.sampled_from(["undefined", "byte", "uint8_t"])),
    joined("{} = {};", NAMES, VALUES),
    joined("*({} *){} = {};", TYPES, NAMES, NUMBERS),
    joined("if ( {} ) goto L;", VALUES),
    joined("switch ( {} ) {{ case 0x41: }}", VALUES),
    joined("return {}; /* gone */", VALUES),
    joined("{} (__fastcall *p)({}, {});", TYPES, TYPES, TYPES),
)
FUNCTIONS = joined(
    "{} __fastcall f({} a1@<eax>, {} *param_2)\n{{\n  {}\nL: }}",
    TYPES, TYPES, TYPES, st.lists(STATEMENTS, max_size=6).map("\n  ".join),
)  # fmt: skip


@settings(max_examples=300, deadline=None)
@given(code=FUNCTIONS, dialect=DIALECT)
def test_normalising_twice_does_as_normalising_once(code, dialect):
    text = normalize(code, dialect)
    assert normalize(text, dialect) == text
    assert string_literals(text) == string_literals(code)


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
