import json
from pathlib import Path
from typing import Any

import pytest

from sk2d.corpus.build import Settings, build_corpus, building
from sk2d.corpus.build.compiling import compile_unit
from sk2d.corpus.build.staging import Staging
from sk2d.corpus.build.units import find_units
from sk2d.errors import DataError, FrontendError, UserError, UserErrors


def rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def built(tree: Path, output: Path, stand: Any, **more: Any) -> dict[str, Any]:
    settings = Settings(tree, levels=more.pop("levels", ("O0", "O2")), **more)
    return build_corpus(settings, output, make_frontend=stand)


def test_each_function_is_paired_with_its_own_text(tree: Path, tmp_path: Path, stand: Any) -> None:
    report = built(tree, tmp_path / "raw.jsonl", stand, levels=("O0",))
    found = {(row["source_file"], row["func_name"]): row for row in rows(tmp_path / "raw.jsonl")}
    assert found.keys() == {
        ("a.c", "init"),
        ("a.c", "first"),
        ("sub/b.c", "init"),
        ("sub/b.c", "second"),
        ("sub/b.c", "unused"),
        ("sub/b.h", "small"),
    }
    assert found["a.c", "init"]["code"].startswith("static int init(int x)\n{")
    assert found["sub/b.c", "init"]["code"] == "static int init(void) { return LIMIT; }"
    for (_, name), row in found.items():
        assert f"int {name}()" in row["pseudo"]
        assert row["opt"] == "O0"
    assert report["pairs"] == 6
    assert report["by_level"] == {"gcc O0": 6}


def test_what_was_lost_has_its_reason(tree: Path, tmp_path: Path, stand: Any) -> None:
    report = built(tree, tmp_path / "raw.jsonl", stand, levels=("O2",))
    lost = rows(tmp_path / "raw.rejects.jsonl")
    reasons = {(row["file"], row.get("func_name")): row["reason"] for row in lost}
    assert reasons["broken.c", None] == "not_compiling"
    assert reasons["a.c", "init"] == "inlined"
    assert reasons["sub/b.c", "made"] == "macro"
    assert reasons["sub/b.c", "unused"] == "not_compiled"
    assert "error" in next(row for row in lost if row["file"] == "broken.c")["message"]
    assert sum(report["lost"].values()) == len(lost)
    first = next(r for r in rows(tmp_path / "raw.jsonl") if r["func_name"] == "first")
    assert first["inlined"] == ["init"]


def test_a_stripped_file_has_no_names_and_the_same_pairs(
    tree: Path, tmp_path: Path, stand: Any
) -> None:
    built(tree, tmp_path / "named.jsonl", stand, levels=("O0",))
    built(tree, tmp_path / "bare.jsonl", stand, levels=("O0",), stripped=True)
    named, bare = (rows(tmp_path / f"{name}.jsonl") for name in ("named", "bare"))
    assert [row["code"] for row in named] == [row["code"] for row in bare]
    assert all("int FUN_" in row["pseudo"] for row in bare)


def test_the_same_pair_is_written_once(tree: Path, tmp_path: Path, stand: Any) -> None:
    report = built(tree, tmp_path / "raw.jsonl", stand, levels=("O2", "O3"))
    pairs = [(row["code"], row["pseudo"]) for row in rows(tmp_path / "raw.jsonl")]
    assert len(pairs) == len(set(pairs))
    assert report["lost"]["duplicate"] >= 1


def test_flags_come_from_recorded_commands(tree: Path, tmp_path: Path, stand: Any) -> None:
    (tree / "needs.c").write_text("#include <own.h>\nint third(void) { return OWN + VALUE; }\n")
    (tree / "include").mkdir()
    (tree / "include" / "own.h").write_text("#define OWN 5\n")
    command = "cc -Iinclude -DVALUE=7 -O3 -o needs.o -Wp,-MD,x -fplugin=evil.so -c needs.c"
    entry = {"directory": str(tree), "file": "needs.c", "command": command}
    path = tmp_path / "compile_commands.json"
    path.write_text(json.dumps([entry]))
    report = built(tree, tmp_path / "raw.jsonl", stand, levels=("O1",), commands=path)
    assert report["pairs"] == 1
    assert not (tree / "needs.o").exists()


def test_a_broken_off_build_goes_on_to_the_same_bytes(
    tree: Path, tmp_path: Path, stand: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    built(tree, tmp_path / "whole.jsonl", stand)
    real, calls = building.pair_unit, iter(range(100))

    def killed(*arguments: Any) -> Any:
        if next(calls) == 3:
            raise KeyboardInterrupt
        return real(*arguments)

    monkeypatch.setattr(building, "pair_unit", killed)
    with pytest.raises(KeyboardInterrupt):
        built(tree, tmp_path / "parts.jsonl", stand)
    assert not (tmp_path / "parts.jsonl").exists()
    monkeypatch.setattr(building, "pair_unit", real)
    built(tree, tmp_path / "parts.jsonl", stand)
    assert (tmp_path / "parts.jsonl").read_bytes() == (tmp_path / "whole.jsonl").read_bytes()
    assert not (tmp_path / "parts.jsonl.work").exists()


def test_the_number_of_workers_changes_nothing(tree: Path, tmp_path: Path, stand: Any) -> None:
    for workers in (1, 3):
        settings = Settings(tree, levels=("O0", "O2"))
        build_corpus(settings, tmp_path / f"{workers}.jsonl", workers, make_frontend=stand)
    assert (tmp_path / "1.jsonl").read_bytes() == (tmp_path / "3.jsonl").read_bytes()


def test_what_is_there_is_not_replaced_unless_told(tree: Path, tmp_path: Path, stand: Any) -> None:
    output = tmp_path / "raw.jsonl"
    built(tree, output, stand, levels=("O0",))
    with pytest.raises(UserError, match="there already"):
        built(tree, output, stand, levels=("O1",))
    settings = Settings(tree, levels=("O1",))
    build_corpus(settings, output, overwrite=True, make_frontend=stand)


def test_a_build_that_is_done_is_not_done_again(tree: Path, tmp_path: Path, stand: Any) -> None:
    output = tmp_path / "raw.jsonl"
    settings = Settings(tree, levels=("O0",))
    first = build_corpus(settings, output, make_frontend=stand)
    (tmp_path / "raw.jsonl.work").mkdir()  # killed while this was taken away
    before = output.stat().st_mtime_ns
    assert build_corpus(settings, output, make_frontend=stand) == first
    assert output.stat().st_mtime_ns == before
    assert not (tmp_path / "raw.jsonl.work").exists()
    header = tree / "sub" / "b.h"
    header.write_text(header.read_text().replace("99", "98"))
    with pytest.raises(UserError, match="there already"):
        build_corpus(settings, output, make_frontend=stand)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"levels": ("O9",)}, "O9 is no optimisation level"),
        ({"compilers": ("nocc",)}, "--cc nocc: it is not installed"),
        ({"commands": Path("/none.json")}, "there is no such file"),
    ],
)
def test_mistakes_are_told_before_the_work(
    tree: Path, tmp_path: Path, stand: Any, change: dict[str, Any], says: str
) -> None:
    with pytest.raises(UserErrors, match=says):
        built(tree, tmp_path / "raw.jsonl", stand, **change)


def test_an_empty_tree_and_a_missing_front_end(
    tmp_path: Path, stand: Any, tree: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(DataError, match="no C file"):
        built(tmp_path / "empty", tmp_path / "raw.jsonl", stand)
    monkeypatch.setenv("SK2D_DECOMPILER", str(tmp_path / "none"))
    with pytest.raises(FrontendError, match="make decompiler"):
        build_corpus(Settings(tree), tmp_path / "raw.jsonl")


def test_the_place_of_the_copies_stands_nowhere(tree: Path, tmp_path: Path, stand: Any) -> None:
    (tree / "c.c").write_text(
        "#include <assert.h>\nint third(int x) { assert(x > 3); return x; }\n"
        "const char *where(void) { return __FILE__; }\n"
    )
    unit = next(one for one in find_units(Settings(tree)) if one.file.name == "c.c")
    with Staging([tree]) as staging:
        made = compile_unit(unit, "gcc", "O1", staging, stripped=True)
        assert made.shown is not None
        assert b"sk2d-sources" not in made.shown
        assert b"c.c\0" in made.shown
    report = build_corpus(Settings(tree), tmp_path / "raw.jsonl", make_frontend=stand)
    assert report["lost"]["not_compiling"]
    assert "sk2d-sources" not in (tmp_path / "raw.rejects.jsonl").read_text()


def test_hidden_folders_are_left_out_and_headers_are_found(tree: Path) -> None:
    (tree / ".pc").mkdir()
    (tree / ".pc" / "old.c").write_text("int old;\n")
    (tree / ".pc" / "old.h").write_text("int old;\n")
    (tree / "config.h").write_text("#define VERSION 1\n")
    units = find_units(Settings(tree))
    assert not any(".pc" in str(unit.file) for unit in units)
    flags = units[0].flags
    assert flags[:4] == ("-I", str(tree), "-I", str(tree / "sub"))
    assert flags[4:] == ("-DHAVE_CONFIG_H",)
