"""Attention for packed sequences: every document attends to itself alone, without a T x T mask.

The function is registered with transformers under the name `sk2d_packed`. With
`sk2d_cu_seqlens` among the keyword arguments of the backbone's forward it runs causal attention
document by document; with `sk2d_prefixes` too, each document continues a stretch before it, as the
answers to one prompt do. Without them it is transformers' own sdpa with its mask, so that
generation and padded batches work as ever.

Shape letters: B batch, T positions, A attention heads, K key/value heads, D head size,
H hidden size.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import torch
from torch import Tensor, nn
from transformers import AttentionInterface, AttentionMaskInterface, PreTrainedModel
from transformers.integrations.sdpa_attention import sdpa_attention_forward
from transformers.masking_utils import sdpa_mask

if TYPE_CHECKING:
    from sk2d.data.batches import Batch

PACKED_ATTENTION = "sk2d_packed"
ATTENTION_CHOICES = Literal["auto", "sdpa", "flash2"]
# Layers whose mask is causal, or causal within a window; others (chunked, recurrent) do not split.
_SPLITTABLE_LAYERS = {"full_attention", "sliding_attention"}


def _window_of(module: nn.Module, longest: int, kwargs: dict[str, Any]) -> int | None:
    """Give the sliding window that cuts into a document, or None when none does."""
    if "sliding_window" in kwargs:
        window = kwargs["sliding_window"]
        return window if window is not None and window < longest else None
    config = getattr(module, "config", None)
    window = getattr(config, "sliding_window", None)
    if window is not None and getattr(config, "use_sliding_window", True) and window < longest:
        raise ValueError(
            f"{type(module).__name__} does not pass on its sliding window of {window} tokens, "
            f"and a packed document has {longest}"
        )
    return None


def _mask(span: Span, window: int | None, device: torch.device) -> Tensor | None:
    """Give the (1, 1, length, keys) mask of a document, or None where it is plainly causal."""
    before = span.prefix_end - span.prefix_start
    length = span.end - span.start
    cut = window is not None and window < before + length
    if not before and not cut:
        return None
    places = torch.arange(before, before + length, device=device)
    distance = places[:, None] - torch.arange(before + length, device=device)[None, :]
    mask = distance >= 0
    if cut and window is not None:
        mask &= distance < window
    return mask[None, None]


class Span(NamedTuple):
    """A document of a packed sequence, and the stretch before it that it continues.

    Attributes:
        start: Its first position.
        end: Behind its last.
        prefix_start: First position of what stands before it; equal to `prefix_end` for nothing.
        prefix_end: Behind the last of those.
    """

    start: int
    end: int
    prefix_start: int = 0
    prefix_end: int = 0

    def keys_of(self, tensor_BKTD: Tensor) -> Tensor:
        """Take keys or values of the prefix and of the document itself."""
        own = tensor_BKTD[:, :, self.start : self.end]
        if self.prefix_start == self.prefix_end:
            return own
        return torch.cat([tensor_BKTD[:, :, self.prefix_start : self.prefix_end], own], dim=2)


def _spans(
    cu_seqlens: Sequence[int] | Tensor, prefixes: Sequence[tuple[int, int]] | None
) -> list[Span]:
    bounds = cu_seqlens.tolist() if isinstance(cu_seqlens, Tensor) else list(cu_seqlens)
    pairs = list(itertools.pairwise(bounds))
    before = prefixes if prefixes is not None else [(0, 0)] * len(pairs)
    return [Span(*pair, *prefix) for pair, prefix in zip(pairs, before, strict=True)]


def packed_attention(
    module: nn.Module,
    query_BATD: Tensor,
    key_BKTD: Tensor,
    value_BKTD: Tensor,
    attention_mask: Tensor | None,
    dropout: float = 0.0,
    scaling: float | None = None,
    sk2d_cu_seqlens: Sequence[int] | Tensor | None = None,
    sk2d_prefixes: Sequence[tuple[int, int]] | None = None,
    **kwargs: Any,
) -> tuple[Tensor, None]:
    """Run causal attention per document, or plain sdpa when no document bounds are given.

    Args:
        module: The attention layer that calls.
        query_BATD: Queries; B is 1 when packed.
        key_BKTD: Keys, possibly fewer heads than queries.
        value_BKTD: Values.
        attention_mask: Mask of the unpacked case; not looked at when packed.
        dropout: Share of attention weights dropped; the layer passes 0 outside training.
        scaling: Factor on the scores; None is 1/sqrt(D).
        sk2d_cu_seqlens: Bounds 0, end of document 1, ..., T; None is the unpacked case.
        sk2d_prefixes: Start and end of the stretch that each document continues, such as a prompt
            that several answers share; equal numbers for none, and None for none at all.
        **kwargs: What else the layer passes on (`sliding_window`, ...).

    Returns:
        The output as (B, T, A, D), and None in the place of the attention weights.

    Raises:
        ValueError: When the layer asks for something that cannot be done per document.
    """
    if sk2d_cu_seqlens is None:
        return sdpa_attention_forward(
            module, query_BATD, key_BKTD, value_BKTD, attention_mask, dropout, scaling, **kwargs
        )
    if kwargs.get("softcap") is not None or kwargs.get("position_bias") is not None:
        raise ValueError(f"{type(module).__name__} caps or shifts its scores: not for packed rows")
    spans = _spans(sk2d_cu_seqlens, sk2d_prefixes)
    longest = max(s.end - s.start + s.prefix_end - s.prefix_start for s in spans)
    window = _window_of(module, longest, kwargs)
    outputs = []
    for span in spans:
        query = query_BATD[:, :, span.start : span.end]
        key, value = span.keys_of(key_BKTD), span.keys_of(value_BKTD)
        mask = _mask(span, window, query_BATD.device)
        outputs.append(
            sdpa_attention_forward(
                module, query, key, value, mask, dropout, scaling, is_causal=mask is None
            )[0]
        )
    return torch.cat(outputs, dim=1), None


# The module's own registration: importing it makes the name known to `from_pretrained`.
AttentionInterface.register(PACKED_ATTENTION, packed_attention)
AttentionMaskInterface.register(PACKED_ATTENTION, sdpa_mask)


def forward_inputs(batch: Batch) -> dict[str, Any]:
    """Give the keyword arguments with which a batch runs through a backbone.

    A packed batch carries a mask of four dimensions and one element: models hand such a mask on
    as it is, so that none of T x T is made, and `packed_attention` does not look at it.

    Args:
        batch: A packed (`cu_seqlens`) or padded (`attention_mask_BT`) batch.

    Returns:
        `input_ids`, `position_ids`, `attention_mask`, `use_cache` and, when packed,
        `sk2d_cu_seqlens` as plain integers (one transfer from the GPU instead of one a layer).
    """
    inputs: dict[str, Any] = {
        "input_ids": batch["input_ids_BT"],
        "position_ids": batch["position_ids_BT"],
        "attention_mask": batch["attention_mask_BT"],
        "use_cache": False,
    }
    cu_seqlens = batch["cu_seqlens"]
    if cu_seqlens is not None:
        inputs["sk2d_cu_seqlens"] = tuple(cu_seqlens.tolist())
        inputs["attention_mask"] = torch.ones(
            (1, 1, 1, 1), dtype=torch.bool, device=batch["input_ids_BT"].device
        )
    return inputs


def causal_lm_of(model: nn.Module) -> Any:
    """Give the Hugging Face causal LM inside a model, which LoRA may have wrapped.

    Args:
        model: A causal LM or a PEFT model around one.

    Returns:
        The causal LM itself; LoRA layers stay inside it.
    """
    wrapped: Any = model
    return wrapped.get_base_model() if hasattr(model, "peft_config") else model


def supports_packing(model: nn.Module) -> bool:
    """Tell whether a model keeps packed documents apart; otherwise batches must be padded.

    The model is asked: two documents of five tokens are run packed and one by one, and the hidden
    states have to be the same.

    Args:
        model: A causal LM, with or without LoRA.

    Returns:
        True when the model was loaded with packed attention and the check came out equal.
    """
    causal_lm = causal_lm_of(model)
    config = causal_lm.config.get_text_config()
    if config._attn_implementation != PACKED_ATTENTION:
        return False
    layer_types = getattr(config, "layer_types", None) or ["full_attention"]
    if not set(layer_types) <= _SPLITTABLE_LAYERS:
        return False
    was_training = causal_lm.training
    causal_lm.eval()
    try:
        return _packed_equals_apart(causal_lm)
    except (TypeError, ValueError):  # the model takes no such arguments, or refused them itself
        return False
    finally:
        causal_lm.train(was_training)


@torch.no_grad()
def _packed_equals_apart(model: PreTrainedModel) -> bool:
    """Compare the hidden states of two documents, packed against one by one."""
    length = 5
    ids_BT = torch.arange(2 * length, device=model.device).remainder(model.config.vocab_size)[None]
    positions_BT = torch.arange(length, device=model.device).repeat(2)[None]
    packed = forward_inputs(
        {
            "input_ids_BT": ids_BT,
            "position_ids_BT": positions_BT,
            "attention_mask_BT": None,
            "cu_seqlens": torch.tensor([0, length, 2 * length], dtype=torch.int32),
        }  # type: ignore[typeddict-item]
    )
    together_BTH = model.base_model(**packed)[0]
    apart = [model.base_model(input_ids=ids, use_cache=False)[0] for ids in ids_BT.split(length, 1)]
    apart_BTH = torch.cat(apart, dim=1)
    allowed = 1e-4 if together_BTH.dtype == torch.float32 else 3e-2
    return bool((together_BTH - apart_BTH).norm() <= allowed * apart_BTH.norm())
