"""The runs whose memory is measured: what is trained, on how many tokens, in which precision."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

STATEMENT = "  a = a * 3 + b / 7 - (a ^ b);\n"
FUNCTION = "int f(int a, int b)\n{\n" + STATEMENT * 1500 + "  return a;\n}\n"
ROWS = 64


@dataclass(frozen=True)
class Case:
    """One run.

    Args:
        model: Name of the model.
        kind: `lora`, `full` or `nf4`.
        batch_size: Rows of a micro-batch, and of an optimiser step.
        length: Tokens of a row.
        checkpointing: Whether activations are recomputed.
        precision: Lightning's precision.
        optimizer: Value of `model.optimizer`.
    """

    model: str
    kind: str
    batch_size: int
    length: int
    checkpointing: bool
    precision: str
    optimizer: str = "adamw"

    @property
    def title(self) -> str:
        """The run in one line."""
        ends = " recomputed" * self.checkpointing + " 8-bit AdamW" * (self.optimizer != "adamw")
        size = f"{self.batch_size}×{self.length}"
        return f"{self.model} {self.kind} {size} {self.precision}{ends}"

    def options(self, base: Path, rows: Path, folder: Path, device: str) -> list[str]:
        """Write it as options of `fit`.

        Args:
            base: Folder of the model.
            rows: File of rows.
            folder: The run's folder.
            device: `cpu` or `gpu`.

        Returns:
            The options.
        """
        values = {
            "model.base": base,
            "model.gradient_checkpointing": str(self.checkpointing).lower(),
            "model.optimizer": self.optimizer,
            "model.samples": 0,
            "data.train": rows,
            "data.val": "train",
            "data.too_long": "cut_prompt",
            "data.cutoff": self.length,
            "data.batch_size": self.batch_size,
            "data.effective_batch": self.batch_size,
            "trainer.accelerator": device,
            "trainer.precision": self.precision,
            "trainer.max_steps": 2,
            "trainer.max_epochs": -1,
            "trainer.limit_val_batches": 0,
            "trainer.logger": "false",
            "trainer.enable_progress_bar": "false",
            "trainer.default_root_dir": folder,
        }
        values |= {"model.lora": "null"} if self.kind == "full" else {}
        values |= {"model.quantization": "nf4"} if self.kind == "nf4" else {}
        configs = ["--config", "skeleton.yaml", "--config", "cpu.yaml"]
        return configs + [f"--{key}={value}" for key, value in values.items()]


def cases(small: str, large: str) -> Iterator[Case]:
    """List the runs.

    Args:
        small: Name of the small model.
        large: Name of the large model.

    Yields:
        They differ in model, weights trained, rows, length, recomputation and precision.
    """
    single, mixed = "32-true", "bf16-mixed"
    for length in (256, 512, 1024):
        yield Case(large, "lora", 1, length, False, single)
    yield Case(large, "lora", 2, 512, False, single)
    for rows, length in ((1, 1024), (1, 2048), (4, 1024)):
        yield Case(large, "lora", rows, length, True, single)
    for precision in (mixed, "bf16-true"):
        yield Case(large, "lora", 1, 512, False, precision)
    yield Case(large, "lora", 2, 1024, True, mixed)
    yield Case(large, "full", 1, 256, False, single)
    yield Case(large, "full", 2, 1024, False, single)
    yield Case(large, "full", 1, 1024, True, single)
    yield Case(large, "full", 1, 512, False, mixed)
    yield Case(large, "full", 1, 512, True, single, "adamw8bit")
    yield Case(large, "nf4", 1, 512, False, single)
    yield Case(large, "nf4", 1, 1024, True, single)
    yield Case(large, "nf4", 1, 512, False, mixed)
    for rows, length in ((1, 512), (4, 512), (8, 512)):
        yield Case(small, "lora", rows, length, False, single)
    yield Case(small, "lora", 8, 1024, True, single)
    yield Case(small, "lora", 8, 512, False, mixed)
    for rows, length in ((1, 512), (4, 1024)):
        yield Case(small, "full", rows, length, False, single)
    yield Case(small, "full", 8, 1024, True, single)
    yield Case(small, "full", 4, 1024, False, mixed)
    yield Case(small, "full", 4, 512, False, single, "adamw8bit")
    yield Case(small, "nf4", 4, 512, False, single)
    yield Case(small, "nf4", 8, 1024, True, single)


def write_rows(path: Path) -> None:
    """Write rows that are longer than any case, so that each is as long as its cutoff.

    Args:
        path: File to write.
    """
    answers = ((f"f{n}", f"int f{n}(int a) {{ return a + {n}; }}") for n in range(ROWS))
    rows = ({"input": FUNCTION, "output": answer, "func_name": name} for name, answer in answers)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
