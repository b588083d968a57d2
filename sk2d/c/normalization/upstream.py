"""Pseudo-code as the normaliser of SK2Decompile wrote it, for use with its published weights.

Its rules are replacements on raw text, one after the other, and so are these: what they damage
(comment signs in strings, values of hexadecimal literals, widths of types) is damaged here too,
because the published models were trained on it. clang-format then lays the text out in Google
style, which also cuts long string literals into several.
"""

from __future__ import annotations

import functools
import re
import resource
import signal
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from sk2d.c.formatter import program
from sk2d.c.parse import decode, encode
from sk2d.errors import Reason, SourceError

_TABLE: Final = Path(__file__).with_name("upstream.txt")
_BLOCK_COMMENT: Final = re.compile(r"/\*.*?\*/", re.DOTALL)
_LINE_COMMENT: Final = re.compile(r"//.*?$", re.MULTILINE)
_HEX: Final = re.compile(r"\b0x([0-9a-fA-F]+)([uUlL]{1,3})?\b")
_MOST_DIGITS: Final = 3000
_SECONDS_ALONE: Final = 3
_DROPPED: Final = re.compile(r"\b(?:__fastcall|__cdecl|__ptr32|__noreturn\s+noreturn)\b")


def normalize_as_upstream(codes: Sequence[str]) -> list[str | SourceError]:
    """Normalise pseudo-code as upstream does, with one clang-format process for all.

    Args:
        codes: Texts from `clean_source`.

    Returns:
        For each text the result, without empty lines, or why clang-format gave none.
    """
    texts = [replaced_as_upstream(code) for code in codes]
    return [
        text if isinstance(text, SourceError) else "\n".join(filter(str.strip, text.splitlines()))
        for text in _formatted(texts)
    ]


def replaced_as_upstream(code: str) -> str:
    """Make upstream's replacements.

    Args:
        code: Text from `clean_source`.

    Returns:
        The text, not yet formatted.
    """
    text = _LINE_COMMENT.sub("", _BLOCK_COMMENT.sub("", code))
    text = _HEX.sub(_decimal, text)
    text = _DROPPED.sub("", text)
    for pattern, name in _renames():
        text = pattern.sub(name, text)
    return text


def _decimal(match: re.Match[str]) -> str:
    """Give the digits; the few literals that Python would not print stay."""
    if len(match[1]) > _MOST_DIGITS:
        return match[0]
    return f"{int(match[1], 16)}{match[2] or ''}"


def _formatted(texts: Sequence[str]) -> Sequence[str | SourceError]:
    """Format texts together; where that fails, each alone, to find the one that is at fault."""
    together = _run(texts)
    if not isinstance(together, SourceError):
        return together
    if len(texts) == 1:
        return [together]
    return [one for text in texts for one in _formatted([text])]


def _run(texts: Sequence[str]) -> list[str] | SourceError:
    """Run clang-format once; upstream's texts had no name, so that C++ was assumed."""
    names = [f"{number}.cpp" for number in range(len(texts))]
    command = [program(), "-i", "--style=Google", *names]
    with tempfile.TemporaryDirectory(prefix="sk2d-upstream-") as folder:
        Path(folder, ".clang-format-ignore").touch()
        for name, text in zip(names, texts, strict=True):
            Path(folder, name).write_bytes(encode(text))
        done = _run_limited(command, folder, _SECONDS_ALONE + len(texts) // 20)
        if done is not None:
            return done
        return [decode(Path(folder, name).read_bytes()) for name in names]


def _run_limited(command: Sequence[str], folder: str, seconds: int) -> SourceError | None:
    """Run a program with limited CPU time, as wall time depends on how busy the machine is."""
    with subprocess.Popen(
        command, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    ) as process:  # fmt: skip
        resource.prlimit(process.pid, resource.RLIMIT_CPU, (seconds, seconds + 1))
        _, said = process.communicate()
    if process.returncode == -signal.SIGXCPU:
        return SourceError(Reason.FMT_TIMEOUT, f"clang-format used up {seconds} s of CPU time")
    if process.returncode:
        what = f"clang-format ended with {process.returncode}: {said.decode(errors='replace')}"
        return SourceError(Reason.FMT_FAILED, what.strip()[:200])
    return None


@functools.cache
def _renames() -> list[tuple[re.Pattern[str], str]]:
    rows = [
        line.split("|")
        for line in _TABLE.read_text(encoding="utf-8").splitlines()
        if line and not line.startswith("#")
    ]
    return [(re.compile(rf"\b{re.escape(old.strip())}\b"), new.strip()) for old, new in rows]
