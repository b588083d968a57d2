"""A small tree of sources, and a front end that answers from the address alone."""

import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from sk2d.frontends.elf import load_elf
from sk2d.frontends.elf.functions import find_functions
from sk2d.frontends.records import PseudoFunction, Target

FILES = {
    "a.c": """#include <string.h>
int counter;
static int init(int x)
{
  return x * 3 + counter;
}
int first(const char *text)
{
  counter += (int)strlen(text);
  return init(counter) + init(7);
}
""",
    "sub/b.c": """#include "b.h"
static int init(void) { return LIMIT; }
static int unused(int x) { return x; }
#define MAKE(name) int name(int a) { return a + 1; }
MAKE(made)
int second(int y)
{
  int sum = init();
  for (int i = 0; i < y; i++)
    sum += small(i);
  return sum;
}
""",
    "sub/b.h": "#define LIMIT 99\nstatic inline int small(int q) { return q ^ 5; }\n",
    "broken.c": "int broken( {\n",
}


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    if shutil.which("gcc") is None:
        pytest.skip("gcc is not installed")
    for name, text in FILES.items():
        path = tmp_path / "tree" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path / "tree"


class Stand:
    """Gives every function a text with its size; knows nothing else."""

    name = "stand"
    closed = 0

    def missing(self) -> str | None:
        return None

    def close(self) -> None:
        Stand.closed += 1

    def functions(self, binary: Path) -> list[Target]:
        return find_functions(load_elf(binary))

    def decompile(self, binary: Path, targets: Sequence[Target]) -> Iterator[PseudoFunction]:
        for target in targets:
            text = f"int {target.name}() {{ return {target.size}; }}\n"
            yield PseudoFunction(target.name, target.address, target.size, text, "flatline")


@pytest.fixture
def stand() -> type[Stand]:
    return Stand
