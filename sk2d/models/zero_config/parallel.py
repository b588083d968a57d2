"""Tensor and pipeline parallelism in a file: the devices it would take, and what comes of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from sk2d.models.zero_config.conditions import Settings
from sk2d.models.zero_config.verdict import Context, Verdict

# Names under which people write the two, whatever section they stand in.
STAGE_NAMES = ("stages", "num_stages", "pipeline_stages", "pipeline_parallel_size", "pp_size", "pp")
SLICE_NAMES = ("autotp_size", "tensor_parallel_size", "tensor_model_parallel_size", "tp_size", "tp")
SIZE_NAMES = ("world_size", "size", "degree", "num_stages", "stages", "mp_size")


def parallel_sizes(config: Mapping[str, Any], start: str = "") -> Iterator[tuple[str, str, int]]:
    """Find how far a file means to split a model, made-up keys included.

    Args:
        config: The file's content, or a section of it.
        start: Dotted name of the section, with a dot at the end.

    Yields:
        Key, `stages` or `slices`, and the number.
    """
    for name, value in config.items():
        key = f"{start}{name}"
        if isinstance(value, dict):
            yield from parallel_sizes(value, f"{key}.")
        elif isinstance(value, int) and not isinstance(value, bool) and value > 1:
            kind = _kind(str(name), start)
            if kind:
                yield key, kind, value


def _kind(name: str, start: str) -> str | None:
    if name in STAGE_NAMES or ("pipeline" in start and name in SIZE_NAMES):
        return "stages"
    tensor = "tensor" in start or "model_parallel" in start
    return "slices" if name in SLICE_NAMES or (tensor and name in SIZE_NAMES) else None


@dataclass(frozen=True)
class Split:
    """A split of the model that a file means to have.

    Args:
        keys: The keys that ask for it.
        says: The devices it takes.
        impossible: Whether the devices there are cannot hold it.
    """

    keys: frozenset[str]
    says: str
    impossible: bool


def wanted_split(config: Mapping[str, Any], context: Context) -> Split | None:
    """Multiply out how far a file means to split a model.

    Args:
        config: The file's content.
        context: The run.

    Returns:
        The split, or None where the devices suffice for it.
    """
    sizes = list(parallel_sizes(config))
    needed = 1
    for kind in ("stages", "slices"):
        needed *= max((size for _, found, size in sizes if found == kind), default=1)
    devices = context.devices
    if needed == 1 or (devices is not None and devices % needed == 0):
        return None
    parts = " × ".join(f"{size} ({key})" for key, _, size in sizes)
    says = f"{parts} would take {needed} devices or a multiple"
    if devices is not None:
        says += f", and there {'is' if devices == 1 else 'are'} {devices}"
    return Split(frozenset(key for key, _, _ in sizes), says, devices is not None)


def tensor_slices(value: Any, settings: Settings, context: Context) -> Verdict | None:
    """Judge `tensor_parallel.autotp_size`.

    Args:
        value: Its value.
        settings: The values that hold.
        context: The run.

    Returns:
        The verdict, or None where it splits nothing.
    """
    if value in (0, 1):
        return None
    return Verdict(
        "tensor_parallel.autotp_size",
        value,
        "refused",
        f"DeepSpeed would split the linear layers over {value} devices, which must see the same "
        "rows; Lightning gives each device rows of its own",
        "Leave it out; ZeRO stage 3 shares the weights out without splitting layers",
        "error",
    )


def stages_of_pipeline(value: Any, settings: Settings, context: Context) -> Verdict | None:
    """Judge a section `pipeline`, which is read and does nothing here.

    Args:
        value: Its value.
        settings: The values that hold.
        context: The run.

    Returns:
        The verdict, or None for a value that is no section.
    """
    if not isinstance(value, dict):
        return None
    return Verdict(
        "pipeline",
        value,
        "no effect",
        "only for a model built as a PipelineModule; a model of Transformers is none, so that "
        "nothing is cut into stages",
        "Leave it out",
        "error",
    )
