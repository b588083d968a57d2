"""Code that the compiler moved away from a function is not taken for a function."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from sk2d.frontends.elf import load_elf
from sk2d.frontends.elf.functions import find_functions
from sk2d.sandbox.toolchain import find_compiler

SOURCE = """
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
char *twice(const char *text) {
  size_t size = strlen(text);
  char *made = malloc(size * 2 + 1);
  if (!made) abort();
  memcpy(made, text, size);
  memcpy(made + size, text, size + 1);
  return made;
}
int main(int argc, char **argv) {
  puts(twice(argv[argc - 1]));
  return 0;
}
"""


@pytest.mark.skipif(find_compiler("gcc") is None, reason="gcc alone moves such parts away")
def test_a_part_is_known_without_names(tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text(SOURCE)
    subprocess.run(["gcc", "-O2", "-o", "named", "a.c"], cwd=tmp_path, check=True)
    subprocess.run(["strip", "-o", "stripped", "named"], cwd=tmp_path, check=True)
    named, stripped = load_elf(tmp_path / "named"), load_elf(tmp_path / "stripped")
    (part,) = (symbol for symbol in named.symbols if symbol.name == "twice.cold")
    assert named.parts == {part.address: part.size}
    assert stripped.parts == named.parts
    starts = {target.address for target in find_functions(stripped)}
    assert part.address not in starts
    wanted = {s.address for s in named.symbols if s.name in ("main", "twice", "_start")}
    assert len(wanted) == 3
    assert wanted <= starts
