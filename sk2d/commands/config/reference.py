"""Writes `configs/reference.yaml`: every key with its default and what it is for."""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from sk2d.commands.command_line import RunCommandLine
from sk2d.commands.config.keys import Section, sections
from sk2d.commands.config.prepare import prepare
from sk2d.commands.config.types import nested_fields, options_of
from sk2d.corpus.atomic import write_text_atomic

ARGUMENTS = ("--config", "skeleton.yaml", "--config", "cpu.yaml")
HEADER = """\
# Trains: what skeleton.yaml + cpu.yaml train; every key of `fit`, with what it is for.
# Hardware: that of cpu.yaml.
# Run:      python cli.py fit --config reference.yaml (it stands on its own)
# Override: copy the lines that you want to change into a config of your own and give that last.
# Generated from the code: make reference
"""
# Keys that are described nowhere, and Lightning's own as they work here.
HELPS = {
    "seed_everything": "Seed of all random numbers but those of `data.seed`; false sets none.",
    "overwrite": "Delete what an earlier run left in `trainer.default_root_dir`.",
    "ckpt_path": "Checkpoint to go on from: a file, or `last` for the newest of the run folder.",
    "weights_only": "Leave it null: checkpoints hold plain types only.",
    "trainer.accelerator": "cpu, gpu, or auto for what is there.",
    "trainer.strategy": "How devices work together; auto is ddp on several GPUs.",
    "trainer.devices": "How many devices of this machine, a list of GPU numbers, or auto.",
    "trainer.num_nodes": "How many machines; more than 1 needs torchrun or Slurm.",
    "trainer.precision": "32-true, bf16-mixed, 16-mixed or bf16-true; `doctor` tells which.",
    "trainer.logger": "null for TensorBoard, false for none, or a class such as WandbLogger.",
    "trainer.callbacks": "Callbacks beside those that every run has.",
    "trainer.fast_dev_run": "true or N: a trial of so many batches, which leaves no files.",
    "trainer.max_epochs": "Epochs of the run; -1 for no limit.",
    "trainer.min_epochs": "Epochs that are trained at least, whatever a callback says.",
    "trainer.max_steps": "Optimiser steps of the run; -1 for no limit.",
    "trainer.min_steps": "Optimiser steps that are taken at least, whatever a callback says.",
    "trainer.max_time": "Time after which the run ends, as days:hours:minutes:seconds.",
    "trainer.limit_train_batches": "Stays null: data.limit takes fewer rows.",
    "trainer.limit_val_batches": "Share (0.1) or number (10) of validation batches; 0 for none.",
    "trainer.limit_test_batches": "The same for `test`.",
    "trainer.limit_predict_batches": "The same for `predict`.",
    "trainer.overfit_batches": "Leave it 0: `data.limit` trains on few rows.",
    "trainer.val_check_interval": "Validate after this share (0.5) or number of micro-batches.",
    "trainer.check_val_every_n_epoch": "Epochs between validations; null counts over epochs.",
    "trainer.num_sanity_val_steps": "Validation batches that are tried before the training.",
    "trainer.log_every_n_steps": "Steps between two entries of the logger; metrics.csv has all.",
    "trainer.enable_checkpointing": "Leave it null: a run without checkpoints cannot be resumed.",
    "trainer.enable_progress_bar": "false for none.",
    "trainer.enable_model_summary": "false for none.",
    "trainer.accumulate_grad_batches": "Leave it out: it follows from `data.effective_batch`.",
    "trainer.gradient_clip_val": "Largest norm of a gradient; null for no limit.",
    "trainer.gradient_clip_algorithm": "norm (null means that) or value.",
    "trainer.deterministic": "true: refuse kernels that give other results on each run.",
    "trainer.benchmark": "true: let cuDNN try which kernels are fastest.",
    "trainer.inference_mode": "Whether validation runs in torch's inference mode.",
    "trainer.use_distributed_sampler": "Leave it false: the data module deals out the rows.",
    "trainer.profiler": "simple, advanced or pytorch: print at the end where the time went.",
    "trainer.detect_anomaly": "true: name the operation that made a gradient NaN (slow).",
    "trainer.barebones": "Leave it false: it would switch off checkpoints and curves.",
    "trainer.plugins": "Plugins for precision, clusters and the like.",
    "trainer.sync_batchnorm": "No model here has batch norm.",
    "trainer.reload_dataloaders_every_n_epochs": "Leave it 0: every epoch is shuffled anew.",
    "trainer.default_root_dir": "The run folder: all that a run writes lies there.",
    "trainer.enable_autolog_hparams": "Whether the logger gets the model's settings.",
    "trainer.model_registry": "Leave it null: the model folder is written to the run.",
}
WIDTH = 100


def reference() -> str:
    """Make the text of `configs/reference.yaml`.

    Returns:
        YAML with a comment above each key.
    """
    ready = prepare("fit", ARGUMENTS, only_print=True)
    config = RunCommandLine(["fit", *ready.arguments], only_print=True).config_text()
    found, _ = sections({})
    described = dict(pair for section in found.values() for pair in section_helps(section))
    return HEADER + "\n" + "".join(commented(config, described | HELPS))


def section_helps(section: Section) -> Iterator[tuple[str, str]]:
    """Give what each key of a section is for.

    Args:
        section: A part of the config.

    Yields:
        Full key without `init_args`, and a sentence or two.
    """
    yield from _helps(section.name, section.owner)
    for name, hint in section.hints().items():
        if nested_fields(hint):
            for option in options_of(hint):
                yield from _helps(f"{section.name}.{name}", option)


def _helps(prefix: str, owner: Any) -> Iterator[tuple[str, str]]:
    text = inspect.getdoc(owner) or ""
    section = re.search(r"^Args:\n(.*?)(?=^\S|\Z)", text, re.DOTALL | re.MULTILINE)
    if section is None:
        return
    lines = inspect.cleandoc(section.group(1))
    for name, told in re.findall(r"^(\w+): *(.*?)(?=^\w+:|\Z)", lines, re.DOTALL | re.MULTILINE):
        yield f"{prefix}.{name}", " ".join(told.split())


def commented(config: str, helps: dict[str, str]) -> Iterator[str]:
    """Put a comment above each line of a config that has a key.

    Args:
        config: YAML as the parser prints it.
        helps: What each key is for.

    Yields:
        Lines.
    """
    above: list[tuple[int, str]] = []
    for line in config.splitlines():  # the parser's own comment, a version, is left out
        match = re.match(r"( *)(\w+):", line)
        if match is None:
            if not line.startswith("#"):
                yield line + "\n"
            continue
        indent, name = len(match.group(1)), match.group(2)
        above = [(depth, key) for depth, key in above if depth < indent] + [(indent, name)]
        key = ".".join(key for _, key in above if key != "init_args")
        yield from _comment(helps.get(key, ""), indent)
        yield line + "\n"


def _comment(text: str, indent: int) -> Iterator[str]:
    line = ""
    for word in text.split():
        if line and indent + len(line) + len(word) + 3 > WIDTH:
            yield f"{' ' * indent}# {line}\n"
            line = ""
        line = f"{line} {word}".strip()
    if line:
        yield f"{' ' * indent}# {line}\n"


def main(path: Path = Path("configs/reference.yaml")) -> None:
    """Write the file.

    Args:
        path: Where to.
    """
    write_text_atomic(path, reference())
    sys.stderr.write(f"{path} is written\n")


if __name__ == "__main__":
    main()
