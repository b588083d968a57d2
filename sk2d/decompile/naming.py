"""One name for each function over the whole binary."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from sk2d.c import libc
from sk2d.c.calls import own_calls, rename_functions
from sk2d.c.functions import the_function
from sk2d.c.parse import parse
from sk2d.decompile.records import Name
from sk2d.errors import SourceError
from sk2d.frontends.names import c_names
from sk2d.frontends.records import Target


class NameBook:
    """The names of a binary's functions.

    A function that the file names keeps that name. Any other has the name under which it was first
    recovered: where it is defined, or where a caller that was decompiled earlier calls it.

    Args:
        targets: All functions of the file.
    """

    def __init__(self, targets: Iterable[Target]) -> None:
        listed = list(targets)
        names = c_names(listed)
        self.addresses = {name: address for address, name in names.items()}
        self._names = {at.address: names[at.address] for at in listed if at.is_named}
        self._taken = set(self._names.values())

    def name_of(self, pseudo: str, recovered: str | None) -> str:
        """Give the name of a function, and keep what was recovered where it had none.

        Args:
            pseudo: Its name in the pseudo-code.
            recovered: What a model calls it; None where it says nothing.

        Returns:
            Its name in the whole binary.
        """
        address = self.addresses.get(pseudo)
        if address is None:
            return pseudo  # imported, or not among the file's functions
        known = self._names.get(address)
        if known is not None:
            return known
        if recovered is None or recovered == pseudo:
            return pseudo
        self._names[address] = self._free(recovered, address)
        return self._names[address]

    def _free(self, name: str, address: int) -> str:
        """Make a name that no other function has, nor the standard library."""
        if name in self._taken or libc.kind_of(name) is not None:
            name = f"{name}_{address:x}"
        self._taken.add(name)
        return name


def aligned(before: Sequence[str], after: Sequence[str]) -> list[str | None]:
    """Find names of one text again in another, by the order in which they first appear.

    Args:
        before: Names in the earlier text.
        after: Names in the later one.

    Returns:
        The later name of each; names that both have are themselves. Where the numbers of the
        others differ nothing can be said about them: None.
    """
    both = set(before) & set(after)
    old, new = ([name for name in names if name not in both] for names in (before, after))
    pairs = dict(zip(old, new, strict=True)) if len(old) == len(new) else {}
    return [name if name in both else pairs.get(name) for name in before]


def own_name(code: str) -> str | None:
    """Give the name of the one function that a text defines.

    Args:
        code: C text.

    Returns:
        The name, or None where it is no C or defines none or several.
    """
    try:
        return the_function(parse(code)).name
    except SourceError:
        return None


def calls_of(code: str) -> list[str]:
    """List the calls of a text that are no standard functions.

    Args:
        code: C text.

    Returns:
        Names in the order of their first call; none for a text that is no C.
    """
    try:
        return own_calls(code)
    except SourceError:
        return []


def named(
    book: NameBook, pseudo_norm: str, ir: str | None, code: str
) -> tuple[str, tuple[Name, ...], list[str]]:
    """Give the functions in a text the names that they have in the whole binary.

    Args:
        book: The names of the binary.
        pseudo_norm: Normalised pseudo-code of a function.
        ir: Its IR, where there is a Skeleton model.
        code: Its code.

    Returns:
        The code with those names, the function and those that it calls under all their names, and
        warnings about calls that could not be found again.
    """
    own, called = own_name(pseudo_norm), calls_of(pseudo_norm)
    if own is None:
        return code, (), []
    before = [own, *called]
    middle = _names_in(ir, before) if ir is not None else [None] * len(before)
    last = _names_in(code, before)
    new: dict[str, str] = {}
    names: list[Name] = []
    for pseudo, placeholder, recovered in zip(before, middle, last, strict=True):
        name = book.name_of(pseudo, recovered)
        names.append(Name(book.addresses.get(pseudo), pseudo, placeholder, name))
        if recovered is not None:
            new[recovered] = name
    lost = [pseudo for pseudo, recovered in zip(before, last, strict=True) if recovered is None]
    warnings = [f"call not found again: {name}" for name in lost]
    return _renamed(code, new), tuple(names), warnings


def _names_in(text: str, before: Sequence[str]) -> list[str | None]:
    own = own_name(text)
    return [own, *aligned(before[1:], calls_of(text))]


def _renamed(code: str, new: Mapping[str, str]) -> str:
    try:
        return rename_functions(code, new)
    except SourceError:
        return code
