from hypothesis import given
from hypothesis import strategies as st

from sk2d.c.faithfulness import constants, differences, strings

PSEUDO = 'int f(char *a) { if (a[2] == 4660) { puts("hello\\x21"); strcpy(a, "x"); } return 3; }'


def test_a_faithful_text_has_no_differences() -> None:
    code = 'int f(char *s) { if (s[2] != 0x1234) return 3; puts("hello" "!"); strcpy(s, "x"); }'
    assert differences(PSEUDO, code) == []


def test_what_was_lost_and_what_was_invented_is_told() -> None:
    assert differences(PSEUDO, 'int f(char *s) { printf("%d", 70000); }') == [
        "string lost: hello!",
        "string lost: x",
        "constant lost: 0x1234",
        "call lost: puts",
        "call lost: strcpy",
        "string invented: %d",
        "constant invented: 0x11170",
        "call invented: printf",
    ]


def test_constants_are_one_in_either_sign_and_base() -> None:
    assert constants("-4096 0xfffff000 4294963200u 0xFFFFFFFFFFFFF000 'a' 255") == ["0x1000"]


def test_long_texts_are_cut() -> None:
    [line] = differences(
        f'int f(void) {{ return g("{"a" * 90}"); }}', "int f(void) { return g(); }"
    )
    assert line.endswith("…")
    assert len(line) < 60


def test_an_answer_that_is_no_c_lost_everything() -> None:
    assert "call lost: puts" in differences(PSEUDO, "}{")


@given(st.text(max_size=40).filter(lambda text: '"' not in text and "\\" not in text))
def test_any_string_is_found_again(text: str) -> None:
    if "\n" in text or "\r" in text or "\0" in text:
        return
    assert strings(f'f("{text}")') == ([repr(text)[1:-1]] if text else [])
