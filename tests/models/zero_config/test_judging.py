"""Verdicts on single keys, suggestions, and errors for a run."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from sk2d.models.zero_config import BY_ITSELF, Context, TrainerValues, Verdict, judge, problems
from sk2d.models.zero_config.table import known_keys

FALCON = json.loads((Path(__file__).parent / "falcon3_7b.json").read_text())


def by_key(config: dict[str, Any], context: Context = BY_ITSELF) -> dict[str, Verdict]:
    return {verdict.key: verdict for verdict in judge(config, context)}


def errors(config: dict[str, Any], context: Context = BY_ITSELF) -> str:
    return "\n".join(str(problem) for problem in problems(config, context))


@pytest.mark.parametrize(
    ("config", "right"),
    [
        ({"zero_optimisation": {"stage": 2}}, "zero_optimization"),
        ({"zero_optimization": {"offload_optimiser": {}}}, "offload_optimizer"),
        ({"offload_optimiser": {"device": "cpu"}}, "zero_optimization.offload_optimizer"),
        ({"offload_param": {"device": "cpu"}}, "zero_optimization.offload_param"),
        ({"gradient_acumulation_steps": 4}, "gradient_accumulation_steps"),
        ({"zero-optimization": {"stage": 2}}, "zero_optimization"),
        ({"reduce_bucket_size": 5}, "zero_optimization.reduce_bucket_size"),
        ({"zero_optimization": {"overlap_com": True}}, "overlap_comm"),
    ],
)
def test_d5_a_misspelt_key_is_an_error_with_a_suggestion(
    config: dict[str, Any], right: str
) -> None:
    assert f"Did you mean {right}?" in errors(config)


def test_d4_clipping_that_contradicts_the_trainer_is_an_error() -> None:
    clips, does_not = TrainerValues(gradient_clip_val=1.0), TrainerValues(gradient_clip_val=None)
    for value, trainer, wrong in [
        (1.0, clips, False),
        (1, clips, False),
        (0.5, clips, True),
        (0, clips, True),
        (0.0, does_not, False),
        (1.0, does_not, True),
    ]:
        found = by_key({"gradient_clipping": value}, Context(1, trainer))["gradient_clipping"]
        assert (found.effect == "contradiction") is wrong
        assert (found.level == "error") is wrong
        assert "trainer.gradient_clip_val" in str(found.remedy)


def test_c7_accumulation_has_one_owner() -> None:
    trainer = TrainerValues(batch_size=2, accumulation=4)
    for value, effect in ((4, "owned by the trainer"), (8, "contradiction")):
        found = by_key({"gradient_accumulation_steps": value}, Context(1, trainer))
        assert found["gradient_accumulation_steps"].effect == effect
        assert "data.effective_batch" in str(found["gradient_accumulation_steps"].remedy)
    micro = by_key({"train_micro_batch_size_per_gpu": 3}, Context(1, trainer))
    assert micro["train_micro_batch_size_per_gpu"].effect == "contradiction"
    whole = {"train_batch_size": 16}
    assert by_key(whole, Context(2, trainer))["train_batch_size"].level == "warning"
    clash = by_key(whole, Context(4, trainer))["train_batch_size"]
    assert clash.says == "DeepSpeed raises: 2 rows × 4 micro-batches × 4 devices = 32, not 16"


@pytest.mark.parametrize(
    ("precision", "config", "clash"),
    [
        ("16-mixed", {"fp16": {"enabled": True}}, None),
        ("16-mixed", {"fp16": {"enabled": False}}, "all would be float32"),
        ("16-mixed", {"fp16": {"loss_scale": 128}}, "all would be float32"),
        ("16-mixed", {"bf16": {"enabled": True}}, "switches bfloat16 on"),
        ("bf16-mixed", {"bf16": {"enabled": True}}, None),
        ("bf16-true", {"bfloat16": {"enabled": True}}, None),
        ("32-true", {"fp16": {"enabled": True}}, "switches float16"),
        ("32-true", {"fp16": {"enabled": False}}, None),
        ("16-mixed", {"data_types": {"param_dtype": "bf16"}}, "the weights are fp16"),
    ],
)
def test_precision_is_the_trainers(
    precision: str, config: dict[str, Any], clash: str | None
) -> None:
    context = Context(1, TrainerValues(precision=precision))
    found = [v for v in judge(config, context) if v.effect == "contradiction"]
    assert [clash in v.says for v in found] == ([True] if clash else [])


def test_the_optimiser_and_the_schedule_are_the_modules() -> None:
    config = {
        "optimizer": {"type": "AdamW", "params": {"lr": 1e-4, "nonsense": 1}},
        "scheduler": {"type": "WarmupLR", "params": {"warmup_num_steps": 10}},
    }
    found = by_key(config)
    assert found["optimizer"].effect == found["optimizer.type"].effect == "owned by the trainer"
    assert found["optimizer.params.nonsense"].effect == "owned by the trainer"
    assert (
        found["scheduler"].effect == found["scheduler.params.warmup_num_steps"].effect == "ignored"
    )
    assert errors(config).count("\n") == 1, "one line each, not one for every key inside"


def test_offload_param_has_an_effect_at_stage_3_only() -> None:
    for stage, effect in ((0, "no effect"), (1, "no effect"), (2, "no effect"), (3, "used")):
        config = {"zero_optimization": {"stage": stage, "offload_param": {"device": "cpu"}}}
        found = by_key(config)
        assert found["zero_optimization.offload_param"].effect == effect
        assert found["zero_optimization.offload_param.device"].effect == effect
    text = errors({"zero_optimization": {"stage": 2, "offload_param": {"device": "cpu"}}})
    assert "needs zero_optimization.stage 3, and here it is 2" in text
    assert "\n" not in text


def test_what_changes_nothing_is_no_error() -> None:
    config = {
        "zero_optimization": {"stage": 2, "offload_param": {"device": "none"}},
        "activation_checkpointing": {"partition_activations": False, "profile": False},
        "fp16": {"enabled": False, "loss_scale": 0},
        "data_efficiency": {"enabled": False},
        "hybrid_engine": {"enabled": False},
    }
    found = by_key(config)
    assert found["zero_optimization.offload_param"].effect == "no effect"
    assert errors(config) == ""


def test_nvme_below_stage_3_is_main_memory() -> None:
    offload = {"device": "nvme", "nvme_path": "/disk"}
    found = by_key({"zero_optimization": {"stage": 2, "offload_optimizer": offload}})
    assert found["zero_optimization.offload_optimizer.device"].effect == "ignored"
    assert found["zero_optimization.offload_optimizer.nvme_path"].effect == "no effect"
    deep = by_key(
        {"zero_optimization": {"stage": 3, "offload_optimizer": offload}, "aio": {"queue_depth": 9}}
    )
    assert deep["zero_optimization.offload_optimizer.nvme_path"].effect == "used"
    assert deep["aio.queue_depth"].effect == "used"
    assert by_key({"aio": {"queue_depth": 9}})["aio.queue_depth"].effect == "no effect"


def test_values_of_the_trainer_of_transformers_are_not_for_deepspeed() -> None:
    config = {
        "train_batch_size": "auto",
        "bf16": {"enabled": "auto"},
        "zero_optimization": {"stage": 3, "reduce_bucket_size": "auto"},
        "optimizer": {"type": "AdamW", "params": {"lr": "auto"}},
    }
    found = by_key(config)
    assert found["train_batch_size"].effect == "refused"
    assert "Lightning does not switch it on either" in found["bf16.enabled"].says
    assert "takes its default 500000000" in found["zero_optimization.reduce_bucket_size"].says
    assert "trainer.precision" in str(found["bf16.enabled"].remedy)


def test_tensor_and_pipeline_parallelism_need_their_product_of_devices() -> None:
    for devices, impossible in ((4, True), (8, True), (16, False), (32, False)):
        found = by_key(FALCON, Context(devices))
        size = found["model_parallel.tensor_parallel.world_size"]
        assert (size.effect == "contradiction") is impossible
        assert ("16 devices" in size.says) is impossible
        assert found["model_parallel"].effect == "unknown", (
            "whether it fits or not, nothing reads it"
        )
    unknown = by_key(FALCON)["model_parallel.pipeline.stages"]
    assert unknown.effect == "unknown"
    assert "16 devices" in unknown.says
    real = {"tensor_parallel": {"autotp_size": 4}, "pipeline": {"stages": 2}}
    assert by_key(real, Context(4))["tensor_parallel.autotp_size"].effect == "contradiction"
    assert by_key(real, Context(8))["tensor_parallel.autotp_size"].effect == "refused"


def test_every_key_of_the_tutorials_file_gets_its_verdict() -> None:
    found = {key: v.effect for key, v in by_key(FALCON, Context(4)).items()}
    assert found == {
        "train_batch_size": "owned by the trainer",
        "gradient_accumulation_steps": "owned by the trainer",
        "bf16": "used",
        "bf16.enabled": "owned by the trainer",
        "bf16.loss_scale": "refused",
        "bf16.initial_scale_power": "refused",
        "zero_optimization": "used",
        "zero_optimization.stage": "used",
        "zero_optimization.offload_param": "no effect",
        "zero_optimization.offload_param.device": "no effect",
        "zero_optimization.offload_param.pin_memory": "no effect",
        "zero_optimization.offload_optimizer": "used",
        "zero_optimization.offload_optimizer.device": "used",
        "zero_optimization.offload_optimizer.pin_memory": "used",
        "deepspeed_transformer_kernel": "unknown",
        "model_parallel": "unknown",
        "model_parallel.pipeline": "unknown",
        "model_parallel.pipeline.stages": "contradiction",
        "model_parallel.tensor_parallel": "unknown",
        "model_parallel.tensor_parallel.world_size": "contradiction",
    }
    assert by_key(FALCON, Context(4))["train_batch_size"].says.endswith("4 devices = 64")


def test_another_name_of_a_key_is_the_key() -> None:
    found = by_key({"zero_optimization": {"stage": 2, "prefetch_bucket_size": 7}})
    assert found["zero_optimization.prefetch_bucket_size"].effect == "no effect"
    assert (
        by_key({"tensor_parallel": {"tp": {"foo": 1}}})["tensor_parallel.tp.foo"].effect
        == "refused"
    )


STRANGE = [None, True, 0, -1, 2.5, "", "auto", "x", [], [1], {}, {"enabled": True}, {"x": {"y": 1}}]


@pytest.mark.parametrize("value", STRANGE)
def test_any_value_of_any_key_is_judged(value: Any) -> None:
    for name in known_keys():
        config: Any = value
        for part in reversed(name.split(".")):
            config = {part: config}
        for context in (Context(), Context(3, TrainerValues("16-mixed", 1.0, 2, 4))):
            found = judge(config, context)
            assert name in [verdict.key for verdict in found]
            assert all(verdict.says for verdict in found)
            wrong = [verdict for verdict in found if verdict.level == "error"]
            assert bool(problems(config, context)) == bool(wrong)
