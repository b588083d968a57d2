"""An out-of-memory error in one line: at which part of the run, and which settings make it fit."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from types import TracebackType

import torch
from lightning.pytorch import Trainer

from sk2d.errors import OutOfMemory
from sk2d.hardware.memory import usable_memory_bytes
from sk2d.models.memory import Change, Job, estimate, smallest_changes
from sk2d.phases.checkpoint_files import newest_first
from sk2d.phases.checkpoints import RunModelCheckpoint

GIB = 2**30
MOST_CHANGES = 4
# What libraries say where they do not raise torch's own error (torch's CPU allocator, CUDA's
# libraries, numpy and the system).
SIGNS = (
    "out of memory",
    "can't allocate memory",
    "Cannot allocate memory",
    "ALLOC_FAILED",
    "Unable to allocate",
)
UNITS = {"bytes": 1, "KiB": 2**10, "MiB": 2**20, "GiB": 2**30}


@dataclass(frozen=True)
class Part:
    """A part of a run in which memory can run out.

    Args:
        name: Its name for people.
        module: Module whose code is running then; submodules count.
        functions: Functions of it.
        advice: What changes this part alone.
        of_a_step: Whether it belongs to a step, else it comes before the first one.
    """

    name: str
    module: str
    functions: tuple[str, ...]
    advice: str
    of_a_step: bool = True


CHUNK = "A smaller model.loss_chunk holds fewer logits at a time"
ROLLOUTS = (
    "A smaller model.rollouts.at_once, model.rollouts.answers or model.max_new_tokens (at a "
    "validation data.val_batch) makes the key-value cache smaller"
)
SAMPLES = "A smaller model.max_new_tokens or model.samples makes the cache of generation smaller"
BATCH = "A smaller data.batch_size or data.cutoff, or model.gradient_checkpointing true, needs less"
HALVES = "Half precision or model.quantization nf4 makes frozen weights smaller"
TRAINED = "LoRA (model.lora) or model.optimizer adamw8bit needs less of it"
# The first that is running counts: Lightning calls forward and backward inside the optimiser's
# step, and checkpointing runs the forward pass again inside the backward pass.
PARTS = (
    Part("sampling", "sk2d.models.generate", ("generate",), SAMPLES),
    Part("drawing the answers", "sk2d.models.sampling", ("sample_groups",), ROLLOUTS),
    Part("writing a checkpoint", "lightning.pytorch.trainer.trainer", ("save_checkpoint",), BATCH),
    Part("validation", "sk2d.phases.supervised", ("validation_step", "test_step"), BATCH),
    Part("the check of the first batch", "sk2d.phases", ("check_first_batch",), BATCH, False),
    Part("the backward pass", "torch.autograd", ("backward", "_engine_run_backward"), BATCH),
    Part("the loss", "sk2d.models.loss", ("chunked_cross_entropy",), CHUNK),
    Part("the loss", "sk2d.rl.token_scores", ("scored_loss", "token_scores"), CHUNK),
    Part("the forward pass", "sk2d.models.loss", ("supervised_loss",), BATCH),
    Part("the forward pass", "sk2d.rl.answer_tokens", ("hidden_states",), BATCH),
    Part("loading the model", "sk2d.phases.phase_module", ("configure_model",), HALVES, False),
    Part("moving the model", "lightning.pytorch.strategies", ("model_to_device",), HALVES, False),
    Part("the optimizer step", "torch.optim", ("step",), TRAINED),
    Part("the optimizer step", "bitsandbytes.optim", ("step",), TRAINED),
    Part("the set-up of DeepSpeed", "deepspeed", ("initialize",), TRAINED, False),
    Part("the optimizer step", "deepspeed", ("step",), TRAINED),
)
ELSEWHERE = Part("the run", "", (), BATCH)


def out_of_memory_in(error: BaseException | None) -> BaseException | None:
    """Find an out-of-memory error, in an error or in what led to it.

    Args:
        error: The error, caught.

    Returns:
        The first that is one; None when there is none.
    """
    while error is not None:
        if isinstance(error, torch.OutOfMemoryError | MemoryError):
            return error
        if isinstance(error, RuntimeError | OSError) and any(s in str(error) for s in SIGNS):
            return error
        error = error.__cause__ or error.__context__
    return None


def part_of(error: BaseException) -> Part:
    """Tell in which part of a run an error was raised.

    Args:
        error: The error, caught; what led to it counts, too.

    Returns:
        The part, by the functions that were running.
    """
    running = []
    chained: BaseException | None = error
    while chained is not None:
        running += list(_running(chained.__traceback__))
        chained = chained.__cause__ or chained.__context__
    for part in PARTS:
        for module, function in running:
            if function in part.functions and f"{module}.".startswith(f"{part.module}."):
                return part
    return ELSEWHERE


def _running(trace: TracebackType | None) -> Iterator[tuple[str, str]]:
    while trace is not None:
        frame = trace.tb_frame
        yield str(frame.f_globals.get("__name__")), frame.f_code.co_name
        trace = trace.tb_next


def asked_bytes(text: str) -> int | None:
    """Read how much more memory was asked for.

    Args:
        text: Message of torch's GPU or CPU allocator.

    Returns:
        Bytes, or None when the message does not tell.
    """
    found = re.search(r"tried to allocate ([\d.]+) (bytes|KiB|MiB|GiB)", text, re.IGNORECASE)
    return round(float(found[1]) * UNITS[found[2]]) if found else None


def limit_of(device: torch.device) -> int:
    """Give the memory that a run has on its device.

    Args:
        device: Device of the model.

    Returns:
        Bytes; on a GPU without what other processes hold.
    """
    if device.type != "cuda":
        return usable_memory_bytes()
    free, _ = torch.cuda.mem_get_info(device)
    return free + torch.cuda.memory_reserved(device)


def fitting(job: Job, limit_bytes: int) -> list[Change]:
    """Find the smallest changes that make a job fit that has just not fitted.

    Args:
        job: What was run.
        limit_bytes: The memory that there was.

    Returns:
        Changes of the plan. Where its estimate says that the job fits, it was too low, and the
        changes are those that save a tenth of it.
    """
    peak = estimate(job).peak_bytes
    return smallest_changes(job, min(limit_bytes, round(0.9 * peak)))


def advice(part: Part, changes: list[Change]) -> str:
    """Write what can be done.

    Args:
        part: The part of the run in which memory ran out.
        changes: Changes of the plan; empty where it knows none, or not the model.

    Returns:
        One or two sentences without a full stop at the end.
    """
    sentences = [part.advice]
    if changes:
        listed = "; ".join(
            f"{change.key} {change.value} ({change.peak_bytes / GIB:.1f} GiB, {change.cost})"
            for change in changes[:MOST_CHANGES]
        )
        sentences.append(f"By the plan each of these makes the whole run fit: {listed}")
    return ". ".join(sentences)


@contextlib.contextmanager
def told_of_memory(trainer: Trainer, job: Job | None = None) -> Iterator[None]:
    """Turn an out-of-memory error into one line with what can be done; other errors pass.

    Args:
        trainer: The trainer that runs.
        job: What it runs, in the terms of the memory model, where that is known.

    Yields:
        Nothing.

    Raises:
        OutOfMemory: Memory ran out.
        Exception: Anything else that was raised, as it is.
    """
    try:
        yield
    except OutOfMemory:
        raise  # it was explained where it happened
    except Exception as error:
        found = out_of_memory_in(error)
        if found is None:
            raise
        part = part_of(error)
        what, remedy = explain(found, part, trainer, job)
        raise OutOfMemory(what, where=part.name, remedy=remedy) from error


def explain(error: BaseException, part: Part, trainer: Trainer, job: Job | None) -> tuple[str, str]:
    """Say what an out-of-memory error means for a run.

    Args:
        error: The error.
        part: The part of the run in which it was raised.
        trainer: The trainer.
        job: What it runs, in the terms of the memory model, where that is known.

    Returns:
        What happened, and what to do about it.
    """
    device = trainer.strategy.root_device
    limit, asked = limit_of(device), asked_bytes(str(error))
    step = f" at step {trainer.global_step + 1}" if part.of_a_step else ""
    more = f", {asked / GIB:.2f} GiB more were asked for" if asked else ""
    remedy = advice(part, fitting(job, limit) if job else [])
    if saved := newest_first(RunModelCheckpoint.of(trainer).folder(trainer)):
        remedy += f". The newest checkpoint is {saved[0]}; go on from it with --ckpt_path last"
    return f"out of memory{step} on {device} with {limit / GIB:.1f} GiB{more}", remedy
