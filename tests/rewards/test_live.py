"""What is dead is taken out, and nothing else."""

from __future__ import annotations

import pytest

from sk2d.rewards.guards import admit
from sk2d.rewards.live import live_body, shapes


def live_words(body: str) -> set[str]:
    admitted = admit(f"int f(int a, int *p, int n) {{ {body} }}")
    assert admitted.definition is not None
    node = admitted.definition.child_by_field_name("body")
    assert node is not None
    return {shape.text for shape in shapes(live_body(admitted.tree, node)) if shape.text}


DEAD = [
    "if (0) x();",
    "if (1) return 0; else x();",
    "if (!1) x();",
    "if (a != a) x();",
    "if (2 > 3 || (0 && a)) x();",
    "if (a * 0) x();",
    "while (0) x();",
    "for (;0;) x();",
    "return 0; x();",
    "goto end; x(); end: return 1;",
    "goto end; there: x(); goto there; end: return 1;",
    "for (;;) ; x();",
    "while (1) { if (a) continue; y(); } x();",
    "do { y(); } while (1); x();",
    "if (a) return 1; else return 2; x();",
    "exit(1); x();",
    "switch (0) { case 1: x(); }",
    "switch (2) { x(); case 2: break; case 3: x(); default: x(); }",
    "switch (a) { x(); case 2: break; }",
    "switch (a) { case 1: return 0; x(); }",
    "int z = 0; if (z) x();",
    "return 0 ? x() : 1;",
    "return sizeof(x);",
    "x: return 1;",
    "a == x;",
    "(void)x;",
    "int x;",
    "int x = 3;",
    "int x; x = a;",
    "int x = 0; x++; x = x + a;",
    "int y, x = a; y = x;",
    'char *s = "x";',
    "if (x) ; else { ; }",
]

ALIVE = [
    "if (a) x();",
    "if (a) return 1; x();",
    "while (1) { if (a) break; } x();",
    "for (;;) { if (a) goto out; } out: x();",
    "switch (a) { case 1: return 0; case 2: x(); }",
    "switch (2) { case 1: return 0; case 2: x(); }",
    "switch (7) { case 1: return 0; default: x(); }",
    "do { x(); } while (0);",
    "int z = 0; z = a; if (z) x();",
    "int z = 0; p = &z; if (z) x();",
    "int x = a; return x;",
    "int x = a; *p = x;",
    "int x[3]; x[0] = a; return x[0];",
    "static int x; return x += a;",
    "while (*p++ = *x++) ;",
    "int y = x();",
    "return a, x;",
    "goto end; end: x();",
    "p[x] = 1;",
]


@pytest.mark.parametrize("body", DEAD)
def test_dead(body: str) -> None:
    assert "x" not in live_words(body)


@pytest.mark.parametrize("body", ALIVE)
def test_alive(body: str) -> None:
    assert "x" in live_words(body)
