"""Strategies of hypothesis that write C functions which compile, for property tests.

`programs()` gives a function definition and, apart from it, the declarations it needs; joined they
compile with `gcc -std=gnu11 -fsyntax-only` (tests/c/test_c_programs.py). `functions()` gives the
joined text, or the definition alone. Names come from a small pool, so that scopes shadow, and
typedefs, tags, members, labels, macros and variables share names.

A test that cannot take some feature leaves it out by name: `functions(without={"knr"})`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from typing import Any, Final

from hypothesis import strategies as st

from tests.c.c_expressions import (
    CHAR,
    CHARS,
    COMMENTS,
    DOUBLE,
    FEATURES,
    INT,
    LABELS,
    NAMES,
    TAGS,
    Type,
    Writer,
)

HARD: Final = frozenset({"case_range", "knr_pointer", "trailing_attribute", "typeof", "va_arg"})
"""Valid C for which tree-sitter's grammar gives an error, or no function."""

INCLUDES: Final = "#include <stdarg.h>\n#include <stdio.h>\n#include <string.h>\n"


@dataclass(frozen=True)
class Program:
    """A function definition and the declarations that it needs."""

    declarations: str
    function: str
    name: str

    @property
    def code(self) -> str:
        return f"{self.declarations}{self.function}"


class Body(Writer):
    """Writes statements; a block is a list of lines."""

    def block(self, depth: int, before: Callable[[], None] = lambda: None) -> str:
        """A compound statement with a scope of its own."""
        self.scopes.append({})
        before()
        lines = [self.statement(depth) for _ in range(1 + self.draw(st.integers(0, 2)))]
        self.scopes.pop()
        return "{\n" + "\n".join(lines) + "\n}"

    def statement(self, depth: int) -> str:
        comment = f"{self.pick(COMMENTS)}\n" if self.can("comment") else ""
        if depth == 0 or self.left <= 0:
            return comment + self.pick([Body.declaration, Body.assignment])(self)
        self.left -= 1
        return comment + self.pick(STATEMENTS)(self, depth - 1)

    def declaration(self, depth: int = 0) -> str:
        kind = self.some_type()
        if self.maybe(4):
            kind = Type("array", to=kind)
        name = self.fresh()
        # From here on the name means this variable, also in its own initialiser.
        self.scopes[-1][name] = kind
        if kind.kind == "array" or (kind.kind == "struct" and not self.maybe()):
            value = self.braces(kind)
        else:
            value = self.expression(kind)
        before = "__attribute__((unused)) " if self.can("attribute") else ""
        behind = " __attribute__((unused))" if self.can("trailing_attribute") else ""
        return f"{before}{kind.declare(name)}{behind} = {value};"

    def assignment(self, depth: int = 0) -> str:
        places = self.places(lambda t: t.kind in ("int", "float", "ptr", "struct"), writable=True)
        if not places:
            return f"{self.integer(1)};"
        place = self.pick(places)
        return f"{place.text} = {self.expression(place.type)};"

    def product(self, depth: int) -> str:
        """`a * b;`, which is a declaration where `a` is a type."""
        places = [p.text for p in self.places(lambda t: t.kind == "int")] or ["1"]
        return f"{self.pick(places)} * {self.pick(places)};"

    def discarded(self, depth: int) -> str:
        return f"{self.pick(['', '(void)'])}{self.call(1)};"

    def condition(self, depth: int) -> str:
        text = f"if ({self.integer()}) {self.block(depth)}"
        if self.left > 0 and self.maybe():
            self.left -= 1
            text += " else " + self.pick([Body.condition, Body.block, Body.assignment])(self, depth)
        return text

    def loop(self, depth: int) -> str:
        form = self.pick(["while ({0}) {1}", "do {1} while ({0});", "for (; {0};) {1}"])
        self.loops += 1
        text = form.format(self.integer(), self.block(depth))
        self.loops -= 1
        return text

    def counted(self, depth: int) -> str:
        """A for loop with a declaration of its own."""
        self.scopes.append({})
        name = self.fresh()
        self.scopes[-1][name] = INT
        start = self.integer(1)
        text = f"for (int {name} = {start}; {name} < {self.integer(1)}; {name}++) "
        self.loops += 1
        text += self.block(depth)
        self.loops -= 1
        self.scopes.pop()
        return text

    def jump(self, depth: int) -> str:
        forms = ["return{};", ";"]
        forms += ["break;", "continue;"] if self.loops else []
        forms += [f"goto {label};" for label in self.labels]
        form = self.pick(forms)
        if form != "return{};":
            return form
        return f"return {self.expression(self.returns)};" if self.returns else "return;"

    def choice(self, depth: int) -> str:
        values = ["0", "'a'", "0x10", "-1", "1 << 8"][: 1 + self.draw(st.integers(0, 4))]
        cases = [f"case {value}: {self.block(depth)} break;" for value in values]
        cases.append(self.pick(["default: ;", "case 76: case 77: ;", "default: break;"]))
        if self.can("case_range"):
            cases.append("case 300 ... 310: ;")
        return f"switch ({self.integer(1)}) {{\n" + "\n".join(cases) + "\n}"

    def local_type(self, depth: int) -> str:
        if "local_type" in self.without:
            return self.assignment()
        name = self.fresh({t.typedef for t in self.types})
        base = self.pick([INT, DOUBLE])
        text = f"typedef {base.spelling} {name};"
        self.scopes[-1][name] = None
        local = replace(base, typedef=name)
        other = self.fresh()
        self.scopes[-1][other] = local
        return f"{text}\n{name} {other} = 1;\n{other} = ({name}) {other} + ({name})(2);"

    def local_prototype(self, depth: int) -> str:
        if "prototype" in self.without:
            return self.assignment()
        name, parameter = "helper_local", self.fresh()
        self.scopes[-1][name] = Type("func", to=INT, parameters=(INT,))
        return f"extern int {name}(int {parameter});"

    def typeof_declaration(self, depth: int) -> str:
        places = self.places(lambda t: t.kind == "int" and not t.bits)
        if "typeof" in self.without or not places:
            return self.declaration()
        name = self.fresh()
        text = f"__typeof__({self.pick(places).text}) {name} = 0;"
        self.scopes[-1][name] = INT
        return text

    returns: Type | None = None


STATEMENTS: Final[list[Callable[[Body, int], str]]] = [
    Body.declaration, Body.declaration, Body.declaration, Body.assignment, Body.assignment,
    Body.condition, Body.loop, Body.counted, Body.product, Body.discarded, Body.jump, Body.choice,
    Body.block, Body.local_type, Body.local_prototype, Body.typeof_declaration,
]  # fmt: skip


class Unit(Body):
    """Writes the declarations of a file and one function definition."""

    def struct_type(self, word: str, tag: str) -> str:
        """A struct or union, which is added to the known types, maybe also by a typedef."""
        names = ["next", *{self.pick(NAMES) for _ in range(1 + self.draw(st.integers(0, 3)))}]
        bits = self.can("bit_field")
        members = [(names[0], Type("ptr", to=Type("struct", f"{word} {tag}")))]
        for name in (n for n in sorted(names[1:]) if n != "next"):
            kind = self.some_type()
            if bits and kind == INT:
                kind = replace(kind, bits=3)
            members.append((name, Type("array", to=kind) if self.maybe(6) and not bits else kind))
        kind = Type("struct", f"{word} {tag}", members=tuple(members))
        self.types.append(kind)
        body = " ".join(f"{t.declare(n)};" for n, t in members)
        text = f"{word} {tag} {{ {body} }};\n"
        return text + (self.typedef(kind, tag) if self.maybe() else "")

    def typedef(self, kind: Type, tag: str | None = None) -> str:
        free = tag is not None and tag not in self.scopes[0] and self.maybe()
        name = tag if free and tag is not None else self.fresh()
        text = f"typedef {kind.declare(name)};\n"
        self.scopes[0][name] = None
        self.types.append(replace(kind, typedef=name))
        return text

    def enumeration(self, tag: str) -> str:
        first = self.fresh()
        second = self.fresh({first})
        for name in (first, second):
            self.scopes[0][name] = replace(INT, constant=True, bits=1)  # no lvalue: no address
        self.types.append(Type("int", f"enum {tag}"))
        return f"enum {tag} {{ {first}, {second} = {self.pick(['5', '1 << 3', '0x10'])} }};\n"

    def variable(self) -> str:
        kind, name = self.some_type(), self.fresh()
        self.scopes[0][name] = kind
        return f"extern {kind.declare(name)};\n"

    def prototype(self) -> str:
        kinds = [self.some_type() for _ in range(self.draw(st.integers(0, 3)))]
        parameters = tuple(k for k in kinds if k.kind in ("int", "float", "ptr", "struct"))
        name = self.fresh()
        self.scopes[0][name] = kind = Type("func", to=INT, parameters=parameters)
        return f"{kind.declare(name)};\n"

    def macro(self) -> str:
        """A macro; one with a parameter may share its name with a variable of the function."""
        if "macro" in self.without:
            return ""
        name = f"MACRO{len(self.macros)}"
        arity = self.draw(st.integers(0, 1))
        self.macros.append((name, arity))
        return f"#define {name}(x) ((x) + (x))\n" if arity else f"#define {name} (1 + 2)\n"

    def declarations(self) -> str:
        tags = list(dict.fromkeys(TAGS))
        text = INCLUDES
        for _ in range(self.draw(st.integers(0, 6))):
            form = self.draw(st.integers(0, 6))
            if form < 3 and tags:
                tag = tags.pop(self.draw(st.integers(0, len(tags) - 1)))
                word = self.pick(["struct", "struct", "union"])
                text += self.enumeration(tag) if form == 0 else self.struct_type(word, tag)
            else:
                makers = [self.variable, self.prototype, self.macro]
                text += (
                    self.typedef(self.some_type())
                    if form == 3
                    else makers[form - 4]()
                    if form > 3
                    else ""
                )
        return text

    def function(self) -> tuple[str, str]:
        """A definition and its name."""
        name = self.fresh()
        returned = self.some_type(1)
        self.returns = None if self.maybe(4) else returned
        if returned.kind not in ("int", "float", "ptr", "struct"):
            self.returns = INT
        old_style = self.can("knr") and (self.returns is None or self.returns.kind != "ptr")
        old_style = old_style or (self.returns is not None and self.can("knr_pointer"))
        head, parameters = self.head(name, old_style)
        given = tuple(t for t in parameters.values() if t is not None)
        self.scopes[0][name] = Type("func", to=self.returns, parameters=given)
        if self.can("goto"):
            self.labels = [self.pick(LABELS)]
        variadic = not old_style and "va_arg" in head
        return f"{head} {self.body(parameters, variadic)}\n", name

    def head(self, name: str, old_style: bool) -> tuple[str, dict[str, Type | None]]:
        scope: dict[str, Type | None] = {}
        typedefs = {name for name, kind in self.scopes[0].items() if kind is None}
        for _ in range(self.draw(st.integers(0, 3))):
            kind = self.some_type()
            if kind.kind in ("int", "float", "ptr", "struct"):
                self.scopes.append(dict(scope))
                if self.visible(kind):
                    scope[self.fresh(typedefs if old_style else ())] = kind
                self.scopes.pop()
        declared = [t.declare(n) for n, t in scope.items() if t is not None]
        if old_style:
            own = f"{name}({', '.join(scope)})"
            after = "".join(f"\n{d};" for d in declared)
        else:
            own = f"{name}({', '.join(declared) or 'void'})"
            after = ""
        returned = self.returns.declare(own) if self.returns else f"void {own}"
        storage = "static " if self.maybe(4) else ""
        attribute = "__attribute__((noinline)) " if self.can("attribute") else ""
        return f"{storage}{attribute}{returned}{after}", scope

    def body(self, parameters: dict[str, Type | None], variadic: bool) -> str:
        self.scopes.append(dict(parameters))
        lines = [self.statement(2) for _ in range(1 + self.draw(st.integers(0, 6)))]
        lines += [f"{label}: ;" for label in self.labels]
        if "va_arg" not in self.without and self.maybe(6):
            lines.append("{ va_list ap; (void)va_arg(ap, int *); }")
        value = f" {self.expression(self.returns)}" if self.returns else ""
        self.scopes.pop()
        return "{\n" + "\n".join(lines) + f"\nreturn{value};\n}}"


@st.composite
def programs(
    draw: Callable[[st.SearchStrategy[Any]], Any], without: Collection[str] = ()
) -> Program:
    """A function definition with the declarations that make it compile.

    By default the features of `HARD` are not left out; see `FEATURES`.
    """
    assert set(without) <= FEATURES, "a feature that no program has"
    unit = Unit(draw, without)
    declarations = unit.declarations()
    function, name = unit.function()
    return Program(declarations, function, name)


def functions(
    without: Collection[str] = HARD, *, declarations: bool = True
) -> st.SearchStrategy[str]:
    """The text of one definition, with its declarations or alone."""
    return programs(without).map(lambda p: p.code if declarations else p.function)


EXPRESSION_DECLARATIONS: Final = (
    "#include <string.h>\nstruct pair { int a; struct pair *next; char data[3]; double x; };\n"
    "typedef struct pair T;\ntypedef long size;\nint func1(int a, const char *s);\n"
)
EXPRESSION_PARAMETERS: Final = (
    "int n, unsigned char b, T *p, const char *s, double *q, size len, T t"
)


@st.composite
def expressions(
    draw: Callable[[st.SearchStrategy[Any]], Any], without: Collection[str] = HARD
) -> str:
    """An integer expression that compiles inside `expression_program`."""
    unit = Unit(draw, without)
    pair = Type("struct", "struct pair")
    members = (("a", INT), ("next", Type("ptr", to=pair)), ("data", Type("array", to=CHAR)))
    pair = replace(pair, typedef="T", members=(*members, ("x", DOUBLE)))
    size = Type("int", "long", typedef="size")
    unit.types = [pair, size]
    unit.scopes = [
        {"T": None, "size": None, "func1": Type("func", to=INT, parameters=(INT, CHARS))},
        {
            "n": INT, "b": Type("int", "unsigned char"), "p": Type("ptr", to=pair), "s": CHARS,
            "q": Type("ptr", to=DOUBLE), "len": size, "t": pair,
        },
    ]  # fmt: skip
    return unit.integer(3)


def expression_program(expression: str) -> str:
    """A whole text in which an expression of `expressions` stands."""
    return f"{EXPRESSION_DECLARATIONS}int f({EXPRESSION_PARAMETERS}) {{\nreturn {expression};\n}}\n"
