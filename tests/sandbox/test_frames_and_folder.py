import io
import os
from pathlib import Path

import pytest

from sk2d.sandbox.folder import empty_folder, remove_folder
from sk2d.sandbox.frames import BrokenFrame, pack, receive


def test_a_message_comes_back() -> None:
    packed = pack({"a": "\udce9", "b": [1, None]}, [b"", b"\0\xff"])
    source = io.BytesIO(packed * 2)
    for _ in range(2):
        assert receive(source.read) == ({"a": "\udce9", "b": [1, None]}, [b"", b"\0\xff"])
    assert receive(source.read) is None


@pytest.mark.parametrize("size", [1, 7, 9, 20])
def test_half_a_message_is_an_error(size: int) -> None:
    with pytest.raises(BrokenFrame):
        receive(io.BytesIO(pack({"a": 1}, [b"xyz"])[:size]).read)


def test_what_is_no_message_is_an_error() -> None:
    with pytest.raises(BrokenFrame):
        receive(io.BytesIO(b"\0\0\0\2\0\0\0\0{]").read)


def test_a_folder_full_of_tricks_is_emptied(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "kept").write_text("x")
    folder = tmp_path / "folder"
    (folder / "a" / "b").mkdir(parents=True)
    (folder / "a" / "link").symlink_to(outside)
    (folder / "a" / "b" / ".hidden").write_text("x")
    os.mkfifo(folder / "pipe")
    (folder / "a" / "b").chmod(0)
    before = os.getcwd()
    os.chdir(folder)
    for _ in range(1500):  # deeper than Python recurses, and longer than a path may be
        os.mkdir("deep" * 3)
        os.chdir("deep" * 3)
    os.chdir(before)
    empty_folder(str(folder))
    assert list(folder.iterdir()) == []
    remove_folder(str(folder))
    assert [path.name for path in tmp_path.iterdir()] == ["outside"]
    assert (outside / "kept").exists()
