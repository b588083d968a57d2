"""From rows to tensors: tokens, the cache that holds them, batches, and the data module."""

from sk2d.data.modules import SupervisedData

__all__ = ["SupervisedData"]
