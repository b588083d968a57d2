"""A pool of processes for chunks of rows, in which a dying process costs one row.

A worker writes its shard itself and tells only that it is done, so rows cross a pipe once, and a
worker holds one chunk at a time. When a worker dies, its chunk is done again row by row in a new
process, and only a row that ends this one too is refused.
"""

from __future__ import annotations

import multiprocessing
import signal
import sys
import traceback
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from pathlib import Path
from typing import Protocol

from sk2d.corpus.preprocess.records import Item, Record
from sk2d.corpus.preprocess.workfolder import write_shard
from sk2d.errors import JailError, Reason, Sk2dError, UserError

_CONTEXT = multiprocessing.get_context("spawn")  # nothing of the parent's memory or threads


class Work(Protocol):
    """What is done with a chunk; it is sent to the workers, so it is plain data."""

    def __call__(self, items: Sequence[Item]) -> list[Record]:
        """Work on a chunk.

        Args:
            items: What stands in the input.

        Returns:
            One record per item, in order.
        """

    def unjudged(self, item: Item) -> Record:
        """Read an item without working on it, for one that no worker survives.

        Args:
            item: What stands in the input.

        Returns:
            Its record.
        """


@dataclass(frozen=True)
class Chunk:
    """A chunk that is to be done.

    Args:
        number: Its number.
        items: Its rows.
        shard: Where its records go.
    """

    number: int
    items: list[Item]
    shard: Path


class _Worker:
    """A process and its pipe."""

    def __init__(self, work: Work) -> None:
        self.pipe, theirs = _CONTEXT.Pipe()
        self.process: SpawnProcess = _CONTEXT.Process(
            target=_serve, args=(theirs, work), daemon=True
        )
        self.process.start()
        theirs.close()
        self.chunk: Chunk | None = None

    def give(self, chunk: Chunk) -> None:
        """Send it work."""
        self.chunk = chunk
        try:
            self.pipe.send(chunk)
        except (BrokenPipeError, ConnectionResetError):
            return  # it has died; the receiving side finds out

    def end(self) -> None:
        """Let it go, by force if it does not."""
        self.pipe.close()  # the worker sees the end of its pipe and goes
        self.process.join(2)
        if self.process.is_alive():
            self.process.kill()
            self.process.join()
        self.process.close()


def _serve(pipe: Connection, work: Work) -> None:
    """Run in a worker: chunks come in, the number of rows goes out."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's to handle
    while True:
        try:
            chunk: Chunk = pipe.recv()
        except (EOFError, ConnectionResetError):
            return
        try:
            records = work(chunk.items)
            write_shard(chunk.shard, records)
            answer: object = len(records)
        except Exception as error:  # told to the parent, which ends the run with it
            kind = type(error) if isinstance(error, JailError | UserError) else RuntimeError
            text = str(error) if kind is not RuntimeError else traceback.format_exc()
            answer = (kind.__name__, text)
        try:
            pipe.send(answer)
        except (BrokenPipeError, ConnectionResetError):
            return


def run_chunks(chunks: Iterable[Chunk], work: Work, count: int) -> Iterator[int]:
    """Do all chunks.

    Args:
        chunks: What is to be done; read no further ahead than there are workers.
        work: What is done with a chunk.
        count: Number of processes; 0 works in this one.

    Yields:
        The number of rows of each chunk when its shard is written, in any order.
    """
    if count == 0:
        for chunk in chunks:
            records = work(chunk.items)
            write_shard(chunk.shard, records)
            yield len(records)
        return
    todo = iter(chunks)
    busy: dict[Connection, _Worker] = {}
    try:
        for chunk in todo:
            worker = _Worker(work)
            busy[worker.pipe] = worker
            worker.give(chunk)
            if len(busy) == count:
                break
        while busy:
            for pipe in wait(list(busy)):
                assert isinstance(pipe, Connection), "only pipes are waited for"
                worker = busy.pop(pipe)
                yield _finish(worker, work)
                if (chunk_next := next(todo, None)) is None:
                    worker.end()
                    continue
                if not worker.process.is_alive():
                    worker.end()
                    worker = _Worker(work)
                busy[worker.pipe] = worker
                worker.give(chunk_next)
    finally:
        for worker in busy.values():
            worker.process.kill()
            worker.end()


def _finish(worker: _Worker, work: Work) -> int:
    """Take a worker's answer; where it died over its chunk, do the chunk again row by row."""
    chunk = worker.chunk
    assert chunk is not None, "a busy worker has a chunk"
    answer = _receive(worker)
    if answer is None:
        records = _one_by_one(chunk, work)
        write_shard(chunk.shard, records)
        return len(records)
    if isinstance(answer, int):
        return answer
    kind, text = answer
    raise {"JailError": JailError, "UserError": UserError}.get(kind, RuntimeError)(text)


def _receive(worker: _Worker) -> int | tuple[str, str] | None:
    """Give the answer, or None where the process died without one."""
    try:
        answer: int | tuple[str, str] = worker.pipe.recv()
        return answer
    except (EOFError, ConnectionResetError):
        worker.process.join()
        return None


def _one_by_one(chunk: Chunk, work: Work) -> list[Record]:
    records: list[Record] = []
    worker: _Worker | None = None
    shard = chunk.shard.with_suffix(".row")
    for item in chunk.items:
        worker = worker or _Worker(work)
        worker.give(Chunk(chunk.number, [item], shard))
        answer = _receive(worker)
        if answer is None:
            records.append(_fatal(item, work, worker.process.exitcode))
            worker.end()
            worker = None
        elif isinstance(answer, int):
            records += [Record.from_line(line) for line in shard.read_bytes().splitlines()]
        else:
            worker.end()
            raise Sk2dError(answer[1])
    if worker is not None:
        worker.end()
    shard.unlink(missing_ok=True)
    return records


def _fatal(item: Item, work: Work, code: int | None) -> Record:
    """Refuse a row that ended its process twice."""
    record = work.unjudged(item)
    if record.reject is None:
        if code == -signal.SIGVTALRM:
            record.refuse(
                "worker", Reason.STEP_TIMEOUT, "a step did not come back from a C library"
            )
        else:
            told = signal.Signals(-code).name if code and code < 0 else f"exit code {code}"
            record.refuse("worker", Reason.WORKER_DIED, f"the process died of it twice ({told})")
    return record


def default_workers() -> int:
    """Give the number of processors that this process may use."""
    import os

    return len(os.sched_getaffinity(0)) if sys.platform == "linux" else (os.cpu_count() or 1)
