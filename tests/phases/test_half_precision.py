"""fp16 on the CPU, with torch's own loss scaler: what it skips, and what fp16 cannot hold."""

import csv
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from lightning.pytorch.plugins import MixedPrecision
from torch import nn

from sk2d.errors import ConfigError, TrainingStopped
from sk2d.phases import half_precision
from sk2d.phases.guard import LossGuard
from sk2d.phases.half_precision import Skips, check_range, largest_outputs

TOO_HIGH = 2.0**23
"""Overflows in the first steps of the runs below."""


def fp16(scale: float) -> dict[str, Any]:
    """Give a trainer fp16 with a scale; one that is too high overflows and is halved."""
    scaler = torch.amp.GradScaler("cpu", init_scale=scale, growth_interval=1000)
    return {"plugins": [MixedPrecision("16-mixed", device="cpu", scaler=scaler)]}


def fit(run: Any, **more: Any) -> Any:
    module, data, trainer = run
    trainer.fit(module, datamodule=data, weights_only=True, **more)
    return module


def steps_of(root: Path) -> list[dict[str, str]]:
    with (root / "metrics.csv").open(encoding="utf-8") as stream:
        return list(csv.DictReader(stream))


def test_skipped_steps_are_counted_and_do_not_move_the_schedule(
    make_run: Callable[..., Any], tmp_path: Path
) -> None:
    fit(make_run(tmp_path / "plain", max_steps=6))
    module = fit(make_run(tmp_path / "fp16", max_steps=6, **fp16(TOO_HIGH)))
    plain, rows = steps_of(tmp_path / "plain"), steps_of(tmp_path / "fp16")
    skipped = [int(row["skipped"]) for row in rows]
    assert 0 < skipped[0] <= skipped[-1] == module.skips.total < 6
    before = [0, *skipped[:-1]]
    expected = [plain[number - missed]["lr"] for number, missed in enumerate(before)]
    assert [row["lr"] for row in rows] == expected
    assert len(set(expected)) > 1


def test_a_skipped_step_changes_no_weight(make_run: Callable[..., Any], tmp_path: Path) -> None:
    run = make_run(tmp_path, max_steps=1, **fp16(2.0**40))
    run[0].configure_model()
    names = {name for name, weight in run[0].named_parameters() if weight.requires_grad}
    before = {n: w.detach().clone() for n, w in run[0].named_parameters() if n in names}
    module = fit(run)
    assert module.skips.total == 1
    after = dict(module.named_parameters())
    assert all(torch.equal(before[name].float(), after[name].float()) for name in names)


def test_a_run_ends_with_advice_after_too_many_in_a_row(
    make_run: Callable[..., Any], tmp_path: Path
) -> None:
    run = make_run(tmp_path, max_steps=9, guard=LossGuard(max_skipped=3), **fp16(2.0**60))
    with pytest.raises(TrainingStopped) as caught:
        fit(run)
    assert "step 3: 3 steps in a row overflowed in fp16" in str(caught.value)
    assert "32-true" in str(caught.value)


def test_a_resumed_run_counts_on_and_is_the_same(
    make_run: Callable[..., Any], tmp_path: Path
) -> None:
    whole = fit(make_run(tmp_path / "whole", max_steps=6, every=2, **fp16(TOO_HIGH)))
    fit(make_run(tmp_path / "parts", max_steps=2, every=2, **fp16(TOO_HIGH)))
    last = tmp_path / "parts" / "checkpoints" / "step00000002.ckpt"
    again = fit(make_run(tmp_path / "parts", max_steps=6, every=2, **fp16(2.0**5)), ckpt_path=last)
    assert again.skips == whole.skips
    columns = ("step", "loss", "lr", "skipped")
    one, two = (
        [[row[name] for name in columns] for row in steps_of(tmp_path / part)[2:]]
        for part in ("whole", "parts")
    )
    assert one == two


def test_skips_are_counted_in_all_and_in_a_row() -> None:
    skips = Skips()
    for skipped in (True, True, False, True):
        skips.note(skipped=skipped)
    assert (skips.total, skips.in_a_row, skips.last) == (3, 1, True)


def small() -> nn.Module:
    return nn.Sequential(nn.Linear(4, 4, bias=False), nn.ReLU(), nn.Linear(4, 4, bias=False))


def outputs_of(model: nn.Module) -> list[tuple[str, torch.Tensor]]:
    with largest_outputs(model) as outputs, torch.autocast("cpu", torch.float16):
        model(torch.ones(2, 4))
    return outputs


def test_the_layer_whose_output_overflows_is_named() -> None:
    model: Any = small()
    model[0].weight.data.fill_(1.0)
    model[2].weight.data.fill_(30000.0)
    with pytest.raises(ConfigError) as caught:
        check_range(outputs_of(model))
    assert "the layer 2 gives inf, which fp16 cannot hold" in str(caught.value)
    assert "32-true" in str(caught.value)


def test_the_first_of_several_is_named_and_nan_counts() -> None:
    found = [("a", torch.tensor(1.0)), ("b", torch.tensor(torch.nan)), ("c", torch.tensor(1e9))]
    with pytest.raises(ConfigError, match="the layer b gives nan"):
        check_range(found)


def test_one_that_comes_near_is_warned_of(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []
    monkeypatch.setattr(half_precision, "rank_zero_warn", told.append)
    check_range([("a", torch.tensor(10.0)), ("b", torch.tensor(40000.0))])
    assert "the layer b gives values up to 40000" in told[0]
    check_range([("a", torch.tensor(10.0))])
    check_range([])
    assert len(told) == 1


def test_the_hooks_are_gone_afterwards() -> None:
    model = small()
    assert len(outputs_of(model)) == 3
    assert not any(module._forward_hooks for module in model.modules())


def test_a_run_in_fp16_is_checked_before_it_starts(
    make_run: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    run = make_run(max_steps=1, **fp16(1.0))
    run[0].configure_model()
    mlp = run[0].loaded.get_base_model().model.layers[1].mlp
    mlp.up_proj.base_layer.weight.data.fill_(60000.0)
    with pytest.raises(ConfigError, match=r"layers\.1\.mlp\.up_proj"):
        fit(run)
