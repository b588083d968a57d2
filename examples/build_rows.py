"""Join the example functions, their pseudo-code and their IR into training rows.

Reads   examples/functions/NAME.c, examples/pseudo/NAME.LEVEL.c, examples/ir/NAME.c
Writes  examples/pairs.jsonl, skeleton.jsonl, skin.jsonl, skeleton_unseen.jsonl, skin_unseen.jsonl

  python examples/build_rows.py           # write the five files
  python examples/build_rows.py --check   # exit 1 when one of them is stale

Needs the standard library alone. All files stand ready formatted in their folders, so the rows are
a plain join; nothing depends on the order of the disk or on the clock.
"""

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
LEVELS = ("O0", "O2")
# Google style of older clang-format releases, which leaves pointers as the text mostly has them.
STYLE = "{BasedOnStyle: Google, DerivePointerAlignment: true}"
UNSEEN = ("adler32", "fixed_divide", "list_length", "ring_pop", "trim_right")

Row = dict[str, str]


def names() -> list[str]:
    """The names of the example functions, sorted."""
    return sorted(path.stem for path in (FOLDER / "functions").glob("*.c"))


def definition(name: str) -> str:
    """The function definition: the last paragraph of its file (it holds no empty line)."""
    text = (FOLDER / "functions" / f"{name}.c").read_text()
    return text.rstrip("\n").split("\n\n")[-1]


def ir(name: str) -> str:
    """The function with placeholders for names (the skeleton's target, the skin's input)."""
    return (FOLDER / "ir" / f"{name}.c").read_text().rstrip("\n")


def pseudo(name: str, level: str) -> str:
    """The pseudo-code of the function compiled at one level."""
    return (FOLDER / "pseudo" / f"{name}.{level}.c").read_text().rstrip("\n")


def pair(name: str, level: str) -> Row:
    """One raw pair: what a decompiler shows and what was written."""
    return {
        "id": f"examples/{name}:{level}",
        "program": name,
        "opt": level,
        "func_name": name,
        "pseudo": pseudo(name, level),
        "code": definition(name),
        "ir": ir(name),
    }


def lesson(name: str, level: str, given: str, wanted: str) -> Row:
    """One training row in the alpaca shape; the code is bare, prompts are put around it later."""
    return {
        "id": f"examples/{name}:{level}",
        "func_name": name,
        "instruction": "",
        "input": given,
        "output": wanted,
        "system": "",
    }


def skeleton(wanted: list[str]) -> Iterator[Row]:
    """Pseudo-code to IR, one row per function and level."""
    for name in wanted:
        for level in LEVELS:
            yield lesson(name, level, pseudo(name, level), ir(name))


def skin(wanted: list[str]) -> Iterator[Row]:
    """IR to source, one row per function; its id is that of the first skeleton row."""
    for name in wanted:
        yield lesson(name, LEVELS[0], ir(name), definition(name))


def files() -> dict[str, str]:
    """The text of every row file by its name."""
    seen = [name for name in names() if name not in UNSEEN]
    unseen = [name for name in names() if name in UNSEEN]
    rows = {
        "pairs.jsonl": (pair(name, level) for name in names() for level in LEVELS),
        "skeleton.jsonl": skeleton(seen),
        "skin.jsonl": skin(seen),
        "skeleton_unseen.jsonl": skeleton(unseen),
        "skin_unseen.jsonl": skin(unseen),
    }
    return {
        file: "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in part)
        for file, part in rows.items()
    }


def stale() -> list[str]:
    """The names of the row files that are missing or not what their sources give."""
    current = {path.name: path.read_text() for path in FOLDER.glob("*.jsonl")}
    return [file for file, text in files().items() if current.get(file) != text]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Write the row files of the examples.")
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 when stale")
    if parser.parse_args().check:
        outdated = stale()
        sys.exit(f"stale: {', '.join(outdated)}; run: python {__file__}" if outdated else 0)
    for file, text in files().items():
        (FOLDER / file).write_text(text)
