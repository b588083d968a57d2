"""What a config needs of memory, in the terms of the memory model."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Literal

from sk2d.commands.config.check import Values
from sk2d.commands.config.devices import device_count, on_gpu
from sk2d.commands.config.engine import engine_settings
from sk2d.commands.config.policy import is_policy, uses_vllm
from sk2d.hardware.memory import usable_memory_bytes
from sk2d.models.architecture import architecture_of
from sk2d.models.memory import Job, Lora
from sk2d.rl.rollouts import prompts_at_once


def job_of(values: Values, longest: int | None = None) -> Job | None:
    """Describe the run that a config asks for.

    Args:
        values: The values of a config without mistakes and without `auto`.
        longest: Tokens of the longest row, where they are known; else the cutoff counts.

    Returns:
        The run, or None where the figures of its base are not known here.
    """
    architecture = architecture_of(str(values.get("model.base")))
    if architecture is None:
        return None
    devices = device_count(values.get, values.site)
    uses_gpu = on_gpu(values.get("trainer.accelerator"), values.site)
    rows, cutoff = int(values.get("data.batch_size")), int(values.get("data.cutoff"))
    return Job(
        architecture=architecture,
        precision=str(values.get("trainer.precision") or "32-true"),
        lora=_lora(values),
        quantization=values.get("model.quantization"),
        optimizer=values.get("model.optimizer") or "adamw",
        batch_size=rows,
        **_lengths(values, min(cutoff, longest or cutoff)),
        gradient_checkpointing=bool(values.get("model.gradient_checkpointing")),
        loss_chunk=int(values.get("model.loss_chunk")),
        devices=devices,
        accumulates=int(values.get("data.effective_batch")) > rows * devices,
        sample_tokens=int(values.get("model.max_new_tokens")),
        device="cuda" if uses_gpu else "cpu",
        **_sharing(values.get("trainer.strategy")),
    )


def _lengths(values: Values, prompt: int) -> dict[str, Any]:
    """Give the tokens of a row of training, and what is drawn and held besides."""
    if not is_policy(values):
        return {"length": prompt, "samples": int(values.get("model.samples"))}
    answers = int(values.get("model.rollouts.answers"))
    return {
        "length": prompt + answers * int(values.get("model.max_new_tokens")),
        **_drawn(values, answers),
        "sample_prompt": prompt,
        "reference": values.get("model.lora") is None and values.get("model.update.kl") > 0,
    }


def _drawn(values: Values, answers: int) -> dict[str, int]:
    """Give what a policy draws at a time: with vLLM its own sampler is for validation alone."""
    if uses_vllm(values):
        prompts = int(values.get("data.val_batch"))
        return {"samples": prompts, "sample_prompts": prompts}
    uses_gpu = on_gpu(values.get("trainer.accelerator"), values.site)
    automatic = prompts_at_once(int(values.get("data.effective_batch")), on_gpu=uses_gpu)
    at_once = int(values.get("model.rollouts.at_once") or automatic)
    return {"samples": answers * at_once, "sample_prompts": at_once}


def _lora(values: Values) -> Lora | None:
    if values.get("model.lora") is None:
        return None
    return Lora(values.get("model.lora.rank"), values.get("model.lora.targets"))


def _sharing(strategy: Any) -> dict[str, Any]:
    """Read from a strategy what DeepSpeed shares out and offloads; nothing for other strategies."""
    settings = engine_settings(strategy)
    if not settings and "deepspeed" not in str(strategy).lower():
        return {}
    zero = _own_zero(settings.get("config"))
    if zero is not None:
        return {
            "zero_stage": int(zero.get("stage", 0)),
            "offload_optimizer": _is_offloaded(zero, "offload_optimizer"),
            "offload_param": _is_offloaded(zero, "offload_param"),
        }
    return {
        "zero_stage": int(settings.get("stage", 2)),
        "offload_optimizer": bool(settings.get("offload_optimizer")),
        "offload_param": bool(settings.get("offload_parameters")),
    }


def _own_zero(config: Any) -> dict[str, Any] | None:
    """Read ZeRO's part of a DeepSpeed config, which was checked before."""
    if config is None:
        return None
    found = config if isinstance(config, dict) else json.loads(Path(config).read_text("utf-8"))
    return dict(found.get("zero_optimization") or {})


def _is_offloaded(zero: dict[str, Any], key: Literal["offload_optimizer", "offload_param"]) -> bool:
    return (zero.get(key) or {}).get("device", "none") != "none"


def memory_limit(values: Values) -> int | None:
    """Give the memory of a device that a config runs on.

    Args:
        values: The values of a config.

    Returns:
        Bytes: the smallest GPU's less the share that vLLM takes of it, or those of this machine;
        None where it has no such device.
    """
    if not on_gpu(values.get("trainer.accelerator"), values.site):
        return usable_memory_bytes()
    smallest = min((gpu.memory_bytes for gpu in values.site.gpus()), default=None)
    if smallest is None or not uses_vllm(values):
        return smallest
    return int(smallest * (1 - values.get("model.rollouts.engine_memory")))
