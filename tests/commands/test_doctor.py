import dataclasses
import json

import pytest

from sk2d.commands import doctor as command
from sk2d.commands.doctor import doctor
from sk2d.hardware import Machine, TorchBuild, make_gpu

GOOD = Machine(
    python="3.11.7",
    platform="Linux x86_64",
    cores_physical=2,
    cores_logical=2,
    memory_bytes=25_000_000_000,
    memory_available_bytes=20_000_000_000,
    disk_free_bytes=80_000_000_000,
    nvidia_smi=True,
    gpus=(make_gpu("Tesla V100 [16GB]", (7, 0), 17_000_000_000),),
    torch=TorchBuild("2.12.0+cu126", "12.6", ("sm_70",)),
    torch_error=None,
    compilers={"gcc": "gcc 12.2.0"},
    jail="namespaces",
    jail_refused={},
    packages=dict.fromkeys(command.probe().packages, "1.0"),
    broken={},
)


def on(monkeypatch: pytest.MonkeyPatch, machine: Machine) -> None:
    monkeypatch.setattr(command, "probe", lambda: machine)
    monkeypatch.setenv("COLUMNS", "200")


def test_the_page_names_gpu_precision_and_remedy(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    on(monkeypatch, GOOD)
    assert doctor() == 0
    page = capsys.readouterr().out
    assert "Tesla V100 [16GB], sm_70, 17.0 GB, bf16 no, fp16 yes" in page
    assert "only emulates bf16" in page
    assert "trainer.precision: 16-mixed" in page


def test_an_error_gives_exit_code_1(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    on(monkeypatch, dataclasses.replace(GOOD, torch=TorchBuild("2.13.0", "13.0", ("sm_75",))))
    assert doctor() == 1
    assert "cu126" in capsys.readouterr().out


def test_json_holds_the_machine_and_the_findings(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    on(monkeypatch, GOOD)
    assert doctor(json=True) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["works"] is True
    assert told["precision"] == "16-mixed"
    assert told["machine"]["gpus"][0]["capability"] == [7, 0]
    assert [f["level"] for f in told["findings"] if "bf16" in f["what"]] == ["warning"]


@pytest.mark.parametrize("torch_error", [None, "OSError: libc10.so"])
def test_a_machine_without_torch_gets_its_page(
    torch_error: str | None, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    bare = dataclasses.replace(GOOD, torch=None, gpus=(), torch_error=torch_error, compilers={})
    on(monkeypatch, bare)
    assert doctor() == (0 if torch_error is None else 1)
    assert "no C compiler" in capsys.readouterr().out


def test_this_machine_gets_a_page(capsys: pytest.CaptureFixture[str]) -> None:
    doctor(json=True)
    assert json.loads(capsys.readouterr().out)["machine"]["cores_logical"] >= 1
