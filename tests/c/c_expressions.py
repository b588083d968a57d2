"""The types and expressions of the C programs that `c_programs.py` writes."""

# ruff: noqa: SIM905
from __future__ import annotations

import functools
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, TypeVar

from hypothesis import strategies as st

T = TypeVar("T")

FEATURES: Final = frozenset(
    "attribute bit_field case_range comment continued_string designator dollar_name "
    "function_pointer goto knr knr_pointer local_type macro prototype statement_expression "
    "trailing_attribute typeof unicode_name va_arg".split()
)
"""What can be left out by name."""

HARD: Final = frozenset({"knr_pointer", "va_arg"})
"""Valid C for which tree-sitter's grammar gives an error, or no function."""

NAMES = "a b n s t p q x len list node next value data size key item var1 var2 type1 field1".split()
NAMES += ["func1", "T", "buf_t", "i", "_x"]
TAGS = "node list s t item type1 T pair".split()
LABELS = "done next out again a t list var1".split()
INTEGERS = "0 1 7 42 255u 10L 077 0x1F 0xFFFFFFFFu 0x7fUL 0b101 100000LL 5ull 'a' '\\n'".split()
INTEGERS += ["'\\x41'", "'\\''", "'\"'", "'\\\\'", "'\\0'", "L'x'", "'/'"]
FLOATS = "1.5 .5 2. 1e3 1.5e-3 2.0f 0x1p-2 1.0L 3.e+2".split()
STRINGS = [
    '"plain"', '"see http://a.b/c"', '"/* keep */"', '"naïve → ok"', '"q\\"uote\\" \\\\"',
    '"%d\\n"', '"a" "b"', '"it\'s // no comment"', '"\\x41\\101\\t"', '""', 'u8"é"', '"var1 func1"',
]  # fmt: skip
COMMENTS = [
    "/* plain */", "/* a \"quote' */", "// it's open", "/* naïve → ok; } */",
    "/* var1 = func1(); */", "// int x = 1; {", "/* two\n   lines */", "// clang-format off",
    "/**/",
]  # fmt: skip


@dataclass(frozen=True)
class Type:
    """A C type: `kind` is int, float, struct, ptr, array or func."""

    kind: str
    spelling: str = ""
    to: Type | None = None
    members: tuple[tuple[str, Type], ...] = ()
    parameters: tuple[Type, ...] = ()
    typedef: str = ""
    constant: bool = False
    bits: int = 0

    def declare(self, name: str) -> str:
        if self.typedef or self.to is None:
            const = "const " if self.constant else ""
            width = f" : {self.bits}" if self.bits else ""
            return f"{const}{self.typedef or self.spelling} {name}{width}".rstrip()
        if self.kind == "ptr":
            inside = f"(*{name})" if self.to.declarator else f"*{name}"
            return self.to.declare(inside)
        if self.kind == "array":
            return self.to.declare(f"{name}[3]")
        listed = ", ".join(p.declare("") for p in self.parameters) or "void"
        return self.to.declare(f"{name}({listed})")

    @property
    def declarator(self) -> bool:
        return self.kind in ("array", "func") and not self.typedef

    def typedefs(self) -> set[str]:
        if self.typedef:
            return {self.typedef}
        inner = set() if self.to is None else self.to.typedefs()
        return inner.union(*(p.typedefs() for p in self.parameters))


INT, CHAR, DOUBLE = Type("int", "int"), Type("int", "char"), Type("float", "double")
CHARS = Type("ptr", to=replace(CHAR, constant=True))
PLAIN = [INT, CHAR, DOUBLE] + [
    Type("int", name)
    for name in ("unsigned", "long", "unsigned char", "unsigned long long int", "short", "_Bool")
]


@dataclass(frozen=True)
class Place:
    """An lvalue that the text at hand can name."""

    text: str
    type: Type


@functools.cache
def _index(count: int) -> st.SearchStrategy[int]:
    return st.integers(0, count - 1)


@dataclass
class Writer:
    """Writes one program; every choice is drawn, so that hypothesis can shrink it."""

    draw: Callable[[st.SearchStrategy[Any]], Any]
    without: Collection[str]
    scopes: list[dict[str, Type | None]] = field(default_factory=lambda: [{}])
    types: list[Type] = field(default_factory=list)
    macros: list[tuple[str, int]] = field(default_factory=list)
    labels: list[str] = field(default_factory=list)
    loops: int = 0
    left: int = 24

    def pick(self, options: Sequence[T]) -> T:
        return options[self.draw(_index(len(options)))]

    def maybe(self, one_in: int = 2) -> bool:
        return bool(self.draw(_index(one_in)) == one_in - 1)

    def can(self, feature: str) -> bool:
        assert feature in FEATURES
        return feature not in self.without and self.maybe(3)

    # Names and types

    def lookup(self, name: str) -> Type | None:
        return next((scope[name] for scope in reversed(self.scopes) if name in scope), None)

    def fresh(self, taken: Collection[str] = ()) -> str:
        """A name that this scope does not hold; an outer one may hold it."""
        odd = {"größe": "unicode_name", "a$b": "dollar_name"}
        known = [*NAMES, *(name for name, feature in odd.items() if feature not in self.without)]
        names = [n for n in known if n not in self.scopes[-1] and n not in taken]
        return self.pick(names) if names else f"name{len(self.scopes[-1])}"

    def visible(self, kind: Type) -> bool:
        """Whether no variable hides a typedef that the type is spelt with."""
        return all(self.scope_of(name) == "typedef" for name in kind.typedefs())

    def scope_of(self, name: str) -> str:
        for scope in reversed(self.scopes):
            if name in scope:
                return "typedef" if scope[name] is None else "variable"
        return ""

    def some_type(self, depth: int = 2) -> Type:
        known = [t for t in self.types if self.visible(t)]
        base = self.pick(PLAIN + known + known)
        if depth == 0 or base.kind in ("array", "func") or self.maybe():
            return base
        if self.maybe(4) and "function_pointer" not in self.without and base.kind != "struct":
            parameters = tuple(self.some_type(0) for _ in range(self.draw(_index(3))))
            usable = tuple(p for p in parameters if p.kind in ("int", "float", "struct"))
            return Type("ptr", to=Type("func", to=base, parameters=usable))
        pointed = replace(base, constant=True) if self.maybe(4) and not base.to else base
        return Type("ptr", to=pointed)

    # Places and expressions

    def places(self, wanted: Callable[[Type], bool], writable: bool = False) -> list[Place]:
        """All lvalues of a kind of type, each at most two steps from a variable."""
        found, seen = [], set[str]()
        for scope in reversed(self.scopes):
            for name, kind in scope.items():
                if kind is not None and name not in seen and kind.kind != "func":
                    found += self.steps(Place(name, kind), 2)
                seen.add(name)
        writables = (p for p in found if not (writable and p.type.constant))
        return [p for p in writables if wanted(p.type)]

    def steps(self, place: Place, depth: int) -> Iterator[Place]:
        yield place
        kind = place.type
        if depth == 0:
            return
        for name, member in kind.members:
            inner = replace(member, constant=True) if kind.constant else member
            yield from self.steps(Place(f"{place.text}.{name}", inner), depth - 1)
        if kind.to is not None and kind.to.kind != "func":
            arrow = Place(f"{place.text}[0]", kind.to)
            yield from self.steps(arrow, depth - 1)
            for name, member in kind.to.members:
                inner = replace(member, constant=True) if kind.to.constant else member
                yield Place(f"{place.text}->{name}", inner)

    def integer(self, depth: int = 2) -> str:
        places = self.places(lambda t: t.kind == "int")
        leaf = [INTEGERS] + [[p.text for p in places]] * 2 if places else [INTEGERS]
        if depth == 0 or self.maybe():
            return self.pick(self.pick(leaf))
        return self.pick(INTEGER_FORMS)(self, depth - 1)

    def floating(self, depth: int) -> str:
        places = self.places(lambda t: t.kind == "float")
        if places and self.maybe():
            return self.pick(places).text
        if depth and self.maybe():
            op = self.pick("+-*/")
            return f"{self.floating(depth - 1)} {op} {self.integer(0)}"
        return self.pick(FLOATS)

    def pointer(self, kind: Type, depth: int) -> str:
        assert kind.to is not None
        same = [p.text for p in self.places(lambda t: t == kind)]
        same += [f"&{p.text}" for p in self.places(lambda t: t == kind.to and not t.bits)]
        if kind == CHARS:
            same += STRINGS + self.continued()
        if same and self.maybe():
            return self.pick(same)
        if depth and kind.to.kind != "func" and self.maybe():
            return f"{self.pointer(kind, 0)} + {self.integer(0)}"
        others = self.places(lambda t: t.kind == "ptr" and t.to is not None and t.to.kind != "func")
        if others and kind.to.kind != "func" and self.visible(kind) and self.maybe():
            return f"({kind.declare('')}) {self.pick(others).text}"
        return self.pick(["0", "NULL", "(void *)0"])

    def continued(self) -> list[str]:
        return [] if "continued_string" in self.without else ['"one \\\ntwo"']

    def expression(self, kind: Type, depth: int = 2) -> str:
        if kind.kind == "int":
            return self.integer(depth)
        if kind.kind == "float":
            return self.floating(depth)
        if kind.kind == "ptr":
            return self.pointer(kind, depth)
        return self.structure(kind)

    def structure(self, kind: Type) -> str:
        same = [p.text for p in self.places(lambda t: replace(t, constant=False) == kind)]
        if same and (self.maybe() or not self.visible(kind)):
            return self.pick(same)
        if not self.visible(kind):
            return f"*({kind.spelling} *)0"
        return f"({kind.typedef or kind.spelling}){self.braces(kind)}"

    def braces(self, kind: Type) -> str:
        """A brace initialiser of a struct, union or array."""
        if kind.kind == "array":
            assert kind.to is not None
            first = self.expression(kind.to, 0) if kind.to.kind != "struct" else "{0}"
            listed = [f"[1] = {first}", "0"] if self.can("designator") else [first, "0"]
            return "{" + ", ".join(listed[: 1 + (kind.to.kind != "struct")]) + "}"
        simple = [(n, t) for n, t in kind.members if t.kind in ("int", "float", "ptr")]
        if not simple or "designator" in self.without:
            return "{0}"
        name, member = self.pick(simple)
        return "{." + f"{name} = {self.expression(member, 0)}" + "}"

    def call(self, depth: int) -> str:
        """A call of a declared function or through a pointer, or a number."""
        names = {n: t for scope in self.scopes for n, t in scope.items()}
        callees = [Place(n, t) for n, t in names.items() if t is not None and t.kind == "func"]
        callees = [c for c in callees if self.lookup(c.text) == c.type]
        callees += [
            Place(self.pick([p.text, f"(*{p.text})"]), p.type.to)
            for p in self.places(
                lambda t: t.kind == "ptr" and t.to is not None and t.to.kind == "func"
            )
            if p.type.to is not None
        ]
        callees = [c for c in callees if c.type.to is not None and c.type.to.kind == "int"]
        if not callees:
            return f"(int)strlen({self.pointer(CHARS, depth)})"
        callee = self.pick(callees)
        given = [self.expression(p, depth) for p in callee.type.parameters]
        return f"{callee.text}({', '.join(given)})"


def _unary(w: Writer, depth: int) -> str:
    return f"{w.pick('-~!+')}({w.integer(depth)})"


def _binary(w: Writer, depth: int) -> str:
    op = w.pick("+ - * / % << >> & | ^ && || == != < > <= >=".split())
    return f"({w.integer(depth)} {op} {w.integer(depth)})"


def _parenthesised_and(w: Writer, depth: int) -> str:
    places = w.places(lambda t: t.kind == "int")
    left = w.pick(places).text if places else "1"
    return f"(({left}) {w.pick(['&&', '-', '+', '*'])} {w.integer(depth)})"


def _ternary(w: Writer, depth: int) -> str:
    return f"({w.integer(0)} ? {w.integer(depth)} : {w.integer(depth)})"


def _cast(w: Writer, depth: int) -> str:
    kinds = [t for t in (INT, CHAR, *w.types) if t.kind == "int" and w.visible(t)]
    kind = w.pick(kinds)
    pointers = w.places(
        lambda t: t.kind == "ptr" and t.to is not None and t.to.kind in ("int", "float")
    )
    if pointers and w.maybe():
        return f"({kind.declare('')}) *{w.pick(pointers).text}"
    return f"({kind.declare('')})({w.pick([w.integer, w.floating])(depth)})"


def _sizeof(w: Writer, depth: int) -> str:
    if w.maybe():
        return f"sizeof({w.some_type(1).declare('')})"
    places = w.places(lambda t: not t.bits)
    return f"sizeof {w.pick(places).text}" if places else "sizeof 1"


def _assign(w: Writer, depth: int) -> str:
    places = w.places(lambda t: t.kind == "int", writable=True)
    if not places:
        return w.integer(depth)
    to = w.pick(places).text
    forms = [f"{to} {w.pick(['=', '+=', '|=', '<<='])} {w.integer(depth)}", f"{to}++", f"--{to}"]
    return f"({w.pick(forms)})"


def _pointer_test(w: Writer, depth: int) -> str:
    places = w.places(lambda t: t.kind == "ptr")
    if not places:
        return w.integer(depth)
    place = w.pick(places)
    return w.pick(
        [f"!{place.text}", f"({place.text} == 0)", f"({place.text} && {w.integer(depth)})"]
    )


def _comma(w: Writer, depth: int) -> str:
    return f"({w.integer(0)}, {w.integer(depth)})"


def _text_index(w: Writer, depth: int) -> str:
    return f"{w.pick(STRINGS[:7])}[0]"


def _macro_use(w: Writer, depth: int) -> str:
    usable = [m for m in w.macros if w.scope_of(m[0]) == ""]
    if not usable:
        return w.integer(depth)
    name, arity = w.pick(usable)
    return f"{name}({w.integer(0)})" if arity else name


def _statement_expression(w: Writer, depth: int) -> str:
    if "statement_expression" in w.without:
        return w.integer(depth)
    name = w.pick(NAMES)
    w.scopes.append({})
    value = w.integer(depth)  # before the name is declared: it may mean another thing there
    w.scopes[-1][name] = INT
    text = f"({{ int {name}; {name} = {value if name not in value else '1'}; {name} + 1; }})"
    w.scopes.pop()
    return text


INTEGER_FORMS: Final[list[Callable[[Writer, int], str]]] = [
    _binary, _binary, _unary, _parenthesised_and, _ternary, _cast, _cast, _sizeof, _assign,
    _pointer_test, _comma, _text_index, _macro_use, Writer.call, Writer.call, _statement_expression,
]  # fmt: skip
