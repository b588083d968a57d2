"""Rules of reinforcement learning: what its keys allow, and what it does without."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from typing import Any

from sk2d.commands.config.check import Values
from sk2d.commands.config.devices import device_count
from sk2d.commands.config.ranges import Rule, broken_ranges
from sk2d.errors import ConfigError, UserError
from sk2d.rl.policy import PolicyModule

RULES = (
    Rule("model.rollouts.answers", 1),
    Rule("model.rollouts.temperature", 0, low_open=True),
    Rule("model.rollouts.at_once", 1),
    Rule("model.rollouts.engine_memory", 0, 1, low_open=True),
    Rule("model.reward.compiles", 0),
    Rule("model.reward.placeholders", 0),
    Rule("model.reward.warnings", 0),
    Rule("model.reward.tests", 0),
    Rule("model.reward.workers", 1),
    Rule("model.update.clip_low", 0, 1, low_open=True),
    Rule("model.update.clip_high", 0, low_open=True),
    Rule("model.update.dual_clip", 1, low_open=True),
    Rule("model.update.kl", 0),
    Rule("model.update.epochs", 1),
    Rule("model.update.minibatches", 1),
    Rule("model.update.clip_grad", 0, low_open=True),
    Rule("model.critic.gamma", 0, 1),
    Rule("model.critic.lam", 0, 1),
    Rule("model.critic.weight", 0),
    Rule("model.critic.clip", 0, low_open=True),
)
# Keys that have no effect here, with what stands in for them.
UNUSED = {
    "trainer.gradient_clip_val": "Set model.update.clip_grad instead",
    "trainer.gradient_clip_algorithm": "Leave it out: model.update.clip_grad clips the norm",
    "trainer.accumulate_grad_batches": "Leave it out: data.batch_size says how a step is cut",
    "guard.window": "Leave it out: the loss of reinforcement learning has no trend to judge",
    "guard.factor": "Leave it out: the loss of reinforcement learning has no trend to judge",
}


def is_policy(values: Values) -> bool:
    """Tell whether a config is one of reinforcement learning.

    Args:
        values: The values of the config.

    Returns:
        Whether it is.
    """
    return issubclass(values.sections["model"].owner, PolicyModule)


def uses_vllm(values: Values) -> bool:
    """Tell whether vLLM draws the answers of a config.

    Args:
        values: The values of the config.

    Returns:
        Whether it does; False for a config without answers.
    """
    return bool(is_policy(values) and values.get("model.rollouts.engine") == "vllm")


def policy_rules(values: Values, command: str) -> Iterator[UserError]:
    """Find what a config of reinforcement learning breaks.

    Args:
        values: The values of the config.
        command: `fit`, `validate`, `test` or `predict`.

    Yields:
        One error per broken rule; `where` is the key.
    """
    if command in ("test", "predict"):
        yield ConfigError(
            f"reinforcement learning has no {command}",
            where="model.class_path",
            remedy="Use the config of the phase (skeleton.yaml, skin.yaml) with --model.base MODEL",
        )
    yield from broken_ranges(values, RULES)
    for key, remedy in UNUSED.items():
        if key in values.given and values.given[key].value is not None:
            yield ConfigError("it has no effect here", where=key, remedy=remedy)
    yield from _devices(values)
    yield from _reward(values)
    yield from _together(values)
    yield from _engine(values)


def _devices(values: Values) -> Iterator[UserError]:
    strategy = str(values.get("trainer.strategy"))
    if values.is_sound("trainer.strategy") and strategy not in ("auto", "None", "ddp"):
        yield ConfigError(
            f"reinforcement learning here is for one device, not for {strategy}",
            where="trainer.strategy",
            remedy="Leave it out; for many GPUs train with verl (docs/rewards.md)",
        )
    if not values.is_sound("trainer.devices", "trainer.num_nodes"):
        return
    try:
        devices = device_count(values.get, values.site)
    except UserError:
        return  # told elsewhere
    if devices > 1:
        yield ConfigError(
            f"reinforcement learning here is for one device, not for {devices}",
            where="trainer.devices",
            remedy="Give 1; for many GPUs train with verl (docs/rewards.md)",
        )


def _reward(values: Values) -> Iterator[UserError]:
    phase = str(getattr(values.sections["model"].owner, "phase", ""))
    mode = values.get("model.reward.mode")
    if mode == "lexical" and phase == "skeleton":
        yield ConfigError(
            "it rewards names, and the Skeleton gives none",
            where="model.reward.mode",
            remedy="Choose paper, upstream or strict",
        )
    others = _given_for_other_phase(values, phase)
    for key in others:
        yield ConfigError(f"the {phase} reward does not have it", where=key, remedy="Leave it out")


def _given_for_other_phase(values: Values, phase: str) -> list[str]:
    own = {"skin": ("embedder",)}.get(
        phase, ("compiles", "placeholders", "warnings", "tests", "workers")
    )
    shared = ("mode", *own)
    given: list[Any] = [key for key in values.given if key.startswith("model.reward.")]
    return [key for key in given if key.rpartition(".")[2] not in shared]


def _together(values: Values) -> Iterator[UserError]:
    if values.get("model.lora.dropout"):
        yield ConfigError(
            "with dropout, the policy that answers is not the one that is trained",
            where="model.lora.dropout",
            remedy="Set it to 0",
        )
    if values.get("model.rollouts.answers") == 1 and values.get("model.variant") is not None:
        yield ConfigError(
            "one answer has no others to be compared with",
            where="model.rollouts.answers",
            remedy="Give 2 or more, mostly 8",
        )
    groups, most = values.get("model.update.minibatches"), values.get("data.effective_batch")
    if isinstance(groups, int) and isinstance(most, int) and groups > most:
        yield ConfigError(
            f"{groups} updates cannot share {most} prompts (data.effective_batch)",
            where="model.update.minibatches",
            remedy=f"Give {most} or less",
        )


def _engine(values: Values) -> Iterator[UserError]:
    key = "model.rollouts.engine"
    if not uses_vllm(values):
        if "model.rollouts.engine_memory" in values.given:
            where = "model.rollouts.engine_memory"
            yield ConfigError(
                "it is for vLLM alone", where=where, remedy=f"Leave it out, or set {key} to vllm"
            )
        return
    if importlib.util.find_spec("vllm") is None:
        remedy = "Install vllm beside this torch, or leave the key out"
        yield ConfigError("vLLM is not installed", where=key, remedy=remedy)
    if values.get("model.lora") is None:
        remedy = "Train adapters (model.lora.rank), or leave the key out"
        yield ConfigError("vLLM gets the policy as an adapter", where=key, remedy=remedy)
    if values.get("model.quantization") is not None:
        remedy = "Leave model.quantization out, or the key"
        yield ConfigError("vLLM does not compute a base as this one", where=key, remedy=remedy)
