"""Starts the other processes of a run, and ends all of them when one is lost."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

from lightning.pytorch.strategies.launchers.subprocess_script import _SubprocessScriptLauncher

from sk2d.errors import Sk2dError, TrainingStopped
from sk2d.models.strategies.rendezvous import HELD

LOOK_EVERY_S = 0.5
GRACE_S = 10.0  # a process that waits for one that is gone may find out by itself
AFTERMATH_S = 3.0  # how long after a failed exchange a lost process may take to show
RESUME = "Look above for what it said; --ckpt_path last goes on from the newest checkpoint"


class RunLauncher(_SubprocessScriptLauncher):
    """Lightning's launcher, which prepares the run first and tells in one line who was lost.

    Lightning's own observer kills the first process without a word.

    Args:
        cluster_environment: How ranks and addresses are found.
        num_processes: Processes on this machine.
        num_nodes: Machines.
        prepare: Called in the first process before it starts the others.
    """

    def __init__(
        self,
        cluster_environment: Any,
        num_processes: int,
        num_nodes: int,
        prepare: Callable[[], None],
    ) -> None:
        super().__init__(cluster_environment, num_processes, num_nodes)
        self._prepare = prepare
        self._ended = threading.Event()

    def launch(
        self, function: Callable[..., Any], *args: Any, trainer: Any = None, **kw: Any
    ) -> Any:
        """Start the other processes, watch them, and run the trainer's function.

        Args:
            function: What Lightning wants to run.
            args: Its arguments.
            trainer: The trainer.
            kw: Its arguments by name.

        Returns:
            What the function returns.

        Raises:
            BaseException: Whatever ended the function; a lost process is a `TrainingStopped`, and
                a `SystemExit` in a process that another one speaks for.
        """
        self.cluster_environment.validate_settings(self.num_processes, self.num_nodes)
        if not self.cluster_environment.creates_processes_externally:
            self.procs = []
            self._prepare()
            self._call_children_scripts()
        self._ended.clear()
        if self.num_processes > 1:
            threading.Thread(target=self._watch, daemon=True).start()
        try:
            return self._run(function, *args, **kw)
        except BaseException:
            self._end_children()
            raise
        finally:
            self._ended.set()

    def _run(self, function: Callable[..., Any], *args: Any, **kw: Any) -> Any:
        try:
            return function(*args, **kw)
        except RuntimeError as error:
            lost = self._wait_for_loss() if self.num_processes > 1 else None
            if lost is None:
                raise
            if not self._speaks():
                raise SystemExit(1) from error
            raise TrainingStopped(lost) from error

    def _lost(self, parent: int = os.getppid()) -> str | None:
        """Say who is gone: to the first process one that it started, to those the first one."""
        for rank, process in enumerate(self.procs, start=1):
            if process.poll():
                return told(rank, process.returncode)
        orphaned = HELD in os.environ and not self.procs and os.getppid() != parent
        return told(0, None) if orphaned else None

    def _speaks(self) -> bool:
        return bool(self.procs) or os.environ.get("LOCAL_RANK") == "1"

    def _wait_for_loss(self) -> str | None:
        """Wait: a broken connection is noticed before the process at its other end is gone."""
        until = time.monotonic() + AFTERMATH_S
        while (lost := self._lost()) is None and time.monotonic() < until:
            time.sleep(0.1)
        return lost

    def _watch(self) -> None:
        """End this process when one is lost and the main thread does not find out."""
        while not self._ended.wait(LOOK_EVERY_S):
            lost = self._lost()
            if lost and not self._ended.wait(GRACE_S):
                self._end_children()
                if self._speaks():
                    sys.stderr.write(f"error: {TrainingStopped(lost)}\n")
                    sys.stderr.flush()
                os._exit(Sk2dError.exit_code)

    def _end_children(self) -> None:
        """End the processes that this one started; those that end by themselves are let be."""
        for end in (lambda process: None, subprocess.Popen.terminate, subprocess.Popen.kill):
            for process in self.procs:
                if process.poll() is None:
                    end(process)
            until = time.monotonic() + AFTERMATH_S
            while any(p.poll() is None for p in self.procs) and time.monotonic() < until:
                time.sleep(0.1)


def told(rank: int, code: int | None) -> str:
    """Say that a process of the run is gone.

    Args:
        rank: Its number.
        code: Its exit code as `subprocess` gives it, negative for a signal; None when unknown.

    Returns:
        One sentence.
    """
    how = "" if code is None else f" (signal {-code})" if code < 0 else f" (exit code {code})"
    return f"process {rank} of the run has ended{how}, so the others were ended, too. {RESUME}"
