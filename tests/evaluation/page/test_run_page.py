"""The page of a training run, clicked through."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sk2d.evaluation.page import run_page
from sk2d.evaluation.run_data import run_data

STEPS = "step,epoch,loss,lr,skipped\n1,0,4.0,0.001,\n2,0,2.0,0.0005,\n3,1,1.5,0.0001,\n4,1,1."
VALIDATIONS = "step,epoch,val_loss,val_exact_match\n2,0,2.5,0.0\n3,1,nan,0.5\n"
SAMPLES = [
    {"step": step, "id": "row", "answer": f"int a{step};", "reference": "int a;", "exact": False}
    for step in (2, 3)
]


@pytest.fixture
def run_folder(tmp_path: Path) -> Path:
    root = tmp_path / "my run"
    root.mkdir()
    (root / "metrics.csv").write_text(STEPS)
    (root / "validation.csv").write_text(VALIDATIONS)
    (root / "samples.jsonl").write_text("".join(json.dumps(one) + "\n" for one in SAMPLES))
    (root / "config.yaml").write_text("model:\n  base: <tiny>\n")
    record = {"phase": "skeleton", "seed": 7, "prompt": {"name": "skeleton", "hash": "ab"}}
    (root / "run.json").write_text(json.dumps(record | {"data": {"rows": 12}, "earlier": [{}]}))
    return root


def test_a_page_shows_curves_samples_and_config(
    run_folder: Path, browse: Callable[[str], Any]
) -> None:
    browser = browse(run_page(run_data(run_folder)))
    assert browser.get_log("browser") == []
    assert browser.title == "Run my run"
    assert "step 3, loss 1.5000" in browser.find_element("css selector", "header").text
    captions = [each.text for each in browser.find_elements("css selector", "figcaption")]
    assert captions == ["loss (nats per token)", "lr", "val_exact_match"]
    dots = browser.execute_script(
        "return [...document.querySelectorAll('figure:first-of-type title')]"
        ".map((title) => title.textContent)"
    )
    assert dots == ["training, 1: 4", "training, 2: 2", "training, 3: 1.5", "validation, 2: 2.5"]
    browser.find_element("css selector", "[data-tab=Samples]").click()
    assert "int a3;" in browser.find_element("css selector", "[data-pane=answer]").text
    from selenium.webdriver.support.ui import Select

    Select(browser.find_element("id", "step")).select_by_value("2")
    assert "int a2;" in browser.find_element("css selector", "[data-pane=answer]").text
    browser.find_element("css selector", "[data-tab=Config]").click()
    assert browser.find_element("id", "config").text == "model:\n  base: <tiny>"
    assert "skeleton (ab)" in browser.find_element("css selector", "main").text
