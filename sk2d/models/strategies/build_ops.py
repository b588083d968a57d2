"""Compiles parts of DeepSpeed in a process of its own: `python -m ... BUILDER [BUILDER ...]`."""

from __future__ import annotations

import sys
from collections.abc import Sequence


def build(names: Sequence[str]) -> None:
    """Compile and load parts of DeepSpeed.

    Args:
        names: Names of DeepSpeed's builders for the accelerator in the environment.
    """
    from deepspeed.accelerator import get_accelerator

    for name in names:
        builder = get_accelerator().create_op_builder(name)
        assert builder is not None, f"DeepSpeed has no {name} for this accelerator"
        builder.load(verbose=True)


if __name__ == "__main__":
    build(sys.argv[1:])
