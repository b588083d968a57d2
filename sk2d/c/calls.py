"""The functions that a text calls: which, in which order, and under which names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from tree_sitter import Node

from sk2d.c import libc
from sk2d.c.functions import the_function
from sk2d.c.names import Symbol, resolve
from sk2d.c.parse import Edit, Tree, apply_edits, decode, encode, parse, walk


def called_functions(code: str) -> list[str]:
    """List the functions that a text calls by name.

    Args:
        code: C text.

    Returns:
        Each once, in the order in which they first appear.

    Raises:
        SourceError: The text is no C.
    """  # noqa: DOC502
    return list(dict.fromkeys(name for _, name in sorted(_calls(parse(code)))))


def _calls(tree: Tree) -> Iterator[tuple[int, str]]:
    for node in walk(tree.root):
        if node.type == "call_expression":
            called = _bare(node.child_by_field_name("function"))
            if called is not None and called.type == "identifier":
                yield called.start_byte, tree.text(called)


def _bare(node: Node | None) -> Node | None:
    while node is not None and node.type == "parenthesized_expression":
        node = node.named_children[0] if node.named_children else None
    return node


def own_calls(code: str) -> list[str]:
    """List the functions that a text calls and that no standard library has.

    Args:
        code: C text.

    Returns:
        Each once, in the order in which they first appear; the text's own function is left out.

    Raises:
        SourceError: The text is no C.
    """  # noqa: DOC502
    defined = {function.name for function in resolve(parse(code)).functions}
    called = called_functions(code)
    return [name for name in called if name not in defined and libc.kind_of(name) is None]


def rename_functions(code: str, new_names: Mapping[str, str]) -> str:
    """Rename functions that a text defines or calls.

    Args:
        code: C text.
        new_names: New names by old ones; one that stands for something else in the text already,
            and one that no function has, changes nothing.

    Returns:
        The text with the functions renamed.

    Raises:
        SourceError: The text is no C.
    """  # noqa: DOC502
    tree = parse(code)
    names = resolve(tree)
    taken = {symbol.name for symbol in names.symbols if symbol.namespace == "ordinary"}
    chosen: dict[int, bytes] = {}
    for number, symbol in enumerate(names.symbols):
        new = new_names.get(symbol.name)
        if new is not None and new != symbol.name and _is_function(symbol) and new not in taken:
            chosen[number] = encode(new)
            taken.add(new)
    edits = [
        Edit(o.start, o.end, chosen[o.symbol]) for o in names.occurrences if o.symbol in chosen
    ]
    return decode(apply_edits(tree.source, edits))


def _is_function(symbol: Symbol) -> bool:
    return symbol.kind == "func" and symbol.namespace == "ordinary" and not symbol.local


def prototype(code: str) -> str:
    """Write the declaration of the one function that a text defines.

    Args:
        code: C text.

    Returns:
        The head of the definition with a semicolon.

    Raises:
        SourceError: The text is no C, or does not define one function.
    """  # noqa: DOC502
    tree = parse(code)
    function = the_function(tree)
    head = decode(tree.source[function.start : function.body_start])
    return " ".join(head.split()) + ";"
