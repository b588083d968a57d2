"""The data of supervised training: rows of a file or hub name, as resumable batches."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any, Literal

import numpy as np
import torch
from rich.console import Console, RenderableType
from torch.utils.data import DataLoader

from sk2d.corpus.rows import SftRow
from sk2d.data.batches import Batch
from sk2d.data.cache import default_cache_dir
from sk2d.data.checks import check_settings
from sk2d.data.encoding import Encoding
from sk2d.data.loaders import AnswerSet, BatchSet, PlanLoader, Position, as_it_is
from sk2d.data.phase_data import PhaseData
from sk2d.data.plan import MicroBatch, PlanSampler, StepPlan
from sk2d.data.preview import preview
from sk2d.data.sets import SAME, RowSet, RowSets
from sk2d.data.sources import Predictions, RowSource
from sk2d.data.tokens import TooLong, pad_id
from sk2d.errors import DataError, UserError, UserErrors
from sk2d.prompts import Prompt

_SETS_OF_STAGE = {
    None: ("train", "val"),
    "fit": ("train", "val"),
    "validate": ("val",),
    "test": ("test",),
    "predict": (),
}


class SupervisedData(PhaseData):
    """Supervised rows for training, validation, test and prediction.

    Tokenizer and prompt are the model's: `connect` gives them, else the trainer's module does.

    Args:
        train: Rows to train on: a .jsonl, .json or .parquet file, or a hub name `owner/name`.
        val: Rows to validate on; null holds back a share of the functions of `train`, and the word
            `train` means those rows themselves.
        test: Rows to test and predict on; null takes those of validation.
        cutoff: The most tokens of a row, prompt and answer together.
        batch_size: Rows per micro-batch and device; auto is as many as fit by the plan.
        effective_batch: Rows per optimiser step, over all devices and accumulated micro-batches.
        pack: Whether the rows of a micro-batch become one sequence without padding.
        too_long: What happens to rows above the cutoff: `drop` leaves them out, `cut_prompt` cuts
            their prompt on the left. Both are counted; an answer is never cut.
        val_share: Share of the functions held back for validation where `val` is null.
        num_workers: Processes that build batches ahead.
        seed: Seed of the order of rows, and of the choice among predictions.
        preview: How many rows to print, coloured by what reaches the loss.
        cache_dir: Folder of tokenised rows; null means $SK2D_CACHE, else `.cache/sk2d`.
        predictions: The Skeleton's answers (rows `id, predicted_ir` or `id, code`), which stand in
            for clean IR in a share of the training rows.
        predictions_share: Share of the rows with an answer that get it.
        limit: How many rows to take from the start of each file; null takes all.
    """

    fixed = ("batch_size", "effective_batch", "cutoff", "pack", "too_long", "seed")

    def __init__(
        self,
        train: str,
        val: str | None = None,
        test: str | None = None,
        cutoff: int = 2048,
        batch_size: int | Literal["auto"] = 1,
        effective_batch: int = 64,
        pack: bool = True,
        too_long: TooLong = "drop",
        val_share: float = 0.05,
        num_workers: int = 0,
        seed: int = 0,
        preview: int = 0,
        cache_dir: str | None = None,
        predictions: str | None = None,
        predictions_share: float = 0.5,
        limit: int | None = None,
    ) -> None:
        super().__init__()
        assert batch_size != "auto", "auto is resolved before data is built"
        self.train = train
        self.val = val
        self.test = test
        self.cutoff = cutoff
        self.batch_size = batch_size
        self.effective_batch = effective_batch
        self.pack = pack
        self.too_long = too_long
        self.val_share = val_share
        self.num_workers = num_workers
        self.seed = seed
        self.preview = preview
        self.cache_dir = cache_dir
        self.predictions = predictions
        self.predictions_share = predictions_share
        self.limit = limit
        self.tokenizer: Any = None
        self.prompt: Prompt | None = None
        self._sets: RowSets | None = None

    def connect(self, tokenizer: Any, prompt: Prompt) -> None:
        """Say whose ids the rows become, and which prompt stands around them.

        Args:
            tokenizer: A fast Hugging Face tokenizer.
            prompt: The prompt.
        """
        self.tokenizer = tokenizer
        self.prompt = prompt
        self._sets = None

    def check(self) -> list[UserError]:
        """Check the settings without reading a row.

        Returns:
            All mistakes; `where` is the key, such as `data.cutoff`.
        """
        return check_settings(vars(self))

    def setup(self, stage: str | None = None) -> None:
        """Tokenise what a stage needs, or open it in the cache.

        Args:
            stage: "fit", "validate", "test" or "predict"; None means "fit".

        Raises:
            UserErrors: Settings are wrong.
        """
        if self.prompt is None:
            assert self.trainer is not None, "connect(tokenizer, prompt) was not called"
            module: Any = self.trainer.lightning_module
            self.connect(module.tokenizer, module.prompt)
        if problems := self.check():
            raise UserErrors(problems)
        names = _SETS_OF_STAGE[stage]
        self._summary = self.sets.counts(names)
        if self.preview and "train" in names and self.rank == 0:
            Console().print(self.preview_rows(self.preview))

    @property
    def sets(self) -> RowSets:
        """The rows by set, tokenised when first asked for."""
        if self._sets is None:
            assert self.prompt is not None, "connect(tokenizer, prompt) was not called"
            mix = None
            if self.predictions:
                mix = Predictions(self.predictions, self.predictions_share, self.seed)
            self._sets = RowSets(
                paths={"train": self.train, "val": self.val, "test": self.test},
                encoding=Encoding(self.tokenizer, self.prompt, self.cutoff, self.too_long),
                folder=Path(self.cache_dir) if self.cache_dir else default_cache_dir(),
                val_share=self.val_share,
                limit=self.limit,
                predictions=mix,
            )
        return self._sets

    def plan(self, name: str = "train") -> StepPlan:
        """Plan the epochs over a set; only "train" is shuffled.

        Args:
            name: "train", "val" or "test".

        Returns:
            The plan for as many devices as the trainer has.
        """
        rows = self._filled(name)
        return StepPlan(
            lengths=rows.lengths,
            supervised=rows.supervised,
            effective_batch=self.effective_batch,
            batch_size=self.batch_size,
            world_size=self.world_size,
            seed=self.seed,
            shuffle=name == "train",
            pack=self.pack,
        )

    def train_dataloader(self) -> PlanLoader:
        """Give the training batches, from the restored position on.

        Returns:
            A loader whose length is that of the whole epoch.
        """
        loader = self._loader("train")
        assert isinstance(loader.sampler, PlanSampler)
        self.start(loader.sampler)
        return loader

    def val_dataloader(self) -> PlanLoader | list[PlanLoader]:
        """Give the validation batches; an empty list where nothing is held back."""
        return self._loader("val") if self.sets.get("val") else []

    def test_dataloader(self) -> PlanLoader | list[PlanLoader]:
        """Give the test batches; an empty list where nothing is held back."""
        return self._loader("test") if self.sets.get("test") else []

    def predict_dataloader(self) -> DataLoader:
        """Give the rows to answer, also those without an answer and those above the cutoff.

        Returns:
            A loader of `AnswerBatch`es.

        Raises:
            DataError: There is no row.
        """
        path = self.test or (self.train if self.val == SAME else self.val)
        source = RowSource(path, self.limit, need_target=False) if path else None
        rows = list(source.rows()) if source else self.sets.texts("val")
        if not rows:
            raise DataError(
                "there is no row to answer",
                where=path or self.train,
                remedy="Name a file with rows as data.test",
            )
        assert self.prompt is not None, "setup was not called"
        mine = rows[self.rank :: self.world_size]
        answers = AnswerSet(mine, self.prompt, self.batch_size)
        own = torch.Generator()  # else the loader would draw from the global one
        return DataLoader(answers, batch_size=None, collate_fn=as_it_is, generator=own)

    def first_batch(self) -> Batch:
        """Give the first training rows as one batch, packed or padded as in training."""
        return self._batch(range(min(self.batch_size, len(self._filled("train")))))

    def longest_batch(self) -> Batch:
        """Give the longest training rows as one batch, packed or padded as in training."""
        lengths = self._filled("train").lengths
        return self._batch(np.argsort(-lengths, kind="stable")[: self.batch_size].tolist())

    def _batch(self, numbers: Iterable[int]) -> Batch:
        rows, chosen = self._filled("train"), tuple(numbers)
        tokens = int(rows.supervised[list(chosen)].sum())
        return BatchSet(rows, pad_id(self.tokenizer), self.pack)[MicroBatch(chosen, tokens)]

    def sample_rows(self, count: int, stage: str = "val") -> list[SftRow]:
        """Give rows to generate answers for, the same ones each time.

        Args:
            count: The most rows.
            stage: val, during training, or test.

        Returns:
            Rows of the stage; rows of training where nothing is held back.
        """
        return self.sets.texts(stage if self.sets.get(stage) else "train", count)

    def preview_rows(self, count: int) -> RenderableType:
        """Show training rows coloured by what reaches the loss.

        Args:
            count: How many rows.

        Returns:
            Something that rich prints.
        """
        rows = self._filled("train")
        examples = [rows.example(row) for row in range(min(count, len(rows)))]
        return preview(examples, self.tokenizer, cutoff=self.cutoff)

    def transfer_batch_to_device(
        self, batch: Any, device: torch.device, dataloader_idx: int
    ) -> Any:
        """Move tensors to the model's device; rows to answer are text and stay as they are.

        Args:
            batch: A `Batch` or an `AnswerBatch`.
            device: Where the model is.
            dataloader_idx: Number of the loader.

        Returns:
            The batch on the device.
        """
        if "prompts" in batch:
            return batch
        return super().transfer_batch_to_device(batch, device, dataloader_idx)

    def _filled(self, name: str) -> RowSet:
        rows = self.sets.get(name)
        assert rows is not None, f"there are no rows in {name}"
        return rows

    def _loader(self, name: str) -> PlanLoader:
        batches = BatchSet(self._filled(name), pad_id(self.tokenizer), self.pack)
        sampler = PlanSampler(self.plan(name), self.rank)
        position = self.position if name == "train" else Position()
        return PlanLoader(batches, sampler, position, self.num_workers, self.seed)
