"""What is noted while reading: which token stands for which entity, and how it is used there."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, Literal

Kind = Literal["type", "func", "var", "field", "label"]
Namespace = Literal["ordinary", "tags", "members", "labels"]

# Ways in which a name that no declaration explains may stand. The first four are proof, the two
# guesses are taken back when there is proof of the contrary elsewhere in the text.
TYPE: Final = 1
CALLED: Final = 2
OBJECT: Final = 4
VALUE: Final = 8
GUESSED_TYPE: Final = 16
GUESSED_VALUE: Final = 32
MEMBER: Final = 64

FILE_SCOPE: Final = -1


@dataclass(slots=True, eq=False)
class Entry:
    """An entity with a name.

    Attributes:
        name: Its name.
        kind: What it is; of what is not declared, decided when all has been read.
        namespace: The namespace of C that it is in.
        declared: Whether the text declares it (a macro: defines it).
        local: Whether it is declared in a block, or is a parameter.
        scope: Token with which its scope begins; `FILE_SCOPE` for the whole text.
        token: Token of its first declaration.
        until: Token with which its scope ends.
        roles: Ways in which it is used.
        pointer: Whether it is declared as a pointer or array.
        defined: Whether the body of the function, struct, union or enum stands here.
        static: Whether it is declared `static`.
        macro: `object` or `function` for a macro that the text defines.
        same: The entry that it turned out to be the same as.
    """

    name: str
    kind: Kind
    namespace: Namespace
    declared: bool = False
    local: bool = False
    scope: int = FILE_SCOPE
    token: int = 0
    until: int = 0
    roles: int = 0
    pointer: bool = False
    defined: bool = False
    static: bool = False
    macro: str = ""
    same: Entry | None = None

    def root(self) -> Entry:
        """Give the entry that stands for this one and all it is the same as."""
        entry = self
        while entry.same is not None:
            entry = entry.same
        return entry


@dataclass(slots=True)
class FunctionNote:
    """A function definition: its tokens and its parameters."""

    entry: Entry
    start: int
    name: int
    body: int
    end: int
    parameters: list[Entry]


@dataclass(slots=True)
class Ledger:
    """What all readings of a text found.

    Attributes:
        declared: Declared entities by token and namespace.
        free: Entities without a declaration, and macros, by namespace and name.
        uses: The entity that a token stands for.
        functions: Function definitions on file level, by the token of the name.
        kept: Ranges of tokens that no name of the program stands in, as in attributes.
    """

    declared: dict[tuple[int, Namespace], Entry] = field(default_factory=dict)
    free: dict[tuple[Namespace, str], Entry] = field(default_factory=dict)
    uses: dict[int, Entry] = field(default_factory=dict)
    functions: dict[int, FunctionNote] = field(default_factory=dict)
    kept: list[tuple[int, int]] = field(default_factory=list)

    def unexplained(self, namespace: Namespace, name: str) -> Entry:
        """Give the entity of a name that no declaration explains."""
        entry = self.free.get((namespace, name))
        if entry is None:
            kind: Kind = "type" if namespace == "tags" else "var"
            if namespace == "members":
                kind = "field"
            entry = self.free[namespace, name] = Entry(name, kind, namespace)
        return entry

    def commit(self, notes: list[tuple[int, Entry, int]]) -> None:
        """Take over what one reading noted.

        A token that an earlier reading took for another entity makes the two one: a function whose
        head stands in two versions under `#if` has its parameters only once.
        """
        uses = self.uses
        for token, entry, roles in notes:
            entry.roles |= roles
            before = uses.setdefault(token, entry)
            if before is not entry:
                unite(before, entry)


def unite(one: Entry, other: Entry) -> None:
    """Note that two entries are the same entity."""
    one, other = one.root(), other.root()
    if one is other or one.namespace != other.namespace or one.name != other.name:
        return
    other.same = one
    one.until = max(one.until, other.until)
    one.roles |= other.roles
    one.declared |= other.declared
    one.local |= other.local
    one.defined |= other.defined
