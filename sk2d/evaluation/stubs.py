"""Functions that do nothing: what a test must not accept."""

from __future__ import annotations

from sk2d.c.functions import function_definitions
from sk2d.c.parse import decode, parse
from sk2d.errors import Reason, SourceError


def stub(reference: str, func_name: str, *, leaves: bool = False) -> str:
    """Empty a function: it returns nothing, or zero, or ends the program as if all were well.

    Args:
        reference: C text of the function, with what it needs.
        func_name: Its name.
        leaves: Whether it calls `exit(0)`.

    Returns:
        The text with another body.

    Raises:
        SourceError: The text defines no such function, or cannot be worked on.
    """
    tree = parse(reference)
    found = next((each for each in function_definitions(tree) if each.name == func_name), None)
    if found is None:
        raise SourceError(Reason.NO_FUNCTION, f"the reference defines no function {func_name}")
    head = decode(tree.source[found.start : found.name_start]).split()
    if leaves:
        body = "{ exit(0); }"
    elif head[-1:] == ["void"]:
        body = "{ }"
    else:
        call = f"{func_name}({', '.join(found.parameters)})"
        body = f"{{ static __typeof__({call}) nothing; return nothing; }}"
    before, after = tree.source[: found.body_start], tree.source[found.end :]
    declared = "#include <stdlib.h>\n" if leaves else ""
    return declared + decode(before) + body + decode(after)
