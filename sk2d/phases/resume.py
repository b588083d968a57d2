"""Exact resume: what a checkpoint holds, and which checkpoints a run may continue from.

A checkpoint always describes the last optimiser step, whenever it is written: loop progress, data
position and random states are taken at that step (`Boundary`), because the gradients of a step
that is half accumulated are not saved. All of it is plain types and tensors.
"""

from __future__ import annotations

import copy
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import torch
from torch.optim.lr_scheduler import LambdaLR

from sk2d.errors import ResumeError
from sk2d.models.strategies import deepspeed_of
from sk2d.phases import randomness
from sk2d.phases.attached import data_of
from sk2d.phases.run_folder import model_facts as description

if TYPE_CHECKING:
    from sk2d.phases.phase_module import PhaseModule

STATE_KEY = "sk2d"
UNSAID = {"model.optimizer": "adamw"}  # what checkpoints without the key were made with
FREE_TO_CHANGE = "the learning rate, its schedule and the length of the run may change"


@dataclass(frozen=True)
class Boundary:
    """The state of a run right after an optimiser step.

    Args:
        step: Optimiser steps that are done.
        loops: Lightning's progress of the fit loop.
        random: Random states of this process, from `randomness.capture`.
        validates: Whether a validation follows the step.
    """

    step: int
    loops: dict[str, Any]
    random: dict[str, Any]
    validates: bool


def take_boundary(module: PhaseModule) -> Boundary:
    """Take the state of a run; to be called right after an optimiser step.

    Args:
        module: Module in training.

    Returns:
        A copy that later training does not change.
    """
    trainer = module.trainer
    fit_loop = trainer.fit_loop
    loops = copy.deepcopy(fit_loop.state_dict())
    assert fit_loop._data_fetcher is not None, "a step was taken, so batches were fetched"
    validates = fit_loop.epoch_loop._should_check_val_fx(fit_loop._data_fetcher)
    return Boundary(trainer.global_step, loops, randomness.capture(module.device), validates)


def model_facts(module: PhaseModule) -> dict[str, Any]:
    """List what a checkpoint's weights belong to.

    Args:
        module: Module that is attached to a trainer.

    Returns:
        Plain values by config key or name.
    """
    return {
        "model.base (hash of the weights)": module.base_fingerprint.weights,
        "model.base (hash of the tokenizer)": module.base_fingerprint.tokenizer,
        "model.lora": repr(module.lora) if module.lora else None,
        "model.quantization": module.quantization,
        "model.prompt": f"{module.prompt.name} ({module.prompt.hash})",
    }


def run_facts(module: PhaseModule) -> dict[str, Any]:
    """List what must not change between a run and its resumption.

    Args:
        module: Module that is attached to a trainer with its data.

    Returns:
        Plain values by config key or name.
    """
    trainer, data = module.trainer, data_of(module.trainer)
    engine = deepspeed_of(trainer)
    return {
        **model_facts(module),
        "model.weight_decay": module.weight_decay,
        "model.betas": list(module.betas),
        "model.optimizer": module.optimizer,
        "data (hash of the rows)": data.data_hash,
        **{f"data.{key}": getattr(data, key) for key in data.fixed},
        **module.fixed_facts(),
        "trainer.precision": str(trainer.precision),
        "trainer.gradient_clip_val": trainer.gradient_clip_val,
        "number of devices": trainer.world_size,
        "trainer.strategy (ZeRO stage)": engine.zero.get("stage", 0) if engine else None,
    }


def trained_names(module: PhaseModule) -> set[str]:
    """Name the weights that are trained, as they stand in a checkpoint.

    Args:
        module: Module with its model.

    Returns:
        Names with the module's own prefix.
    """
    return {name for name, weight in module.named_parameters() if weight.requires_grad}


def complete_checkpoint(module: PhaseModule, checkpoint: dict[str, Any]) -> None:
    """Keep only trained weights, put progress on the last optimiser step, add facts and randomness.

    Args:
        module: Module in training.
        checkpoint: Lightning's checkpoint; changed in place.
    """
    names = trained_names(module)
    weights = checkpoint["state_dict"]
    checkpoint["state_dict"] = {name: weights[name] for name in weights if name in names}
    boundary = module.boundary
    if boundary is None:
        return
    checkpoint["loops"]["fit_loop"] = boundary.loops
    checkpoint[STATE_KEY] = {
        "facts": run_facts(module),
        "model": description(module.trainer, module).to_json(),
        "step": boundary.step,
        "random": of_all_processes(boundary.random),
        "validates": boundary.validates,
        "skipped": [module.skips.total, module.skips.in_a_row],
    }


def of_all_processes(value: dict[str, Any]) -> list[dict[str, Any]]:
    """Collect a value of every process of a run; each has random states of its own.

    Args:
        value: This process's value.

    Returns:
        The values by rank.
    """
    if not (torch.distributed.is_available() and torch.distributed.is_initialized()):
        return [value]
    values: list[Any] = [None] * torch.distributed.get_world_size()
    torch.distributed.all_gather_object(values, value)
    return values


def accept_checkpoint(module: PhaseModule, checkpoint: dict[str, Any]) -> None:
    """Check that a checkpoint belongs to this run and remember its random states.

    Args:
        module: Module that is about to be restored.
        checkpoint: Lightning's checkpoint, as loaded.

    Raises:
        ResumeError: A trained weight is missing or unknown, the optimiser's state is missing, or
            the run differs in something that may not change.
    """
    check_weights(module, checkpoint)
    trainer = module._trainer
    if trainer is None:
        return
    if not trainer.training:
        before = checkpoint.get(STATE_KEY, {}).get("facts", {})
        facts = {key: value for key, value in model_facts(module).items() if key in before}
        check_facts(before, facts, str(trainer.ckpt_path))
        return
    if not checkpoint.get("optimizer_states") or STATE_KEY not in checkpoint:
        raise ResumeError(
            "the checkpoint holds weights only, no optimiser state: it cannot be resumed",
            where=str(trainer.ckpt_path),
            remedy="Start a new run from its model folder with --model.base DIR",
        )
    state = checkpoint[STATE_KEY]
    check_facts(state["facts"], run_facts(module), str(trainer.ckpt_path))
    module.restored = Boundary(
        step=state["step"],
        loops=checkpoint["loops"]["fit_loop"],
        random=state["random"][trainer.global_rank],
        validates=state["validates"],
    )
    module.boundary = module.restored
    module.skips.total, module.skips.in_a_row = state.get("skipped", (0, 0))


def check_weights(module: PhaseModule, checkpoint: dict[str, Any]) -> None:
    """Check that a checkpoint has exactly the trained weights; frozen ones may be missing.

    Args:
        module: Module with its model.
        checkpoint: Lightning's checkpoint, as loaded.

    Raises:
        ResumeError: A trained weight is missing, or a weight is unknown.
    """
    wanted, found = trained_names(module), set(checkpoint["state_dict"])
    known = {name for name, _ in module.named_parameters()}
    wrong = sorted(wanted - found) or sorted(found - known)
    if wrong:
        kind = "is missing from" if wanted - found else "of the checkpoint does not exist in"
        raise ResumeError(
            f"weight {wrong[0]} ({len(wrong)} in all) {kind} this run's model",
            where="checkpoint",
            remedy="Use the model and LoRA settings that the checkpoint was made with",
        )


def check_facts(before: dict[str, Any], now: dict[str, Any], where: str) -> None:
    """Compare the facts of the checkpoint's run with those of this one.

    Args:
        before: Facts that the checkpoint holds.
        now: Facts of this run.
        where: The checkpoint, for the message.

    Raises:
        ResumeError: At least one fact differs; all that differ are named.
    """
    before = UNSAID | before
    keys = [key for key in now if before.get(key) != now[key]]
    if keys:
        named = "; ".join(f"{key} was {before.get(key)!r} and is {now[key]!r}" for key in keys)
        raise ResumeError(
            f"this run differs from the checkpoint's: {named}",
            where=where,
            remedy=f"Set them back, or start a new run ({FREE_TO_CHANGE})",
        )


def restore_randomness(module: PhaseModule) -> None:
    """Restore the random states of a resumed run, once.

    Args:
        module: Module in training.
    """
    if module.restored is not None:
        randomness.restore(module.restored.random, module.device)
        module.restored = None


def make_up_validation(module: PhaseModule, validated: set[int]) -> None:
    """Run the validation that followed the restored step and was cut off with the run.

    Lightning takes a checkpoint that was written before a validation for one written after it.

    Args:
        module: Module of a resumed run, before its first micro-batch.
        validated: Steps whose validation is on record.
    """
    restored = module.restored
    if restored is None or not restored.validates or restored.step in validated:
        return
    trainer = module.trainer
    validation = trainer.fit_loop.epoch_loop.val_loop
    validation.restarting = False
    trainer.validating = True
    validation.run()
    trainer.training = True


def apply_learning_rate(module: PhaseModule) -> None:
    """Set the learning rate by this run's settings at the step that it stands on.

    Args:
        module: Module whose optimiser and scheduler may have been restored.
    """
    scheduler = module.lr_schedulers()
    assert isinstance(scheduler, LambdaLR), "the phase has one schedule"
    scheduler.base_lrs = [module.lr for _ in scheduler.base_lrs]
    for group, factor in zip(scheduler.optimizer.param_groups, scheduler.lr_lambdas, strict=True):
        group["initial_lr"] = module.lr
        group["lr"] = module.lr * factor(scheduler.last_epoch)
    scheduler._last_lr = [group["lr"] for group in scheduler.optimizer.param_groups]
