"""Reading rows from files and from the Hugging Face hub, and writing files whole or not at all.

Covered: JSONL, JSON (a list of objects, or an object that holds one list), Parquet, and data sets
by their hub name. Errors name file, line and column. Rows are streamed, except from `.json`.
`read_rows` ends at the first row that is none; `raw_rows` and `row_of` leave that to the caller.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, BinaryIO

import sk2d
from sk2d.corpus.atomic import atomic_file, write_jsonl_atomic, write_text_atomic
from sk2d.corpus.json_items import json_items
from sk2d.errors import DataError, UserError, did_you_mean

__all__ = [
    "Row",
    "atomic_file",
    "content_hash",
    "count_rows",
    "find_file",
    "is_hub_name",
    "raw_rows",
    "read_rows",
    "row_of",
    "shipped",
    "write_jsonl_atomic",
    "write_text_atomic",
]

Row = dict[str, Any]

_HUB_NAME = re.compile(r"[A-Za-z0-9][\w.-]*/[\w.-]+")
_BLOCK = 1 << 20
MAX_LINE_BYTES = 1 << 24
_BOM = "\ufeff".encode()


def shipped(path: str | Path) -> Path | None:
    """Find a file that comes with the project, in a clone or in the installed package.

    Args:
        path: Relative path such as `examples/skeleton.jsonl` or `configs/phase/skin.yaml`.

    Returns:
        The file or folder, or None when the project ships nothing of that name.
    """
    relative = Path(path)
    if relative.is_absolute() or ".." in relative.parts or not relative.parts:
        return None
    package = Path(sk2d.__file__).parent
    roots = [package / "_shipped"]
    if (package.parent / "pyproject.toml").is_file():
        roots.insert(0, package.parent)
    return next((root / relative for root in roots if (root / relative).exists()), None)


def is_hub_name(source: str | Path) -> bool:
    """Say whether a source is meant as a hub name (`owner/name`) and not as a file.

    Args:
        source: What the user wrote.

    Returns:
        True for `owner/name` without a known file ending, where no such file exists.
    """
    text = str(source)
    if not _HUB_NAME.fullmatch(text) or Path(text).suffix.lower() in _READERS:
        return False
    return not Path(text).exists() and shipped(text) is None


def find_file(source: str | Path) -> Path:
    """Find a file of rows in the working folder, or else among the project's own files.

    Args:
        source: Path as the user wrote it.

    Returns:
        The path of an existing file of a known kind.

    Raises:
        DataError: There is no such file, it is a folder, or its ending is unknown.
    """
    wanted = Path(source).expanduser()
    path = wanted if wanted.exists() else shipped(wanted)
    if path is None:
        raise DataError("there is no such file", where=str(source), remedy=_near_files(wanted))
    if path.is_dir():
        inside = sorted(item.name for item in path.iterdir() if item.suffix.lower() in _READERS)
        remedy = f"Name one file of it: {', '.join(inside[:5]) or 'it holds no rows'}"
        raise DataError("this is a folder, not a file of rows", where=str(source), remedy=remedy)
    if path.suffix.lower() not in _READERS:
        raise DataError(
            f"the ending '{path.suffix}' is none that rows are read from",
            where=str(source),
            remedy=f"Known endings: {', '.join(_READERS)}",
        )
    return path


def _near_files(path: Path) -> str:
    folder = path.parent
    if not folder.is_dir():
        return f"The folder {folder} does not exist either; give the path of an existing file"
    names = sorted(item.name for item in folder.iterdir() if item.suffix.lower() in _READERS)
    if near := did_you_mean(path.name, names):
        return near
    return f"Files of rows in {folder}: {', '.join(names[:5])}" if names else "Check the path"


def read_rows(source: str | Path) -> Iterator[tuple[Row, str]]:
    """Read rows one after the other.

    Args:
        source: Path of a `.jsonl`, `.json` or `.parquet` file, or a hub name.

    Yields:
        Each row and its place: `file:line`, or `file:N` for the N-th row of Parquet or the hub.
    """
    for content, where in raw_rows(source):
        yield row_of(content, where), where


def raw_rows(source: str | Path) -> Iterator[tuple[object, str]]:
    """Read what stands where rows are expected, without judging it.

    Args:
        source: A source as for `read_rows`.

    Yields:
        Content for `row_of` (of JSONL a line as bytes, else a value) and its place.
    """
    if is_hub_name(source):
        yield from _read_hub(str(source))
        return
    path = find_file(source)
    yield from _READERS[path.suffix.lower()](path)


def row_of(content: object, where: str) -> Row:
    """Make a row of what `raw_rows` read.

    Args:
        content: A line of JSONL as bytes, or a value.
        where: Its place, `file:line`.

    Returns:
        The row.

    Raises:
        DataError: This is no row.
    """
    if isinstance(content, DataError):
        raise DataError(content.what, where=content.where, remedy=content.remedy)
    value = _parse_line(content, where) if isinstance(content, bytes) else content
    if isinstance(value, dict):
        return value
    kind = type(value).__name__
    raise DataError(f"this row is no object but {kind}", where=where, remedy="Write {...} per row")


def count_rows(source: str | Path) -> int | None:
    """Count rows without parsing them, for progress bars.

    Args:
        source: A source as for `read_rows`.

    Returns:
        The number of rows (of lines, for JSONL), or None where counting means reading everything.
    """
    if is_hub_name(source):
        return len(_load_hub(str(source)))
    path = find_file(source)
    match path.suffix.lower():
        case ".jsonl":
            with path.open("rb") as stream:
                return sum(block.count(b"\n") for block in iter(lambda: stream.read(_BLOCK), b""))
        case ".parquet":
            return int(_open_parquet(path).metadata.num_rows)
    return None


def content_hash(source: str | Path) -> str:
    """Give a hash of the rows of a source: equal hashes, equal rows.

    Args:
        source: A source as for `read_rows`.

    Returns:
        Hex digits of a SHA-256 over the bytes of the file, or over the rows of a hub data set.
    """
    digest = hashlib.sha256()
    if is_hub_name(source):
        for row, _ in _read_hub(str(source)):
            digest.update(json.dumps(row, sort_keys=True, default=repr).encode())
        return digest.hexdigest()
    with find_file(source).open("rb") as stream:
        while block := stream.read(_BLOCK):
            digest.update(block)
    return digest.hexdigest()


def _read_jsonl(path: Path) -> Iterator[tuple[object, str]]:
    with path.open("rb") as stream:
        number = 0
        while line := stream.readline(MAX_LINE_BYTES + 1):
            number += 1
            where = f"{path}:{number}"
            if len(line) > MAX_LINE_BYTES:
                _skip_line(stream, line)
                yield _too_long(where), where
                continue
            if number == 1:
                line = line.removeprefix(_BOM)
            if line.strip():
                yield line, where


def _skip_line(stream: BinaryIO, begun: bytes) -> None:
    while begun and not begun.endswith(b"\n"):
        begun = stream.readline(_BLOCK)


def _too_long(where: str) -> DataError:
    return DataError(
        f"this line has more than {MAX_LINE_BYTES} bytes",
        where=where,
        remedy="In JSONL each line holds one row; a list of rows belongs into a .json file",
    )


def _parse_line(line: bytes, where: str) -> object:
    text = _decode(line, where).rstrip("\r\n")
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise DataError(
            f"this line is no JSON ({getattr(error, 'msg', error)})",
            where=f"{where}:{getattr(error, 'colno', 1)}",
            remedy="Mend or remove the line; in JSONL each line holds one whole object",
        ) from error


def _decode(data: bytes, where: str) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise DataError(
            f"byte 0x{data[error.start]:02x} is no UTF-8",
            where=f"{where}:{error.start + 1}",
            remedy="Save the file as UTF-8",
        ) from error


def _read_json(path: Path) -> Iterator[tuple[object, str]]:
    data = path.read_bytes()
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start)
        start = data.rfind(b"\n", 0, error.start) + 1
        end = data.find(b"\n", error.start) + 1 or len(data)
        text = _decode(data[start:end], f"{path}:{line + 1}")
    for value, line in json_items(text, str(path)):
        yield value, f"{path}:{line}"


def _open_parquet(path: Path) -> Any:
    import pyarrow as pa  # here, because it takes long to import
    import pyarrow.parquet as pq

    try:
        return pq.ParquetFile(path)
    except (pa.ArrowInvalid, OSError) as error:
        raise DataError(
            f"this is no readable Parquet file ({error})",
            where=str(path),
            remedy="Write it again, or give its rows as JSONL",
        ) from error


def _read_parquet(path: Path) -> Iterator[tuple[object, str]]:
    number = 0
    for batch in _open_parquet(path).iter_batches(batch_size=1000):
        for row in batch.to_pylist():
            number += 1
            yield row, f"{path}:{number}"


def _load_hub(name: str) -> Any:
    try:
        import datasets
    except ImportError as error:
        raise UserError(
            "data sets by name need the package datasets",
            where=name,
            remedy="Install it with `pip install 'sk2d[train]'`",
        ) from error
    try:
        return datasets.load_dataset(name, split="train")
    except Exception as error:  # its loaders raise all kinds: offline, unknown name, bad files
        reason = f"{type(error).__name__}: {error}"
        raise DataError(
            f"there is no such file, and the data set of this name could not be loaded ({reason})",
            where=name,
            remedy="Check the name and the network, or give the path of a file",
        ) from error


def _read_hub(name: str) -> Iterator[tuple[object, str]]:
    for number, row in enumerate(_load_hub(name), start=1):
        yield dict(row), f"{name}:{number}"


_READERS: dict[str, Callable[[Path], Iterator[tuple[object, str]]]] = {
    ".jsonl": _read_jsonl,
    ".json": _read_json,
    ".parquet": _read_parquet,
}
