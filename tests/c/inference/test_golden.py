"""Thirty functions and the headers inferred for them, checked by hand and kept as they are.

After a change of inference that is meant to change headers: `python -m
tests.c.inference.test_golden` writes them anew; read the difference before it is committed.
"""

from pathlib import Path

import pytest

from sk2d import sandbox
from sk2d.c.inference import infer

GOLDEN = Path(__file__).parent / "golden"
TITLES = sorted(path.stem for path in GOLDEN.glob("*.c"))


def source(title: str) -> str:
    return (GOLDEN / f"{title}.c").read_text("utf-8")


def write_headers() -> None:
    for title in TITLES:
        (GOLDEN / f"{title}.h").write_text(infer(source(title)), "utf-8")


def test_there_are_thirty_of_them_each_with_its_header():
    assert len(TITLES) == 30
    assert sorted(path.stem for path in GOLDEN.glob("*.h")) == TITLES


@pytest.mark.parametrize("title", TITLES)
def test_the_header_is_the_one_that_was_checked(title):
    assert infer(source(title)) == (GOLDEN / f"{title}.h").read_text("utf-8")


def test_all_compile_and_none_raises_a_warning_that_types_are_wrong():
    texts = [(GOLDEN / f"{title}.h").read_text("utf-8") + source(title) for title in TITLES]
    verdicts = dict(zip(TITLES, sandbox.compile_many(texts), strict=True))
    assert {t: v.message for t, v in verdicts.items() if not v.compiles} == {}
    assert {t: dict(v.warnings) for t, v in verdicts.items() if v.warnings} == {}


if __name__ == "__main__":
    write_headers()
