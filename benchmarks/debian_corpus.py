"""Does `corpus` make right pairs of real programs?

Takes source packages of Debian, runs their `configure`, builds raw pairs twice, with the names of
functions and without, and checks every pair:

    text      its code stands in the file, and defines the function
    name      where names are kept, the pseudo-code is that of a function of this name
    same      without names it has the same control flow, and calls the same library functions
    hand      50 pairs of debian_corpus_checks.tsv hold what a person saw in them

Then `preprocess` makes rows of them.

    python benchmarks/debian_corpus.py --work runs/debian --json runs/debian.json
    python benchmarks/debian_corpus.py --work runs/debian --packages zlib --opts O0,O2

Needs Debian's registry, dpkg-source (package dpkg-dev) and the front end. `configure` runs as you.
"""

from __future__ import annotations

import argparse
import csv
import json
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from rich.console import Console  # noqa: E402
from rich.table import Table  # noqa: E402

from sk2d.c import libc  # noqa: E402
from sk2d.corpus.build import Settings, build_corpus  # noqa: E402
from sk2d.corpus.files import read_rows  # noqa: E402
from sk2d.corpus.pipeline import preprocess_rows  # noqa: E402
from sk2d.corpus.preprocess.settings import Settings as Preprocess  # noqa: E402
from sk2d.errors import UserError  # noqa: E402

CONSOLE = Console()
PACKAGES = ("bc", "less", "zlib")
HAND = Path(__file__).with_name("debian_corpus_checks.tsv")
SUITE = "bookworm"
_TOKEN = re.compile(r'"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])*\'|/\*.*?\*/|\w+|\S', re.DOTALL)
_STATEMENTS = frozenset(
    ("if", "else", "for", "while", "do", "return", "switch", "case", "default", "goto", "break")
)
Row = dict[str, Any]


def fetch(package: str, work: Path) -> Path:
    """Fetch and unpack a source package, and run its `configure`.

    Args:
        package: Name of the source package.
        work: Where everything goes.

    Returns:
        The folder of its sources.
    """
    folder = work / "src" / package
    done = folder / "configured"
    if not done.exists():
        folder.mkdir(parents=True, exist_ok=True)
        entry = folder / "sources.list"
        lists = folder / "lists"
        (lists / "partial").mkdir(parents=True, exist_ok=True)
        host = _mirror()
        entry.write_text(f"deb-src {host} {SUITE} main\n")
        options = ["-o", f"Dir::Etc::sourcelist={entry.resolve()}", "-o", "Dir::Etc::sourceparts=-"]
        options += ["-o", f"Dir::State::lists={lists.resolve()}", "-qq"]
        subprocess.run(["apt-get", *options, "update"], check=True)
        command = ["apt-get", *options, "source", package]
        subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL)
    (tree,) = (path.parent for path in folder.glob("*/debian"))
    if not done.exists():
        if (tree / "configure").exists():
            subprocess.run(["./configure"], cwd=tree, check=True, stdout=subprocess.DEVNULL)
        done.touch()
    return tree


def _mirror() -> str:
    """Take the address that this system's own packages come from."""
    files = [Path("/etc/apt/sources.list"), *Path("/etc/apt/sources.list.d").glob("*")]
    text = "\n".join(path.read_text() for path in files if path.is_file())
    found = re.search(r"^(?:URIs:|deb)\s+(\S+/debian/?)\s*(?:\s\w+)?", text, re.MULTILINE)
    if found is None:
        raise UserError("no source of packages is configured", where="/etc/apt")
    return found[1]


def pairs(tree: Path, work: Path, package: str, levels: Sequence[str], stripped: bool) -> list[Row]:
    """Build the raw pairs of a tree; those of an earlier run are taken."""
    output = work / f"{package}.{'stripped' if stripped else 'named'}.jsonl"
    settings = Settings(tree, levels=tuple(levels), stripped=stripped)
    build_corpus(settings, output, workers=2, overwrite=not output.exists())
    return [row for row, _ in read_rows(output)]


def key(row: Row) -> tuple[Any, ...]:
    """Give what names a pair; clones of a function for some arguments differ in size alone."""
    return tuple(row[name] for name in ("file", "opt", "source_file", "line", "func_name", "size"))


def check(package: str, tree: Path, stripped: Sequence[Row], named: Sequence[Row]) -> Row:
    """Check all pairs of a package.

    Args:
        package: Its name.
        tree: Its sources.
        stripped: Pairs of binaries without names.
        named: Pairs of binaries with names.

    Returns:
        Counts, and the pairs that fail, by check.
    """
    with_names = {key(row): row for row in named}
    own = {row["func_name"] for row in named}
    failed: dict[str, list[str]] = {"text": [], "name": [], "same": [], "hand": []}
    compared = 0
    for row in stripped:
        where = f"{package}/{row['source_file']}:{row['line']} {row['func_name']} {row['opt']}"
        if not _has_text(tree, row):
            failed["text"].append(where)
        other = with_names.get(key(row))
        if other is None:
            continue  # both levels gave the same text there
        compared += 1
        if not re.search(
            rf"\b{re.escape(_c_name(row['func_name']))}\w*\s*\(", _head(other["pseudo"])
        ):
            failed["name"].append(where)
        if _outline(row["pseudo"], own) != _outline(other["pseudo"], own):
            failed["same"].append(where)
    failed["hand"] = list(_by_hand(package, stripped))
    return {"pairs": len(stripped), "compared": compared, "failed": failed}


def _has_text(tree: Path, row: Row) -> bool:
    text = (tree / row["source_file"]).read_text(encoding="utf-8", errors="replace")
    head = row["code"].partition("{")[0]
    defines = re.search(rf"\b{re.escape(row['func_name'])}\b", head) is not None
    return defines and row["code"] in text.replace("\r\n", "\n")


def _head(pseudo: str) -> str:
    return pseudo.partition("{")[0]


def _c_name(name: str) -> str:
    return re.sub(r"\W", "_", name)


def _outline(pseudo: str, own: Collection[str]) -> list[str]:
    """Give what does not depend on names: statements, and calls of the C library."""
    words = [token for token in _TOKEN.findall(pseudo) if token[0] not in "\"'/"]
    kept = (word for word in words if word not in own)
    return [word for word in kept if word in _STATEMENTS or libc.kind_of(word) == "func"]


def _by_hand(package: str, rows: Sequence[Row]) -> Iterable[str]:
    """Give the hand-written checks that fail."""
    by_key = {(row["source_file"], row["func_name"], row["opt"]): row for row in rows}
    with HAND.open(encoding="utf-8") as stream:
        for wanted in csv.DictReader(stream, delimiter="\t", quoting=csv.QUOTE_NONE):
            if wanted["package"] != package:
                continue
            place = (wanted["file"], wanted["function"], wanted["opt"])
            row = by_key.get(place)
            label = " ".join(place)
            if row is None:
                yield f"{label}: there is no such pair"
            elif wanted["in_pseudo"] not in " ".join(row["pseudo"].split()):
                yield f"{label}: the pseudo-code lacks {wanted['in_pseudo']}"
            elif wanted["in_code"] not in " ".join(row["code"].split()):
                yield f"{label}: the code lacks {wanted['in_code']}"


def preprocessed(sources: Sequence[Path], work: Path) -> Row:
    """Make rows of the pairs, and give what came of them."""
    report = preprocess_rows(sources, work / "rows", Preprocess(), workers=2, overwrite=True)
    return {key: report[key] for key in ("rows_in", "rows_out", "rejects") if key in report}


def show(found: dict[str, Row], rows: Row) -> None:
    """Print the table."""
    table = Table("package", "pairs", "text", "compared", "name", "same", "hand")
    for package, each in found.items():
        bad = {name: len(failed) for name, failed in each["failed"].items()}
        counts = (str(bad["text"]), str(each["compared"]), str(bad["name"]), str(bad["same"]))
        table.add_row(package, str(each["pairs"]), *counts, str(bad["hand"]))
    CONSOLE.print("Pairs, and how many fail each check:", table)
    for each in found.values():
        for name, failed in each["failed"].items():
            for where in failed[:5]:
                CONSOLE.print(f"{name}: {where}", markup=False)
    CONSOLE.print("preprocess:", rows)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the benchmark.

    Args:
        arguments: The command line; what the shell gave by default.

    Returns:
        1 where a pair fails a check, else 0.
    """
    made = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    made.add_argument("--packages", nargs="+", default=PACKAGES, help="source packages")
    made.add_argument("--opts", default="O0,O1,O2,O3", help="optimisation levels")
    made.add_argument("--work", type=Path, required=True, help="folder for sources and pairs")
    made.add_argument("--json", type=Path, help="write the figures here")
    chosen = made.parse_args(arguments)
    chosen.work.mkdir(parents=True, exist_ok=True)
    levels = chosen.opts.split(",")
    found: dict[str, Row] = {}
    try:
        for package in chosen.packages:
            tree = fetch(package, chosen.work)
            stripped = pairs(tree, chosen.work, package, levels, stripped=True)
            named = pairs(tree, chosen.work, package, levels, stripped=False)
            found[package] = check(package, tree, stripped, named)
            found[package]["by_level"] = dict(Counter(row["opt"] for row in stripped))
    except UserError as error:
        sys.stderr.write(f"error: {error}\n")
        return 2
    raw = [chosen.work / f"{package}.stripped.jsonl" for package in chosen.packages]
    rows = preprocessed(raw, chosen.work)
    show(found, rows)
    if chosen.json:
        text = json.dumps({"packages": found, "preprocess": rows}, indent=2)
        chosen.json.write_text(text + "\n", encoding="utf-8")
    return int(any(failed for each in found.values() for failed in each["failed"].values()))


if __name__ == "__main__":
    sys.exit(main())
