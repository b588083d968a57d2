from pathlib import Path

import pytest

from tests.conftest import needs_train
from tests.imports import ROOT, imports_of

TEXT = """
import json
from typing import TYPE_CHECKING
if TYPE_CHECKING:
    import torch
try:
    import yaml
except ImportError:
    raise
def f():
    import lightning.pytorch
"""


@pytest.mark.parametrize(("inside", "more"), [(False, set()), (True, {"lightning.pytorch"})])
def test_imports_are_read_in_blocks_and_in_functions_when_asked(
    inside: bool, more: set[str], tmp_path: Path
) -> None:
    (tmp_path / "a.py").write_text(TEXT)
    found = imports_of(tmp_path / "a.py", inside_functions=inside, root=tmp_path)
    assert set(found) == {"json", "typing.TYPE_CHECKING", "yaml"} | more


@pytest.mark.parametrize(
    ("name", "needs"),
    [("hardware/test_probing.py", False), ("test_floors.py", False), ("models/test_loss.py", True)],
)
def test_what_the_base_package_leaves_out(name: str, needs: bool) -> None:
    assert needs_train(ROOT / "tests" / name) is needs
