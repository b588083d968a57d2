"""Each row of the table of type names: where it counts, and that width and sign are kept."""

from __future__ import annotations

import subprocess

import pytest

from sk2d.c.normalization import normalize, shim, shim_names
from sk2d.c.normalization.dialects import DIALECTS
from sk2d.c.normalization.type_names import type_names

TABLE = sorted(type_names().items())
IDS = [name for name, _ in TABLE]


def dialect_for(name: str) -> str:
    row = type_names()[name]
    return min(row.dialects) if row.dialects else "ida"


@pytest.mark.parametrize(("name", "row"), TABLE, ids=IDS)
def test_a_row_counts_in_type_position(name, row):
    dialect = dialect_for(name)
    for code in ("{} f({} *a, {} b);", "x = ({})y + *({} *)p + sizeof({});", "const {} *v, w[2];"):
        assert normalize(code.replace("{}", name), dialect) == code.replace("{}", row.alone)


@pytest.mark.parametrize(("name", "row"), TABLE, ids=IDS)
def test_a_row_keeps_sign_words(name, row):
    dialect = dialect_for(name)
    for sign, combined in (("signed", row.signed), ("unsigned", row.unsigned)):
        right = combined or f"{sign} {row.alone}"
        assert normalize(f"({sign} {name})x;", dialect) == f"({right})x;"


@pytest.mark.parametrize(("name", "row"), TABLE, ids=IDS)
def test_a_row_counts_nowhere_else(name, row):
    text = f's.{name} = p->{name}; goto {name}; struct {name} *q; puts("{name}");'
    assert normalize(text, dialect_for(name)) == text
    for dialect in set(DIALECTS) - row.dialects if row.dialects else ():
        assert normalize(f"{name} x;", dialect) == f"{name} x;"


@pytest.mark.parametrize(
    "code",
    [
        "int f(int word) { word = 1; return word * 2; }",
        "int f(char *byte) { return byte[0] + (byte) - 1; }",
        "void f(void) { int uint, dword; uint = dword * 3; }",
        "int f(int code, int byte) { return byte * code; }",
        "int f(void) { return g(byte) + h(1, &uint) + word * 2; }",
    ],
)
def test_variables_with_the_name_of_a_type_stay(code):
    assert normalize(code, "ghidra") == code


def test_width_and_sign_are_those_of_the_shim(tmp_path):
    """What the shim gives untouched output is what normalised output says."""
    lines = ["#include <sys/types.h>", shim()]
    for name, row in TABLE:
        if name in shim_names() and row.alone != "va_list":
            old, new = f"({name})", f"({row.alone})"
            lines.append(f'_Static_assert(sizeof{old} == sizeof{new}, "{name}");')
            lines.append(f'_Static_assert(({old}-1 < 0) == ({new}-1 < 0), "sign of {name}");')
    path = tmp_path / "types.c"
    path.write_text("\n".join(lines))
    done = subprocess.run(["gcc", "-std=gnu11", "-fsyntax-only", path], capture_output=True)
    assert done.returncode == 0, done.stderr.decode()[:2000]
    assert len(lines) > 100
