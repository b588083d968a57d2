"""`evaluate`: what systems make of a set of functions -> numbers, tables, a page."""

from __future__ import annotations

import json as json_format
import os
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.table import Table

from sk2d.commands.phase_models import Models
from sk2d.commands.step_progress import step_progress
from sk2d.errors import ConfigError
from sk2d.evaluation.evaluating import Evaluation, JudgeOptions, Plan
from sk2d.evaluation.markdown import MEASURES, percent
from sk2d.evaluation.scores import TOTAL
from sk2d.hardware import logical_cores
from sk2d.sandbox import TEST_FLAGS


def evaluate(
    set: Path,
    output: Path,
    predictions: str | list[str] | None = None,
    skeleton: str | None = None,
    skin: str | None = None,
    prompt: str | None = None,
    pseudo: str | None = None,
    workers: int | None = None,
    seed: int = 42,
    flags: str | None = None,
    judge: str | None = None,
    judge_model: str | None = None,
    judge_key: str = "OPENAI_API_KEY",
    judge_price: tuple[float, float] | None = None,
    batch_size: int = 4,
    max_new_tokens: int = 1024,
    prompt_lookup: int = 0,
    device: str | None = None,
    json: bool = False,
    overwrite: bool = False,
) -> int:
    """Measure systems on a set of functions, beside references, stubs and decompilers alone.

    Leaves results.json, results.md and report.html. A killed run goes on when it is repeated.

    Args:
        set: The set: HumanEval-, MBPP- or GitHub2025-Decompile, ExeBench or BringUpBench as they
            are released, or rows of pairs.
        output: Folder for the results.
        predictions: Answers of a system, NAME=FILE, rows with id and code; may be several.
        skeleton: Model of the first phase that answers the set: a model folder, a run folder or a
            name.
        skin: Model of the second phase.
        prompt: Prompt of models whose folder does not say with which they were trained.
        pseudo: What models read: a column of the set, or flatline; without it the set's only
            column of pseudo-code, or flatline where there is none.
        workers: Processes; without it one for each core.
        seed: Seed of the bootstrap.
        flags: Flags of the compiler for candidates, instead of the usual ones.
        judge: Address of an OpenAI-style endpoint, up to /v1, that marks readability.
        judge_model: Its model.
        judge_key: Environment variable that holds its key.
        judge_price: Price of a million tokens read and of a million written, to show the cost.
        batch_size: Functions that a model answers together.
        max_new_tokens: Longest answer, in tokens.
        prompt_lookup: Tokens that are guessed ahead from the prompt; 0 for none.
        device: Where the models run; without it a GPU where there is one.
        json: Write the results to the standard output as JSON.
        overwrite: Begin anew in a folder that another run has left.

    Returns:
        Exit code.

    Raises:
        ConfigError: An option does nothing without another, or its value cannot be used.
    """
    models = Models(skeleton, skin, prompt, batch_size, max_new_tokens, prompt_lookup, device)
    models.check()
    plan = Plan(
        set=set,
        output=output,
        predictions=_named_files([predictions] if isinstance(predictions, str) else predictions),
        pseudo=pseudo,
        flags=tuple(shlex.split(flags)) if flags is not None else TEST_FLAGS,
        seed=seed,
        workers=_workers(workers),
        overwrite=overwrite,
        judge=_judge(judge, judge_model, judge_key, judge_price),
    )
    if pseudo is not None and not models.named():
        raise ConfigError("it is what models read, and there are none", where="--pseudo")
    evaluation = Evaluation(plan, models.named(), max_new_tokens, _say)
    with step_progress() as tell:
        found = evaluation.run(models.load, tell)
    if json:
        sys.stdout.write(json_format.dumps(found, indent=1) + "\n")
    else:
        _show(found, output)
    return 0


def _named_files(given: Sequence[str] | None) -> dict[str, Path]:
    found: dict[str, Path] = {}
    for word in given or ():
        name, equals, path = word.partition("=")
        where = f"--predictions {word}"
        if not (name and equals and path):
            raise ConfigError("this is not NAME=FILE", where=where)
        if name in found:
            raise ConfigError(f"the name {name} stands twice", where=where)
        found[name] = Path(path)
    return found


def _workers(given: int | None) -> int:
    if given is not None and given < 1:
        raise ConfigError("it must be at least 1", where="--workers")
    return given or logical_cores()


def _judge(
    url: str | None, model: str | None, variable: str, price: tuple[float, float] | None
) -> JudgeOptions | None:
    if url is None:
        given = {"--judge_model": model, "--judge_price": price}
        for option, value in given.items():
            if value is not None:
                raise ConfigError("there is no judge", where=option, remedy="Give --judge URL")
        return None
    if not url.startswith(("http://", "https://")):
        raise ConfigError("this is no address of a web service", where=f"--judge {url}")
    if model is None:
        raise ConfigError("say which model judges", where="--judge", remedy="Give --judge_model")
    return JudgeOptions(url, model, os.environ.get(variable), price)


def _say(text: str) -> None:
    sys.stderr.write(f"{text}\n")


def _show(found: dict, output: Path) -> None:
    console = Console()
    titles = [title.partition(":")[0] for title in MEASURES.values()]
    table = Table("system", *(f"{title} %" for title in titles))
    for system, numbers in found["systems"].items():
        table.add_row(system, *(percent(numbers[name][TOTAL]) for name in MEASURES))
    console.print(table)
    about = found["set"]
    console.print(f"{about['counted']} of {about['functions']} functions count.", highlight=False)
    for remark in about["remarks"]:
        console.print(remark, highlight=False)
    console.print(f"All of it: {output / 'report.html'}", highlight=False, soft_wrap=True)
