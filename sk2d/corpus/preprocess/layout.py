"""What a function is when its lay-out does not count, and what is taken off its source.

Comments, `#include` lines and line markers belong to the file that the function was cut from. No
model can tell them from a binary, a comment would put the source's names into the IR, and the
headers are not there when the function is compiled alone.
"""

from __future__ import annotations

import re

from sk2d.c.tokens import significant, tokenize

_OF_THE_FILE = re.compile(r"#\s*(?:include\b|include_next\b|line\b|ident\b|[0-9])")


def bare(code: str) -> str:
    """Take off comments and the directives that belong to a file; literals keep their bytes.

    Args:
        code: C source.

    Returns:
        The same code with a space for every comment, as the compiler sees it.
    """
    if "//" not in code and "/*" not in code and "#" not in code:
        return code
    parts = []
    for token in tokenize(code):
        if token.kind == "comment":
            parts.append(" ")
        elif token.kind != "directive":
            parts.append(token.text)
        elif not _OF_THE_FILE.match(token.text):
            parts.append("#" + bare(token.text[1:]))
    return "".join(parts)


def meaning(code: str) -> list[str]:
    """Give the tokens of a function without anything that `bare` takes off.

    Args:
        code: C source.

    Returns:
        Its tokens; equal lists are equal functions. Blanks within a directive are one.
    """
    return [
        " ".join(text.split()) if text.startswith("#") else text for text in significant(bare(code))
    ]
