"""All answers of all systems measured: in parallel, each once, and not again after a kill."""

from __future__ import annotations

import json
import multiprocessing
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path

from sk2d.errors import DataError, SourceError, UserError
from sk2d.evaluation.measuring import Measures, Question, broken, measure, measures_of

CACHE = "measures.jsonl"


class Measured:
    """Measures on disk, by key; a line that a kill cut off is left out.

    Args:
        path: The file, one JSON object a line.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.found: dict[str, Measures] = {}
        if path.exists():
            for line in path.read_bytes().splitlines():
                try:
                    row = json.loads(line)
                    self.found[row["key"]] = measures_of(row["measures"])
                except (ValueError, KeyError, TypeError):
                    continue

    def add(self, key: str, measures: Measures) -> None:
        """Write measures down.

        Args:
            key: What they are of.
            measures: The measures.

        Raises:
            UserError: The file cannot be written.
        """
        self.found[key] = measures
        line = json.dumps({"key": key, "measures": measures.plain()}) + "\n"
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with self.path.open("ab") as stream:
                # A cut-off line of an earlier run must not swallow this one.
                stream.write(("\n" if _unfinished(self.path) else "").encode() + line.encode())
        except OSError as error:
            raise UserError(
                f"cannot be written ({error.strerror})", where=str(self.path)
            ) from error


def _unfinished(path: Path) -> bool:
    with path.open("rb") as stream:
        if stream.seek(0, os.SEEK_END) == 0:
            return False
        stream.seek(-1, os.SEEK_END)
        return stream.read(1) != b"\n"


def measure_all(
    questions: Sequence[Question],
    compiler: str,
    measured: Measured,
    workers: int = 1,
    progress: Callable[[int], None] = lambda done: None,
) -> list[Measures]:
    """Measure answers; equal ones once.

    Args:
        questions: The answers.
        compiler: The compiler's version.
        measured: What is known, and where what is found is written.
        workers: Processes.
        progress: Called with the number of answers that are done.

    Returns:
        Measures in the order of the answers; they do not depend on the number of processes.

    Raises:
        JailError: The jail failed.
        UserError: Nothing can be written.
    """  # noqa: DOC502
    keys = [question.key(compiler) for question in questions]
    left = {
        key: question
        for key, question in zip(keys, questions, strict=True)
        if key not in measured.found
    }
    done = len(set(keys)) - len(left)
    progress(done)
    for key, measures in _measured(list(left.items()), workers):
        measured.add(key, measures)
        done += 1
        progress(done)
    return [measured.found[key] for key in keys]


def _measured(left: Sequence[tuple[str, Question]], workers: int) -> Iterable[tuple[str, Measures]]:
    if workers == 1 or len(left) < 2:
        return ((key, _safe(question)) for key, question in left)
    return _in_parallel(left, workers)


def _in_parallel(
    left: Sequence[tuple[str, Question]], workers: int
) -> Iterator[tuple[str, Measures]]:
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(workers, mp_context=context) as pool:
        try:
            asked = {pool.submit(_safe, question): key for key, question in left}
            for future in as_completed(asked):
                yield asked[future], future.result()
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise


def _safe(question: Question) -> Measures:
    """Measure; a row that is broken itself is told apart from a wrong answer by its reason."""
    try:
        return measure(question)
    except SourceError as error:
        return broken(str(error.reason), str(error), question.function)
    except DataError as error:
        return broken("test_broken", str(error), question.function)
