"""Rows of JSONL and JSON files, and errors that name file, line and column."""

import json

import pytest

from sk2d.corpus import files
from sk2d.corpus.files import content_hash, count_rows, find_file, is_hub_name, read_rows, shipped
from sk2d.errors import DataError

ROWS = [{"input": "a\u2028b\x00", "output": "é"}, {"input": "c", "output": "d"}]


def write(path, content: str | bytes):
    data = content.encode() if isinstance(content, str) else content
    path.write_bytes(data)
    return path


def read(path) -> list[dict]:
    return [row for row, _ in read_rows(path)]


def test_jsonl_skips_blank_lines_and_counts_them(tmp_path):
    lines = [json.dumps(ROWS[0], ensure_ascii=False), "", "  ", json.dumps(ROWS[1])]
    path = write(tmp_path / "rows.jsonl", "\ufeff" + "\r\n".join(lines))
    assert list(read_rows(path)) == [(ROWS[0], f"{path}:1"), (ROWS[1], f"{path}:4")]


def test_empty_jsonl_has_no_rows(tmp_path):
    assert read(write(tmp_path / "rows.jsonl", "\n\n")) == []


@pytest.mark.parametrize(
    ("content", "place", "message"),
    [
        ('{"a": 1}\n{"a": }\n', ":2:7: ", "this line is no JSON"),
        ('{"a": 1}\n{"a": 1\n', ":2:8: ", "this line is no JSON"),
        (b'{"a": 1}\n\n{"a": "x\xe9"}', ":3:9: ", "byte 0xe9 is no UTF-8"),
        ("[1]\n", ":1: ", "this row is no object but list"),
        ("[" * 100_000, ":1:1: ", "this line is no JSON"),
    ],
)
def test_damaged_jsonl_names_line_and_column(tmp_path, content, place, message):
    path = write(tmp_path / "rows.jsonl", content)
    with pytest.raises(DataError, match=message) as caught:
        read(path)
    assert str(caught.value).startswith(f"{path}{place}")


@pytest.mark.parametrize(
    ("content", "lines"),
    [
        (json.dumps(ROWS), [1, 1]),
        ("\n [" + ",\n".join(json.dumps(row, indent=1) for row in ROWS) + "]\n", [2, 6]),
        ('{"version": "1",\n "data": [\n' + ", ".join(map(json.dumps, ROWS)) + "]}", [3, 3]),
        ('{"data":' + json.dumps(ROWS) + ', "n": {"x": [1]}}', [1, 1]),
        ("[]", []),
    ],
)
def test_json_lists_and_objects_with_one_list(tmp_path, content, lines):
    path = write(tmp_path / "rows.json", content)
    expected = [(row, f"{path}:{line}") for row, line in zip(ROWS, lines, strict=False)]
    assert list(read_rows(path)) == expected


@pytest.mark.parametrize(
    ("content", "place", "message"),
    [
        ('[{"a": 1},\n {"a" 2}]', ":2:7: ", "this is no JSON"),
        ('{"a": 1}\n{"a": 2}', ":2:1: ", "one object per line belongs into a .jsonl file"),
        ('{"a": [], "b": []}', ": ", "neither a list of objects nor"),
        ('{"a": 1}', ": ", "neither a list of objects nor"),
        ("3", ": ", "neither a list of objects nor"),
        ("[{},\n\n 3]", ":3: ", "this row is no object but int"),
        (b'[\n"\xff"]', ":2:2: ", "byte 0xff is no UTF-8"),
        ("", ":1:1: ", "this is no JSON"),
    ],
)
def test_damaged_json_names_line_and_column(tmp_path, content, place, message):
    path = write(tmp_path / "rows.json", content)
    with pytest.raises(DataError, match=message) as caught:
        read(path)
    assert str(caught.value).startswith(f"{path}{place}")


def test_missing_file_names_a_near_one(tmp_path):
    write(tmp_path / "train.jsonl", "")
    with pytest.raises(DataError, match=r"no such file\. Did you mean train.jsonl\?"):
        find_file(tmp_path / "traim.jsonl")
    with pytest.raises(DataError, match=r"Files of rows in .*: train\.jsonl"):
        find_file(tmp_path / "zzzzzzz.parquet")
    with pytest.raises(DataError, match="folder .*nowhere does not exist either"):
        find_file(tmp_path / "nowhere" / "train.jsonl")


def test_folders_and_unknown_endings_are_refused(tmp_path):
    write(tmp_path / "train.jsonl", "")
    with pytest.raises(DataError, match=r"is a folder.*Name one file of it: train\.jsonl"):
        find_file(tmp_path)
    with pytest.raises(DataError, match=r"'\.csv'.*Known endings: \.jsonl, \.json, \.parquet"):
        find_file(write(tmp_path / "train.csv", ""))


@pytest.fixture
def clone(tmp_path, monkeypatch):
    """Stand in for a clone of the project and its package."""
    package = tmp_path / "clone" / "sk2d"
    (package / "_shipped" / "examples").mkdir(parents=True)
    (package.parent / "examples").mkdir()
    monkeypatch.setattr(files.sk2d, "__file__", str(package / "__init__.py"))
    monkeypatch.chdir(tmp_path)
    return package


def test_shipped_files_of_an_installed_package(clone):
    path = write(clone / "_shipped" / "examples" / "skin.jsonl", '{"a": 1}')
    write(clone.parent / "examples" / "other.jsonl", "")
    assert shipped("examples/skin.jsonl") == path
    assert shipped("examples/other.jsonl") is None  # no clone: it has no pyproject.toml
    assert read("examples/skin.jsonl") == [{"a": 1}]
    assert not is_hub_name("examples/skin.jsonl")


def test_shipped_files_of_a_clone_and_the_working_folder_first(clone, tmp_path):
    write(clone.parent / "pyproject.toml", "")
    write(clone.parent / "examples" / "skin.jsonl", '{"from": "clone"}')
    assert read("examples/skin.jsonl") == [{"from": "clone"}]
    (tmp_path / "examples").mkdir()
    write(tmp_path / "examples" / "skin.jsonl", '{"from": "here"}')
    assert read("examples/skin.jsonl") == [{"from": "here"}]


@pytest.mark.parametrize("path", ["", "../clone/examples", "/etc/passwd", "examples/none.jsonl"])
def test_nothing_else_is_shipped(clone, path):
    write(clone.parent / "pyproject.toml", "")
    assert shipped(path) is None


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("owner/name", True),
        ("owner/name.v2", True),
        ("owner/rows.jsonl", False),
        ("./owner/name", False),
        ("a/b/c", False),
        ("rows", False),
        ("/owner/name", False),
    ],
)
def test_hub_names(source, expected, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert is_hub_name(source) is expected


def test_hash_and_count(tmp_path):
    first = write(tmp_path / "a.jsonl", "{}\n{}\n")
    second = write(tmp_path / "b.jsonl", "{}\n{}\n")
    other = write(tmp_path / "c.jsonl", "{}\n{ }\n")
    assert content_hash(first) == content_hash(second) != content_hash(other)
    assert count_rows(first) == 2
    assert count_rows(write(tmp_path / "d.json", "[]")) is None
