"""The tables of a run survive being cut off anywhere."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from sk2d.phases.curves import StepTable, draw_loss


@given(st.integers(0, 6), st.integers(0, 6), st.integers(0, 40))
def test_a_table_cut_off_anywhere_is_continued_with_every_step_once(
    written: int, resumed: int, lost: int
) -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        table = StepTable(Path(folder) / "metrics.csv", ["step", "loss"])
        table.cut_after(0)
        for step in range(1, written + 1):
            table.append({"step": step, "loss": step / 7})
        content = table.path.read_bytes()
        header = len(b"step,loss\n")
        table.path.write_bytes(content[: max(header, len(content) - lost)])
        left = max((int(row["step"]) for row in table.rows()), default=0)
        start = min(resumed, left)
        table.cut_after(start)
        for step in range(start + 1, 8):
            table.append({"step": step, "loss": step / 7})
        assert [int(row["step"]) for row in table.rows()] == list(range(1, 8))


def test_drawing_without_a_step_writes_nothing(tmp_path: Path) -> None:
    draw_loss([], [], tmp_path / "loss.png")
    assert not (tmp_path / "loss.png").exists()
