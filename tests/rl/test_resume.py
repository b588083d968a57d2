"""A resumed run is the run that was not interrupted, answers and all."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import Any

import pytest
import torch
from lightning.pytorch import Callback

from sk2d.errors import Interrupted, ResumeError
from sk2d.phases.checkpoint_files import find_checkpoint
from sk2d.rl.ppo import SkeletonPpo
from sk2d.rl.settings import UpdateSettings
from tests.rl.test_policy import fit, trained

pytestmark = [
    pytest.mark.filterwarnings("ignore:all answers of step"),  # of a model that knows nothing
    pytest.mark.filterwarnings("ignore:.*have answers that all score the same"),
    pytest.mark.filterwarnings("ignore:Total length of `list` across ranks is zero"),
]


class StopAfter(Callback):
    """Sends SIGTERM to the process when a number of steps has begun."""

    def __init__(self, steps: int) -> None:
        self.left = steps

    def on_train_batch_start(self, trainer: Any, module: Any, batch: Any, i: int) -> None:
        self.left -= 1
        if self.left == 0:
            os.kill(os.getpid(), signal.SIGTERM)


SETTINGS: dict[str, dict[str, Any]] = {
    "lora": {"model": {"update": UpdateSettings(kl=0.1, mask_truncated=False)}},
    "full": {"model": {"lora": None, "update": UpdateSettings(kl=0.1, mask_truncated=False)}},
    "ppo": {"kind": SkeletonPpo, "model": {"update": UpdateSettings(kl=0.1, epochs=2)}},
}


@pytest.mark.parametrize("at", [2, 5])
@pytest.mark.parametrize("name", SETTINGS)
def test_interrupted_and_straight_runs_end_alike(
    make_rl_run: Any, tmp_path: Path, name: str, at: int
) -> None:
    straight = fit(make_rl_run(tmp_path / "straight", **SETTINGS[name]))
    with pytest.raises(Interrupted):
        fit(make_rl_run(tmp_path / "torn", callbacks=[StopAfter(at)], **SETTINGS[name]))
    last = find_checkpoint("last", tmp_path / "torn" / "checkpoints")
    resumed = fit(make_rl_run(tmp_path / "torn", **SETTINGS[name]), last)
    one, two = trained(straight), trained(resumed)
    assert all(torch.equal(one[key], two[key]) for key in one)
    texts = [(tmp_path / run / "rollouts.jsonl").read_text() for run in ("straight", "torn")]
    assert texts[0] == texts[1]


def test_a_checkpoint_of_other_settings_is_refused(make_rl_run: Any, tmp_path: Path) -> None:
    fit(make_rl_run(tmp_path, max_epochs=1))
    last = find_checkpoint("last", tmp_path / "checkpoints")
    changed = make_rl_run(tmp_path, model={"update": UpdateSettings(kl=0.5)})
    with pytest.raises(ResumeError, match=r"model\.update"):
        fit(changed, last)
