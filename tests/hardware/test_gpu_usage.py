"""What `nvidia-smi` prints is understood, and nothing waits or fails where it is missing."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from sk2d.hardware.gpu_usage import (
    HOLDER_QUERY,
    USE_QUERY,
    GpuHolder,
    GpuUse,
    SmiQuery,
    ask_holders,
    ask_uses,
    held_by_others,
    parse_holders,
    parse_uses,
)

GIB = 2**30
USES = """\
0, GPU-aaaa, Tesla V100-SXM2-32GB, 31027, 32510, 97
1, GPU-bbbb, Tesla V100-SXM2-32GB, 3, 32510, [N/A]
"""
HOLDERS = """\
GPU-aaaa, 4242, python3, 30100
GPU-aaaa, 1, "C:\\odd, name", [Insufficient Permissions]
"""


def stand_in(folder: Path, body: str) -> str:
    path = folder / "nvidia-smi"
    path.write_text(f"#!/bin/sh\n{body}\n", encoding="utf-8")
    path.chmod(0o755)
    return str(path)


def test_the_use_of_each_gpu_is_read() -> None:
    first, second = parse_uses(USES)
    assert first == GpuUse(
        0, "GPU-aaaa", "Tesla V100-SXM2-32GB", 31027 * 2**20, 32510 * 2**20, 0.97
    )
    assert (second.used_bytes, second.busy) == (3 * 2**20, None)


def test_messages_of_the_driver_are_no_gpu() -> None:
    assert parse_uses("NVIDIA-SMI has failed because it couldn't communicate\n, , , , , \n") == []
    assert parse_holders("No devices were found\n") == []


def test_holders_are_read_with_odd_names_and_without_sizes() -> None:
    assert parse_holders(HOLDERS) == [
        GpuHolder("GPU-aaaa", 4242, "python3", 30100 * 2**20),
        GpuHolder("GPU-aaaa", 1, "C:\\odd, name", None),
    ]


def test_a_question_is_answered_with_its_options(tmp_path: Path) -> None:
    program = stand_in(tmp_path, f'echo "$@" > {tmp_path}/said; cat <<END\n{USES}END')
    assert [use.index for use in ask_uses(program)] == [0, 1]
    said = (tmp_path / "said").read_text(encoding="utf-8").split()
    assert said == [*USE_QUERY, "--format=csv,noheader,nounits"]
    assert len(ask_holders(stand_in(tmp_path, f"cat <<END\n{HOLDERS}END"))) == 2


def test_nobody_waits_for_a_slow_tool(tmp_path: Path) -> None:
    go = tmp_path / "go"
    query = SmiQuery(
        USE_QUERY, stand_in(tmp_path, f"while [ ! -e {go} ]; do sleep 0.05; done; echo done")
    )
    query.start()
    assert query.answer() is None
    query.start()  # the open question is not asked twice
    go.touch()
    answer = None
    while answer is None:
        time.sleep(0.02)
        answer = query.answer()
    assert answer == "done\n"
    assert query.answer() is None


def test_a_tool_that_hangs_is_ended(tmp_path: Path) -> None:
    query = SmiQuery(HOLDER_QUERY, stand_in(tmp_path, f"echo $$ > {tmp_path}/pid; exec sleep 60"))
    query.start()
    while not (tmp_path / "pid").exists() or not (tmp_path / "pid").read_text():
        time.sleep(0.02)
    assert query.wait(0.05) is None
    with pytest.raises(ProcessLookupError):
        os.kill(int((tmp_path / "pid").read_text()), 0)


@pytest.mark.parametrize("body", ["exit 9", "echo NVIDIA-SMI has failed; exit 9"])
def test_a_tool_that_fails_tells_nothing(tmp_path: Path, body: str) -> None:
    assert ask_uses(stand_in(tmp_path, body)) == []


def test_without_the_tool_nothing_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nonexistent")
    assert ask_uses() == []
    assert ask_holders() == []
    assert ask_uses("/nonexistent/nvidia-smi") == []


def test_who_else_holds_a_gpu_is_told() -> None:
    use, _ = parse_uses(USES)
    holders = [*parse_holders(HOLDERS), GpuHolder("GPU-bbbb", 7, "other", GIB)]
    line = held_by_others(use, holders, own_pid=1, own_bytes=300 * 2**20)
    assert line is not None
    assert line.startswith("GPU 0 (Tesla V100-SXM2-32GB): 30.0 of 31.7 GiB are held by process")
    assert "process 4242 (python3" in line
    assert "29.4 GiB" in line
    assert "process 1 " not in line  # this one itself
    assert "other" not in line  # on the other GPU


def test_holders_in_another_container_are_told_as_unseen() -> None:
    use, _ = parse_uses(USES)
    line = held_by_others(use, [], own_pid=1)
    assert line is not None
    assert "cannot be seen from here" in line


def test_an_empty_gpu_is_no_news() -> None:
    use, free = parse_uses(USES)
    assert held_by_others(free, parse_holders(HOLDERS), own_pid=9) is None
    assert held_by_others(use, [], own_pid=9, own_bytes=31000 * 2**20) is None
    assert held_by_others(GpuUse(0, "u", "n", None, None, None), [], own_pid=9) is None
