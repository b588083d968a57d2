"""`merge`: adapter + base -> a model folder that has proved itself."""

from __future__ import annotations

from pathlib import Path

from rich.console import Console

from sk2d.models import merge as merging
from sk2d.models.merge import Dtype


def merge(
    adapter: Path,
    output: Path,
    base: str | None = None,
    dtype: Dtype = "float32",
    force: bool = False,
    overwrite: bool = False,
) -> None:
    """Merge an adapter into its base, and check the result.

    The base must be the one of the training: its weights and tokenizer are compared by hash. The
    merge is done in float32, then cast. The written folder is loaded again, and must answer like
    base plus adapter; when it does not, nothing is left behind.

    Args:
        adapter: Folder of the adapter or of the run that trained it, or a checkpoint of the run.
        output: Folder to write.
        base: Base to merge into; without it, the one that the adapter names.
        dtype: Dtype of the written weights.
        force: Merge into a base, or with a tokenizer, that is not the adapter's own.
        overwrite: Replace an output folder that is not empty.
    """
    report = merging.merge(adapter, base, output, dtype, force, overwrite)
    console = Console()
    for note in report.notes:
        console.print(f"Warning: {note}", markup=False)
    console.print(
        f"Merged {report.tensors} layers into {report.base}: largest change of a weight "
        f"{report.change:.3g}, logits within {report.logit_difference:.2g} of adapter + base.\n"
        f"{report.output} ({report.dtype}) is a plain model folder now.",
        markup=False,
    )
