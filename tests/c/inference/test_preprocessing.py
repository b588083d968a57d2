"""Directives inside the text, and the values of their conditions."""

import pytest

from sk2d.c.inference.conditions import constant_value, number_value
from sk2d.c.inference.preprocessing import lex, preprocess

VALUES = {
    "1 + 2 * 3": 7,
    "(1 + 2) * 3": 9,
    "-7 / 2": -3,
    "-7 % 2": -1,
    "1 << 4 | 1": 17,
    "! 0 && 2 > 1": 1,
    "0 ? 5 : 6": 6,
    "UNDEFINED": 0,
    "0x10 - 010": 8,
    "1 / 0": None,
    "f ( 1 )": None,
    "1 +": None,
    "": None,
}

NUMBERS = {"10UL": 10, "0b11": 3, "'a'": 97, r"'\n'": 10, r"'\x41'": 65, "1.5": None, "09": None}

TEXTS = {
    "#if 0\na\n#else\nb\n#endif\n": "b",
    "#ifdef X\na\n#elif defined(Y) || 1\nb\n#else\nc\n#endif": "b",
    "#define X 1\n#if X > 0 && defined X\na\n#endif": "a",
    "#ifndef X\na\n#endif\n#undef X\nb": "a b",
    "#if 0\n#if 1\na\n#endif\n#elif 1\nb\n#endif": "b",
    "#define SQUARE(x) ((x) * (x))\nSQUARE(a + 1)": "( ( a + 1 ) * ( a + 1 ) )",
    "#define TEXT(x) #x\nTEXT(a b)": '"a b"',
    "#define JOIN(a, b) a##b\nJOIN(x, 1)": "x1",
    "#define LOG(f, ...) g(f, __VA_ARGS__)\nLOG(a, b, c)": "g ( a , b , c )",
    "#define F(x) x\nF": "F",
    "#define A A + B\n#define B A\nA": "A + A",
    '# 12 "file.c"\na': "a",
}


@pytest.mark.parametrize("text", VALUES)
def test_the_value_of_a_condition(text):
    assert constant_value([token.text for token in lex(text)]) == VALUES[text]


@pytest.mark.parametrize("text", NUMBERS)
def test_the_value_of_a_constant(text):
    assert number_value(text) == NUMBERS[text]


@pytest.mark.parametrize("text", TEXTS)
def test_what_is_left_of_a_text(text):
    assert " ".join(token.text for token in preprocess(text).tokens) == TEXTS[text]


def test_lines_are_those_of_the_text():
    assert [token.line for token in preprocess("a\n#if 1\nb\n/* \n */ c\n#endif\nd").tokens] == [
        1,
        3,
        5,
        7,
    ]
