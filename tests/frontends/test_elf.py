"""ELF files: what is loaded, which functions are found, and what is said of everything else."""

import random
import subprocess
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from sk2d.errors import FrontendError
from sk2d.frontends.elf import load_elf
from sk2d.frontends.elf.functions import find_functions

OWN = {"twice", "word", "longest", "main"}
Build = Callable[..., Path]


def names(path: Path) -> set[str]:
    return {target.name for target in find_functions(load_elf(path))}


@pytest.mark.parametrize(
    "flags",
    [("-O2",), ("-O0", "-no-pie"), ("-O2", "-fPIC", "-shared"), ("-O1", "-c"), ("-O2", "-static")],
    ids=["pie", "no-pie", "shared", "object", "static"],
)
def test_named_functions_are_found_with_their_sizes(build: Build, flags: tuple[str, ...]) -> None:
    path = build(*flags)
    targets = {target.name: target for target in find_functions(load_elf(path))}
    assert targets.keys() >= OWN
    for name in OWN:
        assert targets[name].size > 0
        assert targets[name].is_named
    addresses = [target.address for target in find_functions(load_elf(path))]
    assert addresses == sorted(set(addresses))


@pytest.mark.parametrize("compiler", ["i686-linux-gnu-gcc", "aarch64-linux-gnu-gcc"])
def test_other_processors(build: Build, compiler: str) -> None:
    image = load_elf(build("-O2", compiler=compiler))
    assert image.bits == (32 if compiler.startswith("i686") else 64)
    assert names(build("-O2", compiler=compiler)) >= OWN


def test_a_stripped_file_has_the_same_functions_by_address(build: Build, tmp_path: Path) -> None:
    path = build("-O2")
    stripped = tmp_path / "stripped"
    subprocess.run(["strip", "-o", str(stripped), str(path)], check=True)
    with_names = {t.name: t.address for t in find_functions(load_elf(path))}
    found = {target.address: target for target in find_functions(load_elf(stripped))}
    for name in OWN - {"main"}:
        target = found[with_names[name]]
        assert not target.is_named
        assert target.name == f"FUN_{target.address:08x}"


def test_imports_have_names_and_the_data_is_there(build: Build) -> None:
    image = load_elf(build("-O2"))
    imported = {symbol.name for symbol in image.symbols if symbol.is_import}
    assert imported >= {"strlen", "exit"}
    counter = next(symbol for symbol in image.symbols if symbol.name == "counter")
    assert image.read_word(counter.address, 4) == 7


def damaged(path: Path, tmp_path: Path) -> dict[str, bytes]:
    whole = path.read_bytes()
    return {
        "empty": b"",
        "zeros": bytes(100_000),
        "script": b"#!/bin/sh\necho hello\n",
        "text": b"int main() { return 0; }\n",
        "magic": b"\x7fELF",
        "header": whole[:64],
        "half": whole[: len(whole) // 2],
        "windows": b"MZ" + bytes(200),
        "mac": b"\xcf\xfa\xed\xfe" + bytes(200),
    }


@pytest.mark.parametrize(
    "kind", ["empty", "zeros", "script", "text", "magic", "header", "windows", "mac"]
)
def test_what_is_no_elf_file_is_one_line(build: Build, tmp_path: Path, kind: str) -> None:
    path = tmp_path / kind
    path.write_bytes(damaged(build("-O2"), tmp_path)[kind])
    with pytest.raises(FrontendError) as caught:
        find_functions(load_elf(path))
    assert "\n" not in str(caught.value)
    assert str(path) in str(caught.value)
    if kind in ("windows", "mac"):
        assert "no ELF file" in str(caught.value)


def test_a_missing_file_and_a_folder_are_one_line(tmp_path: Path) -> None:
    for path in (tmp_path / "none", tmp_path):
        with pytest.raises(FrontendError) as caught:
            load_elf(path)
        assert "\n" not in str(caught.value)


def test_a_damaged_file_never_ends_in_a_traceback(build: Build, tmp_path: Path) -> None:
    whole = bytearray(build("-O2").read_bytes())
    chance = random.Random(1)
    for number in range(60):
        changed = bytearray(whole)
        for _ in range(8):
            changed[chance.randrange(min(len(changed), 2000))] = chance.randrange(256)
        path = tmp_path / f"damaged{number}"
        path.write_bytes(changed[: chance.randrange(200, len(changed))])
        with suppress(FrontendError):
            find_functions(load_elf(path))
