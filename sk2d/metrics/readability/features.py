"""All features of a function, under the names of the reference."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from sk2d.metrics.readability.counting import line_features, node_features
from sk2d.metrics.readability.flow import (
    commas,
    condition_depth,
    if_depth,
    ifs_in_endless_loops,
    loop_depth,
    nested_casts,
)
from sk2d.metrics.readability.names import name_features
from sk2d.metrics.readability.parsing import parse_function

COUNTS = (
    *("asm", "assignment", "bitwise", "broken_dowhile", "cast", "comma", "goto", "if_in_loop"),
    *("invalid_form", "invalid_funccall", "invalid_ir", "invalid_jump", "label", "local"),
    *("operator", "ref_direct", "ref_structured", "strcmp_bare", "strcmp_not", "token"),
    *("undefined", "unimplemented", "unknown", "unknown_op"),
)


def features(code: str, function: str) -> dict[str, float]:
    """Count the features of readability of a function.

    Names and values are those of the authors' reference (R2I_metric, `src/extractor.py`), which
    writes some under another's name: `loop_depth` is the number of do-while loops, `loop_dowhile`
    that of for loops, `loop_for` that of all loops, `loop_total` that of while loops, and
    `loop_while` is how deep loops are nested. `label` counts labels that no goto names, and `fix`
    is the share of `i++` among `i++` and `++i`.

    Args:
        code: C text that holds the function.
        function: Its name.

    Returns:
        Value by feature, in the order of names.

    Raises:
        UnreadableError: pycparser cannot read the text, or the function is not in it.
    """  # noqa: DOC502
    tree = parse_function(code, function)
    found = node_features(tree) + name_features(tree)
    found["cast"] += nested_casts(tree)
    found["comma"] += commas(tree)
    found["if_in_loop"] += ifs_in_endless_loops(tree)
    made: dict[str, float] = {name: found[name] for name in COUNTS}
    made |= line_features(code)
    made |= {"if_depth": if_depth(tree), "cond_depth": condition_depth(tree)}
    made |= _branches(found) | _loops(found, loop_depth(tree))
    made["fix"] = _share(found, "postfix", ("postfix", "prefix"))
    return dict(sorted(made.items()))


def _branches(found: Counter[str]) -> dict[str, float]:
    kinds = {"case": "Case", "if": "If", "ternary": "TernaryOp"}
    made: dict[str, float] = {f"branch_{name}": found[kind] for name, kind in kinds.items()}
    made["branch_total"] = sum(made.values())
    shares = {name: _share(found, kind, kinds.values()) for name, kind in kinds.items()}
    return made | {f"prop_branch_{name}": share for name, share in shares.items()}


def _loops(found: Counter[str], depth: int) -> dict[str, float]:
    kinds = {"dowhile": "DoWhile", "for": "For", "while": "While"}
    # The reference sorts nested values and names of columns apart from one another.
    made: dict[str, float] = {
        "loop_depth": found["DoWhile"],
        "loop_dowhile": found["For"],
        "loop_for": sum(found[kind] for kind in kinds.values()),
        "loop_total": found["While"],
        "loop_while": depth,
    }
    shares = {name: _share(found, kind, kinds.values()) for name, kind in kinds.items()}
    return made | {f"prop_loop_{name}": share for name, share in shares.items()}


def _share(found: Counter[str], one: str, among: Iterable[str]) -> float:
    total = sum(found[name] for name in among)
    return found[one] / total if total else 0.0
