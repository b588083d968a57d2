"""Compiled parts of DeepSpeed, with a builder that compiles nothing."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from sk2d.errors import ConfigError
from sk2d.models.strategies import ops

Builder = Callable[..., Path]

BUILDER = """
import os, sys, pathlib
with open({log!r}, "a") as log:
    log.write(" ".join([os.environ["DS_ACCELERATOR"], *sys.argv[1:]]) + "\\n")
sys.stderr.write({says!r})
sys.exit({code})
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "extensions"
    monkeypatch.setenv(ops.FOLDER, str(path))
    monkeypatch.delenv("CXX", raising=False)
    return path


@pytest.fixture
def builder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Builder:
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.setattr(ops, "BUILDER", "stand_in_builder")
    log = tmp_path / "log"

    def make(says: str = "", code: int | str = 0) -> Path:
        text = BUILDER.format(log=str(log), says=says, code=code)
        (tmp_path / "stand_in_builder.py").write_text(text)
        return log

    return make


def test_what_a_run_needs() -> None:
    assert ops.needed_ops("cpu", processes=1, offload_optimizer=False) == []
    assert ops.needed_ops("cuda", processes=8, offload_optimizer=False) == []
    assert ops.needed_ops("cuda", processes=1, offload_optimizer=True) == ["CPUAdamBuilder"]
    both = ops.needed_ops("cpu", processes=2, offload_optimizer=True)
    assert both == ["ShareMemCommBuilder", "CPUAdamBuilder"]


def test_a_part_is_built_once_in_a_process_of_its_own(folder: Path, builder: Builder) -> None:
    log = builder()
    assert ops.build_ops(["CPUAdamBuilder"], "cuda") == ["CPUAdamBuilder"]
    assert ops.build_ops(["CPUAdamBuilder"], "cuda") == []
    assert log.read_text() == "cuda CPUAdamBuilder\n"
    assert json.loads((folder / ops.BUILT).read_text()) == {"CPUAdamBuilder": "c++"}


def test_another_compiler_builds_again(
    folder: Path,
    builder: Builder,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    builder()
    ops.build_ops(["CPUAdamBuilder"], "cpu")
    monkeypatch.setenv("CXX", "clang++")
    assert ops.build_ops(["CPUAdamBuilder"], "cpu") == ["CPUAdamBuilder"]


def test_d1_a_failed_build_is_one_line_that_names_the_compiler(
    folder: Path,
    builder: Builder,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("CXX", "/nonexistent")
    builder(says="ninja: x\n/bin/sh: 1: /nonexistent: not found\nRuntimeError: Error\n", code=1)
    with pytest.raises(ConfigError) as raised:
        ops.build_ops(["CPUAdamBuilder"], "cpu")
    text = str(raised.value)
    assert "cannot be compiled with /nonexistent: /nonexistent: not found" in text
    assert "\n" not in text
    assert all(word in text for word in ("ninja", "CUDA_HOME", "cpu_ops"))
    assert not (folder / ops.BUILT).exists()


def test_a_build_that_takes_too_long_is_ended(folder: Path, builder: Builder) -> None:
    builder(says="", code="__import__('time').sleep(60)")
    with pytest.raises(ConfigError, match="was not compiled within 1 s"):
        ops.build_ops(["CPUAdamBuilder"], "cpu", limit_s=1.0)


def test_a_stale_lock_is_removed_and_a_fresh_one_is_waited_for(
    folder: Path,
    builder: Builder,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    builder()
    locks = [folder / name / "lock" for name in ("cpu_adam", "deepspeed_shm_comm")]
    for lock in locks:
        lock.parent.mkdir(parents=True)
        lock.touch()
    os.utime(locks[0], (1, 1))
    monkeypatch.setattr(ops, "LOADING_S", 1.0)
    start = time.time()
    ops.build_ops(["CPUAdamBuilder"], "cpu")
    assert not any(lock.exists() for lock in locks)
    assert time.time() - start > 0.2


def test_a_folder_that_cannot_be_written_is_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv(ops.FOLDER, str(tmp_path / "file" / "below"))
    with pytest.raises(ConfigError, match=ops.FOLDER):
        ops.build_ops(["CPUAdamBuilder"], "cpu")


def test_the_folder_is_one_of_these_versions(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(ops.FOLDER, raising=False)
    monkeypatch.setenv("SK2D_CACHE", str(tmp_path))
    name = ops.own_folder().name
    assert f"py{sys.version_info.major}{sys.version_info.minor}-torch" in name
    assert "deepspeed" in name
    monkeypatch.setenv(ops.FOLDER, "mine")
    assert ops.own_folder() == Path("mine").absolute()


@pytest.mark.parametrize(
    ("output", "line"),
    [
        ("a\nx.cpp:3:1: fatal error: omp.h: No such file or directory\n", "omp.h"),
        ("a\nx.cpp:3:1: error: 'q' was not declared\nb\n", "error: 'q' was not declared"),
        ("RuntimeError: Ninja is required to load C++ extensions\n", "Ninja is required"),
        ("what a pity\n\n", "what a pity"),
        ("", "ended without a word"),
    ],
)
def test_the_line_that_tells(output: str, line: str) -> None:
    assert line in ops.telling_line(output)
