"""docs/errors.md quotes word for word what the installed libraries say."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path

import pytest

from tests.imports import ROOT

PAGE = (ROOT / "docs" / "errors.md").read_text(encoding="utf-8")
# Module -> parts of messages that its source holds in one piece.
QUOTED = [
    ("torch.amp.grad_scaler", "Attempting to unscale FP16 gradients."),
    ("torch.amp.grad_scaler", "No inf checks were recorded for this optimizer."),
    ("torch.distributed.run", "Setting OMP_NUM_THREADS environment variable for each"),
    ("torch.cuda", "is not compatible with the current PyTorch installation."),
    ("torch.cuda", "The current PyTorch install supports CUDA capabilities"),
    ("torch.cuda", "Torch not compiled with CUDA enabled"),
    ("transformers.training_args", "Your setup doesn't support bf16/gpu. You need to"),
    ("transformers.training_args", "You need Ampere+ GPU with cuda>=11.0."),
    ("transformers.modeling_utils", "has been toggled on, but it cannot be used due to"),
    ("deepspeed.runtime.fp16.loss_scaler", "Current loss scale already at minimum - cannot"),
    ("deepspeed.ops.op_builder.builder", "CUDA_HOME does not exist, unable to compile CUDA op(s)"),
    ("deepspeed.ops.op_builder.builder", "op due to ninja not being installed."),
    ("deepspeed.ops.adam.cpu_adam", "ds_opt_adam"),
    ("bitsandbytes.cextension", "Attempted to use bitsandbytes native library functionality but"),
]


def source_of(module: str) -> str:
    """Read a module's source without importing the packages that it stands in."""
    top, *rest = module.split(".")
    found = importlib.util.find_spec(top)
    if found is None or not found.submodule_search_locations:
        pytest.skip(f"{top} is not installed")
    path = Path(found.submodule_search_locations[0]).joinpath(*rest)
    file = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    return file.read_text(encoding="utf-8")


@pytest.mark.parametrize(("module", "words"), QUOTED)
def test_the_page_quotes_what_a_library_says(module: str, words: str) -> None:
    assert words in PAGE
    assert words in source_of(module)


def test_torch_itself_still_says_these() -> None:
    torch = pytest.importorskip("torch")
    half, full = torch.ones(2, 2, dtype=torch.half), torch.ones(2, 2)
    for mixed in (lambda: torch.addmm(full[0], half, full), lambda: half @ full):
        with pytest.raises(RuntimeError) as caught:
            mixed()
        assert str(caught.value) in PAGE
    with pytest.raises(RuntimeError, match="does not require grad and does not have a grad_fn"):
        torch.ones(1).backward()
    assert "element 0 of tensors does not require grad and does not have a grad_fn" in PAGE


@pytest.mark.parametrize(
    "words",
    [
        "Your setup doesn't support bf16/gpu",
        "FORCE_TORCHRUN=1",
        "Attempting to unscale FP16 gradients",
        "CUDA out of memory",
        "no kernel image is available",
        "FlashAttention only supports Ampere GPUs or newer",
        "has no attribute 'ds_opt_adam'",
        "CUDA Setup failed despite GPU being available",
    ],
)
def test_the_messages_that_people_look_for_are_on_the_page(words: str) -> None:
    assert words in PAGE


def test_no_message_is_cut_by_a_line_break() -> None:
    rows = [line for line in PAGE.splitlines() if line.startswith("| ")]
    assert len(rows) > 25
    assert all(len(re.split(r"(?<!\\)\|", row)) == 5 for row in rows)
