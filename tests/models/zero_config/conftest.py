"""DeepSpeed's own parser, on the CPU."""

from __future__ import annotations

import logging
from collections.abc import Iterator

import pytest


@pytest.fixture(scope="session")
def deepspeed_config() -> Iterator[type]:
    """Give DeepSpeed's class of a config, or skip where DeepSpeed is not installed."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DS_ACCELERATOR", "cpu")
        patch.setenv("DEEPSPEED_LOG_LEVEL", "error")
        pytest.importorskip("deepspeed")
        from deepspeed.runtime.config import DeepSpeedConfig

        logging.getLogger("DeepSpeed").setLevel(logging.ERROR)
        yield DeepSpeedConfig
