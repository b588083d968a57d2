"""The header: declarations of all that was found, in an order that C takes.

Forward declarations come first, then types by their dependencies, then constants and macros, then
objects and prototypes in the order in which the text uses them.
"""

from __future__ import annotations

from collections.abc import Iterable

from sk2d.c.inference.context import Context, Missing
from sk2d.c.inference.types import (
    VOID,
    Alias,
    Array,
    Basic,
    Enum,
    Function,
    Kind,
    Pointer,
    Record,
    Type,
    Unknown,
    kind_of,
    resolve,
)
from sk2d.errors import Reason, SourceError

_FIRST_CONSTANT = 1024
"""Where constants begin: large enough for `char text[SIZE - 1]`, small enough for an array."""


class Header:
    """Prints what a text lacks.

    Args:
        context: The text, solved.
        taken: Names that the text uses, which made-up names avoid.
    """

    def __init__(self, context: Context, taken: Iterable[str]) -> None:
        self.context = context
        self.taken = set(taken)
        self.forward: list[str] = []
        self.types: list[str] = []
        self.seen: set[int] = set()
        self.bodies: dict[int, bool] = {}
        self.records: list[Record] = []

    def text(self) -> str:
        """Print the header."""
        context = self.context
        objects = [self._object(entry) for entry in context.missing.values()]
        for type in [*context.typedefs.values(), *context.tags.values()]:
            self._visit(type, False)
        for record in self.records:
            if record.complete:
                self._body(record)
        unit = context.unit
        plain = sorted(unit.attributes - unit.wrappers)
        attributes = [f"#define {name}" for name in plain]
        attributes += [f"#define {name}(...)" for name in sorted(unit.wrappers)]
        constants = [text for group, text in objects if group == "constant"]
        others = [text for group, text in objects if group == "object"]
        prototypes = [text for group, text in objects if group == "prototype"]
        lines = [*attributes, *self.forward, *self.types, *self._constants(constants)]
        return "".join(f"{line}\n" for line in [*lines, *others, *prototypes])

    def _constants(self, texts: list[str]) -> list[str]:
        """Give the constants values that are different, and no case label of the text."""
        value = _FIRST_CONSTANT
        lines = []
        for text in texts:
            if text.endswith("="):
                while value in self.context.unit.literals:
                    value += 1
                text += f" {value} }};"
                value += 1
            lines.append(text)
        return lines

    # Missing names.

    def _object(self, entry: Missing) -> tuple[str, str]:
        """Give a missing name's declaration and the group where it belongs."""
        name, type = entry.name, entry.type
        if entry.macro:
            return "object", self._macro(entry)
        if entry.text:
            return "constant", f'#define {name}{"(...)" if entry.called else ""} ""'
        if entry.braces:
            return "constant", f"#define {name} {{0}}"
        if entry.width:
            return "constant", f"enum {{ {name} = 1 }};"
        found = resolve(type)
        if isinstance(found, Pointer) and not (entry.assigned or entry.addressed):
            behind = resolve(found.to)
            type, found = (behind, behind) if isinstance(behind, Function) else (type, found)
        if isinstance(found, Function):
            storage = f"{entry.defined} " if entry.defined == "static" else ""
            return "prototype", f"{storage}{self._declare(type, name)};"
        if entry.constant and not entry.assigned and entry.defined is None:
            return "constant", self._constant(name, type)
        return "object", f"extern {self._declare(type, name)};"

    def _constant(self, name: str, type: Type) -> str:
        found = resolve(type)
        kind = kind_of(type)
        if isinstance(found, Pointer):
            return self._address(name, found)
        if kind is Kind.FLOATING:
            return f"#define {name} 1.0"
        if kind is Kind.RECORD:
            return f"#define {name} {{0}}"
        return f"enum {{ {name} ="

    def _address(self, name: str, pointer: Pointer) -> str:
        """Declare what is used as a constant address: an array or a function."""
        behind = resolve(pointer.to)
        if isinstance(behind, Function):
            return f"{self._declare(behind, name)};"
        if kind_of(behind) is Kind.VOID:
            return f"#define {name} ((void *)0)"
        self._visit(pointer.to, True)
        return f"extern {self._declare(Array(pointer.to, '1'), name)};"

    def _macro(self, entry: Missing) -> str:
        arguments = "(...)" if entry.called else ""
        if entry.macro == "loop":
            return f"#define {entry.name}{arguments} for (;;)"
        if entry.macro == "statement" and entry.function is None:
            return f"#define {entry.name}{arguments}"
        assert entry.function is not None, "a macro is called"
        result = self._macro_result(entry.results or [entry.function.result])
        if kind_of(result) is Kind.VOID:
            return f"#define {entry.name}{arguments} ((void)0)"
        zero = f"(({self._declare(result, '')})0)"
        if kind_of(result) is Kind.RECORD or entry.macro == "place":
            self._visit(result, True)
            zero = f"(*({self._declare(Pointer(result), '')})0)"
        return f"#define {entry.name}{arguments} {zero}"

    def _macro_result(self, results: list[Type]) -> Type:
        """Choose a type that serves for all calls of a macro."""
        used = [type for type in results if kind_of(type) is not Kind.VOID]
        pointers = [type for type in used if kind_of(type) is Kind.POINTER]
        if pointers and len({self._declare(type, "") for type in pointers}) > 1:
            return Pointer(VOID)
        return (pointers or used or results)[0]

    # Types.

    def _declare(self, type: Type, name: str) -> str:
        """Print a declaration, and see to it that its types are declared before."""
        self._visit(type, False)
        return self.spell(type, name)

    def spell(self, type: Type, name: str) -> str:
        """Print a declarator with its type.

        Args:
            type: A type.
            name: The declarator so far.

        Returns:
            The declaration, without a semicolon.
        """
        type = _named(type)
        if isinstance(type, Pointer):
            return self._spell_pointer(type, name)
        if isinstance(type, Array):
            return self.spell(type.of, f"{name}[{type.size}]")
        if isinstance(type, Function):
            return self.spell(type.result, f"{name}({self._parameters(type)})")
        word = self._word(type)
        return f"{word} {name}" if name else word

    def _spell_pointer(self, pointer: Pointer, name: str) -> str:
        behind = _named(pointer.to)
        const = "const " if pointer.const else ""
        if isinstance(behind, Array | Function):
            return self.spell(behind, f"(*{name})")
        if isinstance(behind, Pointer):
            return self.spell(behind, f"*{const}{name}")
        if not self._nameable(behind):
            return f"{const}void *{name}"
        if isinstance(behind, Record) and behind.tag == "__builtin_va_list":
            return f"{behind.tag} {name}"
        return const + self.spell(behind, f"*{name}")

    def _parameters(self, function: Function) -> str:
        parameters, variadic = function.parameters, function.variadic
        if function.is_open and function.arities:
            least = min(*function.arities, function.cut)
            variadic = len(function.arities) > 1 or function.cut < len(parameters)
            parameters = parameters[:least]
        if not function.prototyped or (variadic and not parameters):
            return ""
        if not all(self._nameable(_named(p)) for p in parameters):
            return ""
        texts = [self.spell(p, "") for p in parameters]
        return ", ".join([*texts, *["..."] * variadic]) or "void"

    def _nameable(self, type: Type) -> bool:
        found = type if isinstance(type, Record) else None
        return found is None or found.visible

    def _word(self, type: Type) -> str:
        """Give the name of a type that is neither pointer, array nor function."""
        if isinstance(type, Unknown):
            return type.name or "int"
        if isinstance(type, Alias | Basic):
            return type.name
        if isinstance(type, Enum):
            return f"enum {type.tag}" if type.visible and type.tag else "int"
        assert isinstance(type, Record), "all other types are spelled elsewhere"
        if not type.visible:
            raise SourceError(Reason.UNSUPPORTED, "a struct without a tag leaves its block")
        if type.tag is None and type.owner is None:
            type.tag = self._fresh_tag()
        return type.owner or f"{type.keyword} {type.tag}"

    def _fresh_tag(self) -> str:
        number = 1
        while f"inferred{number}" in self.taken:
            number += 1
        self.taken.add(f"inferred{number}")
        return f"inferred{number}"

    # Order.

    def _visit(self, type: Type, by_value: bool) -> None:
        """Declare the types that a type is made of, before it."""
        type = _named(type)
        if isinstance(type, Pointer):
            self._visit(type.to, False)
        elif isinstance(type, Array):
            self._visit(type.of, True)
        elif isinstance(type, Function):
            for part in [type.result, *type.parameters]:
                self._visit(part, False)
        elif isinstance(type, Unknown):
            self._typedef(type, by_value)
        elif isinstance(type, Enum):
            self._enum(type)
        elif isinstance(type, Record):
            self._record(type, by_value)

    def _typedef(self, unknown: Unknown, by_value: bool) -> None:
        record = resolve(unknown)
        if isinstance(record, Record) and record.owner == unknown.name:
            self._record(record, by_value)
            return
        if unknown.bound is not None:
            self._visit(unknown.bound, by_value)
        if id(unknown) not in self.seen:
            self.seen.add(id(unknown))
            target = unknown.bound
            assert target is not None, "all types are known by now"
            self.types.append(f"typedef {self.spell(target, unknown.name or '')};")

    def _record(self, record: Record, by_value: bool) -> None:
        if id(record) not in self.seen:
            self.seen.add(id(record))
            self._introduce(record)
        if by_value:
            self._body(record)

    def _introduce(self, record: Record) -> None:
        if record.origin == "standard" or not record.visible:
            return
        word = self._word(record)
        if record.owner is not None:
            if record.tag is None:
                record.tag = self._tag_for(record.owner)
            self.forward.append(f"typedef {record.keyword} {record.tag} {record.owner};")
        else:
            self.forward.append(f"{word};")
        if record.origin == "inferred":
            self.records.append(record)

    def _tag_for(self, owner: str) -> str:
        return self._fresh_tag() if owner in self.context.tags else owner

    def _body(self, record: Record) -> None:
        if record.origin != "inferred":
            return
        state = self.bodies.get(id(record))
        if state is False:
            what = f"{self._word(record)} would contain itself"
            raise SourceError(Reason.TYPE_CONFLICT, what)
        if state:
            return
        self.bodies[id(record)] = False
        members = [*_positional(record), *record.members.items()]
        for _, type in members:
            self._visit(type, True)
        inside = " ".join(f"{self.spell(type, name)};" for name, type in members)
        self.bodies[id(record)] = True
        self.types.append(f"{record.keyword} {record.tag} {{ {inside or 'char unknown;'} }};")

    def _enum(self, enum: Enum) -> None:
        if enum.origin == "inferred" and id(enum) not in self.seen:
            self.seen.add(id(enum))
            self.forward.append(f"enum {enum.tag} {{ {enum.tag}_unknown }};")


def _positional(record: Record) -> list[tuple[str, Type]]:
    """Name the members that only initialisers know, by their places."""
    names = (f"member{n}" for n in range(1, 10_000))
    free = (name for name in names if name not in record.members)
    return [(next(free), type) for type in record.positional]


def _named(type: Type) -> Type:
    """Follow a type to the first one that has a name, or a shape, of its own."""
    while True:
        if isinstance(type, Unknown):
            if type.name is not None or type.bound is None:
                return type
            type = type.bound
        elif isinstance(type, Alias) and type.origin == "code":
            type = type.target
        elif isinstance(type, Record) and type.bound is not None:
            type = type.bound
        else:
            return type
