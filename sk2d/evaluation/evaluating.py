"""An evaluation as a person asks for it: files and names in, a folder of results out."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from sk2d.corpus.atomic import write_text_atomic
from sk2d.corpus.claimed import claim
from sk2d.corpus.files import content_hash
from sk2d.errors import ConfigError, UserError, UserErrors, did_you_mean
from sk2d.evaluation.journal import Journal
from sk2d.evaluation.judge import Cost, Endpoint, Judge
from sk2d.evaluation.markdown import markdown
from sk2d.evaluation.own_frontend import NAME as FLATLINE
from sk2d.evaluation.own_frontend import own_frontend
from sk2d.evaluation.own_models import NAME as MODELS
from sk2d.evaluation.own_models import own_models, prompts_of
from sk2d.evaluation.page import evaluation_page
from sk2d.evaluation.predictions import load_predictions, stored_predictions
from sk2d.evaluation.runner import Run, Tell, evaluate
from sk2d.evaluation.sets import load_set
from sk2d.evaluation.systems import EXIT, REFERENCE, STUB, System, stored, stored_name
from sk2d.frontends.flatline import Flatline
from sk2d.sandbox import TEST_FLAGS

if TYPE_CHECKING:  # models need torch, which the base package does without
    from sk2d.decompile.loading import Phases

RESULTS: Final = "results.json"
MARKDOWN: Final = "results.md"
PAGE: Final = "report.html"
JOURNALS: Final = "journal"
_NO_FRONTEND: Final = "flatline is not among the systems: {}"
_NO_PROGRAMS: Final = (
    "flatline is not among the systems: references of a set without tests are no whole programs"
)


@dataclass(frozen=True)
class JudgeOptions:
    """Who marks readability.

    Attributes:
        url: Address up to `/v1`.
        model: Name of the model.
        key: Secret.
        price: Of a million tokens read, and of a million written.
    """

    url: str
    model: str
    key: str | None
    price: tuple[float, float] | None


@dataclass(frozen=True)
class Plan:
    """What is to be evaluated.

    Attributes:
        set: File or name of the set.
        output: Folder for the results.
        predictions: File of each system's answers, by name.
        pseudo: What models read: a column of the set, or flatline; None chooses.
        flags: How candidates are compiled.
        seed: Seed of the bootstrap.
        workers: Processes.
        overwrite: Whether to begin anew where another run left something.
        judge: Who marks readability; None for nobody.
    """

    set: Path
    output: Path
    predictions: Mapping[str, Path] = field(default_factory=dict)
    pseudo: str | None = None
    flags: tuple[str, ...] = TEST_FLAGS
    seed: int = 42
    workers: int = 1
    overwrite: bool = False
    judge: JudgeOptions | None = None


def refuse_taken(name: str) -> None:
    """Refuse a name that another system has in every report.

    Args:
        name: Name of a system of the user's.

    Raises:
        ConfigError: It is taken.
    """
    if name in (REFERENCE, STUB, EXIT, FLATLINE, MODELS) or name.endswith(" (stored)"):
        what = f"another system is called {name} already"
        raise ConfigError(what, where=f"--predictions {name}=", remedy="Choose another name")


class Evaluation:
    """Reads what is given, so that mistakes show at once, and runs; each mistake is a `UserError`.

    Args:
        plan: What is to be evaluated.
        models: Models by phase.
        max_new_tokens: Longest answer of a model.
        say: Takes lines for a person.

    Raises:
        ConfigError: There is nothing to evaluate, or nothing that the models could read.
    """

    def __init__(
        self,
        plan: Plan,
        models: Mapping[str, str],
        max_new_tokens: int = 0,
        say: Callable[[str], None] = lambda text: None,
    ) -> None:
        self.plan = plan
        self.models = dict(models)
        self.say = say
        self.functions = load_set(plan.set)
        self.predictions = self._predictions()
        self.remarks: list[str] = []
        self._has_frontend = self._look_for_frontend()
        self.read = self._what_models_read() if models else None
        if not (self._columns() or self._has_frontend or self.predictions):
            what, remedy = "there is no system to evaluate", "Give --predictions NAME=FILE"
            raise ConfigError(what, where=str(plan.set), remedy=remedy)
        self.claimed = claim(
            plan.output, self._description(max_new_tokens), overwrite=plan.overwrite
        )

    def _predictions(self) -> list[System]:
        files = self.plan.predictions
        found: list[System] = []
        errors: list[UserError] = []
        for name, path in files.items():
            try:
                refuse_taken(name)
                found.append(load_predictions(name, path, self.functions))
            except UserErrors as error:
                errors += error.problems
            except UserError as error:
                errors.append(error)
        if errors:
            raise UserErrors(errors)
        own = any(path.resolve() == self.plan.set.resolve() for path in files.values())
        return found + ([] if own else stored_predictions(self.functions))

    def _look_for_frontend(self) -> bool:
        if not self.functions.has_tests:
            self.remarks.append(_NO_PROGRAMS)
            return False
        with Flatline() as frontend:
            missing = frontend.missing()
        if missing:
            self.remarks.append(_NO_FRONTEND.format(missing))
        return missing is None

    def _what_models_read(self) -> str:
        """Give the name of the system whose texts the models read."""
        columns, wanted = self._columns(), self.plan.pseudo
        if wanted is None:
            wanted = columns[0] if len(columns) == 1 else FLATLINE if not columns else None
        known = [*columns, *([FLATLINE] if self._has_frontend else [])]
        if wanted not in known:
            what = "say what the models read" if wanted is None else f"there is no {wanted} here"
            near = did_you_mean(wanted, known) if wanted else None
            remedy = near or f"There are: {', '.join(known) or 'none'}"
            raise ConfigError(what, where="--pseudo", remedy=remedy)
        return wanted if wanted == FLATLINE else stored_name(wanted)

    def _columns(self) -> list[str]:
        return sorted({column for each in self.functions.functions for column in each.pseudo})

    def _description(self, max_new_tokens: int) -> dict[str, Any]:
        """Describe all that results depend on, so that only the same run is gone on with."""
        plan = self.plan
        judge = plan.judge and {"url": plan.judge.url, "model": plan.judge.model}
        return {
            "set": self.functions.hash,
            "predictions": {name: content_hash(path) for name, path in plan.predictions.items()},
            "models": self.models | ({"max_new_tokens": max_new_tokens} if self.models else {}),
            "reads": self.read,
            "flags": plan.flags,
            "seed": plan.seed,
            "judge": judge,
        }

    def run(self, load: Callable[[], Phases | None], tell: Tell) -> dict[str, Any]:
        """Evaluate, and write the results.

        Args:
            load: Loads the models; called when they are needed.
            tell: Takes progress.

        Returns:
            The content of `results.json`.

        Raises:
            UserError: The set cannot tell right from wrong, or something cannot be read or written.
            JailError: The jail failed.
        """  # noqa: DOC502
        phases = load() if self.models else None
        run = Run(
            self._journal("measures"),
            self.plan.flags,
            self.plan.seed,
            self.plan.workers,
            tell,
            self._judge(),
        )
        found = evaluate(
            self.functions,
            lambda: self._systems(run, phases),
            run,
            self.remarks,
            prompts_of(phases) if phases else None,
        )
        self._warn(found)
        write_results(found, self.plan.output)
        return found

    def _systems(self, run: Run, phases: Phases | None) -> list[System]:
        systems = stored(self.functions)
        if self._has_frontend:
            systems.append(self._frontend(run))
        if phases is not None:
            source = next(system for system in systems if system.name == self.read)
            systems.append(own_models(source, phases, self._journal("answers"), run.tell))
        return [*systems, *self.predictions]

    def _frontend(self, run: Run) -> System:
        def tell(done: int, total: int) -> None:
            run.tell("decompile", done, total)

        journal = self._journal("pseudo")
        return own_frontend(self.functions.functions, run.compiler, journal, run.workers, tell)

    def _journal(self, name: str) -> Journal:
        return Journal(self.plan.output / JOURNALS / f"{name}.jsonl")

    def _judge(self) -> Judge | None:
        wanted = self.plan.judge
        if wanted is None:
            return None
        endpoint = Endpoint(wanted.url, wanted.model, wanted.key, price=wanted.price)
        return Judge(endpoint, self._journal("judge"), self._announce)

    def _announce(self, cost: Cost) -> None:
        money = "price unknown" if cost.money is None else f"about {cost.money:.2f} by the price"
        self.say(
            f"judge: {cost.requests} requests, about {cost.tokens} tokens to read and "
            f"{cost.reply_tokens} to write, {money}"
        )

    def _warn(self, found: Mapping[str, Any]) -> None:
        for canary in found["settings"]["canaries"]:
            if canary["same"] is False:
                self.say(
                    f"warning: this compiler judges {canary['name']} in another way than the one "
                    "with which verdicts were recorded; numbers of other machines do not compare"
                )


def write_results(found: Mapping[str, Any], folder: Path) -> None:
    """Write results as JSON, as Markdown and as a page.

    Args:
        found: The results.
        folder: Where the three files go.

    Raises:
        UserError: They cannot be written.
    """  # noqa: DOC502
    write_text_atomic(folder / RESULTS, json.dumps(found, indent=1) + "\n")
    write_text_atomic(folder / MARKDOWN, markdown(found))
    write_text_atomic(folder / PAGE, evaluation_page(found))
