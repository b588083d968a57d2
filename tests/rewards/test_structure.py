"""Placeholders are counted on the tree, by exact fractions."""

import pytest

from sk2d.rewards.placeholders import placeholder_jaccard, placeholders
from sk2d.rewards.structure import Structure, structure


def test_placeholders_are_names_and_no_words_in_comments_and_strings() -> None:
    code = 'type1 func1(type1 *var1) { /* var9 */ puts("var8"); goto L; L: return var1->field2; }'
    assert placeholders(code) == {"type1", "func1", "var1", "field2"}
    assert (
        placeholders("int f(int variable1, int var, int var1x, int xvar1) { return 0; }") == set()
    )


@pytest.mark.parametrize(
    ("one", "other", "index"),
    [
        ("int func1(int var1) { return var1; }", "int func1(int var1) { return 0; }", 1.0),
        ("int func1(int var1) { return var1; }", "int func1(int var2) { return 0; }", 1 / 3),
        ("int f(int a) { return a; }", "int g(void) { return 0; }", 1.0),
        ("", "int func1(void) { return 0; }", 0.0),
        ("/* func1 */", "int func1(void) { return 0; }", 0.0),
        (
            "int func1(int var1) { return var1 + var2 + var3; }",
            "int func1(int var1) { return 0; }",
            0.5,
        ),
    ],
)
def test_the_index_by_hand(one: str, other: str, index: float) -> None:
    assert placeholder_jaccard(one, other) == index
    assert placeholder_jaccard(other, one) == index


def test_compiling_is_asked_with_the_references_header() -> None:
    reference = "type1 func1(type1 var1) { return var1; }"
    header = "typedef int type1;\n"
    assert structure(reference, reference, header) == Structure(True, 1.0)
    assert structure("type1 func1(type1 var2) { return var1; }", reference, header) == Structure(
        False, 0.75
    )
