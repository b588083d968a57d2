"""Prompts to try a model with, and the trial of a folder that was just written."""

from __future__ import annotations

from pathlib import Path

import torch
from transformers import AutoModelForCausalLM, AutoTokenizer

from sk2d.errors import ModelError
from sk2d.models.card import ModelFacts
from sk2d.prompts import PROMPTS

PROBES = (
    "int f(int a, int b) {\n  return a + b;\n}",
    "void g(char *s) {\n  while (*s) putchar(*s++);\n}",
    "long h(long n) {\n  if (n < 2) return 1;\n  return n * h(n - 1);\n}",
)


def probe_prompt(facts: ModelFacts | None, code: str = PROBES[0]) -> str:
    """Give a prompt to try a model with.

    Args:
        facts: What is known of the model; its prompt is used when it is one of ours.
        code: The code inside.

    Returns:
        The text.
    """
    prompt = PROMPTS.get(facts.prompt) if facts else None
    return prompt.render(code) if prompt else code


@torch.no_grad()
def try_folder(folder: Path, facts: ModelFacts | None) -> str:
    """Load a folder as any user of transformers would, and let it answer a few tokens.

    Args:
        folder: A whole model's folder.
        facts: What is known of the model.

    Returns:
        The answer's text.

    Raises:
        ModelError: When the folder does not load, or does not give numbers.
    """
    try:
        model = AutoModelForCausalLM.from_pretrained(folder, dtype="auto", local_files_only=True)
        tokenizer = AutoTokenizer.from_pretrained(folder, local_files_only=True)
        inputs = tokenizer(probe_prompt(facts), return_tensors="pt", return_token_type_ids=False)
        finite = bool(torch.isfinite(model(**inputs).logits).all())
        ids = model.generate(**inputs, max_new_tokens=8, do_sample=False)
    except (OSError, ValueError, RuntimeError) as error:
        raise ModelError(
            f"the written folder does not work ({str(error).splitlines()[0]}); it is not kept",
            where=str(folder),
            remedy="Check the free space and the installed versions of transformers and torch",
        ) from error
    if not finite:
        raise ModelError(
            "the written model gives NaN or infinite logits; it is not kept",
            where=str(folder),
            remedy="Use --dtype bfloat16 or float32",
        )
    return str(tokenizer.decode(ids[0, inputs["input_ids"].shape[1] :], skip_special_tokens=True))
