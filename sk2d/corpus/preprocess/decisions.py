"""Which finished rows stay, and on which side: what can be told only from all rows together.

Decontamination, deduplication and split look at one row after the other in the order of the input,
so the result does not depend on how the rows were worked out. What they remember lies in a SQLite
file, of which a fixed part is in memory, however many rows there are.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final

from sk2d.c.similarity import bands, estimate
from sk2d.corpus.preprocess.identity import EXACT, IR_HASH, PAIR, SKETCH, SOURCE
from sk2d.corpus.preprocess.records import Record
from sk2d.corpus.preprocess.settings import Settings
from sk2d.corpus.rows import FUNC_NAME, PROGRAM
from sk2d.errors import Reason

TRAIN, VAL = "train", "val"

_TABLES: Final = """
pragma journal_mode = off; pragma synchronous = off; pragma cache_size = -4000;
pragma temp_store = file;
create table pair (hash text primary key, row text) without rowid;
create table source (hash text primary key, row text, near text) without rowid;
create table sketch (id integer primary key, row text, sketch blob);
create table band (side text, key blob, id integer, primary key (side, key, id)) without rowid;
create table evaluation (hash text primary key, row text) without rowid;
create table dropped (number integer primary key, step text, reason text, message text);
create table kept (source text, function text, primary key (source, function)) without rowid;
create table side (source text primary key, label text, side text) without rowid;
create index side_label on side (label);
create table tie (function text primary key, label text) without rowid;
"""


class Decisions:
    """What is known of the rows so far.

    Args:
        database: An open, empty database.
        settings: The choices of the run.
    """

    def __init__(self, database: sqlite3.Connection, settings: Settings) -> None:
        self.database = database
        self.settings = settings
        database.executescript(_TABLES)
        database.execute("begin")

    def add_evaluation(self, hashes: Sequence[str], sketch: bytes, where: str) -> None:
        """Remember a function that must not be in the output.

        Args:
            hashes: Whatever it may be recognised by exactly.
            sketch: Its sketch.
            where: Its place, for messages.
        """
        for key in hashes:
            self.database.execute("insert or ignore into evaluation values (?, ?)", (key, where))
        self._remember(sketch, where, "evaluation")

    def decide(self, number: int, record: Record) -> None:
        """Judge the next row; where it is not kept, the record is refused.

        Args:
            number: Its number in the input.
            record: A row that went through all steps.
        """
        self._decontaminate(record)
        if record.reject is None:
            self._deduplicate(record)
        if record.reject is not None:
            told = record.reject
            self.database.execute(
                "insert into dropped values (?, ?, ?, ?)",
                (number, told.step, str(told.reason), told.message),
            )
        else:
            self.database.execute(
                "insert or ignore into kept values (?, ?)",
                (record.made[SOURCE], function_key(record)),
            )

    def apply(self, number: int, record: Record) -> None:
        """Refuse a row again that `decide` has refused.

        Args:
            number: Its number in the input.
            record: The row.
        """
        query = "select step, reason, message from dropped where number = ?"
        found = self.database.execute(query, (number,)).fetchone()
        if found:
            record.refuse(found[0], Reason(found[1]), found[2])

    def _decontaminate(self, record: Record) -> None:
        made = record.made
        query = "select row from evaluation where hash = ?"
        keys = (
            ("is the same source as", made[SOURCE]),
            ("has the same IR as", made[IR_HASH]),
            ("is the same function of the same program as", function_key(record)),
        )
        for told, key in keys:
            found = self.database.execute(query, (key,)).fetchone()
            if found:
                record.refuse("decontaminate", Reason.CONTAMINATED, f"{told} {found[0]}")
                return
        near = self._near(bytes.fromhex(made[SKETCH]), "evaluation")
        if near:
            record.refuse(
                "decontaminate", Reason.CONTAMINATED, f"is nearly the same source as {near}"
            )

    def _deduplicate(self, record: Record) -> None:
        made = record.made
        query = "select row from pair where hash = ?"
        found = self.database.execute(query, (made[PAIR],)).fetchone()
        if found:
            record.refuse("deduplicate", Reason.DUPLICATE, f"is the same pair as {found[0]}")
            return
        query = "select row, near from source where hash = ?"
        found = self.database.execute(query, (made[EXACT],)).fetchone()
        near = found[1] if found else self._new_source(record)
        if near:
            record.refuse("deduplicate", Reason.NEAR_DUPLICATE, f"nearly the same source as {near}")
            return
        self.database.execute("insert into pair values (?, ?)", (made[PAIR], record.where))

    def _new_source(self, record: Record) -> str | None:
        """Meet a source for the first time; tell which earlier one it is nearly the same as."""
        sketch = bytes.fromhex(record.made[SKETCH])
        near = self._near(sketch, "rows")
        values = (record.made[EXACT], record.where, near)
        self.database.execute("insert into source values (?, ?, ?)", values)
        if near is None:
            self._remember(sketch, record.where, "rows")
        return near

    def _near(self, sketch: bytes, side: str) -> str | None:
        """Find the first remembered function that a sketch is near to."""
        if self.settings.near_threshold >= 1:
            return None
        ids: set[int] = set()
        for key in bands(sketch):
            query = "select id from band where side = ? and key = ?"
            ids.update(row[0] for row in self.database.execute(query, (side, key)))
        for number in sorted(ids):
            query = "select row, sketch from sketch where id = ?"
            where, other = self.database.execute(query, (number,)).fetchone()
            if estimate(sketch, other) >= self.settings.near_threshold:
                return str(where)
        return None

    def _remember(self, sketch: bytes, where: str, side: str) -> None:
        if self.settings.near_threshold >= 1:
            return
        query = "insert into sketch (row, sketch) values (?, ?)"
        number = self.database.execute(query, (where, sketch)).lastrowid
        values = sorted({(side, key, number) for key in bands(sketch)})
        self.database.executemany("insert into band values (?, ?, ?)", values)

    def split(self) -> None:
        """Put every function that stays on one side, after the last row was decided.

        Rows with the same source and rows of the same function of a program stay together, however
        indirectly they are tied. Which are held back depends on them and the seed alone, not on
        the order of the rows.
        """
        run = self.database.execute
        run("insert into side select distinct source, source, ? from kept", (TRAIN,))
        while True:
            run("delete from tie")
            run(
                "insert into tie select function, min(label) from kept join side using (source) "
                "where function <> '' group by function"
            )
            changed = run(
                "update side set label = least.label from (select source, min(tie.label) as label "
                "from kept join tie using (function) group by source) as least "
                "where least.source = side.source and least.label < side.label"
            )
            if changed.rowcount == 0:
                break
        functions = run("select count(distinct label) from side").fetchone()[0]
        run(
            "update side set side = ? where label in (select distinct label from side "
            "order by draw(?, label) limit ?)",
            (VAL, self.settings.seed, held_back(functions, self.settings.val_share)),
        )

    def side(self, record: Record) -> str:
        """Tell the side of a row that is kept.

        Args:
            record: The row.

        Returns:
            `train` or `val`.
        """
        query = "select side from side where source = ?"
        return str(self.database.execute(query, (record.made[SOURCE],)).fetchone()[0])

    def functions(self) -> dict[str, int]:
        """Count the functions of each side.

        Returns:
            Number by side.
        """
        query = "select side, count(distinct label) from side group by side"
        return {TRAIN: 0, VAL: 0} | dict(self.database.execute(query))


def function_key(record: Record) -> str:
    """Name the function of a row by its program, where both names are told.

    Args:
        record: The row.

    Returns:
        `program:name`, or "".
    """
    program, name = record.row.get(PROGRAM), record.row.get(FUNC_NAME)
    return f"{program}:{name}" if program and name else ""


def held_back(functions: int, share: float) -> int:
    """Say how many functions are held back for validation.

    Args:
        functions: How many there are.
        share: Share that is wanted.

    Returns:
        The number; at least one when there are two, none when the share is 0.
    """
    return min(max(round(share * functions), int(share > 0)), max(functions - 1, 0))


def _draw(seed: int, label: str) -> bytes:
    return hashlib.sha256(f"{seed}\n{label}".encode()).digest()


@contextmanager
def open_decisions(path: Path, settings: Settings) -> Iterator[Decisions]:
    """Begin anew to decide.

    Args:
        path: File of the database; one that is there is replaced.
        settings: The choices of the run.

    Yields:
        Decisions without any row.
    """
    path.unlink(missing_ok=True)
    with closing(sqlite3.connect(path, isolation_level=None)) as database:
        database.create_function("draw", 2, _draw, deterministic=True)
        yield Decisions(database, settings)
    path.unlink(missing_ok=True)
