"""What suits a GPU."""

from __future__ import annotations

import pytest

from sk2d.hardware import make_gpu
from sk2d.hardware.choices import choose_attention, choose_precision, unsuitable, weakest
from sk2d.hardware.gpus import named_gpu

V100, A100 = named_gpu("v100-32gb"), named_gpu("a100-80gb")
P100 = make_gpu("Tesla P100", (6, 0), 16 * 2**30)


@pytest.mark.parametrize(
    ("gpu", "precision"),
    [(None, "32-true"), (P100, "32-true"), (V100, "16-mixed"), (A100, "bf16-mixed")],
)
def test_the_precision_follows_from_the_capability(gpu: object, precision: str) -> None:
    assert choose_precision(gpu).value == precision  # type: ignore[arg-type]


def test_attention_needs_nothing_that_only_newer_gpus_have() -> None:
    assert choose_attention(V100, "16-mixed").value == "memory-efficient"
    assert choose_attention(A100, "bf16-mixed").value == "flash"
    assert choose_attention(A100, "32-true").value == "memory-efficient"
    assert choose_attention(None, "32-true").value == "flash"


def test_bf16_on_a_v100_is_an_error_and_not_emulated() -> None:
    [(key, finding)] = unsuitable(V100, "bf16-mixed", "auto", None)
    assert (key, finding.level) == ("trainer.precision", "error")
    assert "only emulates bf16" in finding.what
    assert finding.remedy == "Use 16-mixed, or auto"
    assert not list(unsuitable(A100, "bf16-mixed", "auto", None))


def test_flash2_and_int8_need_newer_gpus() -> None:
    found = dict(unsuitable(V100, "16-mixed", "flash2", "int8"))
    assert set(found) == {"model.attention", "model.quantization"}
    assert {finding.level for finding in found.values()} == {"error"}
    assert not list(unsuitable(A100, "bf16-mixed", "flash2", "int8"))
    assert not list(unsuitable(V100, "16-mixed", "auto", "nf4"))


def test_float32_on_tensor_cores_is_only_said_to_be_slow() -> None:
    [(key, finding)] = unsuitable(V100, "32-true", "auto", None)
    assert (key, finding.level) == ("trainer.precision", "warning")
    assert not list(unsuitable(P100, "32-true", "auto", None))


def test_the_weakest_gpu_decides() -> None:
    assert weakest([A100, V100]) == V100
    assert weakest([A100, named_gpu("a100-40gb")]) == named_gpu("a100-40gb")
    assert weakest([]) is None
