"""One decompiling process: started, asked, given up when it ends or takes too long."""

from __future__ import annotations

import json
import queue
import subprocess
import tempfile
import threading
from pathlib import Path
from typing import IO, Any, Final

from sk2d.frontends.flatline.environment import Environment

WORKER: Final = Path(__file__).parent / "side" / "worker.py"
START_SECONDS: Final = 60.0


class WorkerLost(Exception):
    """A worker ended, or gave no answer in time."""


class Worker:
    """One process that decompiles.

    Args:
        environment: Where flatline lives.
    """

    def __init__(self, environment: Environment) -> None:
        self.job: Path | None = None
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115  (closed by `close`)
        self._process = subprocess.Popen(
            [str(environment.python), str(WORKER), str(environment.hook or "")],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            text=True,
            encoding="utf-8",
        )
        self._lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        threading.Thread(target=self._read, args=(self._process.stdout,), daemon=True).start()

    def _read(self, stream: IO[str]) -> None:
        for line in stream:
            self._lines.put(line)
        self._lines.put(None)

    def load(self, job: Path) -> None:
        """Turn to a job; nothing to do where it is loaded already.

        Args:
            job: The job file.
        """
        if self.job != job:
            if self.job is None:
                self._answer(START_SECONDS)  # it says that the engine is loaded
            self.ask({"job": str(job)}, START_SECONDS)
            self.job = job

    def ask(self, request: dict[str, Any], seconds: float) -> dict[str, Any]:
        """Decompile one function.

        Args:
            request: Address and size.
            seconds: Time for it.

        Returns:
            The worker's answer.

        Raises:
            WorkerLost: It ended or gave no answer in time; the worker cannot be used any more.
        """
        assert self._process.stdin is not None, "opened as a pipe"
        try:
            self._process.stdin.write(json.dumps(request) + "\n")
            self._process.stdin.flush()
        except OSError as error:
            raise WorkerLost(self._last_words()) from error
        return self._answer(seconds)

    def _answer(self, seconds: float) -> dict[str, Any]:
        try:
            line = self._lines.get(timeout=seconds)
        except queue.Empty:
            raise WorkerLost(f"no answer within {seconds:g} s") from None
        if line is None:
            raise WorkerLost(self._last_words())
        found: dict[str, Any] = json.loads(line)
        return found

    def _last_words(self) -> str:
        code = self._process.wait(timeout=10)
        self._errors.seek(0)
        lines = self._errors.read().decode(errors="replace").strip().splitlines()
        said = lines[-1][:300] if lines else "no message"
        return f"the decompiler ended with code {code}: {said}"

    def close(self) -> None:
        """End the process."""
        self._process.kill()
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                stream.close()
        self._errors.close()
