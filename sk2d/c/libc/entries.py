"""One line of the table of standard declarations: what is known about one name."""

from __future__ import annotations

from typing import Final, Literal, NamedTuple

Kind = Literal["func", "type", "var", "macro", "tag", "constant"]

SEPARATOR: Final = "\t"


class Entry(NamedTuple):
    """A name of the C library.

    Attributes:
        name: The name; a tag with its keyword, as in `struct tm`.
        kind: What it stands for; `constant` is an enumerator or a macro with an arithmetic value.
        header: The header to include for it; `-` for a name that only other declarations need.
        needs: Names that have to be declared before it.
        type: C type of a variable or an object-like macro, a prototype for a function-like macro
            where one is known, else empty.
        text: The declaration; empty for an enumerator that comes with the type it needs.
    """

    name: str
    kind: Kind
    header: str
    needs: tuple[str, ...]
    type: str
    text: str

    @property
    def public(self) -> bool:
        """Whether programs may use the name, not only the headers themselves."""
        return self.header != "-"

    def line(self) -> str:
        """Give the line of the file that stands for it.

        Returns:
            The line, without its end.
        """
        fields = (self.name, self.kind, self.header, ",".join(self.needs), self.type, self.text)
        return SEPARATOR.join(fields)

    @staticmethod
    def from_line(line: str) -> Entry:
        """Read a line of the file.

        Args:
            line: The line, without its end.

        Returns:
            What it says.
        """
        name, kind, header, needs, c_type, text = line.split(SEPARATOR)
        wanted = tuple(needs.split(",")) if needs else ()
        return Entry(name, kind, header, wanted, c_type, text)  # type: ignore[arg-type]
