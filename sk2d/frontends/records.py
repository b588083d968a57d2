"""What every front end gives: one record per function, or the reason why there is none."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Protocol

from sk2d.errors import did_you_mean


@dataclass(frozen=True)
class Target:
    """A function to decompile.

    Args:
        name: Its name; one made from the address where the file has none.
        address: Where it begins.
        size: Its length in bytes; 0 where it is not known.
        is_named: Whether the file names it.
    """

    name: str
    address: int
    size: int
    is_named: bool = True


@dataclass(frozen=True)
class PseudoFunction:
    """A function as a decompiler shows it.

    Args:
        name: Its name.
        address: Where it begins.
        size: Its length in bytes.
        pseudo: Its pseudo-C; empty where the decompiler failed.
        dialect: Whose pseudo-C it is: `ida`, `ghidra`, `flatline` or `angr`; `auto` where only the
            text tells.
        warnings: What the decompiler said; the reason, where it failed.
        recovery: What the front end restored beside the decompiler, such as `prototypes`.
        calls: Addresses of the functions that it calls.
        data: C that defines the data that the pseudo-C names, by name.
    """

    name: str
    address: int
    size: int
    pseudo: str
    dialect: str
    warnings: tuple[str, ...] = ()
    recovery: tuple[str, ...] = ()
    calls: tuple[int, ...] = ()
    data: dict[str, str] = field(default_factory=dict)

    @property
    def failed(self) -> bool:
        """Whether there is no pseudo-C."""
        return not self.pseudo

    def definitions(self) -> str:
        """Give the data as C text.

        Returns:
            One definition a line, to stand before the pseudo-C; empty without data.
        """
        return "".join(f"{text}\n" for text in self.data.values())

    def as_json(self) -> dict[str, Any]:
        """Give the record as plain values.

        Returns:
            The fields by name.
        """
        return asdict(self)


class Frontend(Protocol):
    """A decompiler behind the common protocol."""

    name: str

    def missing(self) -> str | None:
        """Say why it cannot be used on this machine; None when it can."""

    def close(self) -> None:
        """End its processes."""

    def functions(self, binary: Path) -> list[Target]:
        """List the functions of a file, in the order of addresses."""

    def decompile(self, binary: Path, targets: Sequence[Target]) -> Iterator[PseudoFunction]:
        """Decompile functions, in their order; one that fails is a record with its reason."""


def nearest(name: str, targets: Sequence[Target]) -> str | None:
    """Offer a name for one that does not exist.

    Args:
        name: What was asked for.
        targets: The functions that there are.

    Returns:
        A sentence, or None where nothing is near.
    """
    return did_you_mean(name, [target.name for target in targets])
