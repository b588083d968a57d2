"""psychec as another engine behind `infer`, where it is installed.

psychec (branch `original`) consists of two programs: `psychecgen` writes what it wants to know of
a text, `psychecsolver-exe` finds the answer. Both get text that nobody checked, so they run in the
jail, as copies in its work folder: there they work from wherever they are installed.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Final

from sk2d import sandbox
from sk2d.errors import Reason, SourceError, UserError

PROGRAMS: Final = ("psychecgen", "psychecsolver-exe")
_SCRIPT: Final = (
    "chmod +x psychecgen psychecsolver-exe && "
    "./psychecgen sample.c -o sample.cstr && "
    "./psychecsolver-exe -i sample.cstr -o sample.h"
)
_LIMITS: Final = sandbox.Limits(cpu_seconds=10)


def infer_with_psychec(code: str) -> str:
    """Let psychec find the declarations that a text lacks.

    Args:
        code: Text from `clean_source`.

    Returns:
        The header as psychec writes it.

    Raises:
        UserError: psychec is not installed.
        SourceError: `unsupported` when it found nothing, `step_timeout` at a limit.
    """  # noqa: DOC502, DOC503
    files: dict[str, str | bytes] = {name: _program(name).read_bytes() for name in PROGRAMS}
    files["sample.c"] = code
    result = sandbox.run(["sh", "-c", _SCRIPT], files, _LIMITS, collect=["sample.h"])
    if result.stop is not None:
        raise SourceError(Reason.STEP_TIMEOUT, f"psychec reached its limit ({result.stop})")
    header = result.files.get("sample.h", b"").decode("utf-8", "replace")
    if not result.ok or not header.strip():
        words = (result.stderr or result.stdout).decode("utf-8", "replace").split()
        said = " ".join(words)[:200] or "no message"
        raise SourceError(Reason.UNSUPPORTED, f"psychec found no header: {said}")
    return header.removesuffix("\n") + "\n"


def _program(name: str) -> Path:
    path = shutil.which(name)
    if path is None:
        raise UserError(
            f"the program {name} of psychec is not installed",
            where="engine",
            remedy="Put psychecgen and psychecsolver-exe in PATH, or use the engine sk2d",
        )
    return Path(path)
