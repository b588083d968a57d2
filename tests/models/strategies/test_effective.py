"""What an engine does, read back from it and compared with what the trainer was told."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
import torch
from torch.optim import AdamW

from sk2d.errors import ConfigError
from sk2d.models.strategies.effective import check_against_trainer, read_back


class StandIn:
    """The questions that DeepSpeed's engine answers."""

    def __init__(self, **values: Any) -> None:
        self.values = {"stage": 2, "clipping": 1.0, "offload": None, "fp16": False} | values
        inner = AdamW([torch.nn.Parameter(torch.zeros(1))])
        self.optimizer = SimpleNamespace(optimizer=inner, loss_scale=65536.0)

    def zero_optimization_stage(self) -> int:
        return int(self.values["stage"])

    def zero_offload_optimizer(self) -> Any:
        return self.values["offload"]

    def zero_offload_param(self) -> Any:
        return None

    def gradient_clipping(self) -> float:
        return float(self.values["clipping"])

    def train_micro_batch_size_per_gpu(self) -> int:
        return 4

    def gradient_accumulation_steps(self) -> int:
        return 2

    def train_batch_size(self) -> int:
        return 16

    def fp16_enabled(self) -> bool:
        return bool(self.values["fp16"])

    def bfloat16_enabled(self) -> bool:
        return not self.values["fp16"]


WANTED = {"stage": 2, "clipping": 1.0, "micro_batch": 4, "accumulation": 2, "batch": 16}


def test_d4_clipping_key_is_read_back() -> None:
    found = read_back(StandIn(clipping=1.0), "cuda")
    assert found.clipping == 1.0
    assert "clipping 1," in found.line()
    assert "clipping off" in read_back(StandIn(clipping=0.0), "cuda").line()
    check_against_trainer(found, WANTED)


def test_d4_another_clipping_than_the_trainers_is_an_error() -> None:
    found = read_back(StandIn(clipping=0.0), "cuda")
    with pytest.raises(ConfigError) as raised:
        check_against_trainer(found, WANTED)
    assert "clipping is 0 in the engine and 1 in the config" in str(raised.value)
    assert raised.value.where == "trainer.strategy"


def test_all_that_differs_is_told_at_once() -> None:
    with pytest.raises(ConfigError) as raised:
        check_against_trainer(read_back(StandIn(stage=0, clipping=0.5), "cpu"), WANTED)
    assert "stage is 0" in str(raised.value)
    assert "clipping is 0.5" in str(raised.value)


def test_offload_dtype_and_loss_scale_are_read_back() -> None:
    offload = SimpleNamespace(device="OffloadDeviceEnum.cpu")
    line = read_back(StandIn(offload=offload, fp16=True), "cuda").line()
    assert "AdamW on the cpu" in line
    assert "weights in float16 on the cuda" in line
    assert "loss scale 65536 at first" in line
    none = SimpleNamespace(device="none")
    plain = read_back(StandIn(offload=none), "cuda")
    assert (plain.optimizer_device, plain.dtype, plain.loss_scale) == ("cuda", "bfloat16", None)
