"""The checks of the benchmark on Debian packages find what is wrong."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from benchmarks import debian_corpus
from benchmarks.debian_corpus import check

CODE = 'int twice(int n) {\n  if (n) puts("hi");\n  return 2 * n;\n}'
PSEUDO = 'int4 FUN_00101000(int4 n)\n\n{\n  if (n != 0) puts("hi");\n  return n * 2;\n}\n'


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "a.c").write_text(f"#include <stdio.h>\n{CODE}\n")
    hand = tmp_path / "checks.tsv"
    hand.write_text(
        "package\tfile\tfunction\topt\tin_pseudo\tin_code\n"
        "pack\ta.c\ttwice\tO1\tputs(\t2 * n\n"
        "other\ta.c\ttwice\tO1\tnothing\tnothing\n"
    )
    monkeypatch.setattr(debian_corpus, "HAND", hand)
    return tmp_path


def row(**changes: Any) -> dict[str, Any]:
    plain = {
        "file": "a.c",
        "source_file": "a.c",
        "line": 2,
        "opt": "O1",
        "func_name": "twice",
        "size": 9,
    }
    return plain | {"code": CODE, "pseudo": PSEUDO} | changes


def failed(tree: Path, stripped: dict[str, Any], named: dict[str, Any]) -> set[str]:
    found = check("pack", tree, [stripped], [named])
    return {name for name, places in found["failed"].items() if places}


def test_a_right_pair_passes_every_check(tree: Path) -> None:
    named = row(pseudo=PSEUDO.replace("FUN_00101000", "twice"))
    assert failed(tree, row(), named) == set()


@pytest.mark.parametrize(
    ("stripped", "named", "says"),
    [
        ({"code": CODE.replace("2", "3")}, {}, {"text", "hand"}),
        ({"code": "int n;"}, {}, {"text", "hand"}),
        ({"func_name": "thrice"}, {"func_name": "thrice"}, {"text", "name", "hand"}),
        ({}, {"pseudo": PSEUDO.replace("FUN_00101000", "other")}, {"name"}),
        ({"pseudo": PSEUDO.replace("if (n != 0) ", "")}, {}, {"same"}),
        ({"pseudo": PSEUDO.replace("puts", "printf")}, {}, {"same", "hand"}),
    ],
)
def test_a_wrong_pair_fails(
    tree: Path, stripped: dict[str, Any], named: dict[str, Any], says: set[str]
) -> None:
    other = row(pseudo=PSEUDO.replace("FUN_00101000", "twice")) | named
    assert failed(tree, row(**stripped), other) == says
