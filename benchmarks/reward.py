"""How many answers a second does the structure reward judge, and does it judge as gcc does?

Answers are made from the references of a file of rows: the reference itself, and texts with one
token taken out, doubled or exchanged, as a model in training writes them. The baseline is the usual
way: `subprocess.run(["gcc", "-c", ...])` for each answer, as many at a time as there are cores, and
no jail. Both are timed in turns. Then each verdict is compared with that of gcc itself.

    python benchmarks/reward.py
    python benchmarks/reward.py --rows RL_ROWS.jsonl --json OUT.json
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from sk2d.c.inference import infer  # noqa: E402
from sk2d.c.rename import obfuscate  # noqa: E402
from sk2d.c.tokens import tokenize  # noqa: E402
from sk2d.corpus.files import read_rows  # noqa: E402
from sk2d.hardware import logical_cores  # noqa: E402
from sk2d.rewards.candidates import Candidate, Verdict  # noqa: E402
from sk2d.rewards.guards import refusal, without_line_markers  # noqa: E402
from sk2d.rewards.structure import StructureReward  # noqa: E402
from sk2d.sandbox import COMPILE_FLAGS  # noqa: E402

EXAMPLES = Path(__file__).resolve().parents[1] / "examples" / "pairs.jsonl"
REFUSED_OR_LIMIT = frozenset(Verdict) - {Verdict.OK, Verdict.NOT_COMPILING}


def references(path: Path) -> list[tuple[str, str]]:
    """Read references and headers.

    Args:
        path: RL rows in verl's columns, or raw pairs, of which IR and header are made.

    Returns:
        Reference and header, each pair once; those that the guards refuse are left out.
    """
    found: dict[tuple[str, str], None] = {}
    for row, _ in read_rows(path):
        if "reward_model" in row:
            text, header = row["reward_model"]["ground_truth"], row["extra_info"]["header"] or ""
        else:
            text = obfuscate(row["code"]).ir
            header = infer(text)
        text = without_line_markers(text)
        if refusal(text) is None:
            found[text, header] = None
    return list(found)


def answers(rows: Sequence[tuple[str, str]], count: int, seed: int) -> list[Candidate]:
    """Make answers, no two of them equal where that can be.

    Args:
        rows: References and headers.
        count: How many.
        seed: Seed of the changes.

    Returns:
        The answers, in random order.
    """
    rng = random.Random(seed)
    found: dict[Candidate, None] = {}
    tries = 0
    while len(found) < count and tries < 20 * count:
        reference, header = rows[tries % len(rows)]
        changes = tries // len(rows)
        found[Candidate(changed(reference, min(changes, 3), rng), reference, header)] = None
        tries += 1
    listed = list(found)
    rng.shuffle(listed)
    return listed


def changed(text: str, times: int, rng: random.Random) -> str:
    """Change tokens of a text.

    Args:
        text: C text.
        times: How many.
        rng: Chooses.

    Returns:
        The text; about half of those with one change still compile.
    """
    words = [token.text for token in tokenize(text)]
    for _ in range(times):
        places = [at for at, word in enumerate(words) if word.strip()]
        one, other = rng.choice(places), rng.choice(places)
        kind = rng.randrange(4)
        if kind == 0:
            words[one] = ""
        elif kind == 1:
            words[one] += " " + words[one]
        elif words[one].isidentifier() and words[other].isidentifier():
            words[one] = words[other]
        else:
            words[one] = rng.choice(["0", "1", "+", "var1"])
    return "".join(words)


def plain_gcc(unit: str, folder: Path, number: int) -> bool:
    """Compile a unit as most rewards do: the driver, to an object, without a jail.

    Args:
        unit: C text.
        folder: Where its files go.
        number: Makes their names unique.

    Returns:
        Whether it compiles.
    """
    source = folder / f"{number}.c"
    source.write_text(unit, encoding="utf-8", errors="replace")
    command = ["gcc", "-c", "-w", str(source), "-o", str(folder / f"{number}.o")]
    return subprocess.run(command, capture_output=True, timeout=60, check=False).returncode == 0


def gcc_verdict(unit: str) -> bool:
    """Ask gcc itself, with the flags of the reward.

    Args:
        unit: C text.

    Returns:
        Whether it compiles.
    """
    command = ["gcc", *COMPILE_FLAGS, "-x", "c", "-"]
    done = subprocess.run(
        command, input=unit.encode("utf-8", "replace"), capture_output=True, timeout=60, check=False
    )
    return done.returncode == 0


def unit_of(candidate: Candidate) -> str:
    """Give what the compiler sees of an answer in mode `paper`."""
    return f"{candidate.header}\n{candidate.text}\n"


def timed(work: Callable[[], Any]) -> float:
    """Give the wall seconds of some work."""
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def measure(candidates: list[Candidate], repeats: int) -> dict[str, list[float]]:
    """Time each way in turns.

    Args:
        candidates: The answers.
        repeats: Turns.

    Returns:
        Answers per second, by way.
    """
    workers = logical_cores()
    ways: dict[str, Callable[[], Any]] = {
        f"gcc -c, {workers} at a time, no jail": lambda: baseline(candidates, workers)
    }
    for mode in ("paper", "strict"):
        ways[mode] = lambda mode=mode: StructureReward(mode)(candidates)
        ways[mode]()  # once, so that references are known and jails are there, as in training
    rates: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(repeats):
        for name, work in ways.items():
            rates[name].append(len(candidates) / timed(work))
    return rates


def baseline(candidates: Sequence[Candidate], workers: int) -> list[bool]:
    """Compile all answers the usual way.

    Args:
        candidates: The answers.
        workers: How many at a time.

    Returns:
        Whether each compiles.
    """
    with tempfile.TemporaryDirectory() as name, ThreadPoolExecutor(workers) as pool:
        folder = Path(name)
        jobs = [
            pool.submit(plain_gcc, unit_of(candidate), folder, number)
            for number, candidate in enumerate(candidates)
        ]
        return [job.result() for job in jobs]


def agreement(candidates: list[Candidate]) -> tuple[int, int, int]:
    """Compare verdicts with gcc's, on the answers that the guards let pass.

    Args:
        candidates: The answers.

    Returns:
        How many were compared, how many agree, how many of them compile.
    """
    scores = StructureReward("paper")(candidates)
    compared = [
        (candidate, score.verdict is Verdict.OK)
        for candidate, score in zip(candidates, scores, strict=True)
        if score.verdict not in REFUSED_OR_LIMIT
    ]
    with ThreadPoolExecutor(logical_cores()) as pool:
        asked = list(pool.map(gcc_verdict, [unit_of(candidate) for candidate, _ in compared]))
    same = sum(mine == theirs for (_, mine), theirs in zip(compared, asked, strict=True))
    return len(compared), same, sum(asked)


def main(arguments: list[str] | None = None) -> int:
    """Run the benchmark.

    Args:
        arguments: The command line; what the shell gave by default.

    Returns:
        0.
    """
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--rows", type=Path, default=EXAMPLES, help="RL rows, or raw pairs")
    parser.add_argument("--count", type=int, default=1000, help="answers")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--json", type=Path, help="where to write the figures")
    chosen = parser.parse_args(arguments)
    candidates = answers(references(chosen.rows), chosen.count, chosen.seed)
    rates = measure(candidates, chosen.repeats)
    compared, same, compiling = agreement(candidates)
    show(rates, f"{len(candidates)} different answers from {chosen.rows.name}")
    print(f"verdict as gcc's: {same} of {compared} that the guards let pass; {compiling} compile")
    if chosen.json:
        figures = {"answers": len(candidates), "per_second": rates}
        figures |= {"compared": compared, "same": same, "compile": compiling}
        chosen.json.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
    return 0


def show(rates: dict[str, list[float]], title: str) -> None:
    """Print the speeds.

    Args:
        rates: Answers per second, by way; the baseline comes first.
        title: Head of the table.
    """
    table = Table("way", "answers/s (median)", "times the baseline", title=title)
    base = statistics.median(next(iter(rates.values())))
    for name, values in rates.items():
        middle = statistics.median(values)
        table.add_row(name, f"{middle:.0f}", f"{middle / base:.1f}")
    Console().print(table)


if __name__ == "__main__":
    sys.exit(main())
