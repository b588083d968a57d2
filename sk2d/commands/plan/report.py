"""A plan for people and for scripts."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

from rich.console import Console, RenderableType
from rich.table import Table
from rich.text import Text

from sk2d.commands.plan.planning import Memory, Plan
from sk2d.commands.plan.timeline import Timeline
from sk2d.hardware import gibibytes


def as_json(plan: Plan) -> dict[str, Any]:
    """Give a plan as plain values.

    Args:
        plan: The plan.

    Returns:
        `fits` (null where that cannot be told), `peak_bytes`, `parts` (bytes per device by name),
        `limit_bytes`, `choices` and their `reasons`, `errors`, `advice`, `notes`, `steps`,
        `seconds` (null without a rate), `schedule` and `data`.
    """
    memory, time, rows = plan.memory, plan.time, plan.rows
    return {
        "fits": memory.fits if memory else None,
        "peak_bytes": memory.need.peak_bytes if memory else None,
        "limit_bytes": memory.limit_bytes if memory else None,
        "parts": memory.need.parts if memory else {},
        "moments": memory.need.moments if memory else {},
        "offloaded": memory.need.offloaded if memory else {},
        "choices": {_short(choice.key): choice.value for choice in plan.choices},
        "reasons": {_short(choice.key): choice.reason for choice in plan.choices},
        "errors": plan.errors,
        "advice": list(plan.advice),
        "notes": plan.notes,
        "steps": time.steps if time else None,
        "seconds": time.seconds if time else None,
        "schedule": _schedule(time) if time else None,
        "data": _data(plan) if rows else None,
    }


def _short(key: str) -> str:
    return key.rpartition(".")[2]


def _schedule(time: Timeline) -> dict[str, Any]:
    first, middle, last = time.lr
    return {
        "steps_per_epoch": time.steps_per_epoch,
        "epochs": time.epochs,
        "warmup_steps": time.warmup,
        "lr": {"first": first, "middle": middle, "last": last},
        "tokens": time.tokens,
    }


def _data(plan: Plan) -> dict[str, Any]:
    assert plan.rows is not None, "asked for only where there are rows"
    names = ("rows", "dropped", "tokens", "supervised", "longest", "exact")
    return {name: getattr(plan.rows, name) for name in names}


def show(plan: Plan, console: Console) -> None:
    """Print a plan.

    Args:
        plan: The plan.
        console: Where to.
    """
    for part in _parts(plan):
        console.print(part)


def _parts(plan: Plan) -> Iterator[RenderableType]:
    if plan.choices:
        yield _table("What it will use", [(c.key, c.value, c.reason) for c in plan.choices])
    if plan.memory is not None:
        yield _memory_table(plan.memory)
    if plan.time is not None:
        yield _table("The run", list(_run_rows(plan, plan.time)))
    if plan.rows is not None:
        yield Text(plan.rows.legend, "bold")
        yield plan.rows.example
    for note in plan.notes:
        yield Text(f"note: {note}", style="yellow")
    for error in plan.errors:
        yield Text(f"error: {error}", style="bold red")
    yield _verdict(plan)
    for line in plan.advice:
        yield Text(f"  {line}")


def _table(title: str, rows: list[tuple[str, str, str]]) -> Table:
    table = Table(title=title, title_justify="left", show_header=False)
    table.add_column(style="bold", no_wrap=True)
    table.add_column(overflow="fold")
    table.add_column(overflow="fold", style="dim")
    for row in rows:
        table.add_row(*map(Text, row))
    return table


def _memory_table(memory: Memory) -> Table:
    """Lay out parts by moments; the moment of the peak stands out."""
    need, limit = memory.need, memory.limit_bytes
    title = "Memory of one device by moment of a step, GiB"
    table = Table(title=title, title_justify="left", show_footer=True)
    table.add_column(footer="in all", no_wrap=True, style="bold")
    for name, total in need.totals.items():
        style = "bold" if name == need.moment else "dim"
        footer = Text(_gib(total), style=style)
        table.add_column(name, footer=footer, justify="right", no_wrap=True, style=style)
    for part in need.parts:
        sizes = [parts[part] for parts in need.moments.values()]
        if any(sizes):
            table.add_row(part.replace("_", " "), *(_gib(size) if size else "" for size in sizes))
    there = f"there are {gibibytes(limit)}" if limit is not None else "no such device here"
    table.caption = f"the peak is {gibibytes(need.peak_bytes)} ({need.moment}), {there}"
    return table


def _gib(size: int) -> str:
    return f"{size / 2**30:.2f}"


def _run_rows(plan: Plan, time: Timeline) -> Iterator[tuple[str, str, str]]:
    rows = plan.rows
    assert rows is not None, "there is no time without rows"
    about = "" if rows.exact else "about "
    epoch = f"{rows.rows} rows, {about}{rows.tokens} tokens, {rows.supervised} supervised"
    yield "an epoch", epoch, f"the longest row has {about}{rows.longest} tokens"
    steps = f"{time.steps_per_epoch} an epoch, {time.warmup} of warm-up"
    yield "optimiser steps", str(time.steps), steps
    first, middle, last = time.lr
    yield "learning rate", f"{first:.3g}, {middle:.3g}, {last:.3g}", "first, middle and last step"
    if time.seconds is None:
        yield "time", "not known", "give --rate TOKENS_PER_SECOND of one device, or run some steps"
    else:
        assert plan.rate is not None, "the time was made from it"
        source = f"{plan.rate.tokens_per_s:.0f} tokens/s per device, {plan.rate.source}"
        yield (
            "time",
            str(timedelta(seconds=round(time.seconds))),
            f"{source}; validation comes on top",
        )


def _verdict(plan: Plan) -> Text:
    memory = plan.memory
    if plan.errors:
        return Text("It will not run as it is.", style="bold red")
    if memory is None:
        return Text("Nothing is wrong; whether it fits cannot be told.", style="bold yellow")
    assert memory.limit_bytes is not None, "a missing device is an error"
    peak, limit = memory.need.peak_bytes, memory.limit_bytes
    if memory.fits:
        return Text(f"It fits, with {gibibytes(limit - peak)} to spare.", style="bold green")
    over = f"It does not fit: {gibibytes(peak - limit)} too much."
    hint = " Any of these makes it fit:" if plan.advice else " No single setting makes it fit."
    return Text(over + hint, style="bold red")
