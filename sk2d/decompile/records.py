"""What is known of a decompiled function."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any


@dataclass(frozen=True)
class Verdict:
    """What the compiler says about the code of a function, with shim and inferred header before it.

    Args:
        compiles: Whether it compiles; None where there is no code to ask about.
        reason: Why not, in one word of the project's list.
        message: What the compiler or the inference said.
    """

    compiles: bool | None
    reason: str | None = None
    message: str = ""


@dataclass(frozen=True)
class Name:
    """The names of a function in the texts of another one that calls it, or in its own.

    Args:
        address: Where it begins; None where that is not known.
        pseudo: Its name in the pseudo-code.
        ir: Its name in the IR; None without a Skeleton model, or where it could not be found again.
        recovered: Its name in the code, the same in the whole binary.
    """

    address: int | None
    pseudo: str
    ir: str | None
    recovered: str


@dataclass(frozen=True)
class Decompiled:
    """A function of a binary as C.

    Args:
        name: Its name in the file, or one made from its address.
        address: Where it begins.
        size: Its length in bytes.
        pseudo: The decompiler's text; empty where it failed.
        pseudo_norm: The normalised text; empty where that failed.
        ir: What the Skeleton model made of it; None without one.
        code: The result: what the Skin model made of it, else the last text before.
        definitions: C that defines the data that the pseudo-code names.
        verdict: What the compiler says.
        names: Functions under all their names, the function itself first.
        warnings: What went wrong or looks wrong.
    """

    name: str
    address: int
    size: int
    pseudo: str
    pseudo_norm: str = ""
    ir: str | None = None
    code: str = ""
    definitions: str = ""
    verdict: Verdict = Verdict(None)
    names: tuple[Name, ...] = ()
    warnings: tuple[str, ...] = field(default=())

    def as_json(self) -> dict[str, Any]:
        """Give the record as plain values.

        Returns:
            The fields by name.
        """
        return asdict(self)
