"""Number literals in decimal have the type and the value that they had."""

from __future__ import annotations

import random
import subprocess

import pytest

from sk2d.c.normalization.numbers import decimal_literal

ROWS = [
    ("0x10", "16"), ("0XfF", "255"), ("0x7FFFFFFF", "2147483647"), ("0x80000000", "2147483648u"),
    ("0xFFFFFFFF", "4294967295u"), ("0x100000000", "4294967296"), ("0xFFFFFFFFu", "4294967295u"),
    ("0xFFFFFFFFL", "4294967295L"), ("0x7FFFFFFFFFFFFFFFLL", "9223372036854775807LL"),
    ("0x8000000000000000", "9223372036854775808ul"),
    ("0x8000000000000000LL", "9223372036854775808uLL"),
    ("0xFFFFFFFFFFFFFFFFuLL", "18446744073709551615uLL"), ("0xFFi64", "255LL"), ("1i64", "1LL"),
    ("0xFFFFFFFFFFFFFFFFi64", "18446744073709551615uLL"), ("5ui64", "5uLL"), ("5i32", "5"),
    ("0x80000000i32", "2147483648u"), ("7i8", "7"), ("7UI16", "7"), ("0x10ui32", "16u"),
    ("0x1FFFFFFFFFFFFFFFF", "0x1FFFFFFFFFFFFFFFF"), ("017", "017"), ("0b101", "0b101"),
    ("1.5", "1.5"), ("0x1.8p3", "0x1.8p3"), ("0x1p-2f", "0x1p-2f"), ("1e5", "1e5"), ("10", "10"),
    ("0x", "0x"), ("0xFFz", "0xFFz"), ("0x" + "f" * 9000, "0x" + "f" * 9000),
]  # fmt: skip


@pytest.mark.parametrize(("text", "right"), ROWS, ids=[row[0][:24] for row in ROWS])
def test_literals(text, right):
    assert decimal_literal(text) == right
    assert decimal_literal(right) == right


def test_gcc_sees_the_same_type_and_value(tmp_path):
    chance = random.Random(3)
    bits = [chance.randrange(1, 65) for _ in range(300)]
    values = [2**n - 1 for n in range(1, 65)] + [2**n for n in range(64)]
    values += [chance.getrandbits(n) for n in bits]
    suffixes = ("", "u", "U", "L", "ul", "LL", "uLL", "LLU", "llu")
    literals = [f"{value:#x}{chance.choice(suffixes)}" for value in values]
    lines = [
        f"_Static_assert(__builtin_types_compatible_p(__typeof__({old}), __typeof__({new})) "
        f'&& {old} == {new}, "{old}");'
        for old, new in ((literal, decimal_literal(literal)) for literal in literals)
    ]
    path = tmp_path / "literals.c"
    path.write_text("\n".join(lines))
    done = subprocess.run(
        ["gcc", "-std=gnu11", "-fsyntax-only", "-Werror", path], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr[:2000]
    assert all("x" not in decimal_literal(literal) for literal in literals)
