"""`corpus` and `decompile`, killed at any moment and started again, lose and duplicate nothing."""

from __future__ import annotations

import json
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from sk2d.commands.demo_binary import compile_library
from sk2d.frontends.choosing import available
from tests.imports import ROOT

KILLS = 6
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module", autouse=True)
def decompiler() -> None:
    missing = available()["flatline"]
    if missing:
        pytest.skip(missing)


def start(words: list[str]) -> subprocess.Popen[bytes]:
    command = [sys.executable, str(ROOT / "cli.py"), *words]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)


def run_through(words: list[str]) -> float:
    started = time.monotonic()
    process = start(words)
    _, errors = process.communicate(timeout=600)
    assert process.returncode == 0, errors.decode()
    return time.monotonic() - started


def kill_often(words: list[str], folder: Path, seconds: float) -> set[int]:
    """Kill the command at moments spread over its time; give how many files lay there each time."""
    moments = random.Random(7)
    left = set()
    for number in range(KILLS):
        process = start(words)
        time.sleep(moments.uniform(0.15, 0.9) * seconds * (number + 1) / KILLS)
        process.send_signal(signal.SIGKILL)
        process.communicate()
        left.add(sum(path.is_file() for path in folder.rglob("*")))
    return left


def contents(folder: Path) -> dict[str, bytes]:
    files = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


def test_corpus(tmp_path: Path) -> None:
    plain, torn = tmp_path / "plain", tmp_path / "torn"
    plain.mkdir()
    torn.mkdir()
    words = ["corpus", "--sources", str(ROOT / "examples" / "sources"), "--opts", "O0,O2"]
    more = ["--workers", "2", "--output"]
    seconds = run_through([*words, *more, str(plain / "raw.jsonl")])
    left = kill_often([*words, *more, str(torn / "raw.jsonl")], torn, seconds)
    assert len(left) > 1, "the kills came at different moments of the work"
    run_through([*words, *more, str(torn / "raw.jsonl")])
    assert contents(torn) == contents(plain)


def test_decompile(tmp_path: Path) -> None:
    library = compile_library(tmp_path)
    words = ["decompile", str(library), "--all", "--output"]
    seconds = run_through([*words, str(tmp_path / "plain")])
    kill_often([*words, str(tmp_path / "torn")], tmp_path / "torn", seconds)
    run_through([*words, str(tmp_path / "torn")])
    assert contents(tmp_path / "torn") == contents(tmp_path / "plain")
    lines = (tmp_path / "torn" / "functions.jsonl").read_text().splitlines()
    addresses = [json.loads(line)["address"] for line in lines]
    assert len(set(addresses)) == len(addresses) > 15
