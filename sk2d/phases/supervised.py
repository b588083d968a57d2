"""Supervised fine-tuning of a causal language model, shared by both phases.

Shape letters: B sequences, T positions.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Sequence
from typing import Any

import torch
from lightning.pytorch import LightningModule
from lightning.pytorch.utilities.rank_zero import rank_zero_warn
from torch import Tensor, nn
from torch.optim.lr_scheduler import LRScheduler
from torchmetrics import MeanMetric
from transformers import PreTrainedTokenizerBase

from sk2d.data.batches import Batch
from sk2d.data.loaders import AnswerBatch
from sk2d.errors import ModelError
from sk2d.models.attention import ATTENTION_CHOICES, supports_packing
from sk2d.models.bases import base_folder
from sk2d.models.card import read_facts
from sk2d.models.fingerprint import Fingerprint, fingerprint
from sk2d.models.generate import Answer, generate
from sk2d.models.load import load_model, load_tokenizer, match_vocabulary
from sk2d.models.lora import LoraSettings, add_lora, enable_gradient_checkpointing
from sk2d.models.loss import check_against_model_loss, supervised_loss
from sk2d.models.quantization import Optimizers, Quantization
from sk2d.models.strategies import call_in_engine
from sk2d.phases import resume
from sk2d.phases.attached import data_of, has_data
from sk2d.phases.half_precision import (
    Skips,
    check_range,
    computes_in_fp16,
    counted,
    largest_outputs,
)
from sk2d.phases.optimization import build_optimizer
from sk2d.phases.schedule import Schedule
from sk2d.phases.step_meter import StepRow
from sk2d.prompts import Prompt, get_prompt

FULL_LR = 3e-6
LORA_LR = 5e-5


class SupervisedModule(LightningModule):
    """One phase as a LightningModule: loss, optimiser, validation and generation.

    The model is loaded in `configure_model`, after every cheap check of the run has passed.

    Args:
        base: Model to start from: folder, name under `models/`, or hub name.
        lora: Low-rank adapters to train; null trains every weight.
        lr: Highest learning rate; null means 5e-5 with LoRA and 3e-6 without (upstream's recipe).
        schedule: Shape of the learning rate.
        weight_decay: Decay of matrices; biases and norms are never decayed.
        betas: Decay rates of AdamW's two moments.
        prompt: Name of the prompt; null means the phase's own.
        attention: Attention kernels; auto packs documents with torch's own kernels.
        gradient_checkpointing: Recompute activations in the backward pass to save memory.
        loss_chunk: Positions whose logits are held at a time.
        samples: Validation rows that are answered and shown beside their references.
        max_new_tokens: Longest generated answer, in tokens.
        quantization: Frozen weights in 4 (nf4) or 8 bits (int8), with LoRA only; null leaves them.
        optimizer: adamw, or adamw8bit with its states in 8 bits; paged_adamw8bit moves them out of
            a full GPU.
    """

    phase = ""
    default_prompt = ""
    strict_loading = False

    def __init__(
        self,
        base: str,
        lora: LoraSettings | None = LoraSettings(),  # noqa: B008  (frozen dataclass)
        lr: float | None = None,
        schedule: Schedule = Schedule(),  # noqa: B008  (frozen dataclass)
        weight_decay: float = 0.0,
        betas: tuple[float, float] = (0.9, 0.999),
        prompt: str | None = None,
        attention: ATTENTION_CHOICES = "auto",
        gradient_checkpointing: bool = False,
        loss_chunk: int = 512,
        samples: int = 3,
        max_new_tokens: int = 512,
        quantization: Quantization | None = None,
        optimizer: Optimizers = "adamw",
    ) -> None:
        super().__init__()
        self.base = base
        self.lora = LoraSettings(**lora) if isinstance(lora, dict) else lora
        self.schedule = Schedule(**schedule) if isinstance(schedule, dict) else schedule
        self.lr = lr if lr is not None else (LORA_LR if self.lora else FULL_LR)
        self.weight_decay = weight_decay
        self.betas = (betas[0], betas[1])
        self.prompt: Prompt = get_prompt(prompt or self.default_prompt)
        self.attention = attention
        self.gradient_checkpointing = gradient_checkpointing
        self.loss_chunk = loss_chunk
        self.samples = samples
        self.max_new_tokens = max_new_tokens
        self.quantization = quantization
        self.optimizer = optimizer
        self.model: nn.Module | None = None
        self._tokenizer: PreTrainedTokenizerBase | None = None
        self.skips = Skips()
        self.val_loss = MeanMetric()
        self.val_accuracy = MeanMetric()
        self.boundary: resume.Boundary | None = None
        self.restored: resume.Boundary | None = None
        self.step_row: StepRow | None = None
        self.last_row: StepRow | None = None
        self.grad_norm = 0.0
        self.hparams.update(self._plain_settings())

    def _plain_settings(self) -> dict[str, Any]:
        """Give the constructor's arguments as plain types, for `load_from_checkpoint`."""
        names: tuple[str, ...]
        names = ("base", "lr", "weight_decay", "attention", "gradient_checkpointing", "loss_chunk")
        names += ("samples", "max_new_tokens", "quantization", "optimizer")
        plain = {name: getattr(self, name) for name in names}
        lora = dataclasses.asdict(self.lora) if self.lora else None
        schedule = dataclasses.asdict(self.schedule)
        betas = list(self.betas)
        return (
            plain
            | {"lora": lora, "schedule": schedule, "betas": betas}
            | {"prompt": self.prompt.name}
        )

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
        self._choose_batches()

    def _choose_batches(self) -> None:
        """Pad instead of packing where the model or its attention cannot keep documents apart."""
        data = data_of(self.trainer) if self._trainer and has_data(self.trainer) else None
        if data is None or not data.pack or supports_packing(self.loaded):
            return
        data.pack = False
        rank_zero_warn(
            f"data.pack: {self.base} with model.attention {self.attention} cannot keep "
            "packed documents apart, so batches are padded (rows of like length together)"
        )

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

    def setup(self, stage: str) -> None:
        """Refuse to ask a trained model with another prompt than its own.

        Args:
            stage: Lightning's name of what is about to run.

        Raises:
            ModelError: The base is a model folder of sk2d whose prompt is not this one.
        """
        facts = None if stage == "fit" else read_facts(base_folder(self.base))
        if facts is not None and facts.prompt_hash != self.prompt.hash:
            raise ModelError(
                f"it was trained with the prompt {facts.prompt} ({facts.prompt_hash}) and would be "
                f"asked with {self.prompt.name} ({self.prompt.hash})",
                where=self.base,
                remedy=f"Give --model.prompt {facts.prompt}, or the config of its phase",
            )

    def on_fit_start(self) -> None:
        """Take the base's hashes, and compare the chunked loss with the model's own on one row."""
        _ = self.base_fingerprint  # taken now: the folder may change while the run goes on
        batch = data_of(self.trainer).first_batch()
        batch = self.transfer_batch_to_device(batch, self.device, 0)
        call_in_engine(self, "check_first_batch", batch)

    def check_first_batch(self, batch: Batch) -> None:
        """Look for what fp16 cannot hold, and compare the chunked loss with the model's own.

        Args:
            batch: A micro-batch.
        """
        with self.trainer.precision_plugin.forward_context():
            if computes_in_fp16(self.trainer):
                with largest_outputs(self.loaded) as outputs, torch.no_grad():
                    supervised_loss(self.loaded, batch, chunk=self.loss_chunk)
                check_range(outputs)
            check_against_model_loss(self.loaded, batch)

    def optimizer_step(self, *args: Any, **kwargs: Any) -> None:
        """Step as Lightning does, and count the step if the loss scaler leaves it out.

        Args:
            args: Arguments of Lightning.
            kwargs: Arguments of Lightning by name.
        """
        with counted(self, self.skips):
            super().optimizer_step(*args, **kwargs)

    def lr_scheduler_step(self, scheduler: LRScheduler, metric: Any | None) -> None:
        """Move the schedule on, but not for a step that was left out.

        Args:
            scheduler: The schedule.
            metric: Not used: the schedule goes by steps.
        """
        if not self.skips.last:
            scheduler.step()

    def training_step(self, batch: Batch, batch_idx: int) -> dict[str, Tensor]:
        """Compute a micro-batch's share of its optimiser step's token-mean loss.

        Lightning divides by the accumulation and averages over ranks, so both are multiplied back
        in: the gradient of a step equals that of one big batch, whatever it is cut into.

        Args:
            batch: One micro-batch.
            batch_idx: Number of the micro-batch in the epoch.

        Returns:
            `loss` to differentiate, and `share`, this micro-batch's part of the step's mean loss.
        """
        summed = supervised_loss(self.loaded, batch, chunk=self.loss_chunk)
        share = summed.loss / batch["step_tokens"]
        parts = self.trainer.accumulate_grad_batches * self.trainer.world_size
        return {"loss": share * parts, "share": share.detach()}

    def validation_step(self, batch: Batch, batch_idx: int) -> None:
        """Add a batch to the validation loss and token accuracy.

        Args:
            batch: One batch of validation rows.
            batch_idx: Number of the batch.
        """
        summed = supervised_loss(self.loaded, batch, chunk=self.loss_chunk, count_correct=True)
        if summed.tokens and summed.correct is not None:
            self.val_loss.update(summed.loss / summed.tokens, summed.tokens)
            self.val_accuracy.update(summed.correct / summed.tokens, summed.tokens)

    def on_validation_epoch_end(self) -> None:
        """Log the validation loss (nats per token) and the token accuracy."""
        self.log("val/loss", self.val_loss, prog_bar=True)
        self.log("val/accuracy", self.val_accuracy)

    def test_step(self, batch: Batch, batch_idx: int) -> None:
        """Do for the test set what `validation_step` does.

        Args:
            batch: One batch of test rows.
            batch_idx: Number of the batch.
        """
        self.validation_step(batch, batch_idx)

    def on_test_epoch_end(self) -> None:
        """Log the test loss (nats per token) and the token accuracy."""
        self.log("test/loss", self.val_loss)
        self.log("test/accuracy", self.val_accuracy)

    def predict_step(self, batch: AnswerBatch, batch_idx: int) -> list[dict[str, Any]]:
        """Answer a batch of rows.

        Args:
            batch: Rows with their rendered prompts.
            batch_idx: Number of the batch.

        Returns:
            One record per row, in order: `id`, `code`, and whether the answer came to its end.
        """
        pairs = zip(batch["rows"], self.answer(batch["prompts"]), strict=True)
        return [{"id": row.id, "code": a.text, "finished": a.finished} for row, a in pairs]

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
