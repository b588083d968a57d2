"""A cache of keys and values with room for tokens to come.

transformers' own `DynamicCache` makes a copy of all keys and values for each token, in each layer.

Shape letters: R rows, K key/value heads, T positions, D head size.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor
from transformers import DynamicCache, PreTrainedConfig
from transformers.cache_utils import DynamicLayer

ROOM = 64  # positions; a copy is made when they are used up


def _with_room(states_RKTD: Tensor, room: int) -> Tensor:
    """Copy states into a tensor with so many more positions."""
    shape = list(states_RKTD.shape)
    shape[-2] = room
    return torch.cat([states_RKTD, states_RKTD.new_empty(shape)], dim=-2)


class GrowingLayer(DynamicLayer):
    """A layer's keys and values at the start of larger tensors."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._whole: tuple[Tensor, Tensor] | None = None

    def update(
        self, key_states: Tensor, value_states: Tensor, *args: Any, **kwargs: Any
    ) -> tuple[Tensor, Tensor]:
        """Add the states of new positions.

        Args:
            key_states: Keys, (R, K, new positions, D).
            value_states: Values, in the same shape.
            *args: What other layers may want to know.
            **kwargs: The same.

        Returns:
            All keys and all values.
        """
        start, new = self.get_seq_length(), key_states.shape[-2]
        if not start:
            return super().update(key_states, value_states, *args, **kwargs)
        assert self.keys is not None
        assert self.values is not None
        if self._whole is None or start + new > self._whole[0].shape[-2]:
            room = max(ROOM, new)
            self._whole = _with_room(self.keys, room), _with_room(self.values, room)
        for whole, states in zip(self._whole, (key_states, value_states), strict=True):
            whole[..., start : start + new, :] = states
        self.keys, self.values = (whole[..., : start + new, :] for whole in self._whole)
        return self.keys, self.values

    def reorder_cache(self, beam_idx: Any) -> None:
        """Keep chosen rows, which are copied without the room behind them.

        Args:
            beam_idx: Places of the rows; one may be there twice.
        """
        self._whole = None
        super().reorder_cache(beam_idx)


def growing_cache(config: PreTrainedConfig) -> DynamicCache:
    """Make an empty cache for a model.

    Args:
        config: The model's config.

    Returns:
        The cache that transformers would make, in which layers that keep all positions have room;
        those with a window, or with a state instead of keys, stay as they are.
    """
    cache = DynamicCache(config=config)
    cache.layers = [
        GrowingLayer() if type(layer) is DynamicLayer else layer for layer in cache.layers
    ]
    return cache
