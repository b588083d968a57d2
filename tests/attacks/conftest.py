from __future__ import annotations

import os
import secrets
import socket
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from sk2d.rewards.structure import StructureReward
from tests.attacks.catalogue import HEALTHY, MODES, candidate, run_its_test


class Host(NamedTuple):
    """What an attack may want of the host.

    Attributes:
        places: Name that attacks use between `@` -> place.
        temporary: Folder for temporary files.
        canary: Word that must not get out of the user's files and environment.
    """

    places: dict[str, str]
    temporary: Path
    canary: str


def warm_up() -> None:
    """Have jails started and what all judgements share made, so that no attack pays for it."""
    for mode in MODES:
        StructureReward(mode, workers=1)([candidate(HEALTHY)])
    run_its_test(HEALTHY)


@pytest.fixture(scope="module")
def canary() -> str:
    return secrets.token_hex(16)


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory, canary: str) -> Iterator[Host]:
    """Give files, an environment, a server and a folder that no attack may reach."""
    private = tmp_path_factory.mktemp("private")
    secret = private / "canary.h"
    secret.write_text(f"{canary}\n")
    os.mkfifo(private / "fifo")
    temporary = tmp_path_factory.mktemp("temporary")
    with pytest.MonkeyPatch.context() as patch, socket.create_server(("127.0.0.1", 0)) as server:
        patch.setenv("SK2D_CANARY", canary)
        patch.setenv("TMPDIR", str(temporary))
        patch.setattr(tempfile, "tempdir", None)
        places = {
            "CANARY": str(secret),
            "FIFO": str(private / "fifo"),
            "FOLDER": str(private),
            "PID": str(os.getpid()),
            "PORT": str(server.getsockname()[1]),
        }
        warm_up()
        yield Host(places, temporary, canary)
        server.setblocking(False)
        with pytest.raises(BlockingIOError):
            server.accept()
    assert secret.read_text() == f"{canary}\n"
    assert sorted(os.listdir(private)) == ["canary.h", "fifo"]
    assert [name for name in os.listdir("/tmp") if name == "sk2d-escaped"] == []
