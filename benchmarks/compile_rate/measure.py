"""What a model's answers to prompts that it was not trained on are worth."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import mean
from typing import Any, Literal, NamedTuple

from sk2d.c.parse import parse
from sk2d.corpus.files import read_rows
from sk2d.corpus.rl_rows import RlRow, rl_row
from sk2d.errors import SourceError
from sk2d.models.answers import Answer
from sk2d.models.load import load_model, load_tokenizer
from sk2d.models.sampling import sample_groups
from sk2d.prompts import get_prompt
from sk2d.rewards.candidates import Score
from sk2d.rewards.live import live_body
from sk2d.rewards.structure import StructureReward
from sk2d.rewards.usage import dice, pq_grams
from sk2d.rl.rollouts import candidate_of
from sk2d.rl.scoring import shortfall

How = Literal["greedy", "sampled"]
AT_ONCE = 24
MOST = 300
"""Most prompts of a set that are answered."""

SEED = 12345


class View(NamedTuple):
    """What is looked at.

    Attributes:
        rows: Name of the file of prompts.
        how: The likeliest answer to each, or one that is drawn at temperature 1.
    """

    rows: str
    how: How

    @property
    def name(self) -> str:
        """Name of its file of answers."""
        return f"{self.rows}_{self.how}"


VIEWS = (View("held_out", "greedy"), View("held_out", "sampled"), View("unseen", "greedy"))


@dataclass(frozen=True)
class Figures:
    """Means over prompts.

    Args:
        compiles: Share of answers that are one function and compile with the reference's header.
        strict: Mean `strict` score, of 2.
        strict_compiles: Share that also has the reference's signature and converts no integers.
        similarity: Mean Dice coefficient of the pq-grams of answer and reference, whether the
            answer compiles or not.
        tokens: Mean length.
        finished: Share of answers that came to their end.
    """

    compiles: float
    strict: float
    strict_compiles: float
    similarity: float
    tokens: float
    finished: float


@dataclass(frozen=True)
class Answered:
    """An answer to a held-out prompt and what it is worth.

    Args:
        row: The prompt and its reference.
        answer: The answer.
        paper: Its score by `paper`.
        strict: Its score by `strict`.
    """

    row: RlRow
    answer: Answer
    paper: Score
    strict: Score


def measured(model: Path, rows: Path, output: Path, max_new_tokens: int) -> dict[str, Figures]:
    """Let a model answer the prompts that it was not trained on, and judge the answers.

    Args:
        model: Model folder.
        rows: Folder of the files of prompts.
        output: Folder for `figures.json` and the answers; figures that are there are read.
        max_new_tokens: Longest answer.

    Returns:
        Figures of each of `VIEWS`, by name.
    """
    done = output / "figures.json"
    if done.exists():
        return {name: Figures(**each) for name, each in json.loads(done.read_text()).items()}
    output.mkdir(parents=True, exist_ok=True)
    found: dict[str, Figures] = {}
    for view in VIEWS:
        asked = fit_rows(rows / f"{view.rows}.jsonl")
        answers = judged(asked, draw(model, asked, view.how, max_new_tokens))
        found[view.name] = figures(answers)
        lines = "".join(json.dumps(_record(each)) + "\n" for each in answers)
        (output / f"{view.name}.jsonl").write_text(lines, encoding="utf-8")
    done.write_text(json.dumps({name: asdict(each) for name, each in found.items()}, indent=1))
    return found


def fit_rows(path: Path) -> list[RlRow]:
    """Read the rows that every mode admits, or as many of them as are answered.

    Args:
        path: RL rows.

    Returns:
        Those whose own reference gets the most in `paper` and in `strict`.
    """
    rows = [rl_row(row, where) for row, where in read_rows(path)]
    rows = random.Random(SEED).sample(rows, min(MOST, len(rows)))
    golds = [candidate_of(row, row.reference) for row in rows]
    paper, strict = shortfall(StructureReward("paper"), golds), shortfall(StructureReward(), golds)
    return [row for row, *bad in zip(rows, paper, strict, strict=True) if bad == [None, None]]


def draw(model: Path, rows: Sequence[RlRow], how: How, max_new_tokens: int) -> list[Answer]:
    """Answer every row once.

    Args:
        model: Model folder.
        rows: Rows.
        how: The likeliest answer, or one that is drawn at temperature 1.
        max_new_tokens: Longest answer.

    Returns:
        The answers.
    """
    policy, tokenizer, prompt = (
        load_model(str(model)),
        load_tokenizer(str(model)),
        get_prompt("skeleton"),
    )
    answers: list[Answer] = []
    for first in range(0, len(rows), AT_ONCE):
        groups = sample_groups(
            policy,
            tokenizer,
            [prompt.render(row.source) for row in rows[first : first + AT_ONCE]],
            per_prompt=1,
            stop=prompt.stop,
            max_new_tokens=max_new_tokens,
            temperature=0.0 if how == "greedy" else 1.0,
            seed=SEED + first,
        )
        answers += [answer for (answer,) in groups]
    return answers


def judged(rows: Sequence[RlRow], answers: Sequence[Answer]) -> list[Answered]:
    """Judge answers in both modes.

    Args:
        rows: The prompts.
        answers: An answer to each.

    Returns:
        Answers with their scores.
    """
    candidates = [candidate_of(row, each.text) for row, each in zip(rows, answers, strict=True)]
    paper, strict = StructureReward("paper")(candidates), StructureReward()(candidates)
    return [Answered(*each) for each in zip(rows, answers, paper, strict, strict=True)]


def figures(answers: Sequence[Answered]) -> Figures:
    """Take the means.

    Args:
        answers: Judged answers, all of which could be judged.

    Returns:
        The figures.
    """
    return Figures(
        compiles=mean(each.paper.parts["compiles"] for each in answers),
        strict=mean(each.strict.score or 0.0 for each in answers),
        strict_compiles=mean(each.strict.parts["compiles"] for each in answers),
        similarity=mean(similarity(each.answer.text, each.row.reference) for each in answers),
        tokens=mean(len(each.answer.tokens) for each in answers),
        finished=mean(each.answer.finished for each in answers),
    )


def similarity(answer: str, reference: str) -> float:
    """Say how alike the trees of two texts are.

    Args:
        answer: Text of an answer, which may be broken.
        reference: Its reference.

    Returns:
        The Dice coefficient of their pq-grams; 0 for a text that no tree can be made of.
    """
    try:
        found, wanted = parse(answer), parse(reference)
    except SourceError:
        return 0.0
    return dice(pq_grams(live_body(found, found.root)), pq_grams(live_body(wanted, wanted.root)))


def _record(each: Answered) -> dict[str, Any]:
    return {
        "id": each.row.id,
        "func_name": each.row.func_name,
        "source": each.row.source,
        "reference": each.row.reference,
        "answer": each.answer.text,
        "tokens": len(each.answer.tokens),
        "finished": each.answer.finished,
        "paper": each.paper.score,
        "strict": each.strict.score,
        "verdict": str(each.strict.verdict),
        "message": each.paper.message or each.strict.message,
        "similarity": round(similarity(each.answer.text, each.row.reference), 4),
    }
