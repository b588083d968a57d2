"""Before the models: pseudo-code as every step after it takes it."""

from __future__ import annotations

import dataclasses

from sk2d.c import normalize
from sk2d.decompile.records import Decompiled, Verdict
from sk2d.errors import SourceError
from sk2d.frontends.records import PseudoFunction


def prepared(record: PseudoFunction) -> Decompiled:
    """Normalise what a front end gave.

    Args:
        record: Its record.

    Returns:
        The function with its normalised text as code; a failure is told in its warnings.
    """
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
    return dataclasses.replace(made, pseudo_norm=text, code=text, definitions=data)
