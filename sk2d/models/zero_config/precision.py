"""fp16, bf16 and autocast: the file against itself, and against `trainer.precision`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sk2d.models.zero_config.conditions import Settings
from sk2d.models.zero_config.verdict import Context, Effect, Verdict

OWNER = "trainer.precision"
LEAVE_OUT = f"Leave it out: {OWNER} decides"
# Precisions for which Lightning switches a section on, where the file has none of that name.
SWITCHES = {"fp16": ("16", "16-mixed", "16-true"), "bf16": ("bf16", "bf16-mixed", "bf16-true")}
OTHER = {"fp16": "bf16", "bf16": "fp16"}
Rule = Callable[[Any, Settings, Context], Verdict | None]


def half(name: str) -> Rule:
    """Make the rule for `fp16.enabled` or `bf16.enabled`.

    Args:
        name: `fp16` or `bf16`.

    Returns:
        The rule.
    """

    def rule(value: Any, settings: Settings, context: Context) -> Verdict | None:
        on, key = str(value).lower() in ("true", "1", "yes", "on"), f"{name}.enabled"
        if on and settings.get(f"{OTHER[name]}.enabled") is True:
            says = "DeepSpeed raises: fp16 and bf16 are both on"
            return Verdict(key, value, "contradiction", says, LEAVE_OUT, "error")
        clash = _clash(name, on, context)
        if clash:
            return Verdict(key, value, "contradiction", clash, LEAVE_OUT, "error")
        state = f"computes in {_words(name)}" if on else f"off: nothing is in {_words(name)}"
        return Verdict(key, value, "owned by the trainer", state, LEAVE_OUT, "warning")

    return rule


def half_section(name: str) -> Rule:
    """Make the rule for a section `fp16` or `bf16` that does not say `enabled`.

    Args:
        name: `fp16` or `bf16`.

    Returns:
        The rule.
    """

    def rule(value: Any, settings: Settings, context: Context) -> Verdict | None:
        if not isinstance(value, dict) or "enabled" in value:
            return None
        says = (
            "off, as it does not say enabled; where the section is there, Lightning leaves it alone"
        )
        clash = _clash(name, False, context)
        effect: Effect = "contradiction" if clash else "no effect"
        remedy = "Leave the section out, or say enabled"
        return Verdict(name, value, effect, clash or says, remedy, "error")

    return rule


def _clash(name: str, on: bool, context: Context) -> str | None:
    if context.trainer is None or on == (context.trainer.precision in SWITCHES[name]):
        return None
    given = f"{OWNER} is {context.trainer.precision}"
    if on:
        return f"{given}, and the file switches {_words(name)} on"
    return f"{given}, and the file keeps it off: all would be float32"


def _words(name: str) -> str:
    return {"fp16": "float16 with loss scaling", "bf16": "bfloat16"}[name]


def autocast(value: Any, settings: Settings, context: Context) -> Verdict | None:
    """Judge `torch_autocast.enabled`.

    Args:
        value: Its value.
        settings: The values that hold.
        context: The run.

    Returns:
        The verdict, or None where it is off.
    """
    if value is not True:
        return None
    says = "a second mixed precision, besides the one that the trainer sets up"
    return Verdict("torch_autocast.enabled", value, "refused", says, LEAVE_OUT, "error")


def weight_format(value: Any, settings: Settings, context: Context) -> Verdict | None:
    """Judge `data_types.param_dtype`, which must be what fp16 and bf16 say.

    Args:
        value: Its value.
        settings: The values that hold.
        context: The run.

    Returns:
        The verdict, or None where it fits or cannot be judged.
    """
    on = [name for name in SWITCHES if settings.get(f"{name}.enabled") is True]
    if not on and context.trainer:
        on = [name for name, values in SWITCHES.items() if context.trainer.precision in values]
    found = on[0] if on else "fp32"
    if value == found or (not on and context.trainer is None):
        return None
    says = f"DeepSpeed raises: the weights are {found}"
    return Verdict("data_types.param_dtype", value, "contradiction", says, LEAVE_OUT, "error")
