"""Which modules a file imports, read from its text without running it."""

import ast
from collections.abc import Iterator
from importlib.util import resolve_name
from pathlib import Path

ROOT = Path(__file__).parent.parent


def imports_of(path: Path, *, inside_functions: bool, root: Path = ROOT) -> Iterator[str]:
    """Give the imports of a file as dotted names, `from a import b` as `a.b`.

    Those for type checkers alone are left out, and those inside functions when asked.
    """
    package = ".".join(path.relative_to(root).parts[:-1])
    todo: list[ast.AST] = [ast.parse(path.read_text(encoding="utf-8"))]
    while todo:
        node = todo.pop()
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            name = "." * node.level + (node.module or "")
            module = resolve_name(name, package)
            yield from (f"{module}.{alias.name}" for alias in node.names)
        elif not _is_skipped(node, inside_functions):
            todo.extend(ast.iter_child_nodes(node))


def _is_skipped(node: ast.AST, inside_functions: bool) -> bool:
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        return not inside_functions
    return isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)
