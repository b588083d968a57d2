"""What goes with quantised weights and 8-bit optimisers, said before anything is loaded."""

from __future__ import annotations

import json

import pytest

from sk2d.commands.config import quantized
from sk2d.commands.config.check import Values, check_settings
from sk2d.commands.config.devices import planned_site
from sk2d.commands.config.options import read_settings
from sk2d.commands.config.rules import broken_rules
from sk2d.errors import ConfigError

PHASE = ("--model=sk2d.phases.SkeletonModule", "--model.base=tiny", "--data.train=x.jsonl")


def values(*options: str, gpu: str | None = None) -> Values:
    found, problems = check_settings(read_settings([*PHASE, *options]), "fit", planned_site(gpu))
    assert not problems
    return found


def lines(*options: str, gpu: str | None = None, command: str = "fit") -> list[str]:
    rules = quantized.quantization_rules(values(*options, gpu=gpu), command)
    return [str(problem) for problem in rules]


@pytest.fixture(autouse=True)
def package(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make as if bitsandbytes were there and worked."""
    monkeypatch.setattr(quantized, "bitsandbytes", lambda key: None)


ON_CPU = "--trainer.accelerator=cpu"
ENGINE = "sk2d.models.strategies.RunDeepSpeedStrategy"
ZERO_3 = json.dumps({"class_path": ENGINE, "init_args": {"stage": 3}})


@pytest.mark.parametrize(
    "options",
    [
        (),
        ("--model.quantization=nf4",),
        ("--model.quantization=nf4", "--model.lora=null", "--model.lora.rank=8"),
        ("--model.optimizer=adamw8bit",),
        ("--model.optimizer=adamw8bit", "--model.lora=null"),
        ("--model.quantization=nf4", "--trainer.strategy=deepspeed_stage_2_offload"),
    ],
    ids=str,
)
def test_what_goes_together_anywhere(options: tuple[str, ...]) -> None:
    assert lines(*options, ON_CPU) == []
    assert lines(*options, gpu="v100-32gb") == []


@pytest.mark.parametrize(
    ("options", "where", "said"),
    [
        (("--model.quantization=nf4", "--model.lora=null"), "model.quantization", "model.lora is"),
        (("--model.quantization=int8",), "model.quantization", "int8 needs a GPU"),
        (
            ("--model.quantization=nf4", "--trainer.strategy=deepspeed_stage_3_offload"),
            "model.quantization",
            "shares weights out",
        ),
        (
            (
                "--model.quantization=nf4",
                f"--trainer.strategy={ZERO_3}",
            ),
            "model.quantization",
            "shares weights out",
        ),
        (
            ("--model.optimizer=adamw8bit", "--trainer.strategy=deepspeed_stage_2"),
            "model.optimizer",
            "does not go with DeepSpeed",
        ),
        (("--model.optimizer=paged_adamw8bit",), "model.optimizer", "out of a GPU's memory"),
    ],
    ids=str,
)
def test_what_does_not_go_together_on_a_cpu(
    options: tuple[str, ...], where: str, said: str
) -> None:
    [line] = lines(*options, ON_CPU)
    assert line.startswith(f"{where}: ")
    assert said in line


def test_what_needs_a_gpu_is_right_on_one() -> None:
    assert lines("--model.quantization=int8", gpu="a100-80gb") == []
    assert lines("--model.optimizer=paged_adamw8bit", gpu="v100-32gb") == []


def test_answering_needs_no_adapters_and_no_optimiser() -> None:
    options = ("--model.quantization=nf4", "--model.lora=null", "--model.optimizer=paged_adamw8bit")
    assert lines(*options, ON_CPU, command="predict") == []


def test_d9_a_missing_package_is_told_for_each_key_that_needs_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def missing(key: str) -> None:
        raise ConfigError("it needs the package bitsandbytes", where=key)

    monkeypatch.setattr(quantized, "bitsandbytes", missing)
    options = ("--model.quantization=nf4", "--model.optimizer=adamw8bit")
    told = lines(*options, ON_CPU)
    assert [line.split(":")[0] for line in told] == ["model.quantization", "model.optimizer"]
    assert lines(ON_CPU) == []
    assert lines(*options, gpu="v100-32gb") == []  # planned for another machine


def test_the_rules_are_among_those_of_fit() -> None:
    problems = broken_rules(values("--model.quantization=nf4", "--model.lora=null"), "fit")
    assert any("model.lora is null" in str(problem) for problem in problems)
