"""Verdicts against what DeepSpeed's own parser does with the same config."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from sk2d.models.zero_config import Context, judge
from sk2d.models.zero_config.conditions import Settings

MICRO = {"train_micro_batch_size_per_gpu": 1}


def zero(stage: int = 2, **more: Any) -> dict[str, Any]:
    return {"zero_optimization": {"stage": stage, **more}}


# Configs that DeepSpeed's parser raises on, with the key that is to blame.
RAISES: list[tuple[str, dict[str, Any]]] = [
    ("bf16.loss_scale", {"bf16": {"enabled": True, "loss_scale": 0}}),
    ("bf16.initial_scale_power", {"bf16": {"enabled": True, "initial_scale_power": 32}}),
    ("zero_optimization.offload_optimiser", zero(offload_optimiser={"device": "cpu"})),
    ("zero_optimization.stage", zero(4)),
    ("zero_optimization.reduce_bucket_size", zero(reduce_bucket_size="5e8")),
    ("zero_optimization.reduce_bucket_size", zero(reduce_bucket_size=0)),
    ("zero_optimization.offload_optimizer.device", zero(offload_optimizer={"device": "gpu"})),
    ("zero_optimization.offload_optimizer.ratio", zero(offload_optimizer={"ratio": 0.5})),
    ("zero_optimization.mics_shard_size", zero(mics_shard_size=2)),
    ("zero_optimization.compute_grad_norm", zero(3, compute_grad_norm=False)),
    ("zero_optimization", {"zero_optimization": None}),
    ("zero_optimization.cpu_offload", zero(cpu_offload=True, offload_optimizer={"device": "cpu"})),
    ("fp16.enabled", {"fp16": {"enabled": True}, "bf16": {"enabled": True}}),
    ("fp16.initial_scale_power", {"fp16": {"enabled": True, "initial_scale_power": 16.5}}),
    ("fp16.fp16_master_weights_and_grads", {"fp16": {"fp16_master_weights_and_grads": True}}),
    ("bf16.bf16_master_weights_and_grads", {"bf16": {"bf16_master_weights_and_grads": True}}),
    ("bf16.bf16_optimizer_states", zero() | {"bf16": {"bf16_optimizer_states": True}}),
    ("amp", {"amp": {"enabled": True}}),
    ("elasticity", {"elasticity": {"enabled": True}}),
    ("gradient_allreduce_op", {"gradient_allreduce_op": "sum"} | zero(3)),
    ("gradient_allreduce_op", {"gradient_allreduce_op": "max"}),
    ("communication_data_type", {"communication_data_type": "float16"}),
    ("tensor_parallel.world_size", {"tensor_parallel": {"world_size": 4}}),
    ("train_micro_batch_size_per_gpu", {"train_micro_batch_size_per_gpu": "4"}),
    ("train_batch_size", {"train_batch_size": "auto"}),
    ("train_batch_size", {"train_batch_size": 64, "gradient_accumulation_steps": 3}),
    ("train_batch_size", {"train_batch_size": 5, "train_micro_batch_size_per_gpu": 2}),
    ("wall_clock_breakdown", {"wall_clock_breakdown": "false"}),
    ("optimizer", {"optimizer": None}),
    ("checkpoint.tag_validation", {"checkpoint": {"tag_validation": "maybe"}}),
    ("wandb.entity", {"wandb": {"enabled": False, "entity": "x"}}),
]
BLAMED = ("refused", "contradiction")


@pytest.mark.parametrize(("key", "config"), RAISES)
def test_what_deepspeed_raises_on_is_an_error(
    deepspeed_config: Any, key: str, config: dict[str, Any]
) -> None:
    batch = {} if {"train_batch_size", "train_micro_batch_size_per_gpu"} & set(config) else MICRO
    with pytest.raises(Exception, match="."):
        deepspeed_config(copy.deepcopy(batch | config))
    wrong = {
        verdict.key: verdict for verdict in judge(config, Context(1)) if verdict.level == "error"
    }
    assert wrong[key].effect in BLAMED
    outermost = {name for name in wrong if name.rpartition(".")[0] not in wrong}
    assert outermost <= {key, f"{key.partition('.')[0]}", "bf16.enabled"}


# Configs that the parser takes without a word, with the value that it works with in the end.
SILENT: list[tuple[str, str, dict[str, Any], str, Any]] = [
    ("zero_optimisation", "unknown", {"zero_optimisation": {"stage": 2}}, "stage", 0),
    ("model_parallel", "unknown", {"model_parallel": {"size": 2}}, "stage", 0),
    ("zero_optimization.stage", "ignored", zero("auto"), "stage", 0),  # type: ignore[arg-type]
    ("zero_optimization.offload_param", "no effect", zero(offload_param={"device": "cpu"}), "", 2),
    ("bf16.enabled", "ignored", {"bf16": {"enabled": "auto"}}, "bf16", False),
    ("activation_checkpointing.foo", "unknown", {"activation_checkpointing": {"foo": 1}}, "", 0),
    ("aio.thread_count", "unknown", {"aio": {"thread_count": 2}}, "", 0),
    ("gradient_clipping", "refused", {"gradient_clipping": "auto"}, "clip", "auto"),
]


@pytest.mark.parametrize(("key", "effect", "config", "what", "value"), SILENT)
def test_what_deepspeed_takes_in_silence_is_an_error_all_the_same(
    deepspeed_config: Any, key: str, effect: str, config: dict[str, Any], what: str, value: Any
) -> None:
    parsed = deepspeed_config(copy.deepcopy(MICRO | config))
    found = {
        "bf16": parsed.bfloat16_config.enabled,
        "clip": parsed.gradient_clipping,
    }.get(what, parsed.zero_config.stage)
    assert found == value
    verdict = {verdict.key: verdict for verdict in judge(config)}[key]
    assert (verdict.effect, verdict.level) == (effect, "error")


@pytest.mark.parametrize(
    "config",
    [
        zero(reduce_bucket_size=5e8, overlap_comm=True, contiguous_gradients=True),
        zero(offload_optimizer={"device": "cpu", "pin_memory": True}),
        zero(3, stage3_max_live_parameters=1e9, offload_param={"device": "cpu"}),
        zero(3, prefetch_bucket_size="50000000"),
        {"fp16": {"enabled": True, "loss_scale": 0, "hysteresis": 2, "min_loss_scale": 1}},
        {"steps_per_print": 10, "wall_clock_breakdown": False, "log_level": "info"},
        {"tensorboard": {"enabled": True, "output_path": "x"}},
        {"communication_data_type": "fp32", "zero_allow_untested_optimizer": True} | zero(),
    ],
)
def test_a_sound_config_has_no_errors(deepspeed_config: Any, config: dict[str, Any]) -> None:
    deepspeed_config(copy.deepcopy(MICRO | config))
    assert [verdict for verdict in judge(config) if verdict.level == "error"] == []


def test_deepspeeds_arithmetic_of_batches_is_ours(deepspeed_config: Any) -> None:
    for train in (None, 1, 4, 6, 64):
        for micro in (None, 1, 3, 4):
            for steps in (None, 1, 2, 3):
                config = {
                    "train_batch_size": train,
                    "train_micro_batch_size_per_gpu": micro,
                    "gradient_accumulation_steps": steps,
                }
                config = {key: value for key, value in config.items() if value}
                if train is None:
                    continue
                effects = [
                    v.effect for v in judge(config, Context(1)) if v.key == "train_batch_size"
                ]
                try:
                    deepspeed_config(dict(config))
                except AssertionError:
                    assert effects == ["contradiction"], config
                else:
                    assert effects == ["owned by the trainer"], config


def test_the_tutorials_file_is_refused_for_the_reason_given(deepspeed_config: Any) -> None:
    config = json.loads((Path(__file__).parent / "falcon3_7b.json").read_text())
    with pytest.raises(ValueError, match=r"loss_scale[\s\S]*initial_scale_power"):
        deepspeed_config(copy.deepcopy(config))
    config["bf16"] = {"enabled": True}
    parsed = deepspeed_config(copy.deepcopy(config))
    assert parsed.zero_config.offload_param.device == "cpu", "read, and of no use at stage 2"
    assert not hasattr(parsed, "model_parallel")
    assert not hasattr(parsed, "deepspeed_transformer_kernel")


def test_old_forms_mean_what_deepspeed_makes_of_them(deepspeed_config: Any) -> None:
    old = zero(cpu_offload=True)
    parsed = deepspeed_config(copy.deepcopy(MICRO | old))
    assert parsed.zero_config.offload_optimizer.device == "cpu"
    assert Settings(old).get("zero_optimization.offload_optimizer.device") == "cpu"
    oldest = {"zero_optimization": True}
    assert deepspeed_config(MICRO | oldest).zero_config.stage == Settings(oldest).stage == 1
