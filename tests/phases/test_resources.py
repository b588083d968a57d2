"""A run's use of its machine is read, shown and warned about; GPUs are stand-ins."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import torch

from sk2d.hardware.gpu_usage import GpuUse
from sk2d.hardware.room import Room
from sk2d.phases import resources
from sk2d.phases.curves import StepTable
from sk2d.phases.resources import (
    RESOURCE_COLUMNS,
    Reading,
    ResourceWatch,
    disk_need,
    gpu_identities,
    gpu_shortage,
    read_cpu,
    read_gpus,
)
from tests.phases.conftest import Run

GIB = 2**30


class Cuda:
    """`torch.cuda` of two GPUs of 32 GiB that the driver counts the other way round."""

    free = 2 * GIB
    reserved = 29 * GIB
    peak = 20 * GIB
    retries = 0

    def get_device_properties(self, number: int) -> Any:
        return SimpleNamespace(uuid=("bbbb", "aaaa")[number])

    def mem_get_info(self, number: int) -> tuple[int, int]:
        assert number == 0, "another GPU would get a context of this process"
        return self.free, 32 * GIB

    def memory_reserved(self, number: int) -> int:
        return self.reserved

    def max_memory_allocated(self, number: int) -> int:
        return self.peak

    def memory_stats(self, number: int) -> dict[str, int]:
        return {"num_alloc_retries": self.retries}


def smi(folder: Path, used: int = 30000) -> str:
    path = folder / "nvidia-smi"
    path.write_text(
        "#!/bin/sh\ncase $1 in\n"
        f"*gpu=*) echo 0, GPU-aaaa, V100, {used}, 32768, 50; echo 1, GPU-bbbb, V100, 9, 32768, 97"
        ";;\n*) echo GPU-aaaa, 999999999, train.py, 29000;;\nesac\n",
        encoding="utf-8",
    )
    path.chmod(0o755)
    return str(path)


def gpu_trainer(root: Path, **more: Any) -> Any:
    strategy = SimpleNamespace(root_device=torch.device("cuda", 0))
    settings = {"local_rank": 0, "device_ids": [0, 1], "strategy": strategy, "global_step": 7}
    settings |= {"is_global_zero": True, "fast_dev_run": False, "default_root_dir": str(root)}
    return SimpleNamespace(**(settings | more))


def test_gpus_are_known_by_identity_and_not_by_number() -> None:
    assert gpu_identities([0, 1], Cuda()) == {"GPU-bbbb": 0, "GPU-aaaa": 1}


def test_the_own_gpu_is_read_from_torch_and_the_others_from_the_tool() -> None:
    uses = {
        1: GpuUse(0, "GPU-aaaa", "V100", 9 * GIB, 32 * GIB, 0.5),
        0: GpuUse(1, "GPU-bbbb", "V100", 1 * GIB, 32 * GIB, 0.97),
    }
    own, other = read_gpus(0, uses, Cuda())
    assert own == Reading("gpu0", 30 * GIB, 32 * GIB, 29 * GIB, 0.97)
    assert own.text() == "30.0/32.0 GiB 97%"
    assert other == Reading("gpu1", 9 * GIB, 32 * GIB, None, 0.5)
    assert other.row(3)["own_gib"] == ""


def test_without_the_tool_the_own_gpu_is_still_read() -> None:
    (only,) = read_gpus(0, {}, Cuda())
    assert only.text() == "30.0/32.0 GiB"
    assert only.row(3)["busy"] == ""


def test_a_full_reserve_is_no_shortage_but_a_full_peak_is() -> None:
    cuda = Cuda()
    (reading,) = read_gpus(0, {}, cuda)
    assert gpu_shortage(0, reading, 0, cuda) is None
    cuda.peak = 29 * GIB + GIB // 2
    said = gpu_shortage(0, reading, 0, cuda)
    assert said is not None
    assert "at the peak 30.5 of 32.0 GiB" in said


def test_an_allocator_that_starts_over_is_a_shortage() -> None:
    cuda = Cuda()
    cuda.retries = 3
    (reading,) = read_gpus(0, {}, cuda)
    said = gpu_shortage(0, reading, 1, cuda)
    assert said is not None
    assert "2 times the allocator found none" in said
    assert gpu_shortage(0, reading, 3, cuda) is None


def test_who_holds_the_gpus_is_said_before_the_model_is_loaded(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    watch = ResourceWatch(cuda=Cuda(), smi=smi(tmp_path))
    watch.setup(gpu_trainer(tmp_path), None, "fit")  # type: ignore[arg-type]
    said = capsys.readouterr().err
    assert said.startswith("warning: GPU 0 (V100): 29.3 of 32.0 GiB are held by process 999999999")
    assert said.count("\n") == 1  # the other one is empty


def test_only_the_first_process_of_a_machine_asks(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    watch = ResourceWatch(cuda=Cuda(), smi=smi(tmp_path))
    watch.setup(gpu_trainer(tmp_path, local_rank=1), None, "fit")  # type: ignore[arg-type]
    assert capsys.readouterr().err == ""


def test_gpus_come_into_the_figures_the_table_and_the_progress_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ResourceWatch, "_check_disk", lambda *_: None)
    watch = ResourceWatch(seconds=0.0, cuda=Cuda(), smi=smi(tmp_path))
    trainer, logged = gpu_trainer(tmp_path, callbacks=[watch]), {}
    module: Any = SimpleNamespace(
        step_row="a step", log=lambda name, value, **_: logged.__setitem__(name, value)
    )
    watch.setup(trainer, module, "fit")
    watch.on_train_start(trainer, module)
    assert watch._query._running is not None
    watch._query._running.wait()
    watch.on_train_batch_end(trainer, module)
    assert logged["gpu0/GiB"] == 30.0
    assert logged["gpu0/busy"] == 0.97  # by its identity: the driver counts it as 1
    assert logged["gpu1/busy"] == 0.5
    assert ResourceWatch.line_of(trainer)["gpu0"] == "30.0/32.0 GiB 97%"
    rows = watch.table.rows()
    assert [row["device"] for row in rows] == ["gpu0", "gpu1"]
    assert rows[0]["step"] == "7"
    watch.teardown(trainer, module, "fit")
    assert watch._query._running is None


def test_a_reading_of_the_cpu_is_sensible() -> None:
    (reading,) = read_cpu()
    assert reading.device == "cpu"
    assert reading.own_bytes is not None
    assert 0 < reading.own_bytes < reading.total_bytes
    assert "/" in reading.text()


def test_a_run_on_the_cpu_leaves_its_readings(make_run: Callable[..., Run]) -> None:
    module, data, trainer = make_run(max_steps=3)
    watch = next(c for c in trainer.callbacks if isinstance(c, ResourceWatch))
    watch.seconds = 0.0
    trainer.fit(module, datamodule=data)
    rows = StepTable(Path(trainer.default_root_dir) / "resources.csv", RESOURCE_COLUMNS).rows()
    assert [row["step"] for row in rows] == ["1", "2", "3"]
    assert all(float(row["own_gib"]) > 0.05 for row in rows)
    assert "cpu/GiB" in trainer.callback_metrics
    assert list(ResourceWatch.line_of(trainer)) == ["cpu"]


def test_a_short_disk_is_warned_about_once(
    make_run: Callable[..., Run],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(resources, "disk_room", lambda _: Room(1000, GIB))
    module, data, trainer = make_run(max_steps=2)
    trainer.fit(module, datamodule=data)
    assert capsys.readouterr().err.count("warning: the disk runs short") == 1


def test_the_need_of_disk_follows_the_checkpoints(make_run: Callable[..., Run]) -> None:
    module, data, trainer = make_run(max_steps=4)
    trainer.fit(module, datamodule=data)
    trained = sum(w.numel() for w in module.parameters() if w.requires_grad)
    folder = Path(trainer.default_root_dir) / "checkpoints"
    there = sorted(folder.glob("*-*.ckpt")) + sorted(folder.glob("step*.ckpt"))
    size = there[-1].stat().st_size
    # keep 2 and save_top_k 1 are there, and one more is written before an old one goes
    assert disk_need(trainer, module) == pytest.approx(size + 4 * trained, rel=0.02)
    for path in there:
        path.unlink()
    (folder / "last.ckpt").unlink()
    estimate = disk_need(trainer, module)
    assert estimate == pytest.approx(4 * 12 * trained + 4 * trained)
    assert 12 * trained == pytest.approx(size, rel=0.5)  # a tiny file has its overhead


def test_a_warning_comes_again_after_there_was_enough(capsys: pytest.CaptureFixture[str]) -> None:
    watch = ResourceWatch()
    for what in ("short", "short", None, "short"):
        watch._warn("memory", what)
    assert capsys.readouterr().err == "warning: short\n" * 2
