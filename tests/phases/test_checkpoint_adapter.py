"""The adapters of a checkpoint file, read like a model folder."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file

from sk2d.errors import ModelError
from sk2d.models.checkpoint_adapter import adapter_folder
from sk2d.models.merge import merge

WEIGHTS = "adapter_model.safetensors"


def trained(make_run: Callable[..., Any], root: Path, **more: Any) -> Path:
    module, data, trainer = make_run(root, max_steps=2, every=2, **more)
    trainer.fit(module, datamodule=data)
    return root / "checkpoints" / "step00000002.ckpt"


def test_c8_a_checkpoint_file_is_the_model_folder_of_its_step(
    make_run: Callable[..., Any], tmp_path: Path
) -> None:
    checkpoint = trained(make_run, tmp_path / "run")
    with adapter_folder(checkpoint) as folder:
        found = load_file(folder / WEIGHTS)
        assert (folder / "sk2d.json").is_file()
    expected = load_file(tmp_path / "run" / "model" / WEIGHTS)
    assert found.keys() == expected.keys()
    assert all(torch.equal(found[name].float(), expected[name].float()) for name in expected)


def test_c8_merge_takes_a_checkpoint_file(make_run: Callable[..., Any], tmp_path: Path) -> None:
    checkpoint = trained(make_run, tmp_path / "run")
    merge(checkpoint, None, tmp_path / "from_checkpoint")
    merge(tmp_path / "run", None, tmp_path / "from_run")
    one, two = (load_file(tmp_path / name / "model.safetensors") for name in (
        "from_checkpoint", "from_run"))  # fmt: skip
    assert all(torch.equal(one[name], two[name]) for name in two)


def test_a_damaged_checkpoint_is_one_line(tmp_path: Path) -> None:
    path = tmp_path / "step00000002.ckpt"
    path.write_bytes(b"nothing of that kind")
    with pytest.raises(ModelError, match="damaged"), adapter_folder(path):
        pass


def test_a_checkpoint_of_a_whole_model_is_refused(
    make_run: Callable[..., Any], tmp_path: Path
) -> None:
    checkpoint = trained(make_run, tmp_path / "run", model={"lora": None})
    with pytest.raises(ModelError, match="whole model"), adapter_folder(checkpoint):
        pass
