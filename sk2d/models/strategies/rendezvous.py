"""How the processes of a run find each other, without a port that another run could take.

A port that is looked up and then closed may be gone when it is opened again. So the first process
opens its store on a port that the system chooses and keeps it open; a run of one process needs no
port at all.
"""

from __future__ import annotations

import os
from datetime import timedelta

import torch
from torch.distributed import HashStore, Store, TCPStore

from sk2d.errors import ConfigError

HELD = "SK2D_STORE_IS_HELD"  # set for the processes that the first one starts
LOCAL = "127.0.0.1"


class Rendezvous:
    """The store of a run, held by its first process.

    Args:
        processes: Processes of the run, on one machine.
    """

    def __init__(self, processes: int) -> None:
        self.processes = processes
        self.store: Store | None = None
        self._set: list[str] = []

    def open(self) -> None:
        """Open the store; to be called in the first process, before it starts the others.

        Raises:
            ConfigError: MASTER_PORT is set and taken.
        """
        if self.processes == 1:
            self.store = HashStore()
            return
        wanted = os.environ.get("MASTER_PORT", "0")
        try:
            port = int(wanted)
            store = TCPStore(LOCAL, port, self.processes, is_master=True, wait_for_workers=False)
        except (ValueError, RuntimeError) as error:
            raise ConfigError(
                f"the port {wanted} cannot be used ({str(error).splitlines()[0]})",
                where="MASTER_PORT",
                remedy="Unset it: a free port is found then",
            ) from error
        self.store = store
        mine = {"MASTER_ADDR": LOCAL, "MASTER_PORT": str(store.port), HELD: "1"}
        self._set = [name for name in mine if name not in os.environ]
        os.environ.update(mine)

    def join(self, backend: str, rank: int, timeout: timedelta) -> None:
        """Start torch's process group; ranks of a launcher of the user's go by its environment.

        Args:
            backend: torch's name of the communication library.
            rank: Number of this process.
            timeout: How long a collective operation may take.
        """
        if torch.distributed.is_initialized():
            return
        if self.store is None and os.environ.get(HELD):
            port = int(os.environ["MASTER_PORT"])
            self.store = TCPStore(LOCAL, port, self.processes, is_master=False)
        if self.store is None:
            torch.distributed.init_process_group(backend, timeout=timeout)
            return
        torch.distributed.init_process_group(
            backend, store=self.store, rank=rank, world_size=self.processes, timeout=timeout
        )

    def close(self) -> None:
        """Forget the store, so that a later run in this process opens one of its own."""
        self.store = None
        for name in self._set:
            os.environ.pop(name, None)
        self._set = []
