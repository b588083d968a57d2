import json
from pathlib import Path

import pytest

from sk2d.commands.main import main
from sk2d.frontends.choosing import available

SOURCE = """#include <stdio.h>
#include <string.h>
int count(const char *text, char wanted)
{
  int found = 0;
  for (size_t i = 0; i < strlen(text); i++)
    if (text[i] == wanted)
      found++;
  printf("%d\\n", found);
  return found;
}
"""


def test_sources_become_rows_for_both_phases(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    if missing := available()["flatline"]:
        pytest.skip(missing)
    (tmp_path / "tree").mkdir()
    (tmp_path / "tree" / "count.c").write_text(SOURCE)
    raw = tmp_path / "raw.jsonl"
    words = ["corpus", "--sources", str(tmp_path / "tree"), "--output", str(raw), "--json"]
    assert main([*words, "--opts", "O0,O2", "--stripped"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["pairs"] == 2
    for line in raw.read_text().splitlines():
        row = json.loads(line)
        assert "strlen(" in row["pseudo"]
        assert "count(" not in row["pseudo"]
        assert row["code"] == SOURCE[SOURCE.index("int count") :].rstrip()
    words = ["preprocess", "--input", str(raw), "--output", str(tmp_path / "rows"), "--json"]
    assert main([*words, "--val_share", "0"]) == 0
    assert (tmp_path / "rows" / "skeleton.train.jsonl").read_text().count("\n") == 2


def test_mistakes_are_lines(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    output = ["--output", str(tmp_path / "raw.jsonl")]
    assert main(["corpus", "--sources", "/none", *output, "--opts", "O9"]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 2
    assert main(["corpus", "--sources", str(tmp_path), *output, "--workers", "0"]) == 2
    assert "--workers" in capsys.readouterr().err
