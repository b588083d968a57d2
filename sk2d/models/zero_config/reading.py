"""A DeepSpeed config on disk: JSON with comments, with keys that are given twice, or broken."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from sk2d.errors import ConfigError
from sk2d.models.zero_config.verdict import Verdict

# Strings come first in the alternatives, so that a `//` inside one is left alone.
_STRING = r'"(?:\\.|[^"\\\n])*"'
_COMMENT = re.compile(rf"({_STRING})|//[^\n]*|#[^\n]*|/\*.*?\*/", re.DOTALL)
_LAST_COMMA = re.compile(rf"({_STRING})|,(?=\s*[}}\]])", re.DOTALL)


class _Pairs(list[tuple[str, Any]]):
    """The keys and values of an object in the order of the file, those given twice included."""


def read_file(path: Path) -> tuple[dict[str, Any], list[Verdict]]:
    """Read a DeepSpeed config.

    Args:
        path: The file.

    Returns:
        Its content, the last of keys given twice, and what is wrong with the file as a whole.

    Raises:
        ConfigError: The file cannot be read, or holds no object.
    """
    try:
        text = path.read_text("utf-8-sig")
    except (OSError, UnicodeDecodeError) as problem:
        raise ConfigError(
            f"the file cannot be read ({problem})", where=str(path), remedy="Give a JSON file"
        ) from problem
    relaxed = without_comments(text)
    try:
        found = json.loads(relaxed, object_pairs_hook=_Pairs)
    except json.JSONDecodeError as problem:
        raise ConfigError(
            f"this is no JSON: {problem.msg}",
            where=f"{path}:{problem.lineno}:{problem.colno}",
            remedy="Mend it there",
        ) from problem
    if not isinstance(found, _Pairs):
        raise ConfigError("this is no object", where=str(path), remedy="Write {...}")
    comments = [] if _is_strict(text) else [_comments(path)]
    return _plain(found), [*comments, *_twice(found, "")]


def without_comments(text: str) -> str:
    """Replace comments and commas before a closing bracket by blanks.

    Args:
        text: Text of a file.

    Returns:
        Text of the same length and lines.
    """
    return _LAST_COMMA.sub(_blank, _COMMENT.sub(_blank, text))


def _blank(match: re.Match[str]) -> str:
    return match[1] or re.sub(r"[^\n]", " ", match[0])


def _is_strict(text: str) -> bool:
    try:
        json.loads(text)
    except json.JSONDecodeError:
        return False
    return True


def _comments(path: Path) -> Verdict:
    says = (
        "the file has comments or commas too many: DeepSpeed's own reader takes them, Lightning's, "
        "which reads it here, does not"
    )
    return Verdict("(file)", path.name, "refused", says, "Take them out", "error")


def _twice(pairs: _Pairs, start: str) -> Iterable[Verdict]:
    counts = Counter(name for name, _ in pairs)
    for name, value in dict(pairs).items():
        if counts[name] > 1:
            says = (
                f"given {counts[name]} times: DeepSpeed's own reader raises, Lightning's takes the "
                "last in silence"
            )
            yield Verdict(f"{start}{name}", _plain(value), "refused", says, "Keep one", "error")
        if isinstance(value, _Pairs):
            yield from _twice(value, f"{start}{name}.")


def _plain(value: Any) -> Any:
    if isinstance(value, _Pairs):
        return {name: _plain(part) for name, part in value}
    return [_plain(part) for part in value] if isinstance(value, list) else value
