import sys
import types
import warnings
from pathlib import Path

import pytest

from sk2d.hardware import probe
from sk2d.hardware.probing import (
    broken_modules,
    compiler_versions,
    import_error,
    package_versions,
    probe_torch,
)


class FakeCuda:
    """Stands in for `torch.cuda` on a machine with GPUs of the given capabilities."""

    def __init__(self, *capabilities: tuple[int, int], fails: Exception | None = None) -> None:
        self.capabilities = capabilities
        self.fails = fails

    def is_available(self) -> bool:
        return bool(self.capabilities)

    def device_count(self) -> int:
        return len(self.capabilities)

    def get_arch_list(self) -> list[str]:
        return ["sm_70", "compute_90"]

    def is_bf16_supported(self) -> bool:
        return True  # by emulation, as torch says on a V100

    def get_device_properties(self, index: int) -> types.SimpleNamespace:
        if self.fails:
            raise self.fails
        major, minor = self.capabilities[index]
        return types.SimpleNamespace(name="GPU", major=major, minor=minor, total_memory=32)


def fake_torch(cuda: FakeCuda, version: str | None = "12.6") -> types.SimpleNamespace:
    return types.SimpleNamespace(
        __version__="2.12.0+cu126", version=types.SimpleNamespace(cuda=version), cuda=cuda
    )


def test_this_machine_is_read() -> None:
    machine = probe(import_torch=lambda: fake_torch(FakeCuda()), import_fails=lambda module: None)
    assert machine.python == ".".join(map(str, sys.version_info[:3]))
    assert machine.cores_logical >= 1
    assert 0 < machine.memory_available_bytes <= machine.memory_bytes
    assert machine.disk_free_bytes > 0
    assert machine.packages["rich"]
    assert machine.broken == {}


def test_disk_is_measured_where_it_is_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []
    usage = types.SimpleNamespace(free=7)
    monkeypatch.setattr("shutil.disk_usage", lambda folder: asked.append(folder) or usage)
    machine = probe(tmp_path, import_torch=lambda: fake_torch(FakeCuda()))
    assert (machine.disk_free_bytes, asked) == (7, [tmp_path])


def test_bf16_of_a_v100_goes_by_capability_and_not_by_torchs_word() -> None:
    build, gpus = probe_torch(fake_torch(FakeCuda((7, 0), (8, 0))))
    assert [(gpu.architecture, gpu.bf16, gpu.fp16) for gpu in gpus] == [
        ("sm_70", False, True),
        ("sm_80", True, True),
    ]
    assert build.architectures == ("sm_70", "compute_90")
    assert build.gpu_error is None


def test_a_cpu_build_has_no_gpus_and_no_error() -> None:
    build, gpus = probe_torch(fake_torch(FakeCuda(), version=None))
    assert gpus == ()
    assert (build.cuda, build.architectures, build.gpu_error) == (None, (), None)


def test_a_driver_that_fails_is_told_and_not_raised() -> None:
    failing = FakeCuda((7, 0), fails=RuntimeError("CUDA driver\n too old"))
    build, gpus = probe_torch(fake_torch(failing))
    assert gpus == ()
    assert build.gpu_error == "RuntimeError: CUDA driver too old"


def test_a_driver_that_torch_only_warns_about_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def warn_and_deny(self: FakeCuda) -> bool:
        warnings.warn("The NVIDIA driver on your system is too old", stacklevel=1)
        return False

    monkeypatch.setattr(FakeCuda, "is_available", warn_and_deny)
    build, _ = probe_torch(fake_torch(FakeCuda()))
    assert build.gpu_error == "The NVIDIA driver on your system is too old"


@pytest.mark.parametrize(
    ("raised", "told"),
    [
        (ModuleNotFoundError("No module named 'torch'", name="torch"), None),
        (ModuleNotFoundError("No module named 'sympy'", name="sympy"), "sympy"),
        (OSError("libcudart.so.13: cannot open shared object file"), "libcudart.so.13"),
        (RuntimeError("cpu features"), "cpu features"),
    ],
)
def test_a_torch_that_cannot_be_imported_is_told(raised: Exception, told: str | None) -> None:
    def import_torch() -> None:
        raise raised

    machine = probe(import_torch=import_torch, import_fails=lambda module: None)
    assert machine.torch is None
    assert machine.gpus == ()
    assert (machine.torch_error is None) if told is None else (told in str(machine.torch_error))


def test_d9_a_bitsandbytes_that_raises_is_a_finding(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "bitsandbytes"
    package.mkdir()
    (package / "__init__.py").write_text("raise RuntimeError('CUDA Setup failed')")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    broken = broken_modules(["bitsandbytes"], import_error)
    assert broken == {"bitsandbytes": "RuntimeError: CUDA Setup failed"}


def test_a_module_that_kills_its_process_is_a_finding(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "sk2d_dies.py").write_text("import os; os._exit(134)")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    assert import_error("sk2d_dies") == "its import ends with exit code 134"


def test_a_module_that_is_not_installed_or_works_is_not_broken() -> None:
    assert broken_modules(["sk2d_never_there"], import_error) == {}
    assert broken_modules(["json"], import_error) == {}


def test_compilers_that_answer_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, script in {"gcc": "echo gcc 12.2; echo Copyright", "clang": "exit 1"}.items():
        (tmp_path / name).write_text(f"#!/bin/sh\n{script}\n")
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert compiler_versions(["gcc", "clang", "cc"]) == {"gcc": "gcc 12.2"}


def test_packages_that_are_not_installed_are_left_out() -> None:
    assert set(package_versions(["rich", "sk2d-never-there"])) == {"rich"}
    assert {"rich", "psutil"} <= set(package_versions())
