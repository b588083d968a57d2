"""Threads per process."""

from __future__ import annotations

import os
from collections.abc import Iterator

import psutil
import pytest
import torch

from sk2d.models.strategies.threads import VARIABLE, share_threads, usable_cores


@pytest.fixture(autouse=True)
def _put_back(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    threads = torch.get_num_threads()
    monkeypatch.delenv(VARIABLE, raising=False)
    yield
    os.environ.pop(VARIABLE, None)
    torch.set_num_threads(threads)


def machine(monkeypatch: pytest.MonkeyPatch, logical: int, physical: int | None) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(logical)))
    monkeypatch.setattr(psutil, "cpu_count", lambda logical: physical)


def test_d7_cores_are_shared_out(monkeypatch: pytest.MonkeyPatch) -> None:
    machine(monkeypatch, logical=32, physical=16)
    assert share_threads(4) == (4, "16 cores for 4 processes")
    assert os.environ[VARIABLE] == "4"
    assert torch.get_num_threads() == 4


def test_d7_one_process_gets_all_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    machine(monkeypatch, logical=32, physical=16)
    assert share_threads(1) == (16, "16 cores for 1 process")


def test_d7_what_the_user_set_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    machine(monkeypatch, logical=32, physical=16)
    monkeypatch.setenv(VARIABLE, "3")
    assert share_threads(4) == (3, f"{VARIABLE} is set")


def test_more_processes_than_cores_get_one_thread_each(monkeypatch: pytest.MonkeyPatch) -> None:
    machine(monkeypatch, logical=2, physical=2)
    assert share_threads(8)[0] == 1


def test_a_process_that_is_bound_to_some_cores_counts_those(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    machine(monkeypatch, logical=4, physical=16)
    assert usable_cores() == 4
    machine(monkeypatch, logical=4, physical=None)
    assert usable_cores() == 4
