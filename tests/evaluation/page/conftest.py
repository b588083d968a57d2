"""A browser without a window; where there is none, its tests say that they are skipped."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    webdriver = pytest.importorskip("selenium.webdriver", reason="selenium is not installed")
    binary, driver = shutil.which("chromium"), shutil.which("chromedriver")
    if binary is None or driver is None:
        pytest.skip("chromium and chromedriver are not here: the page is not looked at")
    options = webdriver.ChromeOptions()
    options.binary_location = binary
    flags = ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage")
    for flag in (*flags, "--window-size=1400,1000"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    made = webdriver.Chrome(options=options, service=webdriver.ChromeService(driver))
    yield made
    made.quit()


@pytest.fixture
def browse(chromium: Any, tmp_path: Path) -> Callable[[str], Any]:
    """Show a page from a file."""

    def show(page: str) -> Any:
        path = tmp_path / "page.html"
        path.write_text(page, encoding="utf-8")
        chromium.get_log("performance")  # what earlier pages did
        chromium.get_log("browser")
        chromium.get(path.as_uri())
        return chromium

    return show
