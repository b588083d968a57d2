"""Supervised fine-tuning of a causal language model, shared by both phases.

Shape letters: B sequences, T positions.
"""

from __future__ import annotations

from typing import Any

from lightning.pytorch import Callback
from lightning.pytorch.utilities.rank_zero import rank_zero_warn
from torch.optim.lr_scheduler import LRScheduler
from torchmetrics import MeanMetric
from transformers import PreTrainedTokenizerBase

from sk2d.data import SupervisedData
from sk2d.data.batches import Batch
from sk2d.data.loaders import AnswerBatch
from sk2d.data.tokens import IGNORED
from sk2d.models.attention import ATTENTION_CHOICES, supports_packing
from sk2d.models.lora import LoraSettings
from sk2d.models.loss import supervised_loss
from sk2d.models.quantization import Optimizers, Quantization
from sk2d.models.strategies import call_in_engine
from sk2d.phases.answer_metrics import NAMES
from sk2d.phases.attached import has_data, supervised_data_of
from sk2d.phases.curves import CurveWriter
from sk2d.phases.guard import LossGuard
from sk2d.phases.half_precision import counted
from sk2d.phases.phase_module import PhaseModule
from sk2d.phases.samples import SampleWriter
from sk2d.phases.schedule import Schedule
from sk2d.phases.step_meter import StepMeter


class SupervisedModule(PhaseModule):
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

    data_class = SupervisedData

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
        super().__init__(
            base=base,
            lora=lora,
            lr=lr,
            schedule=schedule,
            weight_decay=weight_decay,
            betas=betas,
            prompt=prompt,
            attention=attention,
            gradient_checkpointing=gradient_checkpointing,
            max_new_tokens=max_new_tokens,
            quantization=quantization,
            optimizer=optimizer,
        )
        self.loss_chunk = loss_chunk
        self.samples = samples
        self.val_loss = MeanMetric()
        self.val_accuracy = MeanMetric()
        self.keep_settings()

    @property
    def measures(self) -> list[str]:
        """Validation loss and accuracy, and what is measured of the samples."""
        return ["loss", "accuracy", *NAMES]

    def watchers(self, guard: LossGuard) -> list[Callback]:
        """Give the callbacks of supervised training.

        Args:
            guard: When to stop.

        Returns:
            The meter, the guard, the samples and the curves.
        """
        return [StepMeter(), guard, SampleWriter(), CurveWriter()]

    def first_row(self) -> dict[str, str]:
        """Tell what the first row is supervised on."""
        batch = supervised_data_of(self.trainer).first_batch()
        return {"first_target": first_target(batch, self.tokenizer)}

    def after_loading(self) -> None:
        """Choose how batches are laid out."""
        self._choose_batches()

    def _choose_batches(self) -> None:
        """Pad instead of packing where the model or its attention cannot keep documents apart."""
        data = (
            supervised_data_of(self.trainer) if self._trainer and has_data(self.trainer) else None
        )
        if data is None or not data.pack or supports_packing(self.loaded):
            return
        data.pack = False
        rank_zero_warn(
            f"data.pack: {self.base} with model.attention {self.attention} cannot keep "
            "packed documents apart, so batches are padded (rows of like length together)"
        )

    def on_fit_start(self) -> None:
        """Take the base's hashes, and compare the chunked loss with the model's own on one row."""
        _ = self.base_fingerprint  # taken now: the folder may change while the run goes on
        batch = supervised_data_of(self.trainer).first_batch()
        batch = self.transfer_batch_to_device(batch, self.device, 0)
        call_in_engine(self, "check_first_batch", batch)

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

    def training_step(self, batch: Batch, batch_idx: int) -> dict[str, Any]:
        """Compute a micro-batch's share of its optimiser step's token-mean loss.

        Lightning divides by the accumulation and averages over ranks, so both are multiplied back
        in: the gradient of a step equals that of one big batch, whatever it is cut into.

        Args:
            batch: One micro-batch.
            batch_idx: Number of the micro-batch in the epoch.

        Returns:
            `loss` to differentiate, and for `StepMeter` this micro-batch's part of the step's mean
            loss, its tokens, and the supervised tokens of the step.
        """
        summed = supervised_loss(self.loaded, batch, chunk=self.loss_chunk)
        share = summed.loss / batch["step_tokens"]
        parts = self.trainer.accumulate_grad_batches * self.trainer.world_size
        return {
            "loss": share * parts,
            "share": share.detach(),
            "tokens": batch["input_ids_BT"].numel(),
            "supervised": batch["step_tokens"],
        }

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


def first_target(batch: Batch, tokenizer: PreTrainedTokenizerBase) -> str:
    """Decode what the first row of a batch is supervised on, end token included.

    Special ids come from the base's tokenizer; a base with other ids than expected shows here.

    Args:
        batch: A packed or padded batch.
        tokenizer: The base's tokenizer.

    Returns:
        Text with special tokens spelt out.
    """
    ends = batch["cu_seqlens"]
    labels = batch["labels_BT"][0, : None if ends is None else int(ends[1])]
    return str(tokenizer.decode(labels[labels != IGNORED].tolist()))
