"""flatline behind the common protocol."""

from __future__ import annotations

import functools
import tempfile
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import Any, Final, Self

from sk2d.errors import FrontendError
from sk2d.frontends.data import Objects, definitions
from sk2d.frontends.elf import Image, load_elf
from sk2d.frontends.elf.functions import find_functions
from sk2d.frontends.flatline.callees import Callees
from sk2d.frontends.flatline.environment import REMEDY, Environment, find_environment
from sk2d.frontends.flatline.job import STEPS, declaration_of, is_thunk, write_job
from sk2d.frontends.flatline.naming import name_addresses
from sk2d.frontends.flatline.pool import Pool, References
from sk2d.frontends.records import PseudoFunction, Target

SECONDS: Final = 60.0


class Flatline:
    """Ghidra's decompiler engine from a package, fed with what is known of an ELF file.

    Its processes stay for the next file; `close`, or a `with` block, ends them.

    Args:
        workers: Processes.
        seconds: Longest time for one function.
        steps: What is restored beside the engine, of `STEPS`.
        environment: Where flatline lives; None looks for it.
    """

    name = "flatline"

    def __init__(
        self,
        workers: int = 1,
        seconds: float = SECONDS,
        steps: Collection[str] = STEPS,
        environment: Environment | None = None,
    ) -> None:
        self.steps = tuple(steps)
        self.environment = environment or find_environment()
        self.pool = Pool(self.environment, workers, seconds)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """End the processes."""
        self.pool.close()

    def missing(self) -> str | None:
        """Say why it cannot be used on this machine.

        Returns:
            A reason with what to do, or None when it can be used.
        """
        if self.environment is None:
            return f"the environment of the decompiler is not set up. {REMEDY}"
        if self.environment.hook is None:
            return f"the library that tells the engine about prototypes is not built. {REMEDY}"
        return None

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
            FrontendError: The side environment is missing or does not start.
        """
        reason = self.missing()
        if reason:
            raise FrontendError(reason.removesuffix(f". {REMEDY}"), where=self.name, remedy=REMEDY)
        image = load_elf(binary)
        known = find_functions(image)
        with tempfile.TemporaryDirectory(prefix="sk2d-decompile-") as folder:
            job = write_job(image, known, Path(folder), self.steps)
            found = References([], {})
            if {"data", "returns"} & set(self.steps):
                found = self.pool.references(job, known)
            objects = Objects(image, found.data) if "data" in self.steps else None
            callees = self._callees(image, known)
            made = Callees(callees, found.results, functools.partial(self.pool.map, job))
            for target, answer in zip(targets, made.decompile(targets), strict=True):
                yield self._record(target, answer, objects)

    def _callees(self, image: Image, known: Sequence[Target]) -> dict[int, Target]:
        """List the functions whose own code tells their prototype, by what leads to them."""
        if not {"callees", "names"} <= set(self.steps):
            return {}
        found = {
            target.address: target
            for target in known
            if declaration_of(target.name, image.bits, self.steps) is None
            and not is_thunk(target.name)
        }
        by_name = {target.name: target for target in found.values()}
        stubs = [one for one in image.symbols if one.is_import and one.name in by_name]
        return found | {stub.address: by_name[stub.name] for stub in stubs}

    def _record(
        self, target: Target, answer: dict[str, Any], objects: Objects | None
    ) -> PseudoFunction:
        code = answer.get("code") or ""
        data: dict[str, str] = {}
        if code and objects is not None:
            named = name_addresses(code, objects, objects.image.word)
            code, data = named.text, definitions(objects, named.objects)
        problems = [f"{answer['error']}: {answer['message']}"] if "error" in answer else []
        return PseudoFunction(
            name=target.name,
            address=target.address,
            size=target.size or answer.get("size", 0),
            pseudo=code.strip("\n") + "\n" if code else "",
            dialect="flatline",
            warnings=(*problems, *answer.get("warnings", ())),
            recovery=self.steps,
            calls=tuple(answer.get("calls", ())),
            data=data,
        )
