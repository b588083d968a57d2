"""Is phase 0 fast, and does its memory stay flat? Beside a plain pipeline over the same rows.

The plain pipeline stands here: for every function it starts one clang-format, and one gcc for the
compile check, as SK2Decompile's scripts do. Both run on the same cores, one after the other, in
the same run. The plain one has a few regular expressions for a normaliser, and gcc without a jail.
It is measured twice: with the command `clang-format` as it stands on the path, which is what
upstream starts and what the figures that are needed refer to, and with the binary behind it.

    python benchmarks/preprocess.py --rows FILE.jsonl
    python benchmarks/preprocess.py --rows FILE.jsonl --parts memory --memory_rows 1000 20000
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from itertools import islice
from multiprocessing.pool import Pool
from pathlib import Path
from typing import Any

import psutil
from rich.console import Console
from rich.table import Table

from benchmarks.plain_phase0 import plain_format, plain_row
from sk2d.c.libc import is_standard
from sk2d.c.normalization import normalize
from sk2d.c.style import format_functions
from sk2d.c.tokens import GNU_KEYWORDS, KEYWORDS, tokenize
from sk2d.corpus.files import read_rows
from sk2d.corpus.preprocess.chunks import CHUNK_ROWS
from sk2d.corpus.preprocess.phase0 import phase0_tools
from sk2d.corpus.preprocess.records import Item
from sk2d.corpus.preprocess.settings import Settings
from sk2d.corpus.preprocess.steps import process
from sk2d.corpus.preprocess.workers import default_workers
from sk2d.errors import SourceError

PARTS = ("format", "whole", "memory")
NEEDED = {"format": 10.0, "whole": 3.0}
NEEDED_BYTES = 1024.0
ROOT = Path(__file__).parent.parent

Row = dict[str, Any]


@dataclass(frozen=True)
class Rate:
    """Rows per second of both pipelines.

    Args:
        part: What was done with the rows.
        rows: Number of rows.
        ours: Rows per second of sk2d.
        plain: Rows per second of the plain pipeline with the command clang-format.
        binary: Rows per second of the plain pipeline with the binary behind that command.
        ours_done: Rows that came out of sk2d.
        plain_done: Rows that came out of the plain pipeline.
    """

    part: str
    rows: int
    ours: float
    plain: float
    binary: float
    ours_done: int
    plain_done: int

    @property
    def ratio(self) -> float:
        """How many times as fast sk2d is as the plain pipeline."""
        return self.ours / self.plain

    @property
    def binary_ratio(self) -> float:
        """The same with the binary."""
        return self.ours / self.binary


@dataclass(frozen=True)
class Memory:
    """Peak of the whole process tree.

    Args:
        rows: Rows of the input.
        peak: Bytes, shared pages counted once.
        kept: Rows that came out.
        seconds: How long it took.
    """

    rows: int
    peak: int
    kept: int
    seconds: float


def our_format(rows: Sequence[Row]) -> int:
    """Normalise and format the pseudo-code of a chunk with sk2d."""
    texts = []
    for row in rows:
        try:
            texts.append(normalize(row["pseudo"]))
        except SourceError:
            continue
    return sum(text is not None for text in format_functions(texts))


def our_whole(rows: Sequence[Row]) -> int:
    """Take a chunk through all of phase 0 with sk2d."""
    items = [Item(row, f"rows:{number}") for number, row in enumerate(rows, start=1)]
    records = process(items, Settings(filters=()), phase0_tools())
    return sum(record.reject is None for record in records)


def plain_formats(rows: Sequence[Row], wrapper: bool = True) -> int:
    """Normalise and format the pseudo-code of a chunk, one clang-format per function."""
    return sum(plain_format(row["pseudo"], wrapper) is not None for row in rows)


def plain_wholes(rows: Sequence[Row], wrapper: bool = True) -> int:
    """Take a chunk through a plain phase 0, one clang-format and one gcc per function."""
    return sum(plain_row(row, wrapper) for row in rows)


Work = Callable[[Sequence[Row]], int]
WORK: dict[str, tuple[Work, Work, Work]] = {
    "format": (our_format, plain_formats, partial(plain_formats, wrapper=False)),
    "whole": (our_whole, plain_wholes, partial(plain_wholes, wrapper=False)),
}
SIZES = (CHUNK_ROWS, 8, 8)  # rows that a process gets at a time


def measure(part: str, rows: list[Row], pool: Pool, repeats: int) -> Rate:
    """Let the pipelines do the same rows in turn.

    Args:
        part: `format` or `whole`.
        rows: The rows.
        pool: Processes for all.
        repeats: How often; the best time of each counts.

    Returns:
        Their rates.
    """
    for work in WORK[part]:
        timed(work, rows[: CHUNK_ROWS // 2], 8, pool)  # imports and tables
    times: list[list[tuple[float, int]]] = [[], [], []]
    for _ in range(repeats):
        for work, size, seen in zip(WORK[part], SIZES, times, strict=True):
            seen.append(timed(work, rows, size, pool))
    (ours, done), (plain, plain_done), (binary, _) = map(min, times)
    n = len(rows)
    return Rate(part, n, n / ours, n / plain, n / binary, done, plain_done)


def timed(work: Work, rows: list[Row], size: int, pool: Pool) -> tuple[float, int]:
    """Do rows in chunks and give the seconds, and the number of rows that came out."""
    chunks = [rows[at : at + size] for at in range(0, len(rows), size)]
    start = time.perf_counter()
    done = sum(pool.imap_unordered(work, chunks))
    return time.perf_counter() - start, done


def renamed(rows: list[Row], count: int) -> Iterator[Row]:
    """Repeat rows as often as needed, each time with other names, so that none is a duplicate."""
    for number in range(count):
        row = dict(rows[number % len(rows)])
        turn = number // len(rows)
        row["id"] = f"{row.get('id', number)}#{turn}"
        if turn:
            own = {t.text for t in tokenize(row["code"]) if t.kind == "name" and _is_own(t.text)}
            for column in ("pseudo", "code"):
                row[column] = "".join(
                    f"{t.text}_{turn}" if t.kind == "name" and t.text in own else t.text
                    for t in tokenize(row[column])
                )
            row["func_name"] = f"{row.get('func_name', '')}_{turn}"
        yield row


def _is_own(name: str) -> bool:
    return not (name in KEYWORDS or name in GNU_KEYWORDS or is_standard(name))


def peak_of_tree(command: Sequence[str]) -> tuple[int, str, float]:
    """Run a command and sample the memory of all its processes.

    Args:
        command: The command.

    Returns:
        Largest sum of their proportional set sizes, its output, and its seconds.
    """
    start = time.perf_counter()
    with tempfile.TemporaryFile() as out:
        process = subprocess.Popen(command, cwd=ROOT, stdout=out)
        peak = 0
        while process.poll() is None:
            peak = max(peak, tree_bytes(process.pid))
            time.sleep(0.1)
        out.seek(0)
        if process.returncode != 0:
            raise SystemExit(f"{' '.join(command)} ended with {process.returncode}")
        return peak, out.read().decode(), time.perf_counter() - start


def tree_bytes(pid: int) -> int:
    """Sum up the memory of a process and all below it; shared pages count once."""
    total = 0
    try:
        processes = [psutil.Process(pid), *psutil.Process(pid).children(recursive=True)]
    except psutil.NoSuchProcess:
        return 0
    for one in processes:
        try:
            text = Path(f"/proc/{one.pid}/smaps_rollup").read_text()
        except OSError:
            continue  # it has ended since
        total += next(
            (int(line.split()[1]) * 1024 for line in text.splitlines() if line.startswith("Pss:")),
            0,
        )
    return total


def measure_memory(rows: list[Row], count: int, cores: int) -> Memory:
    """Run the command over repeated rows.

    Args:
        rows: Rows to repeat.
        count: How many rows to make of them.
        cores: Number of workers.

    Returns:
        Its peak.
    """
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "raw.jsonl"
        with path.open("w") as stream:
            for row in renamed(rows, count):
                stream.write(json.dumps(row) + "\n")
        command = [sys.executable, "cli.py", "preprocess", "--json", f"--workers={cores}"]
        command += [f"--input={path}", f"--output={folder}/out"]
        peak, out, seconds = peak_of_tree(command)
    return Memory(count, peak, json.loads(out)["rows_out"], seconds)


def growth(small: Memory, large: Memory) -> float:
    """Give the bytes of memory per further row."""
    return (large.peak - small.peak) / (large.rows - small.rows)


def rate_table(rates: Sequence[Rate], cores: int) -> Table:
    """Show the rates."""
    table = Table(title=f"Rows per second, {cores} cores", title_justify="left")
    names = ("part", "rows", "sk2d", "plain", "times", "needed", "plain, binary", "times")
    for name in (*names, "rows out (sk2d, plain)"):
        table.add_column(name, justify="left" if name == "part" else "right")
    for rate in rates:
        table.add_row(
            rate.part,
            str(rate.rows),
            f"{rate.ours:.1f}",
            f"{rate.plain:.1f}",
            f"{rate.ratio:.1f}",
            f"{NEEDED[rate.part]:g}",
            f"{rate.binary:.1f}",
            f"{rate.binary_ratio:.1f}",
            f"{rate.ours_done}, {rate.plain_done}",
        )
    return table


def memory_table(memories: Sequence[Memory]) -> Table:
    """Show the peaks."""
    table = Table(title="Peak memory of the process tree", title_justify="left")
    for name in ("rows", "MiB", "rows out", "seconds"):
        table.add_column(name, justify="right")
    for memory in memories:
        mib = f"{memory.peak / 2**20:.1f}"
        table.add_row(str(memory.rows), mib, str(memory.kept), f"{memory.seconds:.0f}")
    return table


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure what is asked for.

    Args:
        arguments: Options; the process's own when None.

    Returns:
        1 when a figure misses what is needed, else 0.
    """
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--rows", type=Path, required=True, help="file of raw pairs")
    parser.add_argument("--limit", type=int, default=None, help="first rows only, for the rates")
    parser.add_argument("--parts", nargs="+", choices=PARTS, default=PARTS)
    parser.add_argument("--cores", type=int, default=default_workers())
    parser.add_argument("--repeats", type=int, default=1, help="the best time counts")
    parser.add_argument("--memory_rows", type=int, nargs=2, default=(1000, 20_000))
    parser.add_argument("--json", type=Path, default=None, help="file for the figures")
    options = parser.parse_args(arguments)
    console = Console()
    rows = [row for row, _ in islice(read_rows(options.rows), options.limit)]
    figures: dict[str, Any] = {"cores": options.cores, "load": os.getloadavg()[0]}
    good = True
    parts = [part for part in options.parts if part in WORK]
    if parts:
        with multiprocessing.get_context("spawn").Pool(options.cores) as pool:
            rates = [measure(part, rows, pool, options.repeats) for part in parts]
        console.print(rate_table(rates, options.cores))
        figures["rates"] = [
            asdict(rate) | {"ratio": rate.ratio, "binary_ratio": rate.binary_ratio}
            for rate in rates
        ]
        good = all(rate.ratio >= NEEDED[rate.part] for rate in rates)
    if "memory" in options.parts:
        memories = [measure_memory(rows, n, options.cores) for n in options.memory_rows]
        per_row = growth(*memories)
        console.print(memory_table(memories))
        console.print(f"{per_row:.0f} bytes for each further row; at most {NEEDED_BYTES:.0f}")
        figures["memory"] = [asdict(memory) for memory in memories]
        figures["bytes_per_row"] = per_row
        good = good and per_row <= NEEDED_BYTES
    if options.json:
        options.json.write_text(json.dumps(figures, indent=2) + "\n")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
