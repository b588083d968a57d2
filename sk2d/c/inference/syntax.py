"""The syntax of C as type inference sees it: small, without layout, casts settled.

tree-sitter's tree serves the steps that edit text. Inference reads the tokens itself, because what
it is asked about is just what that tree gets wrong: `va_arg(ap, int *)` is an error there, and
`(T) * p + 1` has the wrong shape as long as nobody says that `T` is a type.
"""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(slots=True, eq=False, repr=False, match_args=False)
class Node:
    """Anything with a place; `line` counts from 1."""

    line: int


@dataclass(slots=True, eq=False, repr=False, match_args=False)
class TypeSyntax(Node):
    """A type as it is written."""


@dataclass(slots=True, eq=False, repr=False, match_args=False)
class Builtin(TypeSyntax):
    """`unsigned int`, `void`, `double _Complex`: the keywords in a fixed order."""

    name: str


@dataclass(slots=True, eq=False, repr=False, match_args=False)
class Named(TypeSyntax):
    """A typedef name."""

    name: str


@dataclass(slots=True, eq=False, repr=False, match_args=False)
class RecordSyntax(TypeSyntax):
    """`struct tag` or `union tag`, with its members where it is defined."""

    keyword: str
    tag: str | None
    members: list[Declaration] | None


@dataclass(slots=True, eq=False, repr=False, match_args=False)
class EnumSyntax(TypeSyntax):
    """`enum tag`, with its constants where it is defined."""

    tag: str | None
    constants: list[tuple[str, Expression | None]] | None


@dataclass(slots=True, eq=False, repr=False, match_args=False)
class TypeOf(TypeSyntax):
    """`typeof(x)` and `__auto_type` (whose operand is the initialiser)."""

    operand: Expression | TypeSyntax | None


@dataclass(slots=True, eq=False, repr=False, match_args=False)
class PointerTo(TypeSyntax):
    """A pointer; `const` is said of what it points to."""

    to: TypeSyntax
    const: bool = False


@dataclass(slots=True, eq=False, repr=False, match_args=False)
class ArrayOf(TypeSyntax):
    """An array; no size where the brackets are empty."""

    of: TypeSyntax
    size: Expression | None


@dataclass(slots=True, eq=False, repr=False, match_args=False)
class FunctionOf(TypeSyntax):
    """A function type; `parameters` is None for `()`."""

    result: TypeSyntax
    parameters: list[Parameter] | None
    variadic: bool = False
    names: list[str] = field(default_factory=list)
    """Names of an old-style definition `f(a, b)`."""


@dataclass(slots=True, eq=False, repr=False, match_args=False)
class Parameter(Node):
    """A parameter of a prototype or definition."""

    name: str | None
    type: TypeSyntax


@dataclass(slots=True, eq=False, repr=False, match_args=False)
class Expression(Node):
    """Something with a value."""


@dataclass(slots=True, eq=False, repr=False, match_args=False)
class Name(Expression):
    """An identifier in value position."""

    name: str


@dataclass(slots=True, eq=False, repr=False, match_args=False)
class Number(Expression):
    """An integer, floating or character constant."""

    text: str


@dataclass(slots=True, eq=False, repr=False, match_args=False)
class Text(Expression):
    """String literals in a row, and the macro names between them."""

    pieces: list[str]


@dataclass(slots=True, eq=False, repr=False, match_args=False)
class Unary(Expression):
    """A prefix operator, or `x++` / `x--` for the ones behind."""

    op: str
    operand: Expression


@dataclass(slots=True, eq=False, repr=False, match_args=False)
class Binary(Expression):
    """A binary operator, the comma too."""

    op: str
    left: Expression
    right: Expression


@dataclass(slots=True, eq=False, repr=False, match_args=False)
class Assign(Expression):
    """`=` and its compound forms."""

    op: str
    target: Expression
    value: Expression


@dataclass(slots=True, eq=False, repr=False, match_args=False)
class Conditional(Expression):
    """`a ? b : c`; `then` is None in GNU's `a ?: c`."""

    test: Expression
    then: Expression | None
    other: Expression


@dataclass(slots=True, eq=False, repr=False, match_args=False)
class Call(Expression):
    """A call of a function or of a function-like macro."""

    callee: Expression
    arguments: list[Expression]


@dataclass(slots=True, eq=False, repr=False, match_args=False)
class Member(Expression):
    """`x.name` or `x->name`."""

    object: Expression
    name: str
    arrow: bool


@dataclass(slots=True, eq=False, repr=False, match_args=False)
class Index(Expression):
    """`x[i]`."""

    object: Expression
    index: Expression


@dataclass(slots=True, eq=False, repr=False, match_args=False)
class Cast(Expression):
    """`(type) x`."""

    type: TypeSyntax
    operand: Expression


@dataclass(slots=True, eq=False, repr=False, match_args=False)
class SizeOf(Expression):
    """`sizeof` or `_Alignof` of a type or expression."""

    operand: Expression | TypeSyntax


@dataclass(slots=True, eq=False, repr=False, match_args=False)
class Compound(Expression):
    """`(type){...}`."""

    type: TypeSyntax
    value: Braces


@dataclass(slots=True, eq=False, repr=False, match_args=False)
class StatementExpression(Expression):
    """GNU's `({ ... })`."""

    body: Block


@dataclass(slots=True, eq=False, repr=False, match_args=False)
class LabelAddress(Expression):
    """GNU's `&&label`."""


@dataclass(slots=True, eq=False, repr=False, match_args=False)
class Generic(Expression):
    """`_Generic(x, type: value, ...)`."""

    control: Expression
    choices: list[tuple[TypeSyntax | None, Expression]]


@dataclass(slots=True, eq=False, repr=False, match_args=False)
class VaArg(Expression):
    """`va_arg(list, type)`."""

    list: Expression
    type: TypeSyntax


@dataclass(slots=True, eq=False, repr=False, match_args=False)
class OffsetOf(Expression):
    """`offsetof(type, path)`; the path is kept as an expression on a name."""

    type: TypeSyntax
    path: Expression


@dataclass(slots=True, eq=False, repr=False, match_args=False)
class TypeArgument(Expression):
    """A type that is given to a macro."""

    type: TypeSyntax


@dataclass(slots=True, eq=False, repr=False, match_args=False)
class Opaque(Expression):
    """An argument that is no expression: the macro that takes it ignores it."""


@dataclass(slots=True, eq=False, repr=False, match_args=False)
class Braces(Expression):
    """An initialiser in braces: values with their designators (`.name`, `[index]`)."""

    items: list[tuple[list[str | Expression], Expression]]


@dataclass(slots=True, eq=False, repr=False, match_args=False)
class Declarator(Node):
    """One declared name."""

    name: str | None
    type: TypeSyntax
    value: Expression | None = None
    bits: Expression | None = None


@dataclass(slots=True, eq=False, repr=False, match_args=False)
class Statement(Node):
    """A statement or declaration."""


@dataclass(slots=True, eq=False, repr=False, match_args=False)
class Declaration(Statement):
    """A declaration; without declarators it only names or defines a type."""

    storage: str | None
    type: TypeSyntax
    declarators: list[Declarator]


@dataclass(slots=True, eq=False, repr=False, match_args=False)
class FunctionDefinition(Statement):
    """A function with its body; `parameters` holds the declarations of an old-style one."""

    storage: str | None
    name: str
    type: FunctionOf
    parameters: list[Declaration]
    body: Block


@dataclass(slots=True, eq=False, repr=False, match_args=False)
class Block(Statement):
    """Statements in braces."""

    items: list[Statement]


@dataclass(slots=True, eq=False, repr=False, match_args=False)
class Evaluate(Statement):
    """An expression as a statement, or nothing."""

    value: Expression | None


@dataclass(slots=True, eq=False, repr=False, match_args=False)
class If(Statement):
    """`if`."""

    test: Expression
    then: Statement
    other: Statement | None


@dataclass(slots=True, eq=False, repr=False, match_args=False)
class Loop(Statement):
    """`while`, `do` and `for`."""

    first: Statement | None
    test: Expression | None
    step: Expression | None
    body: Statement


@dataclass(slots=True, eq=False, repr=False, match_args=False)
class Switch(Statement):
    """`switch`."""

    test: Expression
    body: Statement


@dataclass(slots=True, eq=False, repr=False, match_args=False)
class Case(Statement):
    """`case value:` or `case value ... high:`."""

    value: Expression
    high: Expression | None
    body: Statement


@dataclass(slots=True, eq=False, repr=False, match_args=False)
class Return(Statement):
    """`return`."""

    value: Expression | None


@dataclass(slots=True, eq=False, repr=False, match_args=False)
class Jump(Statement):
    """`goto *x;` (other jumps and labels mean nothing to types)."""

    target: Expression


@dataclass(slots=True, eq=False, repr=False, match_args=False)
class Assembly(Statement):
    """`asm` with the expressions of its operands."""

    operands: list[Expression]


@dataclass(slots=True, eq=False, repr=False, match_args=False)
class MacroUse(Statement):
    """A macro that stands where no call may: `DEBUG(x;)`, `each(p, list) { ... }`, `BEGIN`."""

    name: str
    called: bool
    body: Statement | None


@dataclass(slots=True, eq=False, repr=False, match_args=False)
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
