"""Bases in 4 or 8 bits, and the library behind them: bitsandbytes, which is optional and fragile.

Nothing imports bitsandbytes before a config asks for it.
"""

from __future__ import annotations

import functools
import importlib
import importlib.util
import logging
from types import ModuleType
from typing import Any, Literal

import torch
from torch import nn
from transformers import BitsAndBytesConfig

from sk2d.errors import ConfigError
from sk2d.models.peft_library import show_bitsandbytes

Quantization = Literal["nf4", "int8"]
Optimizers = Literal["adamw", "adamw8bit", "paged_adamw8bit"]
KEY = "model.quantization"
INSTALL = "Install the extra: pip install -e '.[quant]'"
NO_RELAYOUT = "support_avx512bf16_for_cpu"  # a switch of bitsandbytes' layers
INSTEAD = {KEY: "set model.quantization to null", "model.optimizer": "use adamw"}


class _NoKernelWarning(logging.Filter):
    """Drops the warning that a faster kernel for CPUs with AVX-512 was not found on the hub.

    bitsandbytes looks for it at import through a package that nothing else here needs, and has a
    kernel of its own; the run is the same without it.
    """

    def filter(self, record: logging.LogRecord) -> bool:
        """Tell whether a message is to be shown."""
        return "Failed to load CPU gemm_4bit_forward" not in record.getMessage()


@functools.cache
def _loaded() -> ModuleType | BaseException | None:
    """Import bitsandbytes once: the module, what went wrong, or None where it is not installed."""
    if importlib.util.find_spec("bitsandbytes") is None:
        return None
    logging.getLogger("bitsandbytes.backends.cpu.ops").addFilter(_NoKernelWarning())
    try:
        return importlib.import_module("bitsandbytes")
    # Versions of it have failed with nearly every kind of error, RuntimeError and OSError above all
    except Exception as error:
        return error


def bitsandbytes(where: str = KEY) -> ModuleType:
    """Import bitsandbytes for a setting that needs it.

    Args:
        where: The config key.

    Returns:
        The module.

    Raises:
        ConfigError: It is not installed, or fails when it is imported.
    """
    found = _loaded()
    if isinstance(found, ModuleType):
        show_bitsandbytes()
        return found
    instead = INSTEAD[where]
    if found is None:
        what, remedy = "it needs the package bitsandbytes", f"{INSTALL}, or {instead}"
        raise ConfigError(what, where=where, remedy=remedy)
    lines = str(found).strip().splitlines()
    raise ConfigError(
        "bitsandbytes is installed and cannot be imported "
        f"({type(found).__name__}: {lines[0] if lines else 'no reason given'})",
        where=where,
        remedy=f"python -m bitsandbytes tells why. Repair it, or {instead}",
    ) from found


def loading_arguments(
    quantization: Quantization | None, dtype: torch.dtype, device: torch.device
) -> dict[str, Any]:
    """Give what `from_pretrained` needs to put a base in 4 or 8 bits.

    NF4 with a second quantisation of its scales, as QLoRA has it (Dettmers et al. 2023): about
    4.13 bits a weight. Products are computed in `dtype`, which is float16 on a GPU without bf16.
    int8 is LLM.int8 (Dettmers et al. 2022), whose products are computed in float16.

    Args:
        quantization: nf4, int8, or None for none.
        dtype: Dtype of what is not quantised (embeddings, norms, output layer), and of products.
        device: Where the weights are to be. They are quantised there, layer by layer.

    Returns:
        Keyword arguments; none without quantisation.
    """
    if quantization is None:
        return {}
    bitsandbytes()
    config = BitsAndBytesConfig(
        load_in_4bit=quantization == "nf4",
        load_in_8bit=quantization == "int8",
        bnb_4bit_quant_type="nf4",
        bnb_4bit_use_double_quant=True,
        bnb_4bit_compute_dtype=dtype,
    )
    return {"quantization_config": config, "device_map": {"": device}}


def settle(model: nn.Module) -> None:
    """Keep quantised weights in the one layout that training, answering and saving all read.

    On CPUs with AVX-512 bitsandbytes lays weights out anew in the first forward pass in eval mode,
    which fails for layers whose width is no multiple of 32.

    Args:
        model: A model that was just loaded; changed in place.
    """
    for module in model.modules():
        if hasattr(module, NO_RELAYOUT):
            setattr(module, NO_RELAYOUT, False)


def is_quantized(model: nn.Module) -> bool:
    """Tell whether a model has layers in 4 or 8 bits.

    Args:
        model: Any model.

    Returns:
        Whether it has.
    """
    return any(type(p).__name__ in ("Params4bit", "Int8Params") for p in model.parameters())
