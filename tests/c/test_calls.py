import pytest
from hypothesis import given
from hypothesis import strategies as st

from sk2d.c.calls import called_functions, own_calls, prototype, rename_functions
from sk2d.errors import SourceError

CODE = 'int f(char *a) { if (g(h(a)) == 1) puts("g"); (*a_ptr)(1); return (g)(f(a)); }'


def test_calls_are_listed_in_the_order_of_their_first_appearance() -> None:
    assert called_functions(CODE) == ["g", "h", "puts", "f"]
    assert own_calls(CODE) == ["g", "h"]


def test_functions_are_renamed_and_nothing_else() -> None:
    text = "struct g { int g; }; int f(struct g *g1) { return g(g1->g) + h(1); }"
    renamed = rename_functions(text, {"g": "parse", "h": "f", "nothing": "x"})
    assert renamed == "struct g { int g; }; int f(struct g *g1) { return parse(g1->g) + h(1); }"


def test_two_functions_never_get_one_name() -> None:
    assert rename_functions("int f() { return g() + h(); }", {"g": "x", "h": "x"}) == (
        "int f() { return x() + h(); }"
    )


def test_a_prototype_is_the_head_of_the_definition() -> None:
    assert prototype("static char *f(int a,\n  char b)\n{ return 0; }") == (
        "static char *f(int a, char b);"
    )
    with pytest.raises(SourceError):
        prototype("int f(void) {} int g(void) {}")


@given(st.sampled_from(["alpha", "b_1", "Gamma"]), st.sampled_from(["new_name", "z9"]))
def test_renaming_there_and_back_changes_nothing(old: str, new: str) -> None:
    text = f"int f(int a) {{ {old}(a); return {old}(a + 1); }}"
    assert rename_functions(rename_functions(text, {old: new}), {new: old}) == text
