"""What all tests share: no network, the released rows, and which tests need torch."""

from __future__ import annotations

import functools
import importlib.util
import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.imports import ROOT, imports_of

TRAIN = {"torch", "lightning", "transformers", "tokenizers", "peft", "datasets", "torchmetrics"}
TRAIN |= {"safetensors", "gguf", "numpy", "matplotlib", "tensorboard"}
HAS_TORCH = importlib.util.find_spec("torch") is not None

os.environ["TOKENIZERS_PARALLELISM"] = "false"
os.environ["HF_HUB_OFFLINE"] = "1"


@pytest.fixture
def released() -> Callable[[str], Path]:
    """Give a file of rows that others released, or skip where it is not at hand."""

    def find(name: str) -> Path:
        folder = os.environ.get("SK2D_SHARED_DATA") or ROOT.parent / "shared" / "data"
        path = Path(folder) / name
        if not path.exists():
            pytest.skip(f"released rows not here: {name}")
        return path

    return find


@pytest.fixture(autouse=True)
def _signals_are_left_alone() -> Iterator[None]:
    """Fail a test that leaves another handler behind: processes forked later would not end."""
    numbers = (signal.SIGTERM, signal.SIGINT)
    before = [signal.getsignal(number) for number in numbers]
    yield
    assert [signal.getsignal(number) for number in numbers] == before


def pytest_report_header() -> str | None:
    """Say which part of the tests the base package alone cannot run."""
    if HAS_TORCH:
        return None
    left_out = [path for path in (ROOT / "tests").rglob("test_*.py") if needs_train(path)]
    return f"no torch here: {len(left_out)} test modules that need the extra `train` are left out"


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """Leave out what needs torch where there is none; a folder goes with its conftest.py."""
    if HAS_TORCH:
        return None
    path = collection_path / "conftest.py" if collection_path.is_dir() else collection_path
    ours = path.name == "conftest.py" or path.name.startswith("test_")
    return True if ours and path.is_file() and needs_train(path) else None


@functools.cache
def needs_train(path: Path) -> bool:
    """Tell whether a test module reaches a package of the extra `train`.

    Its own imports count wherever they stand, those of our modules only where an import runs them.
    """
    todo = list(imports_of(path, inside_functions=True))
    if path.with_name("conftest.py").exists():
        todo += imports_of(path.with_name("conftest.py"), inside_functions=False)
    seen = set()
    while todo:
        module = todo.pop()
        if module.split(".")[0] in TRAIN:
            return True
        for file in set(_files(module)) - seen:
            seen.add(file)
            todo += imports_of(file, inside_functions=False)
    return False


def _files(module: str) -> Iterator[Path]:
    """Give the files of this project that an import of the module runs."""
    parts = module.split(".")
    for end in range(1, len(parts) + 1):
        path = ROOT.joinpath(*parts[:end])
        yield from (p for p in (path.with_suffix(".py"), path / "__init__.py") if p.exists())
