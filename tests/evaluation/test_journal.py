"""What was found out is found again."""

from pathlib import Path

from sk2d.evaluation.journal import Journal


def test_values_are_found_again_and_the_last_one_of_a_key_counts(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "folder" / "j.jsonl")
    journal.add("a", {"x": 1})
    journal.add("b", [2])
    journal.add("a", None)
    assert journal.found == {"a": None, "b": [2]}
    assert Journal(tmp_path / "folder" / "j.jsonl").found == journal.found
