"""GPUs by name."""

from __future__ import annotations

import pytest

from sk2d.errors import ConfigError
from sk2d.hardware.gpus import GIB, KNOWN, named_gpu


@pytest.mark.parametrize("name", ["v100-32gb", "V100-32GB", " v100 32gb ", "v100_32gb"])
def test_a_gpu_is_found_by_its_name_however_it_is_written(name: str) -> None:
    gpu = named_gpu(name)
    assert (gpu.capability, gpu.bf16, gpu.fp16) == ((7, 0), False, True)
    assert 31 * GIB < gpu.memory_bytes < 32 * GIB


def test_an_unknown_gpu_is_refused_with_the_nearest_name() -> None:
    with pytest.raises(ConfigError) as caught:
        named_gpu("v100-32")
    assert "v100-32gb" in str(caught.value)
    assert "Known are: " in str(caught.value)


@pytest.mark.parametrize("name", KNOWN)
def test_a_card_has_less_memory_than_its_name_says(name: str) -> None:
    gpu = named_gpu(name)
    size = name.rpartition("-")[2].removesuffix("gb")
    if size.isdigit():
        assert 0.95 * int(size) * GIB < gpu.memory_bytes < int(size) * GIB
    assert gpu.bf16 == (gpu.capability >= (8, 0))
