"""How a policy in training answers: by the own sampler, or by vLLM where a config says so."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import TYPE_CHECKING

from sk2d.models.answers import Answer, context_length
from sk2d.models.lora import LoraSettings
from sk2d.models.sampling import sample_groups
from sk2d.models.vllm_sampling import VllmSampler
from sk2d.rl.rollouts import prompts_at_once

if TYPE_CHECKING:
    from sk2d.rl.policy import PolicyModule


class Answering:
    """Draws the answers of a module in training.

    Args:
        module: The module.
    """

    def __init__(self, module: PolicyModule) -> None:
        self.module = module

    def at_once(self, prompts: int) -> int:
        """Give how many prompts are answered together.

        Args:
            prompts: Prompts of a step.

        Returns:
            Their number. The caches of vLLM have a share of the memory of their own, whatever the
            number is.
        """
        own = self.module.rollouts.engine == "own" and self.module.device.type != "cpu"
        return self.module.rollouts.at_once or prompts_at_once(prompts, on_gpu=own)

    def drawn(self, prompts: Sequence[str], seed: int) -> list[list[Answer]]:
        """Draw the answers to prompts of a step.

        Args:
            prompts: Rendered prompts.
            seed: Seed.

        Returns:
            The answers of each prompt.
        """
        chosen = self.module.rollouts
        if chosen.engine == "own":
            return self._sampled(prompts, chosen.answers, chosen.temperature, seed)
        return self._vllm.sample(
            self.module.loaded,
            self.module.trainer.global_step,
            prompts,
            per_prompt=chosen.answers,
            stop=self.module.prompt.stop,
            max_new_tokens=self.module.max_new_tokens,
            temperature=chosen.temperature,
            seed=seed,
        )

    def likeliest(self, prompts: Sequence[str]) -> list[Answer]:
        """Answer prompts with the likeliest tokens, whatever draws the other answers.

        Args:
            prompts: Rendered prompts.

        Returns:
            An answer to each.
        """
        return [answer for (answer,) in self._sampled(prompts, 1, 0.0, 0)]

    def _sampled(
        self, prompts: Sequence[str], answers: int, temperature: float, seed: int
    ) -> list[list[Answer]]:
        return sample_groups(
            self.module.loaded,
            self.module.tokenizer,
            prompts,
            per_prompt=answers,
            stop=self.module.prompt.stop,
            max_new_tokens=self.module.max_new_tokens,
            temperature=temperature,
            seed=seed,
        )

    @functools.cached_property
    def _vllm(self) -> VllmSampler:
        module = self.module
        assert isinstance(module.lora, LoraSettings), "a rule of the config"
        longest = module.data.cutoff + module.max_new_tokens
        return VllmSampler(
            module.base,
            module.tokenizer,
            rank=module.lora.rank,
            dtype=next(module.loaded.parameters()).dtype,
            longest=min(longest, context_length(module.loaded)),
            memory=module.rollouts.engine_memory,
        )
