"""A decompiler that is a program of its own, with a script of ours inside it.

The script is given a request (JSON: the functions and where to write). It writes JSON lines:
`{"begin": N}` before a function, `{"done": N, "pseudo": ..., "warnings": [...]}` after it. So a
crash or a hang costs only the function that it happened in; the rest is asked for again.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import tempfile
import time
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from sk2d.errors import FrontendError
from sk2d.frontends.elf import load_elf
from sk2d.frontends.elf.functions import find_functions
from sk2d.frontends.records import PseudoFunction, Target

SCRIPTS: Final = Path(__file__).with_name("scripts")
LOOK_EVERY_S: Final = 0.2
ENDING_S: Final = 10.0
MOST_LOST: Final = 20
"""Functions that may be lost to crashes and hangs before the program is given up."""


class Program(ABC):
    """A front end that starts a decompiler with a script.

    Args:
        seconds: Longest time for one function.
        start_seconds: Longest time until the first function, with loading and analysis.
    """

    name = ""
    dialect = ""

    def __init__(self, seconds: float = 60.0, start_seconds: float = 1800.0) -> None:
        self.seconds = seconds
        self.start_seconds = start_seconds

    @abstractmethod
    def missing(self) -> str | None:
        """Say why it cannot be used on this machine; None when it can."""

    @abstractmethod
    def command(self, binary: Path, request: Path, folder: Path) -> list[str]:
        """Give the command line that runs the script.

        Args:
            binary: The file to decompile.
            request: The request, whose path the script is given.
            folder: An empty folder for the program's own files.

        Returns:
            Program and arguments.
        """

    def close(self) -> None:  # noqa: B027  (not every front end has something to end)
        """End its processes; none outlives a call here."""

    def functions(self, binary: Path) -> list[Target]:
        """List the functions of a file.

        Args:
            binary: An ELF file.

        Returns:
            In the order of addresses.
        """
        return find_functions(load_elf(binary))

    def decompile(self, binary: Path, targets: Sequence[Target]) -> Iterator[PseudoFunction]:
        """Decompile functions.

        Args:
            binary: An ELF file.
            targets: Some of its functions.

        Yields:
            One record each, in their order.

        Raises:
            FrontendError: The program is missing, or ends before the first function.
        """
        reason = self.missing()
        if reason:
            raise FrontendError(reason, where=self.name)
        base = load_elf(binary).base
        answers: dict[int, dict[str, Any]] = {}
        rest, lost = list(range(len(targets))), 0
        while rest:
            before = len(rest)
            said = self._round(binary, targets, rest, base, answers)
            rest = [number for number in rest if number not in answers]
            lost += 1
            if rest and (before == len(rest) or lost > MOST_LOST):
                if not answers:
                    raise FrontendError(f"it gave no function: {said}", where=self.name)
                for number in rest:
                    answers[number] = {"warnings": [f"not decompiled: {said}"]}
                rest = []
        for number, target in enumerate(targets):
            yield self._record(target, answers[number])

    def _round(
        self,
        binary: Path,
        targets: Sequence[Target],
        wanted: Sequence[int],
        base: int,
        answers: dict[int, dict[str, Any]],
    ) -> str:
        """Run the program once; give what it said last."""
        with tempfile.TemporaryDirectory(prefix=f"sk2d-{self.name}-") as temporary:
            folder = Path(temporary)
            output, request, log = (folder / name for name in ("out.jsonl", "request", "log"))
            listed = [
                {
                    "number": number,
                    "name": targets[number].name if targets[number].is_named else None,
                    "offset": targets[number].address - base,
                }
                for number in wanted
            ]
            output.touch()
            request.write_text(
                json.dumps({"output": str(output), "seconds": self.seconds, "functions": listed}),
                encoding="utf-8",
            )
            work = folder / "work"
            work.mkdir()
            with log.open("wb") as stream:
                process = subprocess.Popen(
                    self.command(binary.absolute(), request, work),
                    stdin=subprocess.DEVNULL,
                    stdout=stream,
                    stderr=subprocess.STDOUT,
                    start_new_session=True,
                    cwd=work,
                )
                begun, why = self._follow(process, output, answers)
            if begun is not None and begun not in answers:
                answers[begun] = {"warnings": [why or f"{self.name} crashed on it"]}
            lines = log.read_text(encoding="utf-8", errors="replace").strip().splitlines()
            return why or " ".join((lines or ["it ended without a word"])[-1].split())[:200]

    def _follow(
        self, process: subprocess.Popen[bytes], output: Path, answers: dict[int, dict[str, Any]]
    ) -> tuple[int | None, str | None]:
        """Read what the script writes until the program ends or takes too long."""
        begun: int | None = None
        limit = time.monotonic() + self.start_seconds
        with output.open(encoding="utf-8") as stream:
            while True:
                running = process.poll() is None
                for line in _whole_lines(stream):
                    row = json.loads(line)
                    if "begin" in row:
                        begun = row["begin"]
                    else:
                        answers[row["done"]] = row
                    limit = time.monotonic() + 2 * self.seconds + ENDING_S
                if not running:
                    return begun, None
                if time.monotonic() > limit:
                    _end(process)
                    late = f"no answer within {self.seconds:.0f} s"
                    return begun, late
                time.sleep(LOOK_EVERY_S)

    def _record(self, target: Target, answer: dict[str, Any]) -> PseudoFunction:
        pseudo = str(answer.get("pseudo") or "")
        return PseudoFunction(
            name=target.name,
            address=target.address,
            size=target.size,
            pseudo=pseudo.strip("\n") + "\n" if pseudo else "",
            dialect=self.dialect,
            warnings=tuple(answer.get("warnings", ())),
        )


def _whole_lines(stream: Any) -> Iterator[str]:
    """Give the lines that are complete; half a line is left for the next time."""
    while True:
        place = stream.tell()
        line = stream.readline()
        if not line.endswith("\n"):
            stream.seek(place)
            return
        yield line


def _end(process: subprocess.Popen[bytes]) -> None:
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
