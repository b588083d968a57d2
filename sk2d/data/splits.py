"""Holding rows back for validation, by function and not by row."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray


def split_by_group(
    groups: Sequence[str], share: float, most_rows: int | None = None
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Hold back a share of the groups, so that all rows of a function stay on one side.

    The choice depends on the names of the groups alone, not on a seed or on the order of rows.

    Args:
        groups: Split key of each row.
        share: Share of the groups to hold back; at least one when there are two, none when 0.
        most_rows: Of these groups, only as many as have no more rows together; None takes all.

    Returns:
        Row numbers for training and for validation, each in order.
    """
    names = sorted(set(groups), key=lambda name: hashlib.sha256(name.encode()).digest())
    held = min(max(round(share * len(names)), int(share > 0)), max(len(names) - 1, 0))
    chosen = set(_that_fit(names[:held], Counter(groups), most_rows))
    is_held = np.fromiter((group in chosen for group in groups), dtype=bool, count=len(groups))
    return np.flatnonzero(~is_held), np.flatnonzero(is_held)


def _that_fit(names: Iterable[str], sizes: Mapping[str, int], room: int | None) -> Iterator[str]:
    for name in names:
        if room is None:
            yield name
        elif sizes[name] <= room:
            room -= sizes[name]
            yield name
