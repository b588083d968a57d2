"""The text around the code: prompt, stop strings and hash of every task, defined only here.

Training, reinforcement learning, inference, evaluation and export all build their prompts with
`Prompt.render`, so that a model is always asked with the bytes it was trained on. Rows that were
published with a prompt already around their code are taken apart by `unwrap`.

The wordings are those of the released data and scripts of LLM4Decompile and SK2Decompile.
"""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import dataclass

from sk2d.errors import ConfigError, did_you_mean

_KINDS = {
    "skeleton": "pseudo",
    "skin": "normalized",
    "ghidra-decompile": "decompiled",
    "assembly": "assembly",
}
_BEFORE = "# This is the {kind} code:\n"
_AFTER = "\n# What is the source code?\n"
# An answer that goes on after its function begins another prompt; both strings open one.
_STOP = ("\n# This is the", _AFTER.rstrip("\n"))


@dataclass(frozen=True)
class Prompt:
    r"""The exact strings of one task.

    Args:
        name: Name of the task in configs and model cards.
        before: Text before the code.
        after: Text between the code and the answer.
        target_end: Text that closes the answer before the end token, "" or "\n".
        stop: Strings that end a generated answer.
    """

    name: str
    before: str
    after: str
    target_end: str
    stop: tuple[str, ...]

    def render(self, code: str) -> str:
        """Put the prompt around a piece of code; the only builder for training and inference.

        Args:
            code: Bare code, without any wrapper.

        Returns:
            The text that the model is asked with.
        """
        return self.before + clean(code) + self.after

    def target(self, code: str) -> str:
        """Build the text that the model is to answer, without the end token.

        Args:
            code: Bare code of the answer.

        Returns:
            The cleaned code and the text that closes it.
        """
        return clean(code) + self.target_end

    @property
    def hash(self) -> str:
        """Sixteen hex digits that change whenever one of the exact strings does."""
        strings = json.dumps([self.before, self.after, self.target_end, list(self.stop)])
        return hashlib.sha256(strings.encode("utf-8")).hexdigest()[:16]


def _prompt(name: str, target_end: str = "") -> Prompt:
    before = _BEFORE.format(kind=_KINDS[name])
    return Prompt(name, before, _AFTER, target_end, _STOP)


# "ghidra-decompile" is the style of Neo111x/decompile_LLM, whose targets end with a newline;
# "assembly" is what SK2Decompile's own scripts ask the released weights with.
PROMPTS: dict[str, Prompt] = {
    "skeleton": _prompt("skeleton"),
    "skin": _prompt("skin"),
    "ghidra-decompile": _prompt("ghidra-decompile", target_end="\n"),
    "assembly": _prompt("assembly"),
}

_WRAPPER = re.compile(
    r"\s*# This is the (?:{kinds}) code:\r*\n(?P<code>.*?)\r*\n{question}\s*".format(
        kinds="|".join(_KINDS.values()), question=re.escape(_AFTER.strip("\n"))
    ),
    re.DOTALL,
)


def clean(code: str) -> str:
    r"""Bring code into the one form that is put into prompts and targets.

    Line ends become "\n"; newlines around the code and blanks at its end go; the blanks that indent
    its first line stay. Cleaning twice changes nothing.

    Args:
        code: Code as it was read or generated.

    Returns:
        The cleaned code.
    """
    return re.sub(r"\r+\n", "\n", code).lstrip("\n").rstrip(" \t\r\n")


def get_prompt(name: str) -> Prompt:
    """Find a prompt by its name.

    Args:
        name: A key of `PROMPTS`.

    Returns:
        The prompt.

    Raises:
        ConfigError: No prompt has this name.
    """
    if name in PROMPTS:
        return PROMPTS[name]
    remedy = did_you_mean(name, PROMPTS) or f"Known prompts: {', '.join(PROMPTS)}"
    raise ConfigError(f"there is no prompt named '{name}'", remedy=remedy)


def unwrap(text: str) -> str:
    """Take the bare code out of any published wrapper, also when it was put around it twice.

    Args:
        text: Code, with or without one of the wrappers of `PROMPTS` around it.

    Returns:
        The code between the wrapper's lines; a text without wrapper comes back unchanged.
    """
    while match := _WRAPPER.fullmatch(text):
        text = match["code"]
    return text
