"""Small binaries, compiled on the spot, and the front end where it is set up."""

import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from sk2d.frontends.flatline import Flatline

SOURCE = r"""
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *words[] = {"zero", "one", "two"};
int counter = 7;

__attribute__((noinline)) int twice(int n) { return n * 2; }

__attribute__((noinline)) const char *word(int n) {
  if (n < 0 || n > 2) {
    fprintf(stderr, "no word for %d\n", n);
    exit(3);
  }
  return words[n];
}

__attribute__((noinline)) size_t longest(char **texts, int count) {
  size_t best = 0;
  for (int i = 0; i < count; i++) {
    size_t length = strlen(texts[i]);
    if (length > best) best = length;
  }
  counter += count;
  return best;
}

int main(int argc, char **argv) {
  printf("%s %d %zu\n", word(argc % 3), twice(argc), longest(argv, argc));
  return counter;
}
"""


@pytest.fixture(scope="session")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("source") / "program.c"
    path.write_text(SOURCE)
    return path


@pytest.fixture(scope="session")
def build(source: Path, tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    """Compile the program; `compiler` may be a cross compiler, which is skipped where absent."""
    built: dict[tuple[str, ...], Path] = {}

    def compiled(*flags: str, compiler: str = "gcc") -> Path:
        key = (compiler, *flags)
        if key not in built:
            if shutil.which(compiler) is None:
                pytest.skip(f"{compiler} is not installed")
            path = tmp_path_factory.mktemp("binary") / "program"
            command = [compiler, *flags, "-w", "-o", str(path), str(source)]
            done = subprocess.run(command, capture_output=True, text=True, timeout=60)
            if done.returncode:
                pytest.skip(f"{compiler} {' '.join(flags)} does not work: {done.stderr[:100]}")
            built[key] = path
        return built[key]

    return compiled


@pytest.fixture(scope="session")
def flatline() -> Iterator[Flatline]:
    frontend = Flatline(seconds=30)
    missing = frontend.missing()
    if missing:
        pytest.skip(missing)
    with frontend:
        yield frontend
