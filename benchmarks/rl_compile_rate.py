"""Does reinforcement learning teach a small model to write functions that compile?

The functions of examples/sources are compiled and decompiled in ten builds each. A model of 4.2 M
weights is trained on some of the builds. Then GRPO goes on from it on other builds, for the same
time with each reward and seed: `strict`, `paper`, and one that is drawn at random. Before and
after, every model answers held-out prompts, of builds that no training has seen; and beside them
prompts of functions that no training has seen in any build. A part that is there already is not
made again, so the whole may be done in turns.

    python benchmarks/rl_compile_rate.py                        about three hours on two cores
    python benchmarks/rl_compile_rate.py --runs strict-0 --minutes 5
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from rich.console import Console  # noqa: E402

from benchmarks.compile_rate.measure import VIEWS, measured  # noqa: E402
from benchmarks.compile_rate.report import (  # noqa: E402
    BEFORE,
    JUDGED,
    Outcome,
    draw,
    markdown,
    samples,
    verdicts,
)
from benchmarks.compile_rate.rows import prepare_rows  # noqa: E402
from benchmarks.compile_rate.training import Recipe, Run, reinforced, supervised  # noqa: E402

RUNS = "strict-0,strict-1,strict-2,random-0,paper-0"
CONSOLE = Console(width=None if sys.stdout.isatty() else 140)


def options(arguments: list[str]) -> argparse.Namespace:
    """Read the options.

    Args:
        arguments: Options of the command line.

    Returns:
        Their values.
    """
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--output", type=Path, default=ROOT / "runs" / "rl_compile_rate")
    parser.add_argument("--runs", default=RUNS, help="rewards with their seeds, with commas")
    parser.add_argument("--epochs", type=int, default=9, help="of supervised training")
    parser.add_argument("--minutes", type=float, default=30.0, help="of each run")
    parser.add_argument("--max-new-tokens", type=int, default=256)
    parser.add_argument("--lr", type=float, default=1e-4, help="of reinforcement learning")
    parser.add_argument("--prompts", type=int, default=8, help="of a step")
    parser.add_argument("--answers", type=int, default=8, help="to each prompt")
    parser.add_argument("--temperature", type=float, default=0.7, help="at which they are drawn")
    parser.add_argument("--samples", type=int, default=3, help="prompts whose answers are shown")
    return parser.parse_args(arguments)


def outcomes_of(chosen: argparse.Namespace) -> dict[str, Outcome]:
    """Train and measure what is not there yet.

    Args:
        chosen: The options.

    Returns:
        Figures before, and after each run.
    """
    output = chosen.output.resolve()
    rows, runs = output / "rows", output / "runs"
    recipe = Recipe(
        chosen.epochs,
        chosen.minutes,
        chosen.max_new_tokens,
        chosen.lr,
        chosen.prompts,
        chosen.answers,
        chosen.temperature,
    )
    prepare_rows(rows)
    start = supervised(rows / "sft.jsonl", output / "sft", recipe)

    def figures(model: Path, name: str) -> Outcome:
        return measured(model, rows, output / "answers" / name, recipe.max_new_tokens)

    found: dict[str, Outcome] = {BEFORE: figures(start, BEFORE)}
    for text in chosen.runs.split(","):
        reward, _, seed = text.partition("-")
        run = Run(reward, int(seed or 0))
        model = reinforced(run, start, rows / "rl.jsonl", runs / run.name, recipe)
        found[run.name] = figures(model, run.name)
    return found


def main(arguments: list[str]) -> int:
    """Make the experiment and print what came of it.

    Args:
        arguments: Options of the command line.

    Returns:
        0 when all that is asked came true, else 1.
    """
    chosen = options(arguments)
    outcomes = outcomes_of(chosen)
    names = list(outcomes)
    for view in VIEWS:
        CONSOLE.print(f"{view.rows}, {view.how}\n", markdown(outcomes, view.name), sep="\n")
    said = verdicts(outcomes, JUDGED)
    for sentence, true in said.items():
        CONSOLE.print(f"{'yes' if true else 'NO':4}{sentence}", markup=False)
    shown = samples(chosen.output / "answers", names, JUDGED, chosen.samples)
    (chosen.output / "samples.md").write_text(shown, encoding="utf-8")
    draw(chosen.output / "runs", names[1:], outcomes, chosen.output / "compile_rate.png")
    figures = {
        name: {view: vars(each) for view, each in outcome.items()}
        for name, outcome in outcomes.items()
    }
    (chosen.output / "figures.json").write_text(json.dumps(figures, indent=1), encoding="utf-8")
    CONSOLE.print(f"samples, picture and figures are in {chosen.output}", markup=False)
    return 0 if all(said.values()) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
