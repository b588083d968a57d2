"""What is left of memory and disk is read, in a container too, and too little is said."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest

from sk2d.hardware import room
from sk2d.hardware.room import (
    Room,
    disk_room,
    disk_shortage,
    memory_room,
    memory_shortage,
    size_on_disk,
)

GIB = 2**30


def test_the_room_of_this_machine_is_sensible(tmp_path: Path) -> None:
    for found in (memory_room(), disk_room(tmp_path / "not" / "there" / "yet")):
        assert 0 <= found.free_bytes <= found.total_bytes
        assert found.used_bytes == found.total_bytes - found.free_bytes


def test_a_container_has_what_its_limit_leaves(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    machine = SimpleNamespace(total=64 * GIB, available=60 * GIB)
    monkeypatch.setattr(room.psutil, "virtual_memory", lambda: machine)
    monkeypatch.setattr(room, "usable_memory_bytes", lambda: 8 * GIB)
    (tmp_path / "use").write_text(f"{7 * GIB}\n")
    (tmp_path / "memory.stat").write_text(f"anon {4 * GIB}\ninactive_file {2 * GIB}\n")
    cgroups = ((tmp_path, "use", "inactive_file"), (tmp_path / "none", "use", "x"))
    assert memory_room(cgroups) == Room(3 * GIB, 8 * GIB)


def test_scarce_memory_is_said() -> None:
    assert memory_shortage(Room(2 * GIB, 32 * GIB)) is None
    said = memory_shortage(Room(1 * GIB, 32 * GIB))
    assert said is not None
    assert "1.0 of 32.0 GiB are left" in said


def test_a_disk_that_will_not_hold_the_checkpoints_is_said() -> None:
    left = Room(3 * GIB, 100 * GIB)
    assert disk_shortage(left, 3 * GIB, Path("runs")) is None
    said = disk_shortage(left, 5 * GIB, Path("runs"))
    assert said is not None
    assert "3.00 GiB are left in runs" in said
    assert "5.00 GiB" in said


def test_files_and_folders_have_a_size(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "one").write_bytes(b"12345")
    (tmp_path / "two").write_bytes(b"123")
    assert size_on_disk(tmp_path) == 8
    assert size_on_disk(tmp_path / "two") == 3
    assert size_on_disk(tmp_path / "none") == 0
