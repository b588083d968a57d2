"""Fixtures of the model tests; what they are made of stands in making.py."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from transformers import PreTrainedModel, PreTrainedTokenizerBase

from sk2d.models.load import load_model, load_tokenizer
from sk2d.models.tiny import make_tiny
from tests.models.making import TEXTS, VOCABULARY, batch_of, make_model, save_adapter


@pytest.fixture
def documents() -> list[list[int]]:
    """Three documents of different length; the longest is longer than starcoder2's window."""
    generator = torch.Generator().manual_seed(1)
    return [torch.randint(2, VOCABULARY, (n,), generator=generator).tolist() for n in (5, 11, 7)]


@pytest.fixture
def model_of() -> Callable[..., PreTrainedModel]:
    """Give `make_model`."""
    return make_model


@pytest.fixture
def batch() -> Callable[..., dict[str, Any]]:
    """Give `batch_of`."""
    return batch_of


@pytest.fixture(scope="session")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a tiny model's folder; read only."""
    folder = tmp_path_factory.mktemp("models") / "tiny"
    return make_tiny(TEXTS, folder, vocabulary=320, hidden=32, layers=2, heads=2, positions=256)


@pytest.fixture(scope="session")
def other_tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a model of the same shape and tokenizer, with other weights; read only."""
    folder = tmp_path_factory.mktemp("models") / "other"
    sizes = {"vocabulary": 320, "hidden": 32, "layers": 2, "heads": 2, "positions": 256}
    return make_tiny(TEXTS, folder, seed=1, **sizes)


@pytest.fixture(scope="session")
def adapter(tiny: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a trained adapter of `tiny`; read only."""
    return save_adapter(tiny, tmp_path_factory.mktemp("models") / "adapter")


@pytest.fixture(scope="session")
def tokenizer(tiny: Path) -> PreTrainedTokenizerBase:
    """Give the tiny model's tokenizer."""
    return load_tokenizer(str(tiny))


@pytest.fixture
def model(tiny: Path) -> PreTrainedModel:
    """Give a model whose greedy answers vary: random weights of a usable size."""
    model = load_model(str(tiny))
    with torch.no_grad():
        for parameter in model.parameters():
            if parameter.dim() > 1:
                parameter.mul_(6.0)
    return model
