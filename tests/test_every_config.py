"""Every shipped config is parsed against the code, and says what it is for."""

from __future__ import annotations

import importlib.metadata
from pathlib import Path

import pytest
import yaml

from sk2d.commands.config.keys import sections
from sk2d.commands.config.reference import HELPS, reference, section_helps
from sk2d.commands.fit import build
from tests.imports import ROOT

FIGURES = ROOT / "configs" / "models"  # architectures for `plan`, tested there; no configs of runs
CONFIGS = sorted(p for p in (ROOT / "configs").rglob("*.yaml") if FIGURES not in p.parents)
NEEDS = {"phase": ["cpu_tiny.yaml"], "machine": ["skeleton.yaml"], "configs": []}


@pytest.mark.parametrize("path", CONFIGS, ids=lambda path: path.name)
def test_a_shipped_config_fits_the_code(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    others = NEEDS.get(path.parent.name, ["skeleton.yaml", "cpu_tiny.yaml"])
    words = [word for other in (*others, str(path)) for word in ("--config", other)]
    assert build("fit", [*words, "--print_config"]) is None
    resolved = yaml.safe_load(capsys.readouterr().out)
    own = yaml.safe_load(path.read_text())
    for section in ("model", "data"):
        for key, value in own.get(section, {}).get("init_args", {}).items():
            found = resolved[section]["init_args"][key]
            assert found == value or isinstance(value, dict)


@pytest.mark.parametrize("path", CONFIGS, ids=lambda path: path.name)
def test_a_shipped_config_says_what_it_is_for(path: Path) -> None:
    lines = path.read_text().splitlines()
    assert lines[0].startswith("# Trains: ")
    assert lines[1].startswith("# Hardware: ")
    assert lines[2].startswith("# Run:      python cli.py ")
    assert [line for line in lines[:8] if line.startswith("# Override: ")]
    if path.name != "reference.yaml":
        command = " ".join(line.lstrip("# ") for line in lines[2:4])
        assert path.name in command, "the exact command names the config"


def test_the_reference_is_up_to_date() -> None:
    locked = (ROOT / "requirements" / "cpu.txt").read_text()
    for name in ("lightning", "jsonargparse"):
        version = importlib.metadata.version(name)
        if f"{name}=={version}" not in locked:
            pytest.skip(f"{name} {version} is not the locked one, whose keys the reference lists")
    current = (ROOT / "configs" / "reference.yaml").read_text()
    assert current == reference(), "run: make reference"


def test_every_key_is_explained() -> None:
    found, _ = sections({})
    known = dict(pair for section in found.values() for pair in section_helps(section)) | HELPS
    keys = [f"{name}.{key}" for name, part in found.items() for key in part.parameters()]
    assert not [key for key in keys if not known.get(key)]
    unknown = [key for key in HELPS if key.startswith("trainer.") and key not in keys]
    assert not unknown, "Lightning has these no more"
