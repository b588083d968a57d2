"""How many answers a second does the structure reward judge, and does it judge as gcc does?

Answers are made from the references of a file of rows by slips of a model in training: see `SLIPS`
and `BROKEN`; the shares are chosen, not counted on a model. What became of the answers is shown
beside the speed. The baseline is the usual way: `subprocess.run(["gcc", "-c", ...])` for each
answer, as many at a time as there are cores, and no jail. Each way judges the same answers, in
turns. Then as many answers that the guards let pass are compared with gcc itself.

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
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from rich.console import Console
from rich.table import Table

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from sk2d.c.inference import infer  # noqa: E402
from sk2d.c.parse import Edit, Tree, apply_edits, decode, parse  # noqa: E402
from sk2d.c.rename import obfuscate  # noqa: E402
from sk2d.c.tokens import tokenize  # noqa: E402
from sk2d.corpus.files import read_rows  # noqa: E402
from sk2d.hardware import logical_cores  # noqa: E402
from sk2d.rewards.candidates import Candidate, Verdict  # noqa: E402
from sk2d.rewards.guards import refusal, without_line_markers  # noqa: E402
from sk2d.rewards.queries import nodes_of  # noqa: E402
from sk2d.rewards.references import known_reference, without_storage  # noqa: E402
from sk2d.rewards.structure import StructureMode, StructureReward  # noqa: E402
from sk2d.sandbox import COMPILE_FLAGS  # noqa: E402

EXAMPLES = Path(__file__).resolve().parents[1] / "examples" / "pairs.jsonl"
MODES: tuple[StructureMode, ...] = ("paper", "strict")
CONVERSION = "-Werror=int-conversion"
TURN = 250
"""Answers that are judged before the next way has its turn."""

BROKEN = 0.2
"""Share of answers that are cut off, as at the limit of tokens, or have a token more or less."""

CUT_OFF = 0.5
"""Share of those that are cut off."""

_TYPES = ("int", "char", "long", "unsigned int", "char *", "float", "type1", "type99")
_NAMES = ("identifier", "field_identifier", "type_identifier")


class Slip(NamedTuple):
    """A way in which an answer goes wrong and stays well-formed.

    Attributes:
        weight: How often, beside the others.
        types: Nodes of the tree, one of which is replaced.
        words: What may stand in its place; None for another node's text of these types.
    """

    weight: int
    types: tuple[str, ...]
    words: tuple[str, ...] | None


SLIPS = {
    "constant": Slip(6, ("number_literal",), ("0", "1", "2", "-1", "255")),
    "statement left out": Slip(5, ("expression_statement", "if_statement"), (";",)),
    "condition": Slip(5, ("binary_expression",), ("1", "0")),
    "another name": Slip(3, _NAMES, None),
    "another value": Slip(4, ("call_expression", "subscript_expression", "number_literal"), None),
    "unknown name": Slip(1, _NAMES, ("var99", "func99", "field99")),
    "type": Slip(2, ("primitive_type", "type_identifier", "sized_type_specifier"), _TYPES),
    "declaration left out": Slip(1, ("declaration",), ("",)),
    "argument": Slip(1, ("argument_list",), ("()", "(0)", "(0, 0)")),
}


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


def answers(rows: Sequence[tuple[str, str]], seed: int) -> Iterator[Candidate]:
    """Make answers, no two of them equal.

    Args:
        rows: References and headers.
        seed: Seed of the slips.

    Yields:
        One for each row in turn, without end.
    """
    rng = random.Random(seed)
    seen: set[Candidate] = set()
    while True:
        for reference, header in rows:
            candidate = Candidate(slipped(reference, rng), reference, header)
            if candidate not in seen:
                seen.add(candidate)
                yield candidate


def slipped(text: str, rng: random.Random) -> str:
    """Write a text with slips.

    Args:
        text: C text.
        rng: Chooses.

    Returns:
        The text with 0 to 3 slips, or broken.
    """
    for _ in range(rng.randint(0, 3)):
        slip = rng.choices(list(SLIPS.values()), [slip.weight for slip in SLIPS.values()])[0]
        text = replaced(parse(text), slip, rng)
    if rng.random() >= BROKEN:
        return text
    return text[: rng.randrange(1, len(text))] if rng.random() < CUT_OFF else stumbled(text, rng)


def replaced(tree: Tree, slip: Slip, rng: random.Random) -> str:
    """Let one slip happen.

    Args:
        tree: The text.
        slip: What happens.
        rng: Chooses the place.

    Returns:
        The text; unchanged where there is no such place.
    """
    found = sorted(nodes_of(tree.root, *slip.types), key=lambda node: (node.start_byte, node.type))
    if not found:
        return decode(tree.source)
    node = rng.choice(found)
    like = [tree.text(other) for other in found if slip.words or other.type == node.type]
    new = rng.choice(slip.words or like)
    return decode(apply_edits(tree.source, [Edit(node.start_byte, node.end_byte, new.encode())]))


def stumbled(text: str, rng: random.Random) -> str:
    """Leave a token out, or write it twice.

    Args:
        text: C text.
        rng: Chooses.

    Returns:
        The text.
    """
    words = [token.text for token in tokenize(text)]
    place = rng.choice([at for at, word in enumerate(words) if word.strip()])
    words[place] = rng.choice(["", f"{words[place]} {words[place]}"])
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


def gcc_verdict(unit: str, *flags: str) -> bool:
    """Ask gcc itself, with the flags of the reward.

    Args:
        unit: C text.
        flags: Further flags.

    Returns:
        Whether it compiles.
    """
    command = ["gcc", *COMPILE_FLAGS, *flags, "-x", "c", "-"]
    done = subprocess.run(
        command, input=unit.encode("utf-8", "replace"), capture_output=True, timeout=60, check=False
    )
    return done.returncode == 0


def unit_of(candidate: Candidate, mode: StructureMode = "paper") -> str:
    """Give what the compiler sees of an answer."""
    promised = known_reference(candidate.reference, candidate.header).prototype
    if mode == "paper" or not promised:
        return f"{candidate.header}\n{candidate.text}\n"
    return f"{candidate.header}\n{promised}\n{without_storage(candidate.text)}\n"


def timed(work: Callable[[list[Candidate]], Any], candidates: list[Candidate]) -> float:
    """Give the wall seconds of judging some answers."""
    started = time.perf_counter()
    work(candidates)
    return time.perf_counter() - started


def measure(candidates: list[Candidate], repeats: int) -> dict[str, list[float]]:
    """Time each way in turns of some answers, so that what else the machine does meets all alike.

    Args:
        candidates: The answers.
        repeats: How often each answer is judged each way.

    Returns:
        Answers per second of each turn, by way.
    """
    workers = logical_cores()
    ways: dict[str, Callable[[list[Candidate]], Any]] = {
        f"gcc -c, {workers} at a time, no jail": lambda some: baseline(some, workers)
    }
    for mode in MODES:
        ways[mode] = StructureReward(mode)
        ways[mode](candidates)  # references are known and jails are there, as in training
    rates: dict[str, list[float]] = {name: [] for name in ways}
    for start in list(range(0, len(candidates), TURN)) * repeats:
        some = candidates[start : start + TURN]
        for name, work in ways.items():
            rates[name].append(len(some) / timed(work, some))
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


class Agreement(NamedTuple):
    """How verdicts compare with gcc's, on answers that the guards let pass."""

    compared: int
    same: int
    compile: int


def agreement(made: Iterator[Candidate], count: int, mode: StructureMode) -> Agreement:
    """Compare verdicts with gcc's.

    Args:
        made: Answers.
        count: How many that the guards let pass.
        mode: Mode of the reward; in `strict` gcc is asked as strictly.

    Returns:
        The figures.
    """
    flags = [CONVERSION] if mode == "strict" else []
    judged: list[tuple[str, bool]] = []
    while len(judged) < count:
        some = list(islice(made, count))
        judged += [
            (unit_of(candidate, mode), score.verdict is Verdict.OK)
            for candidate, score in zip(some, StructureReward(mode)(some), strict=True)
            if passes_guards(candidate, mode)
        ]
    with ThreadPoolExecutor(logical_cores()) as pool:
        asked = list(pool.map(lambda one: gcc_verdict(one[0], *flags), judged[:count]))
    same = sum(mine == theirs for (_, mine), theirs in zip(judged, asked, strict=False))
    return Agreement(count, same, sum(asked))


def passes_guards(candidate: Candidate, mode: StructureMode) -> bool:
    """Tell whether the compiler is asked about an answer."""
    name = known_reference(candidate.reference, candidate.header).name
    wanted = name if mode == "strict" else None
    return refusal(candidate.text, func_name=wanted, may_be_main=name == "main") is None


def outcomes(candidates: list[Candidate]) -> dict[str, float]:
    """Count what becomes of answers in mode `strict`.

    Args:
        candidates: The answers.

    Returns:
        Verdict -> share, the most frequent first.
    """
    found = Counter(str(score.verdict) for score in StructureReward("strict")(candidates))
    return {verdict: number / len(candidates) for verdict, number in found.most_common()}


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
    made = answers(references(chosen.rows), chosen.seed)
    candidates = list(islice(made, chosen.count))
    rates = measure(candidates, chosen.repeats)
    shares = outcomes(candidates)
    show(rates, f"{len(candidates)} different answers from {chosen.rows.name}")
    print("of them:", ", ".join(f"{share:.1%} {verdict}" for verdict, share in shares.items()))
    alike = {mode: agreement(made, chosen.count, mode) for mode in MODES}
    for mode, (compared, same, compiling) in alike.items():
        passed = f"{compared} others that the guards let pass, {compiling} of which compile"
        print(f"{mode}: verdict as gcc's on {same} of {passed}")
    if chosen.json:
        figures = {"answers": len(candidates), "per_second": rates, "verdicts": shares}
        figures["gcc"] = {mode: found._asdict() for mode, found in alike.items()}
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
