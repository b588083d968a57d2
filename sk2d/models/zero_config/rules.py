"""Rules between keys, and between a key and the trainer, beyond what the table of keys says.

A rule takes the key's value, all values that hold and the run's context, and gives the key's
verdict, or None where the table's holds. Each is what the source of DeepSpeed or of Lightning's
DeepSpeedStrategy does; a test runs DeepSpeed's own parser on the same values.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from sk2d.models.zero_config.batches import (
    accumulation,
    clipping,
    micro_batch,
    train_batch,
)
from sk2d.models.zero_config.conditions import OFFLOADS, STAGE, ZERO, Settings
from sk2d.models.zero_config.parallel import stages_of_pipeline, tensor_slices
from sk2d.models.zero_config.precision import autocast, half, half_section, weight_format
from sk2d.models.zero_config.verdict import Context, Verdict

Rule = Callable[[Any, Settings, Context], Verdict | None]


SHARED_OUT: Final = (
    "nothing is shared out: every device holds weights, gradients and optimiser states in full",
    "optimiser states are shared out over the devices",
    "optimiser states and gradients are shared out over the devices, weights are on each in full",
    "optimiser states, gradients and weights are shared out over the devices",
)


def _stage(value: Any, settings: Settings, context: Context) -> Verdict | None:
    if not isinstance(value, str):
        return Verdict(STAGE, value, "used", SHARED_OUT[settings.stage])
    return Verdict(
        STAGE,
        value,
        "contradiction",
        "DeepSpeed reads the text as a number, and Lightning, which loads the model, does not",
        f"Write {value} without quotation marks",
        "error",
    )


def _zero(value: Any, settings: Settings, context: Context) -> Verdict | None:
    if not isinstance(value, bool):
        return None
    says = "the oldest form of this section: true is stage 1, false stage 0"
    return Verdict(ZERO, value, "used", says, "Write {stage: 1} or {stage: 0}", "error")


def _offload_device(value: Any, settings: Settings, context: Context) -> Verdict | None:
    if value != "nvme" or settings.stage not in (1, 2):
        return None
    return Verdict(
        f"{OFFLOADS[1]}.device",
        value,
        "ignored",
        f"below stage 3 nothing goes to a disk: at stage {settings.stage} DeepSpeed takes nvme for "
        "cpu and keeps the states in main memory",
        "Write cpu, or use stage 3",
        "error",
    )


def _ratio(value: Any, settings: Settings, context: Context) -> Verdict | None:
    if value == 1 or settings.stage == 3:
        return None
    says = (
        f"DeepSpeed raises: only at stage 3 can a part stay behind, and here it is {settings.stage}"
    )
    return Verdict(f"{OFFLOADS[1]}.ratio", value, "refused", says, "Leave it out", "error")


def _optimizer_states(value: Any, settings: Settings, context: Context) -> Verdict | None:
    key = "bf16.bf16_optimizer_states"
    if not value or settings.get("bf16.bf16_master_weights_and_grads"):
        return None
    says = "DeepSpeed raises: it needs bf16_master_weights_and_grads, too"
    return Verdict(key, value, "refused", says, "Set both, or neither", "error")


def _needs_zero(key: str) -> Rule:
    def rule(value: Any, settings: Settings, context: Context) -> Verdict | None:
        if not value or settings.stage:
            return None
        return Verdict(
            key, value, "refused", "DeepSpeed raises without ZeRO", "Leave it out", "error"
        )

    return rule


def _needs_no_scatter(key: str, default: Any) -> Rule:
    def rule(value: Any, settings: Settings, context: Context) -> Verdict | None:
        scatters = settings.stage >= 2 and settings.get(f"{ZERO}.reduce_scatter")
        if value == default or not scatters:
            return None
        says = f"DeepSpeed raises: at stage {settings.stage} it does not go with reduce_scatter"
        return Verdict(key, value, "refused", says, "Leave it out", "error")

    return rule


def _old_form(old: str, new: str) -> Rule:
    def rule(value: Any, settings: Settings, context: Context) -> Verdict | None:
        if not settings.is_given(new):
            return None
        says = f"DeepSpeed raises: it is the old form of {new}, and both are here"
        return Verdict(old, value, "refused", says, "Leave it out", "error")

    return rule


RULES: Final[Mapping[str, Rule]] = {
    "train_batch_size": train_batch,
    "train_micro_batch_size_per_gpu": micro_batch,
    "gradient_accumulation_steps": accumulation,
    "gradient_clipping": clipping,
    "fp16": half_section("fp16"),
    "bf16": half_section("bf16"),
    "fp16.enabled": half("fp16"),
    "bf16.enabled": half("bf16"),
    "torch_autocast.enabled": autocast,
    "data_types.param_dtype": weight_format,
    "tensor_parallel.autotp_size": tensor_slices,
    "pipeline": stages_of_pipeline,
    ZERO: _zero,
    STAGE: _stage,
    f"{OFFLOADS[1]}.device": _offload_device,
    f"{OFFLOADS[1]}.ratio": _ratio,
    f"{ZERO}.cpu_offload": _old_form(f"{ZERO}.cpu_offload", OFFLOADS[1]),
    f"{ZERO}.cpu_offload_param": _old_form(f"{ZERO}.cpu_offload_param", OFFLOADS[0]),
    "fp16.fp16_master_weights_and_grads": _needs_zero("fp16.fp16_master_weights_and_grads"),
    "bf16.bf16_master_weights_and_grads": _needs_zero("bf16.bf16_master_weights_and_grads"),
    "bf16.bf16_optimizer_states": _optimizer_states,
    "prescale_gradients": _needs_no_scatter("prescale_gradients", False),
    "gradient_predivide_factor": _needs_no_scatter("gradient_predivide_factor", 1),
}
