"""The data of reinforcement learning: prompts to answer, with what the answers are judged by."""

from __future__ import annotations

from typing import Any

import torch
from rich.console import Console, Group, RenderableType

from sk2d.corpus.rl_rows import RlRow
from sk2d.data.checks import check_rollout_settings
from sk2d.data.loaders import PlanLoader, Position
from sk2d.data.phase_data import PhaseData
from sk2d.data.plan import PlanSampler
from sk2d.data.preview import preview_question
from sk2d.data.prompt_batches import Asked, PromptBatch, PromptBatches, PromptPlan
from sk2d.data.prompt_sets import PromptSets
from sk2d.data.sieve import Sieve, Unfit
from sk2d.errors import ConfigError, UserError, UserErrors
from sk2d.prompts import Prompt

__all__ = ["PromptBatch", "RolloutData", "Unfit"]

_SETS_OF_STAGE = {None: ("train", "val"), "fit": ("train", "val"), "validate": ("val",)}


class RolloutData(PhaseData):
    """Rows of reinforcement learning (verl's columns) for training and validation.

    Tokenizer, prompt, phase and reward are the model's: `connect` gives them, else the trainer's
    module does. Rows whose own reference does not get the reward's maximum are left out.

    Args:
        train: Rows to train on: a .jsonl, .json or .parquet file, or a hub name `owner/name`.
        val: Rows to validate on; null holds back a share of the functions of `train`, and the word
            `train` means the first of those rows themselves.
        cutoff: The most tokens of a prompt; rows above it are left out and counted.
        batch_size: Prompts of a micro-batch of the update, each with all its answers.
        effective_batch: Prompts answered and learned from in a step.
        val_share: Share of the functions held back for validation where `val` is null.
        val_rows: The most rows to validate on.
        val_batch: Prompts answered together in validation, over all devices.
        seed: Seed of the order of rows.
        limit: How many rows to take from the start of each file; null takes all.
        preview: How many rows to print, each prompt with its reference.
    """

    fixed = ("batch_size", "effective_batch", "cutoff", "seed")

    def __init__(
        self,
        train: str,
        val: str | None = None,
        cutoff: int = 1024,
        batch_size: int = 1,
        effective_batch: int = 8,
        val_share: float = 0.05,
        val_rows: int = 64,
        val_batch: int = 16,
        seed: int = 0,
        limit: int | None = None,
        preview: int = 0,
    ) -> None:
        super().__init__()
        self.train = train
        self.val = val
        self.cutoff = cutoff
        self.batch_size = batch_size
        self.effective_batch = effective_batch
        self.val_share = val_share
        self.val_rows = val_rows
        self.val_batch = val_batch
        self.seed = seed
        self.limit = limit
        self.preview = preview
        self.tokenizer: Any = None
        self.prompt: Prompt | None = None
        self.phase = ""
        self.unfit: Unfit | None = None
        self._sets: PromptSets | None = None

    def connect(self, tokenizer: Any, prompt: Prompt, phase: str, unfit: Unfit) -> None:
        """Say who answers the prompts, and which rows its reward cannot use.

        Args:
            tokenizer: A fast Hugging Face tokenizer.
            prompt: The prompt.
            phase: `skeleton` or `skin`.
            unfit: Tells why the reward cannot use each row; None for a row that it can.
        """
        self.tokenizer = tokenizer
        self.prompt = prompt
        self.phase = phase
        self.unfit = unfit
        self._sets = None

    def check(self) -> list[UserError]:
        """Check the settings without reading a row.

        Returns:
            All mistakes; `where` is the key, such as `data.cutoff`.
        """
        return check_rollout_settings(vars(self))

    def setup(self, stage: str | None = None) -> None:
        """Read and judge the rows that a stage needs, once.

        Args:
            stage: "fit" or "validate"; None means "fit".

        Raises:
            ConfigError: The stage is another one.
            UserErrors: Settings are wrong.
        """
        if stage not in _SETS_OF_STAGE:
            raise ConfigError(
                f"reinforcement learning has no rows to {stage}",
                where="data",
                remedy="Validate on them as data.val, or measure the model with `cli.py evaluate`",
            )
        if self.prompt is None:
            assert self.trainer is not None, "connect(...) was not called"
            module: Any = self.trainer.lightning_module
            self.connect(module.tokenizer, module.prompt, module.phase, module.unfit)
        if problems := self.check():
            raise UserErrors(problems)
        names = _SETS_OF_STAGE[stage]
        self._summary = self.sets.counts(names)
        if self.preview and "train" in names and self.rank == 0:
            Console().print(self.preview_rows(self.preview))

    @property
    def sets(self) -> PromptSets:
        """The rows by set, read and judged when first asked for."""
        if self._sets is None:
            assert self.prompt is not None, "connect(...) was not called"
            assert self.unfit is not None, "connect(...) gives both"
            sieve = Sieve(self.tokenizer, self.prompt, self.phase, self.cutoff, self.unfit)
            paths = {"train": self.train, "val": self.val}
            self._sets = PromptSets(paths, sieve, self.val_share, self.val_rows, self.limit)
        return self._sets

    @property
    def left_out(self) -> list[dict[str, str]]:
        """Rows that the reward cannot use: id, where, reason."""
        return self.sets.left_out

    def train_dataloader(self) -> PlanLoader:
        """Give the training batches, from the restored position on.

        Returns:
            A loader whose length is that of the whole epoch.
        """
        sampler = self._sampler("train", self.effective_batch)
        self.start(sampler)
        return PlanLoader(self._batches("train"), sampler, self.position, seed=self.seed)

    def val_dataloader(self) -> PlanLoader | list[PlanLoader]:
        """Give the validation batches; an empty list where nothing is held back."""
        if not self.sets.get("val").rows:
            return []
        sampler = self._sampler("val", self.val_batch)
        return PlanLoader(self._batches("val"), sampler, Position(), seed=self.seed)

    def sample_rows(self, count: int, stage: str = "val") -> list[RlRow]:
        """Give rows to show answers for, the same ones each time.

        Args:
            count: The most rows.
            stage: train or val.

        Returns:
            Rows of the stage; rows of training where nothing is held back.
        """
        return (self.sets.get(stage).rows or self.sets.get("train").rows)[:count]

    def first_prompt(self) -> str:
        """Give the first training row's prompt, as the model is asked with it."""
        return self._batches("train")[(0,)].prompts[0]

    def preview_rows(self, count: int) -> RenderableType:
        """Show training rows: the prompt, then the reference dimmed.

        Args:
            count: How many rows.

        Returns:
            Something that rich prints.
        """
        rows = self.sets.get("train").rows[:count]
        batch = self._batches("train")[tuple(range(len(rows)))]
        shown = zip(rows, batch.prompts, batch.prompt_ids, strict=True)
        return Group(
            *(
                preview_question(f"{row.id}: {len(ids)} tokens", prompt, row.reference)
                for row, prompt, ids in shown
            )
        )

    def transfer_batch_to_device(
        self, batch: Any, device: torch.device, dataloader_idx: int
    ) -> Any:
        """Leave a batch as it is: it is text and plain numbers.

        Args:
            batch: A `PromptBatch`.
            device: Where the model is.
            dataloader_idx: Number of the loader.

        Returns:
            The batch.
        """
        return batch

    def _batches(self, name: str) -> PromptBatches:
        assert self.prompt is not None, "connect(...) was not called"
        return PromptBatches(self.sets.get(name).rows, self.tokenizer, self.prompt)

    def _sampler(self, name: str, per_batch: int) -> PlanSampler[Asked]:
        rows = len(self.sets.get(name).rows)
        plan = PromptPlan(rows, per_batch, self.world_size, self.seed, shuffle=name == "train")
        return PlanSampler(plan, self.rank)
