"""From rows to tensors: tokens, the cache that holds them, batches, and the data modules."""

from sk2d.data.modules import SupervisedData
from sk2d.data.rollout_data import RolloutData

__all__ = ["RolloutData", "SupervisedData"]
