"""Results as Markdown: the tables, for a file beside the page and for pasting elsewhere."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from sk2d.evaluation.scores import TOTAL

Results = Mapping[str, Any]

MEASURES: Final[Mapping[str, str]] = {
    "executable": "Re-executable: passes its test, %",
    "compilable": "Re-compilable: compiles with its header, %",
    "builds_but_wrong": "Builds but wrong: compiles and fails its test, %",
}
"""Shares that have a table of their own, by level."""

COMPARED: Final[Mapping[str, str]] = {
    "executable": "re-executable",
    "compilable": "re-compilable",
    "edit": "edit similarity",
    "r2i": "R2I",
}
_MOST_NAMED: Final = 20


def markdown(results: Results) -> str:
    """Write results as Markdown.

    Args:
        results: The content of `results.json`.

    Returns:
        The text.
    """
    parts = [
        _head(results),
        *(_by_level(results, name, title) for name, title in MEASURES.items()),
        _texts(results),
        _names(results),
        _irs(results),
        _judged(results),
        _comparisons(results),
        _excluded(results),
        _missing(results),
        _settings(results),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Write a table; the first column is text, the others are numbers.

    Args:
        head: Titles of columns.
        rows: Cells.

    Returns:
        Lines of Markdown.
    """
    lines = [head, ["---", *("---:" for _ in head[1:])], *rows]
    return "\n".join(f"| {' | '.join(_cell(cell) for cell in line)} |" for line in lines)


def _cell(text: str) -> str:
    return text.replace("|", r"\|").replace("\n", " ")


def percent(share: float | None) -> str:
    """Write a share in per cent; `n/a` for none."""
    return "n/a" if share is None else f"{100 * share:.1f}"


def number(value: float | None, digits: int = 3) -> str:
    """Write a number; `n/a` for none."""
    return "n/a" if value is None else f"{value:.{digits}f}"


def _head(results: Results) -> str:
    found = results["set"]
    lines = [
        f"# Evaluation on {found['name']}",
        "",
        f"{found['functions']} functions ({found['format']}), {found['tested']} with a test, "
        f"{found['counted']} counted, {len(found['excluded'])} left out by the self-check. "
        f"Hash of the rows: `{found['hash'][:16]}`.",
    ]
    lines += [f"\n> {remark}" for remark in found["remarks"]]
    return "\n".join(lines)


def _by_level(results: Results, name: str, title: str) -> str:
    systems = results["systems"]
    levels = list(next(iter(systems.values()))[name])
    rows = [
        [system, *(percent(found[name][level]) for level in levels)]
        for system, found in systems.items()
    ]
    return f"## {title}\n\n{table(['system', *levels], rows)}"


def _texts(results: Results) -> str:
    candidates = results["candidate_set"]
    head = ["system", "edit similarity", "edit, raw text", "exact match %", "R2I", "unreadable"]
    rows = [
        [
            system,
            number(found["edit"][TOTAL]),
            number(found["edit_raw"][TOTAL]),
            percent(found["exact"][TOTAL]),
            number(found["r2i"][TOTAL]),
            str(found["unreadable"]),
        ]
        for system, found in results["systems"].items()
        if found["r2i"][TOTAL] is not None or candidates is None
    ]
    said = (
        f"R2I is relative: these are means within the candidate set **{candidates}**; another set "
        "gives other numbers. Text that cannot be read scores 0."
        if candidates
        else "There is one candidate only, so there is no R2I."
    )
    return f"## The texts\n\n{table(head, rows)}\n\n{said}"


def _names(results: Results) -> str:
    kinds = list(next(iter(results["systems"].values()))["names"])
    rows = [
        [system, *(number(found["names"][kind]) for kind in kinds)]
        for system, found in results["systems"].items()
        if found["kind"] != "check"
    ]
    head = ["system", *kinds]
    return f"## Names: F1 of their words, by kind\n\n{table(head, rows)}" if rows else ""


def _irs(results: Results) -> str:
    rows = [
        [
            system,
            str(found["ir"]["rows"]),
            percent(found["ir"]["compilable"]),
            number(found["ir"]["placeholders"]),
        ]
        for system, found in results["systems"].items()
        if found["ir"]
    ]
    head = ["system", "IRs", "compile %", "placeholder Jaccard"]
    title = "## The Skeleton's IR, against the IR of the source"
    return f"{title}\n\n{table(head, rows)}" if rows else ""


def _judged(results: Results) -> str:
    judge = results["settings"]["judge"]
    if not judge:
        return ""
    rows = [
        [
            system,
            number(found["judge"]["mean"][TOTAL], 2),
            str(found["judge"]["asked"]),
            str(found["judge"]["without_mark"]),
        ]
        for system, found in results["systems"].items()
        if found["judge"]
    ]
    head = ["system", "mean mark, 1-5", "asked", "replies without a mark"]
    return f"## Judge: {judge['model']}, template {judge['template']}\n\n{table(head, rows)}"


def _comparisons(results: Results) -> str:
    rows = [
        [
            f"{each['first']} less {each['second']}",
            COMPARED[each["measure"]],
            number(each["difference"]),
            f"{number(each['low'])} to {number(each['high'])}",
            f"{each['wins']} / {each['losses']}",
            f"{each['p_value']:.2g}",
        ]
        for each in results["comparisons"]
    ]
    head = ["systems", "measure", "difference", "95 % interval", "better / worse", "p, sign test"]
    return f"## In pairs, on the same functions\n\n{table(head, rows)}" if rows else ""


def _excluded(results: Results) -> str:
    rows = [[each["id"], each["reason"]] for each in results["set"]["excluded"]]
    head = ["left out", "reason"]
    return f"## Rows that cannot tell right from wrong\n\n{table(head, rows)}" if rows else ""


def _missing(results: Results) -> str:
    lines = []
    for system, found in results["systems"].items():
        if found["missing"]:
            named = ", ".join(found["missing"][:_MOST_NAMED])
            more = len(found["missing"]) - _MOST_NAMED
            tail = f" and {more} more (results.json has all)" if more > 0 else ""
            lines.append(f"- {system}: {len(found['missing'])} missing: {named}{tail}")
    return "## No answer, counted as failed\n\n" + "\n".join(lines) if lines else ""


def _settings(results: Results) -> str:
    settings = results["settings"]
    lines = [
        f"- compiler: {settings['cc_version']}, `{' '.join(settings['cflags'])}`; candidate and "
        "test are two units",
        f"- sk2d {settings['sk2d']}, seed {settings['seed']}, "
        f"{settings['bootstrap']['resamples']} resamples",
        *(f"- {name}: {found['about']}" for name, found in results["systems"].items()),
        *(
            f"- prompt of {phase}: {prompt['name']} ({prompt['hash']})"
            for phase, prompt in settings["prompts"].items()
        ),
        *(f"- canary: {each['name']}: {_canary(each)}" for each in settings["canaries"]),
    ]
    return "## How it was measured\n\n" + "\n".join(lines)


def _canary(canary: Mapping[str, Any]) -> str:
    said = {True: "as recorded", False: "**not as recorded**", None: "other flags than recorded"}
    return said[canary["same"]]
