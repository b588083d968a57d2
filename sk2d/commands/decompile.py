"""`decompile`: a binary -> C, function by function, with both phases or with none."""

from __future__ import annotations

import json as json_format
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.syntax import Syntax

from sk2d.commands.phase_models import Models
from sk2d.decompile import Decompiled, Decompiler, select
from sk2d.decompile.binary import windows
from sk2d.decompile.output import Journal, fingerprint, write_files
from sk2d.errors import ConfigError, FrontendError, UserError
from sk2d.frontends.choosing import Names, choose
from sk2d.frontends.records import Frontend, Target

TEXTS = {"pseudo": "pseudo", "norm": "pseudo_norm", "ir": "ir", "code": "code"}


def decompile(
    binary: Path,
    function: str | list[str] | None = None,
    all: bool = False,
    skeleton: str | None = None,
    skin: str | None = None,
    prompt: str | None = None,
    output: Path | None = None,
    json: bool = False,
    show: str = "code",
    frontend: Names = "flatline",
    workers: int = 1,
    seconds: float = 60.0,
    batch_size: int = 4,
    max_new_tokens: int = 1024,
    prompt_lookup: int = 0,
    device: str | None = None,
    overwrite: bool = False,
) -> int:
    """Decompile functions of an ELF file; without models the result is normalised pseudo-C.

    Args:
        binary: An ELF file: program, library or object file.
        function: Names or addresses (0x401136) of functions.
        all: All functions of the file.
        skeleton: Model of the first phase: a model folder, a run folder or a name.
        skin: Model of the second phase.
        prompt: Prompt of models whose folder does not say with which they were trained.
        output: Folder for one file of the binary and one per function; a killed run goes on there.
        json: Print one JSON object per function.
        show: What to print of each function, with commas: pseudo, norm, ir, code.
        frontend: The decompiler: flatline; an installed ghidra, ida or angr; or pseudo for a file
            of pseudo-code (JSONL rows with `name` and `pseudo`, or a .c file) instead of a binary.
        workers: Processes of flatline.
        seconds: Longest time for one function in the decompiler.
        batch_size: Functions that a model answers together.
        max_new_tokens: Longest answer, in tokens.
        prompt_lookup: Tokens that are guessed ahead from the prompt, one function at a time; 0 for
            none.
        device: Where the models run; without it a GPU where there is one.
        overwrite: Begin anew in an output folder that another run has left.

    Returns:
        Exit code: 1 when no function at all could be decompiled, else 0.
    """
    models = Models(skeleton, skin, prompt, batch_size, max_new_tokens, prompt_lookup, device)
    models.check()
    shown = _shown(show, models)
    wanted = [function] if isinstance(function, str) else function or []
    with closing(choose(frontend, workers, seconds)) as decompiler:
        everything, targets = _targets(decompiler, binary, wanted, all)
        phases = models.load()
        journal = _journal(output, binary, models, overwrite) if output else None
        done = journal.done() if journal else []
        finished = {each.address for each in done}
        rest = [target for target in targets if target.address not in finished]
        write = _printer(json, shown)
        for each in done:
            write(each)
        with _progress(len(targets), len(done)) as tell:
            made = Decompiler(decompiler, phases, tell).run(binary, rest, everything, done)
            for window in windows(made):
                if journal:
                    journal.add(window)
                for each in window:
                    write(each)
                done += window
    if output:
        _tell(output, done)
    return 0 if any(each.code for each in done) or not done else 1


def _shown(show: str, models: Models) -> list[str]:
    words = [word.strip() for word in show.split(",") if word.strip()]
    unknown = [word for word in words if word not in TEXTS]
    if unknown or not words:
        what = f"{', '.join(unknown) or 'nothing'} cannot be shown"
        raise ConfigError(what, where="--show", remedy=f"Choose of {', '.join(TEXTS)}")
    if "ir" in words and models.skeleton is None:
        raise ConfigError("there is no IR without --skeleton", where="--show")
    return words


def _targets(
    frontend: Frontend, binary: Path, wanted: Sequence[str], everything: bool
) -> tuple[list[Target], list[Target]]:
    missing = frontend.missing()
    if missing:
        raise FrontendError(missing, where=f"the front end {frontend.name}")
    if bool(wanted) == everything:
        what = "say which functions" if not wanted else "--all and --function exclude each other"
        raise UserError(what, where="cli.py decompile", remedy="Give --function NAME, or --all")
    found = frontend.functions(binary)
    return found, select(found, wanted) if wanted else found


def _journal(output: Path, binary: Path, models: Models, overwrite: bool) -> Journal:
    settings = {
        **models.named(),
        "prompt": models.prompt,
        "max_new_tokens": models.max_new_tokens,
    }
    return Journal(output, fingerprint(binary, settings), overwrite=overwrite)


def _printer(as_json: bool, shown: Sequence[str]) -> Callable[[Decompiled], None]:
    console = Console()

    def print_json(function: Decompiled) -> None:
        text = json_format.dumps(function.as_json(), ensure_ascii=False)
        sys.stdout.write(text + "\n")
        sys.stdout.flush()

    def print_text(function: Decompiled) -> None:
        console.print(f"/* {_title(function)} */", style="bold", highlight=False, markup=False)
        for warning in function.warnings:
            console.print(f"// {warning}", style="yellow", highlight=False, markup=False)
        for name in shown:
            text = getattr(function, TEXTS[name])
            if len(shown) > 1:
                console.print(f"// {name}", style="dim", highlight=False, markup=False)
            if name == "code" and function.definitions:
                text = function.definitions + text
            console.print(Syntax(text or "", "c", background_color="default"), soft_wrap=True)

    return print_json if as_json else print_text


def _title(function: Decompiled) -> str:
    verdict = function.verdict
    said = {True: "compiles", False: f"does not compile ({verdict.reason})"}.get(
        bool(verdict.compiles), ""
    )
    if verdict.compiles is None:
        said = f"no code: {verdict.message}"
    return f"{function.name} at {function.address:#x}, {function.size} bytes: {said}"


@contextmanager
def _progress(total: int, done: int) -> Iterator[Callable[[str, int], None]]:
    """Show how many functions have been through each step, on the error output."""
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
    )
    console = Console(stderr=True)
    with Progress(
        *columns, console=console, transient=True, disable=not console.is_terminal
    ) as bar:
        tasks = {}

        def tell(step: str, count: int) -> None:
            if step not in tasks:
                tasks[step] = bar.add_task(step, total=total, completed=done)
            bar.advance(tasks[step], count)

        yield tell


def _tell(output: Path, done: Sequence[Decompiled]) -> None:
    whole = write_files(output, done)
    kept = len(done) - len(whole.left_out)
    state = "compiles" if whole.compiles else "does not compile"
    sys.stderr.write(
        f"{len(done)} functions are in {output}: {output / 'whole.c'} {state} with {kept} of them\n"
    )
