"""Starting up loads no torch: told by the modules that are loaded, not by a clock."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
HEAVY = {"torch", "lightning", "transformers", "datasets", "peft", "matplotlib"}


def loaded(*arguments: str, **options) -> tuple[set[str], str]:
    """Run Python and give the top-level modules that it loaded, and what it printed."""
    command = [sys.executable, "-X", "importtime", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, timeout=120, **options)
    assert done.returncode == 0, done.stderr[-2000:]
    lines = [line for line in done.stderr.splitlines() if line.startswith("import time:")]
    return {line.rsplit("|", 1)[1].strip().split(".")[0] for line in lines}, done.stdout


def test_importing_sk2d_loads_nothing_heavy() -> None:
    modules, _ = loaded("-c", "import sk2d")
    assert "sk2d" in modules
    assert not modules & HEAVY


@pytest.mark.parametrize("arguments", [["--help"], ["doctor", "--help"]], ids=" ".join)
def test_help_loads_nothing_heavy(arguments: list[str]) -> None:
    modules, printed = loaded("cli.py", *arguments)
    assert "doctor" in printed
    assert "sk2d" in modules
    assert not modules & HEAVY


@pytest.mark.parametrize("body", [None, "raise RuntimeError('no kernels for this GPU')"])
def test_d9_importing_sk2d_needs_no_bitsandbytes(tmp_path: Path, body: str | None) -> None:
    if body is not None:
        (tmp_path / "bitsandbytes").mkdir()
        (tmp_path / "bitsandbytes" / "__init__.py").write_text(body)
    code = f"import sys; sys.path.insert(0, {str(tmp_path)!r}); import sk2d.hardware"
    modules, _ = loaded("-c", code)
    assert "bitsandbytes" not in modules
