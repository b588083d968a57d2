"""Every function is found once, where it is entered."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from sk2d.corpus.build.debug_info import Located, located_functions
from sk2d.sandbox.toolchain import find_compiler

SOURCE = """
#include <stdlib.h>
int *fresh(int value) {
  int *made = malloc(sizeof *made);
  if (!made) abort();
  *made = value;
  return made;
}
extern int factor;
static int twice(int value) { return factor * value; }
int both(int value) { return twice(value) + twice(value + 1); }
int outer(int value) { return both(value) * 3; }
"""
COMPILERS = [name for name in ("gcc", "clang") if find_compiler(name)]


def found(
    compiler: str, folder: Path, *flags: str, source: str = SOURCE
) -> dict[str, list[Located]]:
    (folder / "unit.c").write_text(source)
    command = [compiler, "-g", "-O2", *flags, "-shared", "-fPIC", "-o", "unit.so", "unit.c"]
    subprocess.run(command, cwd=folder, check=True)
    by_name: dict[str, list[Located]] = {}
    for each in located_functions((folder / "unit.so").read_bytes(), folder):
        by_name.setdefault(each.name, []).append(each)
    return by_name


def symbols(library: Path) -> dict[str, int]:
    listing = subprocess.run(["nm", library], check=True, capture_output=True, text=True).stdout
    fields = [line.split() for line in listing.splitlines()]
    return {name: int(value, 16) for value, _, name in (each for each in fields if len(each) == 3)}


@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.parametrize("flags", [("-gdwarf-5",), ("-gdwarf-4",)])
def test_split_and_inlined_functions_are_found_once_at_their_symbol(
    compiler: str, flags: tuple[str, ...], tmp_path: Path
) -> None:
    by_name = found(compiler, tmp_path, *flags)
    named = symbols(tmp_path / "unit.so")
    if compiler == "gcc":
        assert "fresh.cold" in named, "the case needs a function in two parts"
    for name in ("fresh", "both", "outer"):
        (only,) = by_name[name]
        assert only.address == named[name], name
    (inside,) = by_name["twice"]
    assert inside.address is None
    assert by_name["both"][0].inlined == ("twice",)


PARTS = """
#include <stdio.h>
int known;
static int maybe(int *all, int count) {
  if (known) return 0;
  for (int i = 0; i < count; i++) printf("%d %d\\n", i, all[i]);
  for (int i = 0; i < count; i++) all[i] = all[i] * 3 + known;
  puts("done");
  puts("with all");
  return known = 1;
}
int one(int *all) { return maybe(all, 3); }
int two(int *all, int count) { return maybe(all, count) + maybe(all, count + 1); }
int three(int *all, int count) { return maybe(all, count * 2); }
"""


@pytest.mark.skipif("gcc" not in COMPILERS, reason="gcc alone splits functions so")
def test_a_split_off_part_is_told_from_its_function(tmp_path: Path) -> None:
    by_name = found("gcc", tmp_path, source=PARTS)
    named = symbols(tmp_path / "unit.so")
    assert "maybe.part.0" in named, "the case needs a function whose head is inlined"
    (part,) = by_name["maybe"]
    assert part.split
    assert part.address == named["maybe.part.0"]
    assert not by_name["one"][0].split
