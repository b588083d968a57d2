from pathlib import Path

import pytest

from sk2d.corpus.build.sources import functions_of, text_at

OLD = """/* old style */
#include "z.h"
int prototype(int a);
uLong ZEXPORT adler(buf, len)
    const char *buf;   /* { */
    int len;
{
    char c = '}';
    if (len) { return "}"[0] + c; }
    return 0;
}
#ifdef X
local int broken( {
#endif
static int last(int a)
{
  return a;
}
int variable = 3;
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "old.c"
    path.write_text(OLD)
    return path


def test_old_heads_with_macros_are_found_by_their_braces(file: Path) -> None:
    text = text_at(file, "adler", 4)
    assert text is not None
    assert text.startswith("uLong ZEXPORT adler(buf, len)\n")
    assert text.endswith("return 0;\n}")


def test_a_function_behind_what_no_parser_takes_is_found(file: Path) -> None:
    assert text_at(file, "last", 15) == "static int last(int a)\n{\n  return a;\n}"


@pytest.mark.parametrize(("name", "line"), [("prototype", 3), ("variable", 19), ("gone", 4)])
def test_what_is_no_definition_is_not_found(file: Path, name: str, line: int) -> None:
    assert text_at(file, name, line) is None


def test_a_missing_file_has_no_functions(tmp_path: Path) -> None:
    assert functions_of(tmp_path / "none.c") == ()
    assert text_at(tmp_path / "none.c", "f", 1) is None
