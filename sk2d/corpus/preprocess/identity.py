"""What makes two functions the same: hashes over tokens, and sketches for nearly the same."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet

from sk2d.c.similarity import shingles, sketch
from sk2d.c.tokens import significant
from sk2d.corpus.preprocess.layout import meaning
from sk2d.corpus.preprocess.records import Record
from sk2d.corpus.preprocess.tools import Tools
from sk2d.corpus.rows import CODE, FUNC_NAME, IR, MAPPING, PSEUDO, PSEUDO_NORM

PAIR, EXACT, SOURCE, IR_HASH = "pair_hash", "exact_hash", "source_hash", "ir_hash"
SKETCH, PROBLEMS = "sketch", "problems"

_OWN_NAME = "\x01"  # no token of C


def digest(tokens: Iterable[str]) -> str:
    """Hash a list of tokens.

    Args:
        tokens: Tokens of C.

    Returns:
        Thirty-two hex digits.
    """
    text = "\0".join(tokens)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def canonical(tokens: Iterable[str], name: str) -> list[str]:
    """Give what stays of a function when its own name does not count either.

    Args:
        tokens: Its tokens, from `meaning`.
        name: Its name, or "" where it is not known.

    Returns:
        Its tokens.
    """
    return [_OWN_NAME if text == name else text for text in tokens]


def identify(record: Record, tools: Tools) -> None:
    """Add to a row all that deduplication, split and audit compare.

    Args:
        record: A row that went through all steps.
        tools: The function that gives the source back.
    """
    made = record.made
    code = meaning(record.row[CODE])
    pseudo, ir = meaning(made[PSEUDO_NORM]), meaning(made[IR])
    source = canonical(code, made["function"])
    own_placeholder = placeholder(made["function"], made[MAPPING])
    made[PAIR] = digest([*pseudo, "", *code])
    made[EXACT] = digest(code)
    made[SOURCE] = digest(source)
    made[IR_HASH] = digest(canonical(ir, own_placeholder))
    made[SKETCH] = sketch_of(source).hex()
    made[PROBLEMS] = [
        *name_problems(record, set(pseudo), set(ir)),
        *round_trip_problems(made[IR], made[MAPPING], code, tools),
    ]


def placeholder(name: str, mapping: dict[str, str]) -> str:
    """Find what a function is called in its IR.

    Args:
        name: Its name in the source.
        mapping: Name by placeholder.

    Returns:
        Its placeholder, or the name itself where it was kept.
    """
    found = (key for key, value in mapping.items() if value == name and key.startswith("func"))
    return next(found, name)


def sketch_of(tokens: Sequence[str]) -> bytes:
    """Make the sketch by which nearly equal functions are found.

    Args:
        tokens: Canonical tokens of a function.

    Returns:
        A sketch, see `sk2d.c.similarity`.
    """
    return sketch(shingles("\n".join(tokens)))  # a line for each: a directive needs one


def round_trip_problems(
    ir: str, mapping: Mapping[str, str], code: Sequence[str], tools: Tools
) -> list[str]:
    """Check that the names and the IR are the source.

    Args:
        ir: The IR.
        mapping: Name by placeholder.
        code: Tokens of the source, from `meaning`.
        tools: The function that gives the source back.

    Returns:
        What does not hold, in words; empty when all is well.
    """
    if meaning(tools.restore(ir, mapping)) == code:
        return []
    return ["the IR and its mapping do not give the source back"]


def name_problems(record: Record, pseudo: AbstractSet[str], ir: AbstractSet[str]) -> list[str]:
    """Check that no text tells the model a name that the binary does not have.

    Args:
        record: The row.
        pseudo: Tokens of the normalised pseudo-code.
        ir: Tokens of the IR.

    Returns:
        What does not hold, in words; empty when all is well.
    """
    names = {str(name) for name in (record.made["function"], record.row.get(FUNC_NAME)) if name}
    # A name that the decompiler shows was exported, and may be known.
    stripped = names - set(significant(record.row[PSEUDO]))
    texts = (("normalised pseudo-code", pseudo), ("IR", ir))
    return [
        f"the stripped name {name} stands in the {text}"
        for name in sorted(stripped)
        for text, words in texts
        if name in words
    ]
