"""A phase trained by reinforcement learning: answers, scores, advantages, update.

Shape letters: B answers of a step, T tokens of the longest, N tokens of a pass.
"""

from __future__ import annotations

import copy
import functools
import time
from collections.abc import Sequence
from typing import Any

import torch
from lightning.pytorch import Callback
from lightning.pytorch.utilities.rank_zero import rank_zero_info, rank_zero_warn
from torch import Tensor, nn
from torchmetrics import MeanMetric

from sk2d.corpus.rl_rows import RlRow
from sk2d.data.batches import Example, collate_padded
from sk2d.data.rollout_data import PromptBatch, RolloutData
from sk2d.data.tokens import encode_prompt, pad_id
from sk2d.errors import ConfigError
from sk2d.models.attention import ATTENTION_CHOICES, supports_packing
from sk2d.models.lora import LoraSettings
from sk2d.models.quantization import Optimizers, Quantization
from sk2d.phases.attached import data_of
from sk2d.phases.curves import CurveWriter
from sk2d.phases.guard import LossGuard
from sk2d.phases.phase_module import PhaseModule, settings
from sk2d.phases.schedule import Schedule
from sk2d.rewards.candidates import Reward
from sk2d.rl.answer_tokens import AnswerTokens
from sk2d.rl.answering import Answering
from sk2d.rl.figures import figures_of, row_class, validation_means
from sk2d.rl.journal import records
from sk2d.rl.learning import learn, tables_of
from sk2d.rl.objective import TokenObjective
from sk2d.rl.objectives import Aggregation
from sk2d.rl.passes import Passes, Tables, switch_off_dropout
from sk2d.rl.pictures import REWARD_PICTURE, draw_rewards
from sk2d.rl.rewarding import PARTS, build_reward
from sk2d.rl.rollouts import Collected, candidate_of, collect
from sk2d.rl.scoring import scored, shortfall
from sk2d.rl.settings import RewardSettings, RolloutSettings, UpdateSettings
from sk2d.rl.step import Step, step_of
from sk2d.rl.watching import JournalWriter, RolloutGuard, RolloutMeter


class PolicyModule(PhaseModule):
    """One phase as a policy that learns from a reward; one step answers `effective_batch` prompts.

    The reference is the model that the run starts from: with LoRA the same weights without the
    adapters, else a frozen copy. So the divergence at the first step is 0.

    Args:
        base: Model to start from: the folder that supervised training left.
        lora: Low-rank adapters to train; null trains every weight.
        lr: Highest learning rate; null means 1e-5 with LoRA and 1e-6 without (the paper's).
        schedule: Shape of the learning rate.
        weight_decay: Decay of matrices; biases and norms are never decayed.
        betas: Decay rates of AdamW's two moments.
        prompt: Name of the prompt; null means the phase's own.
        attention: Attention kernels; auto runs a prompt once for all its answers.
        gradient_checkpointing: Recompute activations in the backward pass to save memory.
        loss_chunk: Tokens whose logits are held at a time.
        max_new_tokens: Longest answer, in tokens.
        quantization: Frozen weights in 4 (nf4) or 8 bits (int8), with LoRA only; null leaves them.
        optimizer: adamw, or adamw8bit with its states in 8 bits; paged_adamw8bit moves them out of
            a full GPU.
        rollouts: How answers are drawn.
        reward: What they are worth.
        update: How the policy learns from them.
    """

    learning_rates = (1e-5, 1e-6)
    best_by = ("reward", True)
    data_class = RolloutData
    automatic_optimization = False

    def __init__(
        self,
        base: str,
        lora: LoraSettings | None = LoraSettings(),  # noqa: B008  (frozen dataclass)
        lr: float | None = None,
        schedule: Schedule = Schedule(kind="constant"),  # noqa: B008  (frozen dataclass)
        weight_decay: float = 0.0,
        betas: tuple[float, float] = (0.9, 0.999),
        prompt: str | None = None,
        attention: ATTENTION_CHOICES = "auto",
        gradient_checkpointing: bool = False,
        loss_chunk: int = 512,
        max_new_tokens: int = 512,
        quantization: Quantization | None = None,
        optimizer: Optimizers = "adamw",
        rollouts: RolloutSettings = RolloutSettings(),  # noqa: B008  (frozen dataclass)
        reward: RewardSettings = RewardSettings(),  # noqa: B008  (frozen dataclass)
        update: UpdateSettings = UpdateSettings(),  # noqa: B008  (frozen dataclass)
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
        self.rollouts = settings(RolloutSettings, rollouts)
        self.reward = settings(RewardSettings, reward)
        self.update = settings(UpdateSettings, update)
        self.reference: nn.Module | None = None
        self.packs = False
        self.val_means = nn.ModuleDict({name: MeanMetric() for name in self.measures})

    @property
    def measures(self) -> list[str]:
        """Reward, its parts, and what tells of the answers' ends."""
        return ["reward", *PARTS[self.phase], "tokens", "truncated"]

    def watchers(self, guard: LossGuard) -> list[Callback]:
        """Give the callbacks of reinforcement learning.

        Args:
            guard: When to stop.

        Returns:
            The meter, the journal, the curves and the guard.
        """
        row = row_class(self.phase)
        curves = CurveWriter(row, draw_rewards, REWARD_PICTURE)
        # What a step was is written down before the guard may end the run because of it.
        return [RolloutMeter(row), JournalWriter(), curves, RolloutGuard(guard.max_skipped)]

    def fixed_facts(self) -> dict[str, Any]:
        """List the settings of the rollouts, which a resumed run must share."""
        groups = ("rollouts", "reward", "update")
        facts: dict[str, Any] = {f"model.{group}": repr(getattr(self, group)) for group in groups}
        return facts | {"model.max_new_tokens": self.max_new_tokens}

    def first_row(self) -> dict[str, str]:
        """Show the first prompt."""
        return {"first_prompt": self.data.first_prompt()}

    @property
    def data(self) -> RolloutData:
        """The data of the run."""
        data = data_of(self.trainer)
        assert isinstance(data, RolloutData), "reinforcement learning is on RolloutData"
        return data

    @functools.cached_property
    def judge(self) -> Reward:
        """The reward, built when it is first needed."""
        chosen = self.reward
        return build_reward(
            self.phase,  # type: ignore[arg-type]  # the subclasses' own constants
            chosen.mode,
            chosen.embedder,
            chosen.weights,
            chosen.workers,
        )

    @functools.cached_property
    def answering(self) -> Answering:
        """What draws the answers."""
        return Answering(self)

    def unfit(self, rows: Sequence[RlRow]) -> list[str | None]:
        """Tell which rows the reward cannot be used for: those whose own reference falls short.

        Args:
            rows: Rows.

        Returns:
            For each row the reason, or None.
        """
        return shortfall(self.judge, [candidate_of(row, row.reference) for row in rows])

    def setup(self, stage: str) -> None:
        """Refuse several devices: the rewards of a step are compared in one process.

        Args:
            stage: Lightning's name of what is about to run.

        Raises:
            ConfigError: There are several.
        """
        super().setup(stage)
        if self.trainer.world_size > 1:
            raise ConfigError(
                f"reinforcement learning here is for one device, not for {self.trainer.world_size}",
                where="trainer.devices",
                remedy="Give 1; for many GPUs train with verl (docs/rewards.md)",
            )

    def learns_prompt(self, stage: str) -> bool:
        """Say no: the model has to know its prompt already.

        Args:
            stage: Lightning's name of what is about to run.

        Returns:
            False.
        """
        return False

    def after_loading(self) -> None:
        """Choose how passes are laid out, and keep the reference where it is not the base."""
        switch_off_dropout(self.loaded)
        self.packs = supports_packing(self.loaded)
        if not self.packs:
            rank_zero_warn(
                f"{self.base} with model.attention {self.attention} cannot keep answers to one "
                "prompt apart, so each is run with a copy of its prompt"
            )
        if self.lora is None and self.update.kl > 0:
            self.reference = copy.deepcopy(self.loaded).requires_grad_(False)

    def on_fit_start(self) -> None:
        """Take the base's hashes, and look for what fp16 cannot hold."""
        _ = self.base_fingerprint
        (row,) = self.data.sample_rows(1, "train")
        prompt = encode_prompt(self.prompt.render(row.source), self.tokenizer)
        answer = self.tokenizer(row.reference, add_special_tokens=False)["input_ids"]
        example = Example(0, [*prompt, *answer], len(prompt))
        batch = collate_padded([example], pad_id(self.tokenizer))
        self.check_first_batch(self.transfer_batch_to_device(batch, self.device, 0))

    @property
    def passes(self) -> Passes:
        """How answers run through the policy."""
        return Passes(
            model=self.loaded,
            size=self.data.batch_size,
            chunk=self.loss_chunk,
            temperature=self.rollouts.temperature,
            packs=self.packs,
            pad_id=pad_id(self.tokenizer),
            device=self.device,
        )

    def training_step(self, batch: PromptBatch, batch_idx: int) -> dict[str, Any]:
        """Answer the prompts of a step, judge the answers and learn from them.

        Args:
            batch: The prompts.
            batch_idx: Number of the step in the epoch.

        Returns:
            What `RolloutMeter` and `JournalWriter` make of it.
        """
        collected = self._collect(batch)
        started = time.perf_counter()
        step = step_of(
            collected.rollouts, batch.prompt_ids, mask_truncated=self.update.mask_truncated
        )
        tables = tables_of(self, step)
        advantages_BT = self.advantages(step, tables)
        sums = learn(self, step, tables, advantages_BT)
        update_s = time.perf_counter() - started
        means_B = (advantages_BT * step.tokens_BT).sum(dim=1) / step.lengths_B.clamp(min=1)
        return {
            "share": sums.loss / self.update.updates,
            "tokens": sum(map(len, batch.prompt_ids)) + int(step.lengths_B.sum()),
            "supervised": int(step.counted_BT.sum()),
            "figures": figures_of(self.phase, collected, step, sums, update_s),
            "journal": records(self.trainer.global_step, collected.rollouts, means_B.tolist()),
        }

    def _collect(self, batch: PromptBatch) -> Collected:
        """Draw and judge the answers to a step's prompts."""
        found = collect(
            batch.rows,
            batch.prompts,
            self.answering.drawn,
            self.judge,
            at_once=self.answering.at_once(len(batch.rows)),
            seed=self.step_seed(),
        )
        torch.clear_autocast_cache()
        return found

    def step_seed(self) -> int:
        """Give a seed by the step alone, so that a resumed run draws the same answers."""
        return (self.data.seed * 1_000_003 + self.trainer.global_step) * 4096

    @property
    def value_head(self) -> nn.Module | None:
        """What expects the reward before each token; only PPO has one."""
        return None

    @property
    def clip_high(self) -> float:
        """How far above 1 a ratio may rise."""
        return 0.2 if self.update.clip_high is None else self.update.clip_high

    @property
    def aggregation(self) -> Aggregation:
        """How tokens are put together."""
        return self.update.aggregation or "token-mean"

    def advantages(self, step: Step, tables: Tables) -> Tensor:
        """Tell how much better than expected each answer, or each of its tokens, was.

        Args:
            step: The answers.
            tables: What was said of their tokens.

        Returns:
            advantages_B1 or advantages_BT.

        Raises:
            NotImplementedError: The subclass has none.
        """
        raise NotImplementedError

    def learned_from(self, step: Step) -> Tensor:
        """Tell which answers have a share in the loss; an update runs no others.

        Args:
            step: The answers.

        Returns:
            A bool for each answer.
        """
        return step.counted_BT.any(dim=1)

    def value_part(
        self, hidden_NH: Tensor, tokens: AnswerTokens, objective: TokenObjective, tables: Tables
    ) -> Tensor:
        """Give the value head's part of the loss of a pass.

        Args:
            hidden_NH: Hidden states that predict the tokens.
            tokens: The pass.
            objective: The policy's part, with the weights of the tokens.
            tables: What was said of the tokens before the update.

        Returns:
            A scalar.
        """
        return hidden_NH.new_zeros((), dtype=torch.float32)

    def on_before_optimizer_step(self, optimizer: torch.optim.Optimizer) -> None:
        """Clip the gradient; fp16's is unscaled by now.

        Args:
            optimizer: The optimiser that is about to step.
        """
        if self.update.clip_grad is not None:
            weights = [weight for group in optimizer.param_groups for weight in group["params"]]
            torch.nn.utils.clip_grad_norm_(weights, self.update.clip_grad)

    def validation_step(self, batch: PromptBatch, batch_idx: int) -> None:
        """Answer validation prompts with the likeliest tokens, and judge the answers.

        Args:
            batch: Prompts.
            batch_idx: Number of the batch.
        """
        answers = self.answering.likeliest(batch.prompts)
        pairs = zip(batch.rows, answers, strict=True)
        scores = scored(self.judge, [candidate_of(row, answer.text) for row, answer in pairs])
        for name, mean in validation_means(self.phase, answers, scores).items():
            metric: Any = self.val_means[name]
            metric.update(mean.value, mean.weight)

    def on_validation_epoch_end(self) -> None:
        """Log the means over the validation rows."""
        for name, metric in self.val_means.items():
            self.log(f"val/{name}", metric, prog_bar=name == "reward")  # type: ignore[arg-type]

    def on_train_start(self) -> None:
        """Apply the learning rate as ever, and say how prompts are answered."""
        super().on_train_start()
        prompts = self.data.effective_batch
        rank_zero_info(
            f"{prompts} prompts x {self.rollouts.answers} answers a step, "
            f"{self.answering.at_once(prompts)} prompts at a time"
        )
