"""The keys that DeepSpeed reads, as data: `keys.tsv`, compared with DeepSpeed's own by a test.

Columns of the table:

- `key`: dotted.
- `type`: see `sk2d.models.zero_config.values`; `section:closed` is a section in which DeepSpeed
  refuses unknown keys, `section:open` one in which it ignores them, `section:free` one that it
  hands on as it is; `alias:KEY` is another name of a key; `removed` is one that DeepSpeed refuses.
- `default`: as JSON.
- `needs`: when the key has an effect, see `sk2d.models.zero_config.conditions`.
- `owner`: the key of a config of sk2d that decides instead, or `refused` where sk2d cannot run with
  another value than the default.
- `says`: what the key does.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

_FOLDER = Path(__file__).parent
ALIAS = "alias:"


@dataclass(frozen=True)
class Key:
    """A row of the table; see the module for its columns."""

    name: str
    type: str
    default: Any
    needs: str
    owner: str
    says: str

    @property
    def is_section(self) -> bool:
        """Whether its value is an object with keys of its own."""
        return self.type.startswith("section:")


@dataclass(frozen=True)
class Mistake:
    """A key that people write and DeepSpeed does not read.

    Args:
        says: What happens to it.
        remedy: What to write instead.
    """

    says: str
    remedy: str


def _rows(name: str) -> list[list[str]]:
    lines = (_FOLDER / name).read_text("utf-8").splitlines()[1:]
    return [line.split("\t") for line in lines]


@functools.cache
def known_keys() -> Mapping[str, Key]:
    """Read the table.

    Returns:
        Keys by dotted name, aliases included.
    """
    return {
        name: Key(name, kind, json.loads(default), needs, owner, says)
        for name, kind, default, needs, owner, says in _rows("keys.tsv")
    }


@functools.cache
def known_mistakes() -> Mapping[str, Mistake]:
    """Read the table of keys that people make up.

    Returns:
        Mistakes by dotted name; `*.NAME` stands for the name in any section.
    """
    return {name: Mistake(says, remedy) for name, says, remedy in _rows("mistakes.tsv")}


def canonical(name: str) -> str:
    """Give the name under which a key is described.

    Args:
        name: Dotted key; any part of it may be another name of a key.

    Returns:
        The key with every such part replaced.
    """
    known, path = known_keys(), ""
    for part in name.split("."):
        path = f"{path}.{part}" if path else part
        if path in known and known[path].type.startswith(ALIAS):
            path = known[path].type.removeprefix(ALIAS)
    return path


def find(name: str) -> Key | None:
    """Look a key up.

    Args:
        name: Dotted key, also another name of one.

    Returns:
        The key, or None where DeepSpeed reads no such key.
    """
    return known_keys().get(canonical(name))


def children(section: str) -> list[str]:
    """List the keys of a section.

    Args:
        section: Dotted name; "" is the top level.

    Returns:
        Their names without the section's.
    """
    start = f"{canonical(section)}." if section else ""
    rest = [name.removeprefix(start) for name in known_keys() if name.startswith(start)]
    return [name for name in rest if "." not in name]
