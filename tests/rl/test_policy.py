"""What a step of reinforcement learning does, with rewards that need no compiler."""

from __future__ import annotations

import csv
import json
import math
import zlib
from pathlib import Path
from typing import Any

import pytest
import torch
from lightning.pytorch import Callback

from sk2d.errors import TrainingStopped
from sk2d.models.card import read_facts
from sk2d.models.lora import LoraSettings
from sk2d.rl.grpo import GrpoModule, SkeletonGrpo
from sk2d.rl.policy import PolicyModule
from sk2d.rl.ppo import SkeletonPpo
from sk2d.rl.settings import CriticSettings, RolloutSettings, UpdateSettings
from tests.rl.conftest import Bandit

pytestmark = [
    pytest.mark.filterwarnings("ignore:all answers of step"),  # of a model that knows nothing
    pytest.mark.filterwarnings("ignore:.*have answers that all score the same"),
    pytest.mark.filterwarnings("ignore:Total length of `list` across ranks is zero"),
]


def fit(run: Any, ckpt_path: Any = None) -> PolicyModule:
    module, data, trainer = run
    trainer.fit(module, datamodule=data, ckpt_path=ckpt_path, weights_only=True)
    return module


def table(root: Path) -> list[dict[str, float]]:
    rows = csv.DictReader((root / "metrics.csv").open())
    return [{name: float(value) for name, value in row.items()} for row in rows]


def journal(root: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (root / "rollouts.jsonl").read_text().splitlines()]


class Gradients(Callback):
    """Keeps the gradient of each optimiser step."""

    def __init__(self) -> None:
        self.steps: list[dict[str, torch.Tensor]] = []

    def on_before_optimizer_step(self, trainer: Any, module: Any, optimizer: Any) -> None:
        named = module.named_parameters()
        self.steps.append({n: p.grad.clone() for n, p in named if p.grad is not None})


def trained(module: Any) -> dict[str, torch.Tensor]:
    return {n: p.detach().clone() for n, p in module.named_parameters() if p.requires_grad}


VARIANTS: dict[str, dict[str, Any]] = {
    "grpo": {},
    "dr_grpo": {},
    "dapo": {},
    "rloo": {},
    "ppo": {"critic": CriticSettings(weight=0.5)},
}


def many_semicolons(text: str) -> float:
    return min(1.0, text.count(";") / 4)


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_variant_learns_the_bandit(make_rl_run: Any, tmp_path: Path, variant: str) -> None:
    kind = SkeletonPpo if variant == "ppo" else SkeletonGrpo
    model = VARIANTS[variant] | ({} if variant == "ppo" else {"variant": variant})
    model |= {"lora": None, "lr": 1e-2, "rollouts": RolloutSettings(answers=8)}
    update = UpdateSettings(kl=0.0, mask_truncated=False, clip_grad=1.0)
    run = make_rl_run(
        tmp_path,
        model=model | {"update": update},
        data={"effective_batch": 8, "val_share": 0.0},
        reward=Bandit(many_semicolons),
        kind=kind,
        every=1000,
        max_epochs=-1,
        max_steps=25,
    )
    fit(run)
    rewards = [row["reward"] for row in table(tmp_path)]
    assert sum(rewards[:3]) / 3 < 0.15
    assert sum(rewards[-3:]) / 3 > 0.6


def test_a_step_is_journalled_and_measured(make_rl_run: Any, tmp_path: Path) -> None:
    run = make_rl_run(tmp_path, max_epochs=1)
    module = fit(run)
    lines, rows = journal(tmp_path), table(tmp_path)
    assert [line["step"] for line in lines] == [1] * 4 + [2] * 4 + [3] * 2
    assert all(len(line["answers"]) == 4 for line in lines)
    first = [line for line in lines if line["step"] == 1]
    scores = [answer["score"] for line in first for answer in line["answers"]]
    assert rows[0]["reward"] == pytest.approx(sum(scores) / len(scores), abs=1e-6)
    advantages = [[a["advantage"] for a in line["answers"]] for line in lines]
    assert all(abs(sum(group)) < 1e-4 for group in advantages)
    assert rows[0]["answers"] == 16
    lengths = [answer["tokens"] for line in first for answer in line["answers"]]
    assert rows[0]["length"] == pytest.approx(sum(lengths) / 16)
    assert (tmp_path / "reward.png").read_bytes().startswith(b"\x89PNG")
    assert (tmp_path / "left_out.jsonl").read_text() == ""
    facts = read_facts(tmp_path / "model")
    assert facts is not None
    assert facts.base == module.base
    validation = list(csv.DictReader((tmp_path / "validation.csv").open()))
    assert validation[0]["val_reward"]


def test_e16_the_first_divergence_from_the_reference_is_0(make_rl_run: Any, tmp_path: Path) -> None:
    for number, lora in enumerate((LoraSettings(rank=4, alpha=8), None)):
        update = UpdateSettings(kl=0.5, clip_grad=None, mask_truncated=False)
        root = tmp_path / str(number)
        fit(make_rl_run(root, model={"update": update, "lora": lora}, max_epochs=1))
        divergences = [row["kl"] for row in table(root)]
        assert divergences[0] == 0.0
        assert divergences[1] > 0.0


def test_e16_a_trained_adapter_is_its_own_reference(make_rl_run: Any, tmp_path: Path) -> None:
    fit(make_rl_run(tmp_path / "first", max_epochs=1))
    model = {"base": str(tmp_path / "first" / "model"), "update": UpdateSettings(kl=0.1)}
    fit(make_rl_run(tmp_path / "second", model=model, max_epochs=1))
    assert table(tmp_path / "second")[0]["kl"] == 0.0


@pytest.mark.parametrize("score", [0.0, 1.0])
def test_e5_equal_rewards_teach_nothing(
    make_rl_run: Any, tmp_path: Path, score: float, recwarn: pytest.WarningsRecorder
) -> None:
    update = UpdateSettings(kl=0.04, kl_on_flat_groups=False, mask_truncated=False)
    run = make_rl_run(tmp_path, model={"update": update}, reward=Bandit(lambda _: score))
    module, data, trainer = run
    module.configure_model()
    before = trained(module)
    fit(run)
    assert all(torch.equal(before[name], now) for name, now in trained(module).items())
    rows = table(tmp_path)
    assert {row["flat_groups"] for row in rows} == {1.0}
    assert {row["learned"] for row in rows} == {0.0}
    assert trainer.global_step == len(rows) == 6
    assert any("all score the same" in str(one.message) for one in recwarn)


def test_e5_the_paper_draws_equal_groups_to_the_reference(make_rl_run: Any, tmp_path: Path) -> None:
    update = UpdateSettings(kl=0.04, mask_truncated=False)
    fit(make_rl_run(tmp_path, model={"update": update}, reward=Bandit(lambda _: 1.0)))
    assert all(row["learned"] > 0 for row in table(tmp_path))


def test_e9_a_few_answers_that_cannot_be_judged_leave_the_loss(
    make_rl_run: Any, tmp_path: Path
) -> None:
    class Odd(Bandit):
        """Fails on the first answer that it sees."""

        odd: str | None = None

        def _one(self, candidate: Any) -> Any:
            if candidate.text != candidate.reference and self.odd is None:
                self.odd = candidate.text
            if candidate.text == self.odd:
                raise KeyError("the reward of somebody")
            return super()._one(candidate)

    model = {"rollouts": RolloutSettings(answers=8)}
    fit(make_rl_run(tmp_path, model=model, reward=Odd(), max_epochs=1))
    answers = [answer for line in journal(tmp_path) for answer in line["answers"]]
    (failed,) = (answer for answer in answers if answer["score"] is None)
    assert failed["verdict"] == "cannot_judge"
    assert "KeyError" in failed["message"]
    assert failed["advantage"] == 0.0
    assert [row["failed"] for row in table(tmp_path)] == [1 / 32, 0.0, 0.0]


def test_e9_more_than_one_in_twenty_stops_the_run(make_rl_run: Any, tmp_path: Path) -> None:
    with pytest.raises(TrainingStopped, match="could not be judged"):
        fit(make_rl_run(tmp_path, reward=Bandit(lambda _: None)))


def test_e14_answers_that_never_end_stop_the_run(
    make_rl_run: Any, tmp_path: Path, recwarn: pytest.WarningsRecorder
) -> None:
    with pytest.raises(TrainingStopped, match="cut off"):
        fit(make_rl_run(tmp_path, model={"max_new_tokens": 2}, max_epochs=9))
    rows = table(tmp_path)
    assert [row["truncated"] for row in rows[-5:]] == [1.0] * 5
    assert [row["supervised"] for row in rows[-5:]] == [0.0] * 5
    assert any("all answers of step 1 were cut off" in str(one.message) for one in recwarn)


def test_micro_batches_add_up_to_one_pass(make_rl_run: Any, tmp_path: Path) -> None:
    kept = []
    for size in (1, 4):
        seen = Gradients()
        update = UpdateSettings(kl=0.3, clip_grad=None, mask_truncated=False)
        run = make_rl_run(
            tmp_path / str(size),
            model={"update": update, "lora": None},
            data={"batch_size": size},
            max_epochs=1,
            callbacks=[seen],
        )
        fit(run)
        kept.append(seen.steps[0])
    for name, gradient in kept[0].items():
        torch.testing.assert_close(kept[1][name], gradient, atol=1e-6, rtol=1e-3)


def test_several_updates_are_one_step(make_rl_run: Any, tmp_path: Path) -> None:
    seen = Gradients()
    update = UpdateSettings(kl=0.0, epochs=2, minibatches=2, mask_truncated=False)
    run = make_rl_run(
        tmp_path,
        model={"update": update, "lr": 1e-3},
        reward=Bandit(lambda text: zlib.crc32(text.encode()) / 2**32),  # no two answers alike
        max_epochs=1,
        callbacks=[seen],
    )
    fit(run)
    assert run[2].global_step == len(table(tmp_path)) == 3
    assert len(seen.steps) == 3 * update.updates


@pytest.mark.parametrize("precision", ["bf16-mixed", "bf16-true"])
def test_half_precision_learns(make_rl_run: Any, tmp_path: Path, precision: str) -> None:
    update = UpdateSettings(kl=0.1, epochs=2, mask_truncated=False)
    run = make_rl_run(tmp_path, model={"update": update}, precision=precision, max_epochs=1)
    module = run[0]
    trainer = run[2]
    fit(run)
    assert all(weight.dtype == torch.float32 for weight in trained(module).values())
    assert all(math.isfinite(value) for row in table(tmp_path) for value in row.values())
    moved = [w.abs().sum() for n, w in trained(module).items() if "lora_B" in n]
    assert all(size > 0 for size in moved)
    assert trainer.global_step == 3


def test_a_variant_is_a_setting_that_a_checkpoint_keeps(rl_base: str) -> None:
    module = SkeletonGrpo(base=rl_base, variant="dapo", update={"kl": 0.0})
    again = SkeletonGrpo(**module.hparams)
    assert isinstance(again, GrpoModule)
    assert again.variant == "dapo"
    assert again.clip_high == 0.28
    assert again.update == module.update
