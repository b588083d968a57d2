"""Make the rows of examples/ from its C sources: compile, decompile, preprocess.

    python examples/build.py           # writes the five .jsonl files; needs gcc, `make decompiler`
    python examples/build.py --check   # exit 1 when they are not what sources and tests give

`--check` decompiles nothing: it takes the pseudo-code of `pairs.jsonl` and makes the rest anew.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import zlib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parent
sys.path.insert(0, str(FOLDER.parent))

from sk2d.c.reference_tests import declarations_of  # noqa: E402
from sk2d.corpus.build import Settings as Corpus  # noqa: E402
from sk2d.corpus.build import build_corpus  # noqa: E402
from sk2d.corpus.build.sources import functions_of  # noqa: E402
from sk2d.corpus.files import read_rows  # noqa: E402
from sk2d.corpus.pipeline import preprocess_rows  # noqa: E402
from sk2d.corpus.preprocess.settings import Settings as Preprocess  # noqa: E402

LEVELS = ("O0", "O2")
UNSEEN = frozenset(
    [
        "adler32",
        "backoff_delay",
        "box_contains",
        "digit_sum",
        "find_line",
        "find_record",
        "fixed_divide",
        "gray_decode",
        "isbn_valid",
        "list_length",
        "longest_chain",
        "majority",
        "match_pattern",
        "polynomial",
        "pool_take",
        "quarter_of",
        "ring_count",
        "row_winner",
        "squeeze_spaces",
        "tree_smallest",
        "trim_right",
        "varint_read",
    ]
)
"""Functions that are in no training file."""

Row = dict[str, Any]


def is_stripped(name: str) -> bool:
    """Say whether the pseudo-code of a function is that of a stripped program: half of them are."""
    return zlib.crc32(name.encode()) % 2 == 1


def pairs() -> list[Row]:
    """Compile and decompile the sources.

    Returns:
        Raw pairs in the order of the sources, with what their code needs and their test.
    """
    raw: list[Row] = []
    with tempfile.TemporaryDirectory(prefix="sk2d-examples-") as folder:
        for stripped in (False, True):
            output = Path(folder) / f"{stripped}.jsonl"
            settings = Corpus(FOLDER / "sources", levels=LEVELS, stripped=stripped)
            build_corpus(settings, output, workers=2)
            rows = (row for row, _ in read_rows(output))
            raw += [row for row in rows if is_stripped(row["func_name"]) == stripped]
    order = {name: place for place, name in enumerate(places())}
    raw.sort(key=lambda row: (order[row["func_name"]], row["opt"]))
    return [pair(row["func_name"], row["opt"], row["pseudo"], row["data"]) for row in raw]


def places() -> dict[str, Path]:
    """List the functions of the sources in their order, with their files."""
    files = sorted((FOLDER / "sources").glob("*.c"))
    return {function.name: file for file in files for function in functions_of(file)}


def pair(name: str, level: str, pseudo: str, data: str) -> Row:
    """Give one raw pair.

    Args:
        name: The function.
        level: Optimisation level.
        pseudo: Its pseudo-code.
        data: C that defines the data which that names.

    Returns:
        The pair, with `deps` (declarations of its file) and, where there is one, its `test`.
    """
    file = places()[name]
    code = next(each.text for each in functions_of(file) if each.name == name)
    test = FOLDER / "tests" / f"{name}.c"
    row = {
        "id": f"examples/{name}:{level}",
        "program": file.stem,
        "opt": level,
        "func_name": name,
        "dialect": "flatline",
        "pseudo": pseudo,
        "data": data,
        "code": code,
        "deps": declarations_of(file.read_text(), name),
    }
    return row | ({"test": test.read_text()} if test.exists() else {})


def lessons(raw: Iterable[Row]) -> dict[str, list[Row]]:
    """Make the training rows of raw pairs.

    Args:
        raw: The pairs.

    Returns:
        Rows by file name.
    """
    settings = Preprocess(
        filters=(), require_compiling=False, near_threshold=1.0, val_share=0.0, dialect="flatline"
    )
    with tempfile.TemporaryDirectory(prefix="sk2d-examples-") as folder:
        source = Path(folder) / "pairs.jsonl"
        source.write_text(text_of(raw), encoding="utf-8")
        preprocess_rows([source], Path(folder) / "rows", settings, workers=2)
        made: dict[str, list[Row]] = {}
        for phase in ("skeleton", "skin"):
            rows = [row for row, _ in read_rows(Path(folder) / "rows" / f"{phase}.train.jsonl")]
            for row in rows:
                part = "_unseen" if row["func_name"] in UNSEEN else ""
                made.setdefault(f"{phase}{part}.jsonl", []).append(row)
            rows = [row for row, _ in read_rows(Path(folder) / "rows" / f"rl_{phase}.train.jsonl")]
            for row in rows:
                part = "_unseen" if row["extra_info"]["func_name"] in UNSEEN else ""
                made.setdefault(f"rl_{phase}{part}.jsonl", []).append(row)
    return made


def text_of(rows: Iterable[Row]) -> str:
    """Give rows as the text of a JSONL file."""
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def texts(raw: list[Row]) -> dict[str, str]:
    """Give the text of every row file by its name."""
    return {"pairs.jsonl": text_of(raw)} | {
        name: text_of(rows) for name, rows in lessons(raw).items()
    }


def stale() -> list[str]:
    """Name the row files that are not what the sources, the tests and `pairs.jsonl` give."""
    before = [row for row, _ in read_rows(FOLDER / "pairs.jsonl")]
    again = [pair(*(row[key] for key in ("func_name", "opt", "pseudo", "data"))) for row in before]
    found = {path.name: path.read_text(encoding="utf-8") for path in FOLDER.glob("*.jsonl")}
    return sorted(name for name, text in texts(again).items() if found.get(name) != text)


def main() -> int:
    """Write the files, or check them.

    Returns:
        The exit code.
    """
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 when stale")
    if parser.parse_args().check:
        outdated = stale()
        if outdated:
            print(f"stale: {', '.join(outdated)}; run: python {__file__}", file=sys.stderr)
        return bool(outdated)
    for name, text in texts(pairs()).items():
        (FOLDER / name).write_text(text, encoding="utf-8")
        print(f"{name}: {text.count(chr(10))} rows")
    return 0


if __name__ == "__main__":
    sys.exit(main())
