"""Several answers of each prompt by vLLM, which batches them on a GPU as they come and go.

vLLM holds the base's weights a second time. The policy reaches it as an adapter that is written to
a folder before the answers of each step, so it can serve LoRA alone.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch
from torch import nn
from transformers import PreTrainedTokenizerBase

from sk2d.data.tokens import encode_prompts
from sk2d.errors import ConfigError
from sk2d.models.answers import Answer, end_ids, to_answer

# vLLM sizes its tables for adapters by one of these ranks.
RANKS = (8, 16, 32, 64, 128, 256, 320, 512)


class VllmSampler:
    """Draws answers with vLLM, in this process's GPU.

    Args:
        base: Folder of the base model, whole: vLLM does not read an adapter as a base.
        tokenizer: Its tokenizer.
        rank: Rank of the policy's adapters.
        dtype: In which the base is computed.
        longest: Most tokens of a prompt with its answer.
        memory: Share of the GPU's memory that vLLM takes for weights and caches.

    Raises:
        ConfigError: vLLM is not installed, or the base is an adapter.
    """

    def __init__(
        self,
        base: str,
        tokenizer: PreTrainedTokenizerBase,
        *,
        rank: int,
        dtype: torch.dtype,
        longest: int,
        memory: float,
    ) -> None:
        if (Path(base) / "adapter_config.json").exists():
            raise ConfigError(
                f"{base} is an adapter, and vLLM reads none as a base",
                where="model.base",
                remedy=f"Merge it: python cli.py merge --model {base} --output FOLDER",
            )
        try:
            from vllm import LLM
        except ImportError as error:
            raise ConfigError(
                f"vLLM cannot be used here: {error}",
                where="model.rollouts.engine",
                remedy="Install it beside this torch, or leave the key out",
            ) from error
        self.tokenizer = tokenizer
        self.room = tempfile.TemporaryDirectory(prefix="sk2d-vllm-")
        self.llm: Any = LLM(
            model=base,
            dtype=str(dtype).removeprefix("torch."),
            enable_lora=True,
            max_loras=1,
            max_lora_rank=next((size for size in RANKS if size >= rank), rank),
            max_model_len=longest,
            gpu_memory_utilization=memory,
        )
        self.adapter: Any = None
        self.version: int | None = None

    def sample(
        self,
        policy: nn.Module,
        version: int,
        prompts: Sequence[str],
        *,
        per_prompt: int,
        stop: Sequence[str],
        max_new_tokens: int,
        temperature: float,
        seed: int,
    ) -> list[list[Answer]]:
        """Answer each prompt several times.

        Args:
            policy: The model with its adapter, as it is now.
            version: A number that changes whenever the policy does.
            prompts: Rendered prompts.
            per_prompt: Answers of each.
            stop: Strings that end an answer; they are cut off.
            max_new_tokens: Most tokens of an answer.
            temperature: What logits are divided by.
            seed: Seed; every prompt has one of its own.

        Returns:
            The answers of each prompt, in order.
        """
        from vllm import SamplingParams

        if version != self.version:
            self._take(policy, version)
        ends = end_ids(policy, self.tokenizer)
        settings = [
            SamplingParams(
                n=per_prompt,
                temperature=temperature,
                seed=seed + place,
                max_tokens=max_new_tokens,
                stop=list(stop),
                stop_token_ids=ends,
                skip_special_tokens=False,
            )
            for place in range(len(prompts))
        ]
        asked = [{"prompt_token_ids": ids} for ids in encode_prompts(prompts, self.tokenizer)]
        found = self.llm.generate(asked, settings, lora_request=self.adapter, use_tqdm=False)
        return [[self._answer(each, ends, stop) for each in one.outputs] for one in found]

    def _take(self, policy: Any, version: int) -> None:
        """Hand the policy over as an adapter with a number that vLLM has not seen."""
        from vllm.lora.request import LoRARequest

        folder = Path(self.room.name) / f"policy{version}"
        policy.save_pretrained(folder)
        if self.adapter is not None:
            shutil.rmtree(self.adapter.lora_path)
        self.adapter = LoRARequest(folder.name, version + 1, str(folder))
        self.version = version

    def _answer(self, found: Any, ends: Sequence[int], stop: Sequence[str]) -> Answer:
        ids = list(found.token_ids)
        stopped = len(ids) if isinstance(found.stop_reason, str) else None
        return to_answer(self.tokenizer, ids, ends, stop, stopped)
