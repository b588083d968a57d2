"""What a phase is, however it is trained: a causal LM, its prompt, its optimiser."""

from __future__ import annotations

import dataclasses
import functools
import inspect
from collections.abc import Callable, Sequence
from typing import Any, ClassVar, TypeVar

import torch
from lightning.pytorch import Callback, LightningDataModule, LightningModule
from torch import nn
from transformers import PreTrainedTokenizerBase

from sk2d.data.batches import Batch
from sk2d.errors import ModelError
from sk2d.models.answers import Answer
from sk2d.models.attention import ATTENTION_CHOICES
from sk2d.models.bases import base_folder
from sk2d.models.card import read_facts
from sk2d.models.fingerprint import Fingerprint, fingerprint
from sk2d.models.generate import generate
from sk2d.models.load import load_model, load_tokenizer, match_vocabulary
from sk2d.models.lora import LoraSettings, add_lora, enable_gradient_checkpointing
from sk2d.models.loss import check_against_model_loss, supervised_loss
from sk2d.models.quantization import Optimizers, Quantization
from sk2d.phases import resume
from sk2d.phases.guard import LossGuard
from sk2d.phases.half_precision import Skips, check_range, computes_in_fp16, largest_outputs
from sk2d.phases.optimization import build_optimizer
from sk2d.phases.schedule import Schedule
from sk2d.phases.step_meter import StepRow
from sk2d.prompts import Prompt, get_prompt

S = TypeVar("S")


class PhaseModule(LightningModule):
    """A phase as a LightningModule: model, prompt, optimiser, checkpoints; training is below.

    The model is loaded in `configure_model`, after every cheap check of the run has passed.

    Args:
        base: Model to start from: folder, name under `models/`, or hub name.
        lora: Low-rank adapters to train; null trains every weight.
        lr: Highest learning rate; null is what suits the way of training.
        schedule: Shape of the learning rate.
        weight_decay: Decay of matrices; biases and norms are never decayed.
        betas: Decay rates of AdamW's two moments.
        prompt: Name of the prompt; null means the phase's own.
        attention: Attention kernels; auto packs documents with torch's own kernels.
        gradient_checkpointing: Recompute activations in the backward pass to save memory.
        max_new_tokens: Longest generated answer, in tokens.
        quantization: Frozen weights in 4 (nf4) or 8 bits (int8), with LoRA only; null leaves them.
        optimizer: adamw, or adamw8bit with its states in 8 bits; paged_adamw8bit moves them out of
            a full GPU.
    """

    phase: ClassVar[str] = ""
    default_prompt: ClassVar[str] = ""
    learning_rates: ClassVar[tuple[float, float]] = (5e-5, 3e-6)
    """Where `lr` is null: with LoRA, and without."""

    data_class: ClassVar[type[LightningDataModule]]
    """What it trains on."""

    best_by: ClassVar[tuple[str, bool]] = ("loss", False)
    """The measure of a validation that tells the best checkpoint, and whether more is better."""

    strict_loading = False

    def __init__(
        self,
        *,
        base: str,
        lora: LoraSettings | None,
        lr: float | None,
        schedule: Schedule,
        weight_decay: float,
        betas: tuple[float, float],
        prompt: str | None,
        attention: ATTENTION_CHOICES,
        gradient_checkpointing: bool,
        max_new_tokens: int,
        quantization: Quantization | None,
        optimizer: Optimizers,
    ) -> None:
        super().__init__()
        self.base = base
        self.lora = settings(LoraSettings, lora) if lora else None
        self.schedule = settings(Schedule, schedule)
        self.lr = lr if lr is not None else self.learning_rates[self.lora is None]
        self.weight_decay = weight_decay
        self.betas = (betas[0], betas[1])
        self.prompt: Prompt = get_prompt(prompt or self.default_prompt)
        self.attention = attention
        self.gradient_checkpointing = gradient_checkpointing
        self.max_new_tokens = max_new_tokens
        self.quantization = quantization
        self.optimizer = optimizer
        self.model: nn.Module | None = None
        self._tokenizer: PreTrainedTokenizerBase | None = None
        self.skips = Skips()
        self.boundary: resume.Boundary | None = None
        self.restored: resume.Boundary | None = None
        self.step_row: StepRow | None = None
        self.last_row: StepRow | None = None
        self.grad_norm = 0.0

    def keep_settings(self) -> None:
        """Note the constructor's arguments as plain types, for `load_from_checkpoint`."""
        names = [name for each in constructors(type(self)) for name in named_parameters(each)]
        self.hparams.update({name: _plain(getattr(self, name)) for name in names})

    @property
    def measures(self) -> list[str]:
        """Names of what a validation logs, without `val/`, in the order of its table."""
        raise NotImplementedError

    def watchers(self, guard: LossGuard) -> list[Callback]:
        """Give the callbacks that measure a run, the one that publishes `step_row` first.

        Args:
            guard: When to stop.

        Returns:
            New callbacks.

        Raises:
            NotImplementedError: The subclass has none.
        """
        raise NotImplementedError

    def fixed_facts(self) -> dict[str, Any]:
        """List what else must not change between a run and its resumption.

        Returns:
            Plain values by config key.
        """
        return {}

    def first_row(self) -> dict[str, str]:
        """Show the first row of training: under one key, what whoever starts a run should see."""
        raise NotImplementedError

    @property
    def tokenizer(self) -> PreTrainedTokenizerBase:
        """The base's tokenizer, loaded when it is first asked for."""
        if self._tokenizer is None:
            self._tokenizer = load_tokenizer(self.base)
        return self._tokenizer

    @functools.cached_property
    def base_fingerprint(self) -> Fingerprint:
        """Hashes of the base as it was when it was first asked for: a path alone says nothing."""
        return fingerprint(self.base)

    def configure_model(self) -> None:
        """Load the base and add the adapters; called by the trainer, and harmless when repeated."""
        if self.model is not None:
            return
        dtype, device = self._weight_dtype(), self._first_device()
        base = load_model(self.base, dtype, self.attention, self.quantization, device)
        match_vocabulary(base, self.tokenizer)
        model = add_lora(base, self.lora) if self.lora else base.requires_grad_(True)
        if self.gradient_checkpointing:
            enable_gradient_checkpointing(model)
        self.model = model.train()
        self.after_loading()

    def after_loading(self) -> None:
        """Do what needs the loaded model; called once."""

    def _first_device(self) -> torch.device:
        """Give the device of the run, on which weights are quantised."""
        return self._trainer.strategy.root_device if self._trainer else torch.device("cpu")

    def _weight_dtype(self) -> torch.dtype:
        """Frozen weights are kept in the half precision of the run, trained ones in float32."""
        precision = str(self._trainer.precision) if self._trainer else "32-true"
        halves = {"bf16": torch.bfloat16, "16": torch.float16}
        kind, _, mode = precision.partition("-")
        if kind not in halves or (mode == "mixed" and not self.lora):
            return torch.float32
        return halves[kind]

    @property
    def loaded(self) -> nn.Module:
        """The model, which must have been loaded by `configure_model`."""
        assert self.model is not None, "configure_model was not called"
        return self.model

    def learns_prompt(self, stage: str) -> bool:
        """Tell whether a stage teaches the prompt, so that the base may know another one.

        Args:
            stage: Lightning's name of what is about to run.

        Returns:
            Whether it does.
        """
        return stage == "fit"

    def setup(self, stage: str) -> None:
        """Refuse to ask a trained model with another prompt than its own.

        Args:
            stage: Lightning's name of what is about to run.

        Raises:
            ModelError: The base is a model folder of sk2d whose prompt is not this one.
        """
        facts = None if self.learns_prompt(stage) else read_facts(base_folder(self.base))
        if facts is not None and facts.prompt_hash != self.prompt.hash:
            raise ModelError(
                f"it was trained with the prompt {facts.prompt} ({facts.prompt_hash}) and would be "
                f"asked with {self.prompt.name} ({self.prompt.hash})",
                where=self.base,
                remedy=f"Give --model.prompt {facts.prompt}, or the config of its phase",
            )

    def check_first_batch(self, batch: Batch) -> None:
        """Look for what fp16 cannot hold, and compare the chunked loss with the model's own.

        Args:
            batch: A micro-batch.
        """
        with self.trainer.precision_plugin.forward_context():
            if computes_in_fp16(self.trainer):
                with largest_outputs(self.loaded) as outputs, torch.no_grad():
                    supervised_loss(self.loaded, batch)
                check_range(outputs)
            check_against_model_loss(self.loaded, batch)

    def answer(self, prompts: Sequence[str]) -> list[Answer]:
        """Generate greedily from rendered prompts, in the precision of the run.

        Args:
            prompts: Prompts as `Prompt.render` builds them.

        Returns:
            One answer per prompt, in order.
        """
        with self.trainer.precision_plugin.forward_context():
            return generate(
                self.loaded,
                self.tokenizer,
                list(prompts),
                stop=self.prompt.stop,
                max_new_tokens=self.max_new_tokens,
            )

    def configure_optimizers(self) -> Any:
        """Build the optimiser and the schedule.

        Returns:
            Lightning's dictionary of optimiser and scheduler.
        """
        return build_optimizer(self)

    def on_train_start(self) -> None:
        """Put the configured learning rate in place of a restored one: it may change on resume."""
        resume.apply_learning_rate(self)

    def on_train_batch_start(self, batch: Batch, batch_idx: int) -> None:
        """Restore the random states before the first micro-batch after a resume.

        Args:
            batch: The micro-batch that is about to be trained on.
            batch_idx: Its number in the epoch.
        """
        resume.restore_randomness(self)

    def on_save_checkpoint(self, checkpoint: dict[str, Any]) -> None:
        """Reduce a checkpoint to what was trained and put it on the last optimiser step.

        Args:
            checkpoint: Lightning's checkpoint; changed in place.
        """
        resume.complete_checkpoint(self, checkpoint)

    def on_load_checkpoint(self, checkpoint: dict[str, Any]) -> None:
        """Refuse a checkpoint of another run and remember its random states.

        Args:
            checkpoint: Lightning's checkpoint, as loaded.
        """
        if self.model is None:
            self.configure_model()
        resume.accept_checkpoint(self, checkpoint)


def constructors(owner: type) -> list[Callable[..., None]]:
    """Give the constructors that the arguments of a class go to.

    Args:
        owner: A class; where its constructor takes `**kwargs`, the next one gets those.

    Returns:
        Functions, the class's own first.
    """
    found: list[Callable[..., None]] = []
    for each in owner.__mro__:
        if "__init__" not in vars(each):
            continue
        found.append(vars(each)["__init__"])
        kinds = {item.kind for item in inspect.signature(found[-1]).parameters.values()}
        if inspect.Parameter.VAR_KEYWORD not in kinds:
            break
    return found


def named_parameters(constructor: Callable[..., None]) -> dict[str, inspect.Parameter]:
    """Give the arguments of a constructor by name, without `self`, `*args` and `**kwargs`.

    Args:
        constructor: An `__init__`.

    Returns:
        Its arguments.
    """
    plain = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    found = inspect.signature(constructor).parameters
    return {name: item for name, item in list(found.items())[1:] if item.kind in plain}


def settings(kind: type[S], value: Any) -> S:
    """Give a dataclass of settings, which `load_from_checkpoint` gives as plain types.

    Args:
        kind: The dataclass.
        value: One of it, or its fields by name.

    Returns:
        The settings.
    """
    return kind(**value) if isinstance(value, dict) else value


def _plain(value: Any) -> Any:
    if isinstance(value, Prompt):
        return value.name
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return dataclasses.asdict(value)
    return list(value) if isinstance(value, tuple) else value
