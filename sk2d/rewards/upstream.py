"""The released structure reward, reproduced with its faults, to compare with (`exe_type.py`).

It reads raw text: words in comments and strings count, as does every word that begins like a
placeholder; an empty file compiles, and is paid 1.
"""

from __future__ import annotations

import re
from typing import Final

from sk2d.errors import JailError
from sk2d.rewards.candidates import Candidate, Score, Verdict
from sk2d.sandbox import COMPILE_LIMITS, Job, run_jobs
from sk2d.sandbox.compiling import message_of
from sk2d.sandbox.toolchain import compiler

_WORD: Final = re.compile(r"\b(?:func|type|var|field)\w*\b")


def upstream_structure(candidate: Candidate) -> Score:
    """Score an answer as the released function does.

    Args:
        candidate: The answer.

    Returns:
        0 where gcc, with its own defaults, does not compile header and answer; else 1 plus the
        Jaccard index of the words, which is 0 where neither text has any.
    """
    found = set(_WORD.findall(candidate.text))
    wanted = set(_WORD.findall(candidate.reference))
    words = len(found & wanted) / len(found | wanted) if found | wanted else 0.0
    command = [compiler(), "-c", "code.c", "-o", "code.o"]
    job = Job(command, {"code.c": f"{candidate.header or ''}\n\n{candidate.text}"}, COMPILE_LIMITS)
    try:
        (result,) = run_jobs([job])
    except JailError as error:
        return Score(None, Verdict.CANNOT_JUDGE, message=str(error))
    assert result is not None, "a first job is never skipped"
    parts = {"compiles": float(result.ok), "placeholders": words}
    if not result.ok:
        return Score(0.0, Verdict.NOT_COMPILING, parts, message_of(result))
    return Score(1.0 + words, Verdict.OK, parts)
