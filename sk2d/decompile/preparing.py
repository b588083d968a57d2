"""Before the models: pseudo-code as every step after it takes it."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from sk2d.c import normalize
from sk2d.c.layout import lay_out
from sk2d.decompile.records import Decompiled, Verdict
from sk2d.errors import SourceError
from sk2d.frontends.records import PseudoFunction


def prepared(records: Sequence[PseudoFunction]) -> list[Decompiled]:
    """Normalise what a front end gave, and lay it out as the models were taught.

    Args:
        records: Records of some functions.

    Returns:
        The functions with their normalised text as code; a failure is told in their warnings.
    """
    functions = [_normalized(record) for record in records]
    asked = [function for function in functions if function.pseudo_norm]
    texts = dict(zip(map(id, asked), lay_out([each.pseudo_norm for each in asked]), strict=True))
    return [_laid_out(function, texts.get(id(function))) for function in functions]


def _normalized(record: PseudoFunction) -> Decompiled:
    made = Decompiled(
        name=record.name,
        address=record.address,
        size=record.size,
        pseudo=record.pseudo,
        warnings=record.warnings,
    )
    if record.failed:
        reason = record.warnings[0] if record.warnings else "the decompiler gave nothing"
        return dataclasses.replace(made, verdict=Verdict(None, "decompiler", reason))
    try:
        text = normalize(record.pseudo, record.dialect)
        data = normalize(record.definitions(), record.dialect) if record.data else ""
    except SourceError as error:
        warnings = (*made.warnings, f"not normalised: {error}")
        verdict = Verdict(None, str(error.reason), str(error))
        return dataclasses.replace(made, warnings=warnings, verdict=verdict)
    return dataclasses.replace(made, pseudo_norm=text, definitions=data)


def _laid_out(function: Decompiled, text: str | SourceError | None) -> Decompiled:
    """Take the text; what clang-format cannot do stays as it is, and that is said."""
    if isinstance(text, str):
        return dataclasses.replace(function, pseudo_norm=text, code=text)
    if text is None:
        return function
    warnings = (*function.warnings, f"not formatted: {text}")
    return dataclasses.replace(function, code=function.pseudo_norm, warnings=warnings)
