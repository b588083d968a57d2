"""An out-of-memory error names the part of the run and what makes it fit."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
import torch

from sk2d.errors import ModelError, OutOfMemory
from sk2d.models import generate, loss
from sk2d.phases import out_of_memory
from sk2d.phases.out_of_memory import (
    PARTS,
    advice,
    asked_bytes,
    limit_of,
    out_of_memory_in,
    part_of,
    told_of_memory,
)
from tests.phases.conftest import Run

GIB = 2**30
CUDA = (
    "CUDA out of memory. Tried to allocate 1.80 GiB. GPU 0 has a total capacity of 31.74 GiB of "
    "which 1.41 GiB is free. Process 4242 has 30.33 GiB memory in use."
)
CPU = (
    "[enforce fail at alloc_cpu.cpp:127] err == 0. DefaultCPUAllocator: can't allocate memory: you "
    "tried to allocate 40000000000000 bytes. Error code 12 (Cannot allocate memory)"
)


def fail(*args: Any, **kwargs: Any) -> Any:
    raise torch.OutOfMemoryError(CUDA)


def part_in_which(run: Run) -> str:
    module, data, trainer = run
    with pytest.raises(torch.OutOfMemoryError) as caught:
        trainer.fit(module, datamodule=data)
    return part_of(caught.value).name


@pytest.mark.parametrize(
    "error",
    [
        torch.OutOfMemoryError(CUDA),
        RuntimeError(CPU),
        MemoryError(),
        RuntimeError("CUDA error: CUBLAS_STATUS_ALLOC_FAILED when calling cublasCreate(handle)"),
        RuntimeError("CUDA error: out of memory"),
        OSError(12, "Cannot allocate memory"),
    ],
)
def test_the_shapes_of_the_error_are_known(error: Exception) -> None:
    assert out_of_memory_in(error) is error


def test_what_led_to_an_error_counts_too() -> None:
    cause = RuntimeError(CPU)
    told = ModelError("the model cannot be loaded")
    told.__cause__ = cause
    assert out_of_memory_in(told) is cause
    assert out_of_memory_in(RuntimeError("mat1 and mat2 shapes cannot be multiplied")) is None


def test_torch_still_says_it_so_on_this_machine() -> None:
    with pytest.raises(RuntimeError) as caught:
        torch.empty(10**15)
    assert out_of_memory_in(caught.value) is caught.value
    assert asked_bytes(str(caught.value)) == 4 * 10**15


def test_the_size_that_was_asked_for_is_read() -> None:
    assert asked_bytes(CUDA) == round(1.8 * GIB)
    assert asked_bytes(CPU) == 40000000000000
    assert asked_bytes("") is None


def test_the_forward_pass_is_told(
    make_run: Callable[..., Run], monkeypatch: pytest.MonkeyPatch
) -> None:
    run = make_run(max_steps=1)
    monkeypatch.setattr(type(run[0]), "on_fit_start", lambda _: None)
    run[0].configure_model()
    run[0].loaded.get_base_model().model.layers[1].register_forward_hook(fail)
    assert part_in_which(run) == "the forward pass"


def test_the_loss_is_told(make_run: Callable[..., Run], monkeypatch: pytest.MonkeyPatch) -> None:
    run = make_run(max_steps=1)
    monkeypatch.setattr(type(run[0]), "on_fit_start", lambda _: None)
    monkeypatch.setattr(loss._ChunkedCrossEntropy, "forward", fail)
    assert part_in_which(run) == "the loss"


@pytest.mark.parametrize("checkpointing", [False, True])
def test_the_backward_pass_is_told_with_recomputation_too(
    make_run: Callable[..., Run], monkeypatch: pytest.MonkeyPatch, checkpointing: bool
) -> None:
    run = make_run(max_steps=1, model={"gradient_checkpointing": checkpointing})
    monkeypatch.setattr(type(run[0]), "on_fit_start", lambda _: None)
    run[0].configure_model()
    layer = run[0].loaded.get_base_model().model.layers[0]
    if checkpointing:
        times = iter([lambda *_: None, fail])  # the second time is the recomputation
        layer.mlp.register_forward_pre_hook(lambda *_: next(times)())
    else:
        layer.register_full_backward_pre_hook(fail)
    assert part_in_which(run) == "the backward pass"


def test_the_optimizer_step_is_told(
    make_run: Callable[..., Run], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(torch.optim.AdamW, "_init_group", fail)
    assert part_in_which(make_run(max_steps=1)) == "the optimizer step"


def test_sampling_is_told(make_run: Callable[..., Run], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(generate, "left_padded", fail)
    run = make_run(max_steps=2, val_check_interval=1, model={"samples": 1})
    assert part_in_which(run) == "sampling"


def test_validation_is_told(make_run: Callable[..., Run], monkeypatch: pytest.MonkeyPatch) -> None:
    run = make_run(max_steps=2, val_check_interval=1)
    monkeypatch.setattr(run[0].val_loss, "update", fail)
    assert part_in_which(run) == "validation"


def test_loading_is_told(make_run: Callable[..., Run], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sk2d.phases.phase_module.load_model", fail)
    assert part_in_which(make_run(max_steps=1)) == "loading the model"


def test_the_check_of_the_first_batch_is_told(
    make_run: Callable[..., Run], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(loss, "forward_inputs", fail)
    assert part_in_which(make_run(max_steps=1)) == "the check of the first batch"


def test_an_error_outside_of_all_parts_is_the_runs() -> None:
    assert part_of(RuntimeError(CPU)).name == "the run"


def test_a_run_ends_with_one_line_and_goes_on_from_its_checkpoint(
    make_run: Callable[..., Run], monkeypatch: pytest.MonkeyPatch
) -> None:
    module, data, trainer = make_run(max_steps=5, every=1)
    prepare = torch.optim.AdamW._init_group
    steps: list[int] = []

    def third_fails(*args: Any) -> Any:
        steps.append(1)
        return fail() if len(steps) == 3 else prepare(*args)

    monkeypatch.setattr(torch.optim.AdamW, "_init_group", third_fails)
    with pytest.raises(OutOfMemory) as caught, told_of_memory(trainer):
        trainer.fit(module, datamodule=data)
    line = str(caught.value)
    assert "\n" not in line
    assert line.startswith("the optimizer step: out of memory at step 3 on cpu with")
    assert "1.80 GiB more were asked for" in line
    assert "step00000002.ckpt; go on from it with --ckpt_path last" in line
    assert caught.value.exit_code == 2


def test_other_errors_pass(make_run: Callable[..., Run]) -> None:
    module, _, trainer = make_run(max_steps=1)
    with pytest.raises(ZeroDivisionError), told_of_memory(trainer):
        raise ZeroDivisionError


def test_the_plans_changes_are_listed_with_their_cost() -> None:
    changes: list[Any] = [
        SimpleNamespace(key=f"k{n}", value=n, peak_bytes=n * GIB, cost="slower") for n in range(9)
    ]
    text = advice(PARTS[0], changes)
    assert text.startswith("A smaller model.max_new_tokens")
    assert "k1 1 (1.0 GiB, slower); k2 2" in text
    assert "k4" not in text
    assert "By the plan" not in advice(PARTS[0], [])


def test_a_gpus_limit_is_what_others_leave(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(out_of_memory.torch.cuda, "mem_get_info", lambda _: (GIB, 32 * GIB))
    monkeypatch.setattr(out_of_memory.torch.cuda, "memory_reserved", lambda _: 20 * GIB)
    assert limit_of(torch.device("cuda", 0)) == 21 * GIB
