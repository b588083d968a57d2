"""What does the structure reward pay for no work? Cheats made from the references of RL rows.

For each cheat and mode: the mean and the most of what the reference itself gets, over the rows
whose reference gets the mode's maximum.

    python benchmarks/reward_cheats.py --rows RL_ROWS.jsonl
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

from rich.console import Console
from rich.table import Table

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from sk2d.corpus.files import read_rows  # noqa: E402
from sk2d.rewards.candidates import Candidate  # noqa: E402
from sk2d.rewards.guards import admit, without_line_markers  # noqa: E402
from sk2d.rewards.placeholders import WORD  # noqa: E402
from sk2d.rewards.structure import StructureMode, StructureReward  # noqa: E402

MODES: tuple[StructureMode, ...] = ("upstream", "paper", "strict")


def _parts(code: str) -> tuple[str, str, list[str]]:
    """Give head, inside of the body, and the placeholders that the head does not have."""
    admitted = admit(code, may_be_main=True)
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


def gold_rows(path: Path) -> list[Candidate]:
    """Read rows as answers that are their own references.

    Args:
        path: RL rows in verl's columns.

    Returns:
        The references, line markers taken out.
    """
    found = []
    for row, _ in read_rows(path):
        text = without_line_markers(row["reward_model"]["ground_truth"])
        found.append(Candidate(text, text, row["extra_info"]["header"] or ""))
    return found


def best_rows(rows: list[Candidate], mode: StructureMode) -> list[Candidate]:
    """Keep the rows whose reference gets the mode's maximum.

    Args:
        rows: What `gold_rows` gave.
        mode: The mode.

    Returns:
        Those rows.
    """
    reward = StructureReward(mode)
    scores = reward(rows)
    return [r for r, s in zip(rows, scores, strict=True) if s.score == reward.maximum(r)]


def paid(rows: list[Candidate], mode: StructureMode, cheat: Callable[[str], str]) -> list[float]:
    """Give what a cheat gets, as shares of what the references get.

    Args:
        rows: Rows whose reference gets the maximum.
        mode: The mode.
        cheat: Makes an answer of a reference.

    Returns:
        A share for each row.
    """
    reward = StructureReward(mode)
    cases = [Candidate(cheat(row.reference), row.reference, row.header) for row in rows]
    scores = zip(reward(cases), rows, strict=True)
    return [(score.score or 0.0) / reward.maximum(row) for score, row in scores]


def main(arguments: list[str] | None = None) -> int:
    """Run the benchmark.

    Args:
        arguments: The command line; what the shell gave by default.

    Returns:
        0.
    """
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--rows", type=Path, required=True, help="RL rows in verl's columns")
    rows = gold_rows(parser.parse_args(arguments).rows)
    kept = {mode: best_rows(rows, mode) for mode in MODES}
    heads = [f"{mode} ({len(kept[mode])} of {len(rows)} rows)" for mode in MODES]
    table = Table("cheat", *heads, title="mean / most of the reference's score")
    readable = [row for row in kept["upstream"] if row in kept["paper"]]
    for name, cheat in (WORTHLESS | UNPAID).items():
        shares = [paid(kept[m] if m != "upstream" else readable, m, cheat) for m in MODES]
        table.add_row(name, *(f"{sum(s) / len(s):.2f} / {max(s):.2f}" for s in shares))
    Console(width=120).print(table)
    return 0


if __name__ == "__main__":
    sys.exit(main())
