"""All answers of all systems measured: in parallel, each once, and not again after a kill."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed

from sk2d.errors import DataError, SourceError
from sk2d.evaluation.journal import Journal
from sk2d.evaluation.measuring import Measures, Question, broken, measure, measures_of


def measure_all(
    questions: Sequence[Question],
    compiler: str,
    journal: Journal,
    workers: int = 1,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> list[Measures]:
    """Measure answers; equal ones once.

    Args:
        questions: The answers.
        compiler: The compiler's version.
        journal: What is known, and where what is found is written.
        workers: Processes.
        progress: Called with the number of answers that are done, and of all.

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
        if key not in journal.found
    }
    total = len(set(keys))
    done = total - len(left)
    progress(done, total)
    for key, measures in _measured(list(left.items()), workers):
        journal.add(key, measures.plain())
        done += 1
        progress(done, total)
    known = {key: measures_of(journal.found[key]) for key in set(keys)}
    return [known[key] for key in keys]


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
