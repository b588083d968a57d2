"""Strategies of a run: DeepSpeed's engine without a launcher, on GPUs and on the CPU."""

import logging

from sk2d.models.strategies.access import call_in_engine, deepspeed_of, whole_trained_weights
from sk2d.models.strategies.engine import RunDeepSpeedStrategy
from sk2d.models.strategies.names import DEEPSPEED_NAMES, register_strategies

__all__ = [
    "DEEPSPEED_NAMES",
    "RunDeepSpeedStrategy",
    "call_in_engine",
    "deepspeed_of",
    "register_strategies",
    "whole_trained_weights",
]


def _is_news(record: logging.LogRecord) -> bool:
    """Drop one line: libraries import DeepSpeed whenever a model is saved, and it says this."""
    return "Setting accelerator to CPU" not in record.getMessage()


logging.getLogger("DeepSpeed").addFilter(_is_news)
