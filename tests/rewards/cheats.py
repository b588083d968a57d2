"""Ways to get a reward for no work, made from a reference."""

from __future__ import annotations

from collections.abc import Callable

from sk2d.rewards.guards import admit
from sk2d.rewards.placeholders import WORD


def _parts(code: str) -> tuple[str, str, list[str]]:
    """Give head, inside of the body, and the placeholders that the head does not have."""
    admitted = admit(code, func_name="main" if "main(" in code else None)
    assert admitted.definition is not None
    body = admitted.definition.child_by_field_name("body")
    assert body is not None
    source = admitted.tree.source
    head = source[: body.start_byte].decode()
    inside = source[body.start_byte + 1 : body.end_byte - 1].decode()
    return head, inside, sorted(set(WORD.findall(inside)) - set(WORD.findall(head)))


def _body(write: Callable[[str, list[str]], str]) -> Callable[[str], str]:
    def cheat(code: str) -> str:
        head, inside, names = _parts(code)
        return f"{head}{{ {write(inside, names)} }}"

    return cheat


def _declared(names: list[str]) -> str:
    return f"int {', '.join(names)};" if names else ""


WORTHLESS: dict[str, Callable[[str], str]] = {
    "empty text": lambda code: "",
    "white space": lambda code: " \n\t ",
    "a comment": lambda code: "// nothing",
    "a comment with the code": lambda code: "/*" + code.replace("*/", "") + "*/",
    "a variable": lambda code: "int x;",
    "a prototype": lambda code: _parts(code)[0].strip() + ";",
    "an empty body": _body(lambda inside, names: ""),
    "a body of semicolons": _body(lambda inside, names: ";; {;} "),
    "a body that is a comment": _body(
        lambda inside, names: f"/* {' '.join(WORD.findall(inside))} */"
    ),
    "a body in asm": _body(lambda inside, names: 'asm("nop"); ' + inside),
    "a body in __asm__": _body(
        lambda inside, names: '__asm__ volatile (".incbin \\"/etc/passwd\\"");'
    ),
    "everything under #if 0": lambda code: f"#if 0\n{code}\n#endif\n",
    "the body under #if 0": lambda code: _body(
        lambda inside, names: f"\n#if 0\n{inside}\n#endif\n;"
    )(code),
    "an undeclared helper": _body(lambda inside, names: f"func99(); {inside}"),
    "a second function": lambda code: f"{code}\nint helper_of_mine(void) {{ return 1; }}",
    "a global beside it": lambda code: f"int a_global_of_mine;\n{code}",
    "a nested function": _body(lambda inside, names: f"int inner(void) {{ return 1; }} {inside}"),
    "a constructor": lambda code: f"__attribute__((constructor)) {code}",
    "a pragma": _body(lambda inside, names: f'_Pragma("GCC diagnostic ignored \\"-W\\"") {inside}'),
}
"""What every mode but `upstream` pays nothing for."""

UNPAID: dict[str, Callable[[str], str]] = {
    "names in a string": _body(lambda inside, names: f'char *s = "{" ".join(names)}"; (void)s;'),
    "names in unused declarations": _body(lambda inside, names: f"{_declared(names)} ;; int z;"),
    "names in assigned, unread variables": _body(
        lambda inside, names: (
            _declared(names) + "".join(f" {name} = 1;" for name in names) + " int z;"
        )
    ),
    "names in statements without effect": _body(
        lambda inside, names: _declared(names) + "".join(f" {name};" for name in names) + " int z;"
    ),
    "the code in if (0)": _body(lambda inside, names: f"if (0) {{ {inside} }}"),
    "the code in if (!1)": _body(lambda inside, names: f"if (!1) {{ {inside} }}"),
    "the code in while (0)": _body(lambda inside, names: f"while (0) {{ {inside} }}"),
    "the code behind a false variable": _body(
        lambda inside, names: f"int never = 0; if (never) {{ {inside} }}"
    ),
    "the code behind x != x": _body(
        lambda inside, names: f"int any = 3; any++; if (any != any) {{ {inside} }}"
    ),
    "the code in a case that is not taken": _body(
        lambda inside, names: f"switch (0) {{ case 1: {{ {inside} }} }}"
    ),
    "the code after a case that breaks": _body(
        lambda inside, names: f"switch (3) {{ case 3: break; default: {{ {inside} }} }}"
    ),
    "the code after return in a case": _body(
        lambda inside, names: f"switch (3) {{ case 3: return; {{ {inside} }} }}"
    ),
    "the code in the other branch": _body(
        lambda inside, names: f"if (2 > 1) {{ int z; }} else {{ {inside} }}"
    ),
    "the code behind false and": _body(lambda inside, names: f"if (0 && 1) {{ {inside} }}"),
    "the code behind a size": _body(lambda inside, names: f"if (!sizeof(int)) {{ {inside} }}"),
    "the code after return": _body(lambda inside, names: f"return; {inside}"),
    "the code after if (1) return": _body(lambda inside, names: f"if (1) return; {inside}"),
    "the code after an endless loop": _body(lambda inside, names: f"for (;;) ; {inside}"),
    "the code after goto": _body(lambda inside, names: f"goto the_end; {inside} the_end: ;"),
    "the code after abort": _body(lambda inside, names: f"__builtin_trap(); {inside}"),
    "names in sizeof": _body(
        lambda inside, names: (
            _declared(names)
            + " int z = "
            + (" + ".join(f"(int)sizeof({name})" for name in names) or "1")
            + "; (void)z;"
        )
    ),
    "names as labels": _body(
        lambda inside, names: "".join(f"{name}: ;" for name in names) or "int z;"
    ),
    "an endless empty loop": _body(lambda inside, names: "for (;;) ;"),
    "an empty loop": _body(
        lambda inside, names: f"{_declared(names)} int z; for (z = 0; z < 9; z++) {{ }}"
    ),
}
"""What `strict` pays at most 0.3 of the reference's score for."""
