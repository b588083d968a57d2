"""One HTML file that shows an evaluation or a training run: no server, no network, no other file.

The data stands in the page as JSON, and the script beside it draws tables and charts from it.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

_FOLDER: Final = Path(__file__).parent
_SCRIPTS: Final = ("dom", "code", "charts", "overview", "functions", "run", "main")
"""In the order in which they are put together; each uses those before it."""


def evaluation_page(results: Mapping[str, Any]) -> str:
    """Show an evaluation.

    Args:
        results: The content of `results.json`.

    Returns:
        HTML.
    """
    title = f"Evaluation on {results['set']['name']}"
    return _page(title, {"kind": "evaluation", "results": results})


def run_page(run: Mapping[str, Any]) -> str:
    """Show a training run.

    Args:
        run: What `sk2d.evaluation.run_data.run_data` gives.

    Returns:
        HTML.
    """
    return _page(f"Run {run['name']}", {"kind": "run", "run": run})


def _page(title: str, data: Mapping[str, Any]) -> str:
    style = (_FOLDER / "page.css").read_text(encoding="utf-8")
    scripts = [(_FOLDER / f"{name}.js").read_text(encoding="utf-8") for name in _SCRIPTS]
    # Nothing in the data may end the element that it stands in, whatever a model wrote.
    text = json.dumps(data).replace("<", "\\u003c")
    parts = {
        "TITLE": html.escape(title),
        "STYLE": style,
        "DATA": text,
        "SCRIPT": "\n".join(scripts),
    }
    page = (_FOLDER / "page.html").read_text(encoding="utf-8")
    return re.sub("%([A-Z]+)%", lambda mark: parts[mark[1]], page)
