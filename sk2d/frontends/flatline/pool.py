"""Several decompiling processes: answers in the order of the questions, a lost one replaced."""

from __future__ import annotations

import queue
import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from sk2d.errors import FrontendError
from sk2d.frontends.flatline.environment import REMEDY, Environment
from sk2d.frontends.flatline.process import Worker, WorkerLost
from sk2d.frontends.records import Target

SCAN_SECONDS: Final = 600.0


@dataclass(frozen=True)
class References:
    """What the code of a file refers to.

    Args:
        data: Addresses, with the bytes that are accessed there; 0 where they are only taken.
        results: Functions whose result a caller uses, with the engine's word for its type.
    """

    data: list[tuple[int, int]]
    results: dict[int, str]


@dataclass(frozen=True)
class Question:
    """A function to decompile.

    Args:
        target: The function.
        told: Declarations of others by their address.
        result: The engine's word for the type of a result that callers are known to use.
    """

    target: Target
    told: Mapping[int, str]
    result: str | None = None

    def request(self) -> dict[str, Any]:
        """Give what a worker is asked."""
        target = self.target
        facts = {"told": self.told, "result": self.result}
        return {"address": target.address, "size": target.size} | facts


class Pool:
    """Workers that stay for the next job.

    Args:
        environment: Where flatline lives; None is an error as soon as a worker is needed.
        workers: How many processes at the most.
        seconds: Longest time for one function.
    """

    def __init__(self, environment: Environment | None, workers: int, seconds: float) -> None:
        self.environment, self.seconds = environment, seconds
        self.count = max(1, workers)
        self._idle: queue.SimpleQueue[Worker] = queue.SimpleQueue()

    def references(self, job: Path, targets: Sequence[Target]) -> References:
        """Find what functions refer to, and whose results they use.

        Args:
            job: The job file.
            targets: The functions.

        Returns:
            What was found.

        Raises:
            FrontendError: The worker failed.
        """
        worker = self._take(job)
        try:
            asked = [{"address": target.address, "size": target.size} for target in targets]
            found = worker.ask({"scan": asked}, SCAN_SECONDS)
        except WorkerLost as lost:
            worker.close()
            raise FrontendError(str(lost), where="flatline", remedy=REMEDY) from lost
        self._idle.put(worker)
        results = {int(address): kind for address, kind in found["results"].items()}
        return References([(address, size) for address, size in found["references"]], results)

    def map(self, job: Path, asked: Sequence[Question]) -> Iterator[dict[str, Any]]:
        """Decompile functions.

        Args:
            job: The job file.
            asked: The functions.

        Yields:
            One answer each, in order; a lost worker is an answer with `error`. A decompiler that
            does not start is a `FrontendError`.
        """
        waiting: queue.SimpleQueue[int] = queue.SimpleQueue()
        for number in range(len(asked)):
            waiting.put(number)
        answers: list[queue.SimpleQueue[Any]] = [queue.SimpleQueue() for _ in asked]
        stop = threading.Event()
        arguments = (job, asked, waiting, answers, stop)
        threads = [
            threading.Thread(target=self._work, args=arguments, daemon=True)
            for _ in range(min(self.count, len(asked)))
        ]
        for thread in threads:
            thread.start()
        try:
            for answer in answers:
                found = answer.get()
                yield _answer_or_raise(found)
        finally:
            stop.set()  # the reader may have had enough
            for thread in threads:
                thread.join()

    def _work(
        self,
        job: Path,
        asked: Sequence[Question],
        waiting: queue.SimpleQueue[int],
        answers: Sequence[queue.SimpleQueue[Any]],
        stop: threading.Event,
    ) -> None:
        worker: Worker | None = None
        while not stop.is_set():
            try:
                number = waiting.get_nowait()
            except queue.Empty:
                break
            try:
                worker = worker or self._take(job)
                answers[number].put(worker.ask(asked[number].request(), self.seconds))
            except WorkerLost as lost:
                answers[number].put({"error": "lost", "message": str(lost)})
                if worker is not None:
                    worker.close()
                worker = None
            except FrontendError as error:
                answers[number].put(error)
                break
        if worker is not None:
            self._idle.put(worker)

    def _take(self, job: Path) -> Worker:
        """Give a worker that has loaded a job: an idle one, else a new one."""
        try:
            worker = self._idle.get_nowait()
        except queue.Empty:
            assert self.environment is not None, "`missing` looked for it"
            worker = Worker(self.environment)
        try:
            worker.load(job)
        except WorkerLost as lost:
            worker.close()
            raise FrontendError(
                f"the decompiler does not start: {lost}", where="flatline", remedy=REMEDY
            ) from lost
        return worker

    def close(self) -> None:
        """End the idle workers."""
        while not self._idle.empty():
            self._idle.get_nowait().close()


def _answer_or_raise(found: dict[str, Any] | FrontendError) -> dict[str, Any]:
    if isinstance(found, FrontendError):
        raise found
    return found
