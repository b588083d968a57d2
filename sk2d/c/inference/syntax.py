"""The syntax of C as type inference sees it: small, without layout, casts settled.

tree-sitter's tree serves the steps that edit text. Inference reads the tokens itself, because what
it is asked about is just what that tree gets wrong: `va_arg(ap, int *)` is an error there, and
`(T) * p + 1` has the wrong shape as long as nobody says that `T` is a type.
"""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(slots=True)
class Node:
    """Anything with a place; `line` counts from 1."""

    line: int


@dataclass(slots=True)
class TypeSyntax(Node):
    """A type as it is written."""


@dataclass(slots=True)
class Builtin(TypeSyntax):
    """`unsigned int`, `void`, `double _Complex`: the keywords in a fixed order."""

    name: str


@dataclass(slots=True)
class Named(TypeSyntax):
    """A typedef name."""

    name: str


@dataclass(slots=True)
class RecordSyntax(TypeSyntax):
    """`struct tag` or `union tag`, with its members where it is defined."""

    keyword: str
    tag: str | None
    members: list[Declaration] | None


@dataclass(slots=True)
class EnumSyntax(TypeSyntax):
    """`enum tag`, with its constants where it is defined."""

    tag: str | None
    constants: list[tuple[str, Expression | None]] | None


@dataclass(slots=True)
class TypeOf(TypeSyntax):
    """`typeof(x)` and `__auto_type` (whose operand is the initialiser)."""

    operand: Expression | TypeSyntax | None


@dataclass(slots=True)
class PointerTo(TypeSyntax):
    """A pointer; `const` is said of what it points to."""

    to: TypeSyntax
    const: bool = False


@dataclass(slots=True)
class ArrayOf(TypeSyntax):
    """An array; no size where the brackets are empty."""

    of: TypeSyntax
    size: Expression | None


@dataclass(slots=True)
class FunctionOf(TypeSyntax):
    """A function type; `parameters` is None for `()`."""

    result: TypeSyntax
    parameters: list[Parameter] | None
    variadic: bool = False
    names: list[str] = field(default_factory=list)
    """Names of an old-style definition `f(a, b)`."""


@dataclass(slots=True)
class Parameter(Node):
    """A parameter of a prototype or definition."""

    name: str | None
    type: TypeSyntax


@dataclass(slots=True)
class Expression(Node):
    """Something with a value."""


@dataclass(slots=True)
class Name(Expression):
    """An identifier in value position."""

    name: str


@dataclass(slots=True)
class Number(Expression):
    """An integer, floating or character constant."""

    text: str


@dataclass(slots=True)
class Text(Expression):
    """String literals in a row, and the macro names between them."""

    pieces: list[str]


@dataclass(slots=True)
class Unary(Expression):
    """A prefix operator, or `x++` / `x--` for the ones behind."""

    op: str
    operand: Expression


@dataclass(slots=True)
class Binary(Expression):
    """A binary operator, the comma too."""

    op: str
    left: Expression
    right: Expression


@dataclass(slots=True)
class Assign(Expression):
    """`=` and its compound forms."""

    op: str
    target: Expression
    value: Expression


@dataclass(slots=True)
class Conditional(Expression):
    """`a ? b : c`; `then` is None in GNU's `a ?: c`."""

    test: Expression
    then: Expression | None
    other: Expression


@dataclass(slots=True)
class Call(Expression):
    """A call of a function or of a function-like macro."""

    callee: Expression
    arguments: list[Expression]


@dataclass(slots=True)
class Member(Expression):
    """`x.name` or `x->name`."""

    object: Expression
    name: str
    arrow: bool


@dataclass(slots=True)
class Index(Expression):
    """`x[i]`."""

    object: Expression
    index: Expression


@dataclass(slots=True)
class Cast(Expression):
    """`(type) x`."""

    type: TypeSyntax
    operand: Expression


@dataclass(slots=True)
class SizeOf(Expression):
    """`sizeof` or `_Alignof` of a type or expression."""

    operand: Expression | TypeSyntax


@dataclass(slots=True)
class Compound(Expression):
    """`(type){...}`."""

    type: TypeSyntax
    value: Braces


@dataclass(slots=True)
class StatementExpression(Expression):
    """GNU's `({ ... })`."""

    body: Block


@dataclass(slots=True)
class LabelAddress(Expression):
    """GNU's `&&label`."""


@dataclass(slots=True)
class Generic(Expression):
    """`_Generic(x, type: value, ...)`."""

    control: Expression
    choices: list[tuple[TypeSyntax | None, Expression]]


@dataclass(slots=True)
class VaArg(Expression):
    """`va_arg(list, type)`."""

    list: Expression
    type: TypeSyntax


@dataclass(slots=True)
class OffsetOf(Expression):
    """`offsetof(type, path)`; the path is kept as an expression on a name."""

    type: TypeSyntax
    path: Expression


@dataclass(slots=True)
class TypeArgument(Expression):
    """A type that is given to a macro."""

    type: TypeSyntax


@dataclass(slots=True)
class Opaque(Expression):
    """An argument that is no expression: the macro that takes it ignores it."""


@dataclass(slots=True)
class Braces(Expression):
    """An initialiser in braces: values with their designators (`.name`, `[index]`)."""

    items: list[tuple[list[str | Expression], Expression]]


@dataclass(slots=True)
class Declarator(Node):
    """One declared name."""

    name: str | None
    type: TypeSyntax
    value: Expression | None = None
    bits: Expression | None = None


@dataclass(slots=True)
class Statement(Node):
    """A statement or declaration."""


@dataclass(slots=True)
class Declaration(Statement):
    """A declaration; without declarators it only names or defines a type."""

    storage: str | None
    type: TypeSyntax
    declarators: list[Declarator]


@dataclass(slots=True)
class FunctionDefinition(Statement):
    """A function with its body; `parameters` holds the declarations of an old-style one."""

    storage: str | None
    name: str
    type: FunctionOf
    parameters: list[Declaration]
    body: Block


@dataclass(slots=True)
class Block(Statement):
    """Statements in braces."""

    items: list[Statement]


@dataclass(slots=True)
class Evaluate(Statement):
    """An expression as a statement, or nothing."""

    value: Expression | None


@dataclass(slots=True)
class If(Statement):
    """`if`."""

    test: Expression
    then: Statement
    other: Statement | None


@dataclass(slots=True)
class Loop(Statement):
    """`while`, `do` and `for`."""

    first: Statement | None
    test: Expression | None
    step: Expression | None
    body: Statement


@dataclass(slots=True)
class Switch(Statement):
    """`switch`."""

    test: Expression
    body: Statement


@dataclass(slots=True)
class Case(Statement):
    """`case value:` or `case value ... high:`."""

    value: Expression
    high: Expression | None
    body: Statement


@dataclass(slots=True)
class Return(Statement):
    """`return`."""

    value: Expression | None


@dataclass(slots=True)
class Jump(Statement):
    """`goto *x;` (other jumps and labels mean nothing to types)."""

    target: Expression


@dataclass(slots=True)
class Assembly(Statement):
    """`asm` with the expressions of its operands."""

    operands: list[Expression]


@dataclass(slots=True)
class MacroUse(Statement):
    """A macro that stands where no call may: `DEBUG(x;)`, `each(p, list) { ... }`, `BEGIN`."""

    name: str
    called: bool
    body: Statement | None


@dataclass(slots=True)
class Unit:
    """A whole text.

    Attributes:
        items: Its declarations and definitions.
        attributes: Macro names that stand where an attribute or storage class does.
        wrappers: Those of them that are given arguments.
        types: Names that were taken for types without being declared.
        literals: Values of all integer constants in the text.
        declared: All names that it declares anywhere.
    """

    items: list[Statement]
    attributes: set[str] = field(default_factory=set)
    wrappers: set[str] = field(default_factory=set)
    types: set[str] = field(default_factory=set)
    literals: set[int] = field(default_factory=set)
    declared: set[str] = field(default_factory=set)
