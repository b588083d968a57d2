"""`export`: a model or run folder -> a plain folder for transformers and vLLM."""

from __future__ import annotations

from pathlib import Path

from rich.console import Console

from sk2d.models import export as exporting
from sk2d.models.export import Dtype


def export(
    model: Path,
    output: Path,
    dtype: Dtype = "float32",
    force: bool = False,
    overwrite: bool = False,
) -> None:
    """Write a plain model folder, load it as transformers would, and let it answer.

    An adapter is merged into its base first, with the checks of `merge`.

    Args:
        model: Model folder, adapter folder, or run folder.
        output: Folder to write.
        dtype: Dtype of the written weights.
        force: Merge an adapter also into a base that is not its own.
        overwrite: Replace an output folder that is not empty.
    """
    report = exporting.export(model, output, dtype, force, overwrite)
    console = Console()
    for note in report.notes:
        console.print(f"Warning: {note}", markup=False)
    prompt = f"Ask it with the prompt '{report.prompt}'." if report.prompt else "Prompt unknown."
    console.print(
        f"{report.output} ({report.dtype}) loads and answers ({report.answer!r} ...). {prompt}",
        markup=False,
    )
