"""A DeepSpeed config judged key by key: what DeepSpeed, under Lightning, really does with it.

What is said holds for the versions of DeepSpeed whose parser has the keys of the table (0.19).
Nothing here imports DeepSpeed.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from sk2d.models.zero_config.conditions import AUTO, Settings, unmet
from sk2d.models.zero_config.parallel import Split, wanted_split
from sk2d.models.zero_config.rules import RULES
from sk2d.models.zero_config.table import (
    Key,
    canonical,
    children,
    find,
    known_keys,
    known_mistakes,
)
from sk2d.models.zero_config.values import accepts, described
from sk2d.models.zero_config.verdict import BY_ITSELF, Context, Effect, Verdict

NEAR = 0.8
"""Least likeness of a suggestion; lower ones take any two keys with `parallel` for one another."""


def judge(config: Mapping[str, Any], context: Context = BY_ITSELF) -> list[Verdict]:
    """Judge every key of a DeepSpeed config.

    Args:
        config: The file's content.
        context: The run that it is for.

    Returns:
        One verdict per key, in the order of the file; a section comes before its keys.
    """
    settings, split = Settings(config), wanted_split(config, context)
    verdicts = list(_section(config, "", settings, context))
    if split is None:
        return verdicts
    return [_in_split(v, split) if v.key in split.keys else v for v in verdicts]


def _in_split(verdict: Verdict, split: Split) -> Verdict:
    says = f"{split.says}. Besides: {verdict.says}"
    effect: Effect = "contradiction" if split.impossible else verdict.effect
    return replace(verdict, effect=effect, says=says, level="error")


def _section(
    config: Mapping[str, Any], start: str, settings: Settings, context: Context
) -> Iterator[Verdict]:
    for name, value in config.items():
        path = f"{start}{name}"
        verdict = _one(path, value, settings, context)
        yield verdict
        if not isinstance(value, dict):
            continue
        key = find(path)
        described_inside = key is not None and key.is_section and key.type != "section:free"
        if described_inside:
            inner = _section(value, f"{path}.", settings, context)
            yield from _inherited(verdict, inner) if _is_off(verdict) else inner
        else:
            yield from _inside(path, value, verdict)


def _is_off(verdict: Verdict) -> bool:
    return verdict.effect in ("no effect", "owned by the trainer")


def _inherited(section: Verdict, inner: Iterator[Verdict]) -> Iterator[Verdict]:
    """Say of the keys of a section without effect that they have none either."""
    for verdict in inner:
        if verdict.effect == "used":
            says = f"as its section {section.key}"
            verdict = replace(verdict, effect=section.effect, says=says, level=section.level)
        yield verdict


def _inside(path: str, config: Mapping[str, Any], section: Verdict) -> Iterator[Verdict]:
    """Give the keys of a section that has no table: they go the way of the section."""
    words = {"unknown": f"inside {section.key}, which nothing reads"}
    for name, value in config.items():
        says = words.get(section.effect, f"as its section {section.key}")
        key = f"{path}.{name}"
        verdict = replace(section, key=key, value=value, says=says, remedy=None)
        yield verdict
        if isinstance(value, dict):
            yield from _inside(key, value, replace(verdict, key=section.key))


def _one(path: str, value: Any, settings: Settings, context: Context) -> Verdict:
    key = find(path)
    if key is None:
        return _unknown(path, value)
    if key.type == "removed":
        return Verdict(path, value, "refused", key.says, "Leave it out", "error")
    if value == AUTO and key.default != AUTO and not accepts(key.type, AUTO, closed=True):
        return _auto(path, value, key)
    if not _fits(key, value):
        return _wrong_type(path, value, key)
    rule = RULES.get(key.name)
    found = rule(value, settings, context) if rule and value is not None else None
    if found:
        return replace(found, key=path)
    return _by_table(path, value, key, settings)


def _closed(path: str) -> bool:
    """Tell whether DeepSpeed refuses unknown keys beside this one."""
    section = find(path.rpartition(".")[0])
    return section is not None and section.type == "section:closed"


def _fits(key: Key, value: Any) -> bool:
    if value is None:
        return key.default is None and (not key.is_section or key.name.count(".") > 0)
    if key.name == "zero_optimization" and isinstance(value, bool):
        return True
    return accepts(key.type, value, closed=_closed(key.name))


def _by_table(path: str, value: Any, key: Key, settings: Settings) -> Verdict:
    missing = unmet(key.needs, settings)
    harmless = _is_default(value, key)
    if missing is not None:
        says = f"it needs {missing} ({key.says})" if missing else key.says
        if harmless:
            return Verdict(path, value, "no effect", says)
        return Verdict(path, value, "no effect", says, "Leave it out", "error")
    if not key.owner or (key.owner == "refused" and harmless):
        return Verdict(path, value, "used", key.says)
    if key.owner == "refused":
        return Verdict(path, value, "refused", key.says, "Leave it out", "error")
    effect: Effect = "ignored" if key.name.startswith("scheduler") else "owned by the trainer"
    remedy = f"Leave it out: {key.owner} decides"
    return Verdict(path, value, effect, key.says, remedy, "warning" if harmless else "error")


def _is_default(value: Any, key: Key) -> bool:
    """Tell whether leaving the key out would change nothing."""
    if not isinstance(value, dict):
        return value == key.default and type(value) in (type(key.default), int, float)
    inner = [(find(f"{key.name}.{name}"), part) for name, part in value.items()]
    if key.type == "section:free":
        return not value or value.get("enabled", True) is False
    return all(part is not None and _is_default(given, part) for part, given in inner)


def _auto(path: str, value: Any, key: Key) -> Verdict:
    filled = "it is filled in by the Trainer of Transformers, not by DeepSpeed"
    owner = key.owner if "." in key.owner else ""
    remedy = f"Leave it out: {owner} decides" if owner else "Leave it out, or give a value"
    if not _closed(path):
        says = f"{filled}, which takes the word for the value and fails on it"
        return Verdict(path, value, "refused", says, remedy, "error")
    says = f"{filled}, which drops it and takes its default {key.default}"
    if path in ("fp16.enabled", "bf16.enabled"):
        says += "; as the section is there, Lightning does not switch it on either"
    return Verdict(path, value, "ignored", says, remedy, "error")


def _wrong_type(path: str, value: Any, key: Key) -> Verdict:
    what = f"{value!r} is not {described(key.type)}"
    near = difflib.get_close_matches(str(value), described(key.type).split(", "), 1)
    does = "DeepSpeed raises" if _closed(path) else "DeepSpeed does not look, and fails later"
    remedy = f"Did you mean {near[0]}?" if near else f"Give {described(key.type)}"
    return Verdict(path, value, "refused", f"{what}: {does}", remedy, "error")


def _unknown(path: str, value: Any) -> Verdict:
    effect: Effect = "refused" if _closed(path) else "unknown"
    section, _, name = path.rpartition(".")
    mistakes = known_mistakes()
    mistake = mistakes.get(canonical(path)) or mistakes.get(f"*.{name}")
    if mistake:
        return Verdict(path, value, effect, mistake.says, mistake.remedy, "error")
    does = "raises on it" if effect == "refused" else "ignores it in silence"
    says = f"DeepSpeed knows no such key here and {does}"
    return Verdict(path, value, effect, says, _suggestion(section, name), "error")


def _suggestion(section: str, name: str) -> str:
    plain = name.lower().replace("-", "_").replace("isation", "ization").replace("iser", "izer")
    near = difflib.get_close_matches(plain, children(section), 1, NEAR)
    if near:
        return f"Did you mean {near[0]}?"
    elsewhere = [key for key in known_keys() if key.rpartition(".")[2] == plain]
    if elsewhere:
        return f"Did you mean {elsewhere[0]}?"
    leaves = {key.rpartition(".")[2]: key for key in known_keys()}
    far = difflib.get_close_matches(plain, leaves, 1, NEAR)
    return f"Did you mean {leaves[far[0]]}?" if far else "Leave it out"
