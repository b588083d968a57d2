"""Both models on a set: pseudo-code -> Skeleton -> Skin; an answer is kept once it is there."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from sk2d.c.layout import lay_out
from sk2d.decompile.binary import TOO_LONG, windows
from sk2d.evaluation.journal import Journal
from sk2d.evaluation.systems import Answer, Kind, System

if TYPE_CHECKING:  # models need torch, which the base package does without
    from sk2d.decompile.loading import Phases

NAME: Final = "models"
SKELETON: Final = "skeleton"


def own_models(
    source: System,
    phases: Phases,
    journal: Journal,
    tell: Callable[[str, int, int], None] = lambda step, done, total: None,
) -> System:
    """Let the models answer what a front end gave.

    Args:
        source: Pseudo-code of the functions.
        phases: The models.
        journal: What is known, and where what is found is written.
        tell: Takes the name of a phase, what is done of it and how much it is.

    Returns:
        The system; what the front end has no text for is missing here, too.
    """
    identities = list(source.answers)
    plain = [source.answers[identity].code for identity in identities]
    texts = {
        identity: text if isinstance(text, str) else code
        for identity, code, text in zip(identities, plain, lay_out(plain), strict=True)
    }
    failures = dict(source.failures)
    irs: dict[str, str] = {}
    for phase in phases.models:
        answered = _ask(phase, texts, phases, journal, tell)
        failures |= {i: TOO_LONG.format(phase=phase) for i in texts if i not in answered}
        texts = answered
        irs = answered if phase == SKELETON else irs
    answers = {
        identity: Answer(code, ir=irs.get(identity), before=source.answers[identity].before)
        for identity, code in texts.items()
    }
    named = ", ".join(f"{phase} {model}" for phase, (model, _) in phases.models.items())
    return System(NAME, Kind.MODELS, f"{named}; they read {source.name}", answers, failures)


def _ask(
    phase: str,
    texts: Mapping[str, str],
    phases: Phases,
    journal: Journal,
    tell: Callable[[str, int, int], None],
) -> dict[str, str]:
    """Give the answers to texts by id; one that leaves no room for an answer has none."""
    about = _about(phase, phases)
    keys = {identity: _key(about, text) for identity, text in texts.items()}
    left = {keys[i]: text for i, text in texts.items() if keys[i] not in journal.found}
    done, total = len(set(keys.values())) - len(left), len(set(keys.values()))
    tell(phase, done, total)
    for window in windows(left.items()):
        answers = phases.get(phase).answers([text for _, text in window])
        for (key, _), answer in zip(window, answers, strict=True):
            journal.add(key, None if answer is None else answer.text)
            done += 1
            tell(phase, done, total)
    found = {identity: journal.found[key] for identity, key in keys.items()}
    return {identity: text for identity, text in found.items() if text is not None}


def _about(phase: str, phases: Phases) -> Sequence[Any]:
    """Describe all that an answer depends on beside the text."""
    from sk2d.decompile.phases import folder_of
    from sk2d.models.fingerprint import fingerprint

    model, prompt = phases.models[phase]
    weights = fingerprint(folder_of(model))
    return [phase, weights.weights, weights.tokenizer, prompt.hash, phases.asking.max_new_tokens]


def _key(about: Sequence[Any], text: str) -> str:
    plain = json.dumps([*about, text])
    return hashlib.sha256(plain.encode("utf-8", "surrogatepass")).hexdigest()


def prompts_of(phases: Phases) -> dict[str, dict[str, str]]:
    """Name the prompts of models, for reports.

    Args:
        phases: The models.

    Returns:
        Name and hash by phase.
    """
    return {
        phase: {"name": prompt.name, "hash": prompt.hash}
        for phase, (_, prompt) in phases.models.items()
    }
