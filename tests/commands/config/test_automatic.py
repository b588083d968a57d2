"""`auto`, and what a faked GPU makes of a config: precision, attention, warnings, memory."""

from collections.abc import Callable
from typing import Any

import pytest
import torch

from sk2d.commands.config import devices, machine
from sk2d.commands.config.automatic import AUTO
from sk2d.commands.config.devices import Site, planned_site
from sk2d.commands.config.fitting import memory_verdict
from sk2d.commands.config.footprint import job_of, memory_limit
from sk2d.commands.config.prepare import Judged, judge, prepare
from sk2d.errors import UserErrors
from sk2d.hardware.machine import TorchBuild, make_gpu

TINY = ["--config", "skeleton.yaml", "--config", "cpu_tiny.yaml"]
GPU = ["--config", "v100_lora.yaml"]
GIB = 2**30


@pytest.fixture
def with_gpu(monkeypatch: pytest.MonkeyPatch) -> Callable[[tuple[int, int], float], None]:
    """Let torch seem to have one GPU; its own probe of bf16 says yes whatever the GPU."""

    def fake(capability: tuple[int, int], gib: float) -> None:
        gpu = make_gpu("a GPU", capability, int(gib * GIB))
        arches = ("sm_70", "sm_80", "sm_90")
        build = TorchBuild(version="2.13", cuda="12.6", architectures=arches)
        monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
        monkeypatch.setattr(torch.cuda, "device_count", lambda: 1)
        monkeypatch.setattr(torch.cuda, "get_device_capability", lambda *_: capability)
        monkeypatch.setattr(torch.cuda, "is_bf16_supported", lambda *_, **__: True)
        for module in (devices, machine):
            monkeypatch.setattr(module, "probe_torch", lambda _: (build, (gpu,)))

    return fake


def judged(*words: str, site: Site | None = None) -> Judged:
    return judge("fit", words, site or planned_site(None))


@pytest.mark.parametrize(
    ("capability", "precision"),
    [((7, 0), "16-mixed"), ((7, 5), "16-mixed"), ((8, 0), "bf16-mixed")],
)
def test_c11_auto_precision_goes_by_the_capability(
    with_gpu: Callable[..., None], capability: tuple[int, int], precision: str
) -> None:
    with_gpu(capability, 31.7)
    found = judged(*GPU, "--trainer.precision", AUTO)
    assert found.mistakes(found.lacking) == []
    [choice] = found.choices
    assert (choice.key, choice.value) == ("trainer.precision", precision)
    ready = prepare("fit", [*GPU, "--trainer.precision", AUTO])
    assert f"--trainer.precision={precision}" in ready.arguments


def test_on_a_v100_nothing_is_emulated(with_gpu: Callable[..., None]) -> None:
    with_gpu((7, 0), 31.7)
    words = ["--trainer.precision", "bf16-mixed", "--model.attention", "flash2"]
    found = judged(*GPU, *words, "--model.quantization", "int8")
    told = " ".join(map(str, found.mistakes(found.lacking)))
    assert "only emulates bf16" in told
    assert "flash2 needs a GPU of capability 8.0" in told
    assert "no tensor cores for int8" in told
    assert judged(*GPU).mistakes(judged(*GPU).lacking) == []


def test_on_an_a100_the_same_is_fine(with_gpu: Callable[..., None]) -> None:
    with_gpu((8, 0), 79.1)
    found = judged(*GPU, "--trainer.precision", "bf16-mixed", "--model.attention", "auto")
    assert found.mistakes(found.lacking) == []
    slow = judged(*GPU, "--trainer.precision", "32-true")
    assert any("faster in bf16-mixed" in note for note in slow.notes())


def test_a_torch_build_without_code_for_the_gpu_is_an_error(with_gpu: Callable[..., None]) -> None:
    with_gpu((6, 1), 11)
    found = judged(*GPU)
    assert any("sm_61" in str(error) for error in found.mistakes(found.lacking))


def test_fit_refuses_what_is_certainly_too_large(with_gpu: Callable[..., None]) -> None:
    with_gpu((7, 0), 31.7)
    with pytest.raises(UserErrors) as caught:
        prepare("fit", [*GPU, "--model.lora", "null"])
    [error] = caught.value.problems
    assert str(error).startswith("memory: it needs about 1")
    assert "--model.lora.rank 16" in str(error)


def test_fit_only_says_so_where_it_may_not_fit(
    with_gpu: Callable[..., None], capsys: pytest.CaptureFixture[str]
) -> None:
    with_gpu((7, 0), 17)
    ready = prepare("fit", GPU)
    assert ready.job is not None
    assert "which may not do" in capsys.readouterr().err


def test_the_batch_that_fits_divides_the_rows_of_a_step() -> None:
    words = ["--data.batch_size", AUTO, "--data.effective_batch", "48"]
    found = judged(*GPU, *words, site=planned_site("v100-32gb"))
    [choice] = found.choices
    rows = int(choice.value)
    assert 48 % rows == 0
    assert found.values.get("data.batch_size") == rows
    job, limit = job_of(found.values), memory_limit(found.values)
    assert job is not None
    assert limit is not None
    assert job.batch_size == rows
    assert memory_verdict(found.values)[1:] == ([], [])
    larger = judged(*GPU, *words, site=planned_site("a100-80gb"))
    assert int(larger.choices[0].value) > rows


def test_where_not_one_row_fits_auto_is_an_error() -> None:
    words = [*GPU, "--data.batch_size", AUTO, "--model.lora", "null"]
    found = judged(*words, site=planned_site("v100-32gb"))
    assert any("not even one row fits" in str(error) for error in found.mistakes())


def test_auto_needs_the_figures_of_the_base() -> None:
    words = ["--data.batch_size", AUTO, "--model.base", "nobody/nothing"]
    found = judged(*GPU, *words, site=planned_site("v100-32gb"))
    assert any("auto needs the figures" in str(error) for error in found.mistakes())


@pytest.mark.parametrize(
    ("strategy", "expected"),
    [
        ("auto", (0, False, False)),
        ("ddp", (0, False, False)),
        ("deepspeed_stage_1", (1, False, False)),
        ("deepspeed_stage_2_offload", (2, True, False)),
        ("deepspeed_stage_3_offload", (3, True, True)),
    ],
)
def test_a_strategy_says_what_is_shared_out(
    strategy: str, expected: tuple[int, bool, bool]
) -> None:
    words = [*GPU, "--trainer.strategy", strategy, "--trainer.devices", "2"]
    job = job_of(judged(*words, site=planned_site("v100-32gb")).values)
    assert job is not None
    assert (job.zero_stage, job.offload_optimizer, job.offload_param) == expected
    assert job.devices == 2


def test_a_config_becomes_the_run_that_it_describes() -> None:
    words = ["--model.lora.rank", "8", "--model.samples", "2", "--data.effective_batch", "8"]
    job = job_of(judged(*TINY, "--model.lora.targets", "all-linear", *words).values)
    assert job is not None
    found: dict[str, Any] = {
        "rank": job.lora.rank if job.lora else None,
        "samples": job.samples,
        "device": job.device,
        "precision": job.precision,
        "accumulates": job.accumulates,
    }
    assert found == {
        "rank": 8,
        "samples": 2,
        "device": "cpu",
        "precision": "32-true",
        "accumulates": False,
    }


def test_a_planned_machine_has_as_many_gpus_as_it_is_said_to_have() -> None:
    assert planned_site(None).is_here
    assert planned_site("4xV100-32GB").gpu_count == 4
    assert planned_site("v100-32gb").gpu_count > 100
    found = judged(*GPU, "--trainer.devices", "8", site=planned_site("4xv100-32gb"))
    assert any("8 devices are asked for" in str(error) for error in found.lacking)
