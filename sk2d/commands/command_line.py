"""Lightning's command line, made to check first, to say what it changes, and to run later."""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from jsonargparse import Namespace
from lightning.pytorch import Trainer
from lightning.pytorch.callbacks import ProgressBar
from lightning.pytorch.cli import LightningArgumentParser, LightningCLI
from lightning.pytorch.loggers import TensorBoardLogger

from sk2d.commands.config.classes import find_class
from sk2d.commands.config.devices import device_count
from sk2d.commands.config.files import clean_key
from sk2d.commands.config.late_errors import first_line, told_by_key
from sk2d.commands.config.prepare import say
from sk2d.data.phase_data import PhaseData
from sk2d.data.plan import micro_batches_per_step
from sk2d.errors import ConfigError
from sk2d.models.memory import Job
from sk2d.phases.checkpoint_files import AtomicCheckpointIO, find_checkpoint
from sk2d.phases.checkpoints import RunModelCheckpoint
from sk2d.phases.guard import LossGuard
from sk2d.phases.phase_module import PhaseModule
from sk2d.phases.progress import RunProgress
from sk2d.phases.run import run_callbacks
from sk2d.phases.trainer import RunTrainer
from sk2d.rl.policy import PolicyModule

DEFAULT_SEED = 42
CHECKPOINT_CLASS = {"class_path": "sk2d.phases.checkpoints.RunModelCheckpoint"}


class RunParser(LightningArgumentParser):
    """Lightning's parser, which raises instead of ending the process."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **(kwargs | {"exit_on_error": False}))


class RunCommandLine(LightningCLI):
    """Lightning's command line for one phase and its data.

    Args:
        arguments: The command and its options, configs as paths.
        only_print: Whether to stop after parsing; `config_text` then gives the config.
        job: The run in the terms of the memory model, where it is known.
    """

    def __init__(
        self, arguments: Sequence[str], *, only_print: bool = False, job: Job | None = None
    ) -> None:
        self.arguments = list(arguments)
        self.job = job
        self.only_print = only_print
        super().__init__(
            PhaseModule,
            PhaseData,
            trainer_class=RunTrainer,
            subclass_mode_model=True,
            subclass_mode_data=True,
            parser_class=RunParser,
            save_config_callback=None,
            auto_configure_optimizers=False,
            seed_everything_default=DEFAULT_SEED,
            trainer_defaults={"use_distributed_sampler": False},
            run=True,
        )

    def add_arguments_to_parser(self, parser: LightningArgumentParser) -> None:
        """Add the parts of a run that are always there.

        Args:
            parser: Parser of one command.
        """
        parser.add_lightning_class_args(RunModelCheckpoint, "checkpoint", subclass_mode=True)
        parser.set_defaults({"checkpoint": CHECKPOINT_CLASS})
        parser.add_lightning_class_args(LossGuard, "guard")
        parser.add_argument(
            "--overwrite",
            action="store_true",
            help="delete what an earlier run left in trainer.default_root_dir",
        )

    def parse_arguments(self, parser: LightningArgumentParser, args: Any) -> None:
        """Parse, check every rule, and fill in what follows from the rest.

        Args:
            parser: The top parser.
            args: Not used; the arguments were given to the constructor.

        Raises:
            ConfigError: Something that only the whole config shows is wrong.
        """
        try:
            self.config = parser.parse_args(self.arguments)
        except (argparse.ArgumentError, TypeError, ValueError) as error:
            where, what = parser_problem(error)
            remedy = "configs/reference.yaml shows each key with its type"
            raise ConfigError(what, where=where, remedy=remedy) from error
        complete(self.config[self.config.subcommand], self.config.subcommand)

    def _parse_ckpt_path(self) -> None:
        """Leave the checkpoint alone: its settings are compared, never taken over."""

    def instantiate_classes(self) -> None:
        """Build module, data and trainer, unless only the config was asked for."""
        if not self.only_print:
            with told_by_key():
                super().instantiate_classes()

    def _run_subcommand(self, subcommand: str) -> None:
        """Leave running to the functions of this module."""

    @property
    def chosen(self) -> Namespace:
        """The resolved config of the command."""
        return self.config[self.config.subcommand]

    def config_text(self) -> str:
        """Give the resolved config of the command as YAML."""
        command = self.config.subcommand
        parser = self._parser(command)
        return str(parser.dump(self.config[command], skip_unset=False, format="yaml"))

    def instantiate_trainer(self, **kwargs: Any) -> Trainer:
        """Build the trainer with the callbacks that every run has.

        Args:
            kwargs: Further arguments for the trainer.

        Returns:
            The trainer.
        """
        settings = dict(self._get(self.config_init, "trainer"))
        settings.update(kwargs)
        root = Path(settings["default_root_dir"] or "runs")
        given = as_list(settings["callbacks"])
        guard, checkpoint = (self._get(self.config_init, key) for key in ("guard", "checkpoint"))
        settings["callbacks"] = [
            *run_callbacks(self.model, guard, self.config_text()),
            checkpoint,
            *given,
        ]
        has_bar = any(isinstance(callback, ProgressBar) for callback in given)
        if settings["enable_progress_bar"] is not False and not has_bar:
            settings["callbacks"].append(RunProgress())
        if settings["logger"] in (None, True):
            settings["logger"] = TensorBoardLogger(root, name="tensorboard", version="")
        settings["plugins"] = [*as_list(settings["plugins"]), AtomicCheckpointIO()]
        return self.trainer_class(**settings)


def as_list(value: Any) -> list[Any]:
    """Give what a key holds that takes one thing, several or none.

    Args:
        value: A list, one thing, or None.

    Returns:
        A list.
    """
    return list(value) if isinstance(value, list | tuple) else [value] if value else []


def parser_problem(error: BaseException) -> tuple[str, str]:
    """Read the parser's message, for what the checks before it let through.

    Args:
        error: What the parser raised.

    Returns:
        The key that the message names, and what is wrong.
    """
    text = first_line(error)
    keys = list(re.finditer(r'[Kk]ey "([\w.]+)":? *', text))
    where = clean_key(".".join(key.group(1) for key in keys[:2])) or "config"
    what = text[keys[:2][-1].end() :] if keys else text
    if inner := re.search(r"given class_path '([\w.]+)': (.+?)(?= - |$)", what):
        what = f"{inner.group(1)}: {inner.group(2)}"
    if what.startswith("Does not validate"):
        what = "the value cannot be used"
    return where, what.rstrip(".")


def complete(config: Namespace, command: str) -> None:
    """Fill in what follows from the rest of a config; each change is said.

    Args:
        config: The parsed config of a command; changed in place.
        command: `fit`, `validate`, `test` or `predict`.
    """
    trainer = config.trainer
    if trainer.default_root_dir is None:
        trainer.default_root_dir = "runs"
    devices = device_count(config.get)
    if devices == 1 and str(trainer.strategy).startswith("ddp"):
        say(f"trainer.strategy {trainer.strategy} on one device: using auto, which does the same")
        trainer.strategy = "auto"
    if command == "fit" and not updates_by_itself(config.model.class_path):
        data = config.data.init_args
        trainer.accumulate_grad_batches = micro_batches_per_step(
            data.effective_batch, data.batch_size, devices
        )
    if config.get("ckpt_path"):
        folder = Path(
            config.checkpoint.init_args.dirpath or f"{trainer.default_root_dir}/checkpoints"
        )
        config.ckpt_path = str(find_checkpoint(str(config.ckpt_path), folder))


def updates_by_itself(name: str) -> bool:
    """Tell whether a module steps its optimiser by itself, so that the trainer adds nothing up.

    Args:
        name: Its class.

    Returns:
        Whether it does.
    """
    return isinstance(find_class(name, (PolicyModule,)), type)
