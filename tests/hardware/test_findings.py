import dataclasses
import tomllib
from pathlib import Path
from typing import Any

import pytest

from sk2d.hardware import Finding, Machine, TorchBuild, best_precision, make_gpu, problems, runs_on
from sk2d.hardware.machine import EXTRA_PACKAGES, PACKAGES

# What the CUDA 13 and the CUDA 12.6 builds of torch say of themselves.
CU130 = ("sm_75", "sm_80", "sm_86", "sm_90", "sm_100", "sm_120", "compute_120")
CU126 = ("sm_50", "sm_60", "sm_70", "sm_75", "sm_80", "sm_86", "sm_90")
V100 = make_gpu("Tesla V100-SXM2-32GB", (7, 0), 34_000_000_000)
H200 = make_gpu("NVIDIA H200", (9, 0), 150_000_000_000)


def machine(**changes: Any) -> Machine:
    good = Machine(
        python="3.11.7",
        platform="Linux x86_64",
        cores_physical=2,
        cores_logical=2,
        memory_bytes=25_000_000_000,
        memory_available_bytes=20_000_000_000,
        disk_free_bytes=80_000_000_000,
        nvidia_smi=False,
        gpus=(),
        torch=TorchBuild("2.13.0+cpu", None, ()),
        torch_error=None,
        compilers={"gcc": "gcc 12.2.0"},
        jail="namespaces",
        jail_refused={},
        packages=dict.fromkeys(PACKAGES, "1.0"),
        broken={},
    )
    return dataclasses.replace(good, **changes)


def with_gpu(gpu: Any, architectures: tuple[str, ...], cuda: str = "12.6") -> Machine:
    build = TorchBuild("2.12.0", cuda, architectures)
    return machine(gpus=(gpu,), torch=build, nvidia_smi=True)


def bad(found: Machine) -> list[Finding]:
    return [finding for finding in problems(found) if finding.level != "ok"]


def test_a_good_machine_has_no_bad_finding_and_says_what_was_checked() -> None:
    assert bad(machine()) == []
    assert len(problems(machine())) >= 5


def test_every_bad_finding_names_a_remedy() -> None:
    worst = machine(
        python="3.10.1",
        memory_available_bytes=1,
        disk_free_bytes=1,
        compilers={},
        jail="limits",
        jail_refused={"namespaces": "unshare: Operation not permitted"},
        packages={},
        torch=None,
        broken={"bitsandbytes": "RuntimeError: no kernels"},
    )
    findings = bad(worst)
    assert len(findings) == 8
    assert all(finding.remedy for finding in findings)


@pytest.mark.parametrize(
    ("changes", "level", "what"),
    [
        ({"python": "3.10.13"}, "error", "Python 3.10.13"),
        ({"packages": {}}, "error", "tree-sitter-c"),
        ({"memory_available_bytes": 3_900_000_000}, "warning", "3.9 GB of memory"),
        ({"disk_free_bytes": 4_900_000_000}, "warning", "4.9 GB of disk"),
        ({"compilers": {}}, "warning", "no C compiler"),
        ({"jail": None, "jail_refused": {"limits": "x"}}, "warning", "limits: x"),
        ({"jail": "landlock", "jail_refused": {"namespaces": "x"}}, "warning", "namespaces: x"),
        ({"torch": None}, "warning", "torch is not installed"),
        ({"torch": None, "torch_error": "OSError: libc10.so"}, "error", "libc10.so"),
        ({"nvidia_smi": True}, "warning", "sees no GPU"),
        ({"broken": {"bitsandbytes": "RuntimeError: x"}}, "warning", "bitsandbytes"),
    ],
)
def test_one_limit_gives_one_finding(changes: dict[str, Any], level: str, what: str) -> None:
    (finding,) = bad(machine(**changes))
    assert finding.level == level
    assert what in finding.what


def test_a_v100_with_a_cuda_13_build_is_sent_to_the_cu126_build() -> None:
    (finding,) = bad(with_gpu(V100, CU130, "13.0"))
    assert finding.level == "error"
    assert "sm_70" in finding.what
    assert "cu126" in str(finding.remedy)


def test_a_v100_with_the_cu126_build_is_told_that_bf16_is_emulated() -> None:
    (finding,) = bad(with_gpu(V100, CU126))
    assert finding.level == "warning"
    assert "bf16" in finding.what
    assert "16-mixed" in str(finding.remedy)


def test_a_new_gpu_is_fine_and_one_that_is_too_new_needs_a_newer_build() -> None:
    assert bad(with_gpu(H200, CU130, "13.0")) == []
    (finding,) = bad(with_gpu(make_gpu("future", (13, 0), 1), CU126))
    assert "newer" in str(finding.remedy)


def test_a_rocm_build_is_not_judged_by_cuda_architectures() -> None:
    build = TorchBuild("2.13.0+rocm7", None, ())
    assert bad(machine(gpus=(make_gpu("MI300", (9, 4), 1),), torch=build)) == []


def test_a_driver_that_torch_refuses_is_an_error() -> None:
    build = TorchBuild("2.13.0", "13.0", CU130, gpu_error="driver too old (found version 11040)")
    (finding,) = bad(machine(torch=build, nvidia_smi=True))
    assert finding.level == "error"
    assert "driver too old" in finding.what


@pytest.mark.parametrize(
    ("architectures", "capability", "runs"),
    [
        (["sm_70"], (7, 0), True),
        (["sm_70"], (7, 5), True),
        (["sm_75"], (7, 0), False),
        (["sm_80"], (8, 6), True),
        (["sm_86"], (8, 0), False),
        (["sm_80"], (9, 0), False),
        (["compute_80"], (9, 0), True),
        (["compute_90"], (8, 0), False),
        (["sm_90a"], (9, 0), True),
        (["sm_90a", "compute_90a"], (10, 0), False),
        (["sm_100f"], (10, 3), True),
        (["compute_100f"], (12, 0), False),
        (["sm_120"], (12, 1), True),
        (["gfx90a"], (9, 0), False),
        ([], (7, 0), False),
    ],
)
def test_runs_on(architectures: list[str], capability: tuple[int, int], runs: bool) -> None:
    assert runs_on(architectures, capability) is runs


@pytest.mark.parametrize(
    ("capability", "precision"),
    [((6, 1), "32-true"), ((7, 0), "16-mixed"), ((7, 5), "16-mixed"), ((8, 0), "bf16-mixed")],
)
def test_precision_goes_by_capability(capability: tuple[int, int], precision: str) -> None:
    assert best_precision(with_gpu(make_gpu("g", capability, 1), CU126)) == precision


def test_precision_is_what_all_gpus_can_do_and_fp32_on_cpu() -> None:
    both = machine(gpus=(H200, V100), torch=TorchBuild("2.12.0", "12.6", CU126))
    assert best_precision(both) == "16-mixed"
    assert best_precision(machine()) == "32-true"


def test_packages_are_those_of_pyproject() -> None:
    path = Path(__file__).parents[2] / "pyproject.toml"
    project = tomllib.loads(path.read_text())["project"]

    def names(requirements: list[str]) -> set[str]:
        return {re_name(requirement) for requirement in requirements}

    extras = project["optional-dependencies"]
    assert names(project["dependencies"]) == set(PACKAGES)
    assert names(extras["train"] + extras["quant"] + extras["deepspeed"]) <= set(EXTRA_PACKAGES)


def re_name(requirement: str) -> str:
    return requirement.split(">")[0].split("[")[0].split(";")[0].strip()
