"""Runs `fit` as a user would, in this process, and prints how far its memory grew after imports."""

from __future__ import annotations

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import torch  # noqa: E402

from sk2d.commands import fit  # noqa: E402
from sk2d.hardware import process_memory_bytes  # noqa: E402
from sk2d.phases import SkeletonModule  # noqa: E402, F401  (what a run imports)


def highest_bytes() -> int:
    """Give the highest resident memory since the mark was reset (`VmHWM`).

    Returns:
        Bytes.

    Raises:
        RuntimeError: The system does not tell.
    """
    for line in Path("/proc/self/status").read_text(encoding="utf-8").splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) * 1024
    raise RuntimeError("this system does not tell VmHWM")


def main() -> None:
    """Run `fit` with the options given and print one JSON object as the last line.

    On a GPU the peak is what torch reserved there, and its context, which no program sees.
    """
    before = process_memory_bytes()
    Path("/proc/self/clear_refs").write_text("5", encoding="ascii")  # resets the mark
    fit.fit(sys.argv[1:])
    on_gpu = torch.cuda.is_available()
    peak = torch.cuda.max_memory_reserved() if on_gpu else highest_bytes() - before
    sys.stdout.write("\n" + json.dumps({"peak_bytes": peak}) + "\n")


if __name__ == "__main__":
    main()
