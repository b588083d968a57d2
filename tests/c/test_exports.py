"""What `sk2d.c` exports is there, and loads no more than it needs."""

import subprocess
import sys

import pytest

import sk2d.c
from tests.imports import ROOT


@pytest.mark.parametrize("name", sk2d.c.__all__)
def test_every_export_is_there(name: str) -> None:
    assert callable(getattr(sk2d.c, name))


def test_a_name_that_is_not_exported_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="normalise"):
        _ = sk2d.c.normalise


def test_one_step_does_not_load_the_others() -> None:
    code = "import sys; from sk2d.c import normalize; print('sk2d.c.inference' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True
    )
    assert done.stdout == "False\n"
