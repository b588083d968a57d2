"""How the processes of a run find each other."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator

import pytest
from torch.distributed import TCPStore

from sk2d.errors import ConfigError
from sk2d.models.strategies.rendezvous import HELD, LOCAL, Rendezvous

NAMES = ("MASTER_ADDR", "MASTER_PORT", HELD)


@pytest.fixture(autouse=True)
def _own_environment(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    for name in NAMES:
        monkeypatch.delenv(name, raising=False)
    yield
    for name in NAMES:
        os.environ.pop(name, None)


def test_d3_one_process_needs_no_port_and_no_environment() -> None:
    rendezvous = Rendezvous(1)
    rendezvous.open()
    assert rendezvous.store is not None
    assert not set(NAMES) & set(os.environ)


def test_d3_two_runs_hold_different_ports_at_once() -> None:
    first, second = Rendezvous(2), Rendezvous(2)
    first.open()
    port = os.environ["MASTER_PORT"]
    with pytest.raises(OSError, match="in use"), socket.socket() as other:
        other.bind(("", int(port)))
    kept = {name: os.environ.pop(name) for name in NAMES}
    second.open()
    assert os.environ["MASTER_PORT"] != kept["MASTER_PORT"]
    second.close()
    first.close()


def test_other_processes_reach_the_store_by_the_environment() -> None:
    rendezvous = Rendezvous(2)
    rendezvous.open()
    assert os.environ["MASTER_ADDR"] == LOCAL
    other = TCPStore(LOCAL, int(os.environ["MASTER_PORT"]), 2, is_master=False)
    other.set("word", "here")
    assert rendezvous.store is not None
    assert rendezvous.store.get("word") == b"here"
    rendezvous.close()
    assert not set(NAMES) & set(os.environ)


def test_a_port_of_the_users_that_is_taken_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket() as taken:
        taken.bind(("", 0))
        taken.listen()
        monkeypatch.setenv("MASTER_PORT", str(taken.getsockname()[1]))
        with pytest.raises(ConfigError) as raised:
            Rendezvous(2).open()
    assert raised.value.where == "MASTER_PORT"
    assert "\n" not in str(raised.value)


def test_a_port_that_is_no_number_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MASTER_PORT", "many")
    with pytest.raises(ConfigError, match="the port many cannot be used"):
        Rendezvous(2).open()
