"""Training on quantised weights and with 8-bit optimisers, and going on with such a run."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import torch

from sk2d.errors import ResumeError
from sk2d.models.card import read_facts
from sk2d.models.fingerprint import fingerprint
from sk2d.models.lora import LoraSettings
from sk2d.models.quantization import is_quantized
from sk2d.phases.checkpoint_files import find_checkpoint
from tests.phases.test_resume import assert_same, fit, interrupt

pytest.importorskip("bitsandbytes")

NF4 = {"quantization": "nf4"}


@pytest.fixture(autouse=True)
def _uncompiled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Compiling bitsandbytes' kernels for the CPU at first use takes longer than a run."""
    monkeypatch.setenv("TORCHDYNAMO_DISABLE", "1")


def tensors_of(value: Any) -> Iterator[torch.Tensor]:
    """Give the tensors inside nested mappings."""
    if isinstance(value, torch.Tensor):
        yield value
    elif isinstance(value, dict):
        for part in value.values():
            yield from tensors_of(part)


@pytest.mark.parametrize("precision", ["32-true", "bf16-mixed", "bf16-true"])
def test_adapters_are_trained_on_nf4_weights(
    make_run: Callable[..., Any], tmp_path: Path, tiny_base: str, precision: str
) -> None:
    losses: list[float] = []
    run = make_run(tmp_path, model={**NF4, "samples": 2}, precision=precision)
    module = fit(run)
    lines = (tmp_path / "metrics.csv").read_text(encoding="utf-8").splitlines()[1:]
    losses = [float(line.split(",")[2]) for line in lines]
    assert is_quantized(module.loaded)
    trained = [p for p in module.parameters() if p.requires_grad]
    assert trained
    assert all(p.dtype == torch.float32 for p in trained)
    assert losses[-1] < losses[0]
    facts = read_facts(tmp_path / "model")
    assert facts is not None
    assert facts.quantization == "nf4"
    assert facts.base_fingerprint.weights == fingerprint(tiny_base).weights
    checkpoint = torch.load(find_checkpoint("last", tmp_path / "checkpoints"), weights_only=True)
    assert all("lora" in name for name in checkpoint["state_dict"])


@pytest.mark.parametrize("pack", [True, False])
def test_resume_is_exact_with_quantised_weights_and_8_bit_states(
    make_run: Callable[..., Any], tmp_path: Path, pack: bool
) -> None:
    # A rank at which the states are large enough for 8 bits.
    model = {**NF4, "optimizer": "adamw8bit", "lora": LoraSettings(rank=64)}
    settings = {"model": model, "data": {"pack": pack}}
    straight = fit(make_run(tmp_path / "straight", **settings))
    interrupt(make_run, tmp_path / "torn", 7, **settings)
    last = find_checkpoint("last", tmp_path / "torn" / "checkpoints")
    states = torch.load(last, weights_only=True)["optimizer_states"][0]["state"]
    assert torch.uint8 in {tensor.dtype for tensor in tensors_of(states)}
    assert_same(straight, fit(make_run(tmp_path / "torn", **settings), last))


@pytest.mark.parametrize(
    ("key", "value"), [("quantization", "nf4"), ("optimizer", "adamw8bit")], ids=str
)
def test_a_run_does_not_go_on_with_other_weights_or_states(
    make_run: Callable[..., Any], tmp_path: Path, key: str, value: str
) -> None:
    fit(make_run(tmp_path, max_epochs=1))
    last = find_checkpoint("last", tmp_path / "checkpoints")
    with pytest.raises(ResumeError, match=f"model.{key} was .* and is '{value}'"):
        fit(make_run(tmp_path, model={key: value}), last)
