"""What a run leaves behind: what was run, and at its end a model folder."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lightning.pytorch import Callback, Trainer

from sk2d.corpus.files import write_text_atomic
from sk2d.hardware import package_versions
from sk2d.models.card import ModelFacts
from sk2d.models.saving import save_model_folder
from sk2d.models.strategies import whole_trained_weights
from sk2d.phases.attached import callback_of, data_of, is_trial

if TYPE_CHECKING:
    from sk2d.phases.phase_module import PhaseModule

CONFIG = "config.yaml"
RECORD = "run.json"
MODEL = "model"


def git_commit(folder: Path) -> str | None:
    """Give the git commit that a folder is at.

    Args:
        folder: Folder inside a checkout.

    Returns:
        The hash, with `+changes` when files differ from it; None outside a checkout or without git.
    """
    try:
        done = subprocess.run(
            ["git", "-C", str(folder), "describe", "--always", "--abbrev=40", "--dirty=+changes"],
            capture_output=True,
            text=True,
            timeout=10,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout.strip() or None if done.returncode == 0 else None


class RunRecord(Callback):
    """Writes `config.yaml` and `run.json` at the start and the model folder at the end.

    Args:
        config: The resolved config as YAML, or None when the run did not come from a config.
    """

    def __init__(self, config: str | None = None) -> None:
        self.config = config
        self.left_model = False

    @staticmethod
    def of(trainer: Trainer) -> RunRecord:
        """Find the callback of a trainer.

        Args:
            trainer: A trainer that has the run's callbacks.

        Returns:
            The callback.
        """
        return callback_of(trainer, RunRecord)

    def on_fit_start(self, trainer: Trainer, module: PhaseModule) -> None:
        """Write what is about to be run.

        Args:
            trainer: The trainer.
            module: The module in training.
        """
        if not trainer.is_global_zero or is_trial(trainer):
            return
        root = Path(trainer.default_root_dir)
        root.mkdir(parents=True, exist_ok=True)
        if self.config is not None:
            write_text_atomic(root / CONFIG, self.config)
        record = run_record(trainer, module) | {"earlier": earlier_records(root / RECORD, trainer)}
        write_text_atomic(root / RECORD, json.dumps(record, indent=2, ensure_ascii=False) + "\n")
        for key, text in module.first_row().items():
            sys.stderr.write(f"note: {key.replace('_', ' ')}: {text!r}\n")

    def on_train_end(self, trainer: Trainer, module: PhaseModule) -> None:
        """Write the model folder.

        Args:
            trainer: The trainer.
            module: The module in training.
        """
        self.leave_model(trainer, module)

    def leave_model(self, trainer: Trainer, module: PhaseModule) -> None:
        """Write the model folder of a run that took a step, in this process or before a resume.

        Args:
            trainer: The trainer.
            module: The trained module.
        """
        if is_trial(trainer) or module.boundary is None:
            return
        weights = whole_trained_weights(trainer, module.loaded)
        self.left_model = True
        if not trainer.is_global_zero:
            return
        folder, facts = Path(trainer.default_root_dir) / MODEL, model_facts(trainer, module)
        save_model_folder(module.loaded, module.tokenizer, folder, facts, weights=weights)


def run_record(trainer: Trainer, module: PhaseModule) -> dict[str, Any]:
    """Collect what one must know to repeat a run.

    Args:
        trainer: The trainer.
        module: The module in training.

    Returns:
        Plain values.
    """
    return {
        "command": sys.argv,
        "started": time.strftime("%Y-%m-%d %H:%M:%S %z"),
        "git": git_commit(Path(__file__).parent),
        "versions": package_versions(),
        "phase": module.phase,
        **module.first_row(),
        "prompt": {"name": module.prompt.name, "hash": module.prompt.hash},
        "data": data_of(trainer).summary,
        "seed": data_of(trainer).seed,
    }


def earlier_records(path: Path, trainer: Trainer) -> list[dict[str, Any]]:
    """Give what `run.json` says of the starts that a resumed run goes on from.

    Args:
        path: The file.
        trainer: The trainer.

    Returns:
        Earlier records, the oldest first; none for a run that starts anew.
    """
    if trainer.ckpt_path is None or not path.is_file():
        return []
    last = json.loads(path.read_text(encoding="utf-8"))
    return [*last.pop("earlier", []), last]


def model_facts(trainer: Trainer, module: PhaseModule) -> ModelFacts:
    """Collect what a model folder says about itself.

    Args:
        trainer: The trainer.
        module: The trained module.

    Returns:
        Facts for `sk2d.json` and the model card.
    """
    row = module.last_row
    return ModelFacts(
        phase=module.phase,
        prompt=module.prompt.name,
        prompt_hash=module.prompt.hash,
        base=module.base,
        base_fingerprint=module.base_fingerprint,
        versions=package_versions(),
        training={
            "steps": module.boundary.step if module.boundary else 0,
            "loss": row.loss if row else None,
            "rows": data_of(trainer).summary,
            "lr": module.lr,
        },
        quantization=module.quantization,
    )
