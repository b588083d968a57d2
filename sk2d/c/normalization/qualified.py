"""Names that are no identifiers of C: `::counter`, `A::b`, `f.part.0`, `?f@@YAXXZ`, `operator new`.

A name of several parts becomes one identifier. The `::` of a global goes; where a local variable
has the same name, which is why the decompiler wrote `::`, the local one gets another name.
"""

from __future__ import annotations

import re
from typing import Final

from sk2d.c.normalization.words import Word, closing, word_at
from sk2d.c.tokens import KEYWORDS

_NO_IDENTIFIER: Final = re.compile(r"[^\w$]+")
_GCC_SUFFIXES: Final = frozenset(
    ["part", "isra", "constprop", "cold", "lto_priv", "llvm", "clone", "str"]
)
_OPERATORS: Final = {
    "<<": "shl", ">>": "shr", "==": "eq", "!=": "ne", "<": "lt", ">": "gt", "<=": "le",
    ">=": "ge", "+": "add", "-": "sub", "*": "mul", "/": "div", "%": "mod", "=": "assign",
    "+=": "add_assign", "-=": "sub_assign", "*=": "mul_assign", "/=": "div_assign", "!": "not",
    "&": "and", "|": "or", "^": "xor", "~": "compl", "++": "inc", "--": "dec", "->": "arrow",
    "[": "index", "(": "call", "<<=": "shl_assign", ">>=": "shr_assign", "&&": "land",
    "||": "lor",
}  # fmt: skip
_BEFORE_TEMPLATE: Final = frozenset(("", ";", "{", "}", "(", ",", "const", "volatile"))
_IN_TEMPLATE: Final = frozenset((",", "*", "&", "::", "<", ">", "(", ")", "[", "]"))


def name_plainly(words: list[Word]) -> None:
    """Make one identifier of each name that is none in C.

    Args:
        words: The words, changed in place.
    """
    present = {word.text for word in words}
    if "?" in present and "@" in present:
        _join_where(words, _mangled_end)
    if "." in present:
        _join_where(words, _dotted_end)
        _drop_leading_dots(words)
    if "operator" in present:
        _name_operators(words)
    if "::" in present:
        _keep_locals_apart(words)
    if "::" in present or "<" in present:
        _join_qualified(words)
    if "nullptr" in present:
        _replace(words, "nullptr", "NULL")


def _replace(words: list[Word], old: str, new: str) -> None:
    for word in words:
        if word.text == old and word.is_name:
            word.text = new


def _join(words: list[Word], start: int, end: int, name: str) -> None:
    words[start].text, words[start].kind = name, "name"
    del words[start + 1 : end]


def identifier(text: str) -> str:
    """Make an identifier of a name with other characters in it.

    Args:
        text: The name.

    Returns:
        An identifier.
    """
    name = _NO_IDENTIFIER.sub("_", text)
    return f"_{name}" if name[:1].isdigit() else name


def _join_where(words: list[Word], find_end: object) -> None:
    """Join the words of each name that `find_end` finds to begin at a word."""
    assert callable(find_end)
    index = 0
    while index < len(words):
        end = find_end(words, index)
        if end is not None:
            text = "".join(word.text for word in words[index:end])
            _join(words, index, end, identifier(text))
        index += 1


def _mangled_end(words: list[Word], index: int) -> int | None:
    """Give the end of a name mangled by Microsoft's compiler, which begins with `?`."""
    if words[index].text != "?":
        return None
    end, seen = index + 1, False
    while (word := word_at(words, end)).text and not word.space:
        if not (word.kind in ("name", "number") or word.text in "?@"):
            break
        seen = seen or word.text == "@"
        end += 1
    return end if seen and end > index + 2 else None


def _dotted_end(words: list[Word], index: int) -> int | None:
    """Give the end of a name with dots that gcc made, such as `f.part.0` or `counter.1`."""
    if not words[index].is_name or word_at(words, index - 1).text in (".", "->"):
        return None
    end, dotted = index + 1, False
    while not word_at(words, end).space:
        number = word_at(words, end)
        if number.kind == "number" and number.text.startswith("."):
            end, dotted = end + 1, True
        elif number.text == "." and word_at(words, end + 1).text in _GCC_SUFFIXES:
            end += 2
        else:
            break
    called = word_at(words, end).text == "(" and words[end - 1].text == "cold"
    return end if dotted or (called and end > index + 1) else None


def _drop_leading_dots(words: list[Word]) -> None:
    """Take the dot off names such as `.puts`, which are no designators `.x = 1`."""
    for index in range(len(words) - 2, -1, -1):
        word, name = words[index], words[index + 1]
        if word.text != "." or not name.is_name or name.space:
            continue
        before = word_at(words, index - 1)
        operand = before.kind in ("name", "string", "number") or before.text in (")", "]", "}")
        if before.is_name and before.text in KEYWORDS:
            operand = False
        designator = before.text in ("{", ",", "]") and word_at(words, index + 2).text != "("
        glued = operand and not word.space
        if not glued and not designator and not (operand and before.text in (")", "]")):
            name.space = word.space
            del words[index]


def _name_operators(words: list[Word]) -> None:
    """Make identifiers of `operator new`, `operator.delete` and `operator<<`."""
    for index in range(len(words) - 1, -1, -1):
        if words[index].text != "operator" or word_at(words, index - 1).text in (".", "->"):
            continue
        behind = word_at(words, index + 1)
        if behind.text == "." and word_at(words, index + 2).is_name:
            _join(words, index, index + 3, f"operator_{words[index + 2].text}")
        elif behind.is_name and behind.text in ("new", "delete"):
            _join(words, index, index + 2, f"operator_{behind.text}")
        elif behind.text in _OPERATORS and not behind.space:
            pair = behind.text in "[(" and word_at(words, index + 2).text in (")", "]")
            if behind.text in "[(" and not pair:
                continue
            _join(words, index, index + 2 + pair, f"operator_{_OPERATORS[behind.text]}")
        else:
            continue
        if word_at(words, index + 1).text == "[" and word_at(words, index + 2).text == "]":
            _join(words, index, index + 3, f"{words[index].text}_array")


def _keep_locals_apart(words: list[Word]) -> None:
    """Rename each local variable whose global namesake is written with `::`."""
    names = {word.text for word in words if word.is_name}
    for name in sorted(_globals(words)):
        own = [word for index, word in enumerate(words) if _is_unqualified(words, index, name)]
        new = f"{name}_local"
        while own and new in names:
            new += "_"
        for word in own:
            word.text = new


def _globals(words: list[Word]) -> set[str]:
    """Give the names that stand behind a `::` without anything before it."""
    return {
        words[index + 1].text
        for index, word in enumerate(words)
        if word.text == "::" and _is_global(words, index) and word_at(words, index + 2).text != "::"
    }


def _is_global(words: list[Word], index: int) -> bool:
    before = word_at(words, index - 1)
    qualifies = before.is_name and before.text not in KEYWORDS
    behind = word_at(words, index + 1)
    return not (qualifies and not words[index].space) and before.text != ">" and behind.is_name


def _is_unqualified(words: list[Word], index: int, name: str) -> bool:
    if words[index].text != name or not words[index].is_name:
        return False
    before, behind = word_at(words, index - 1).text, word_at(words, index + 1).text
    return (
        before not in ("::", ".", "->", "struct", "union", "enum", "goto")
        and behind != "::"
        and not (behind == ":" and before in (";", "{", "}", ":"))
    )


def _join_qualified(words: list[Word]) -> None:
    index = 0
    while index < len(words):
        end = _qualified_end(words, index)
        if end is not None:
            _join(words, index, end, _qualified_name(words[index:end]))
        index += 1


def _qualified_name(words: list[Word]) -> str:
    """Give the identifier for a name of several parts."""
    parts = [""]
    before = ""
    for word in words:
        if word.text == "::":
            parts.append("")
        elif word.text == "~" and before == "::":
            parts[-1] = "dtor_"
        elif word.text not in ("(", ")") or "<" in parts[-1]:
            parts[-1] += f"_{word.text}" if before.isidentifier() and word.is_name else word.text
        before = "" if word.text == "~" else word.text
    return "__".join(identifier(part) for part in parts if part)


def _qualified_end(words: list[Word], index: int) -> int | None:
    """Give the end of a name with `::` or template arguments that begins here, if one does."""
    at, parts = index, 0
    if words[at].text == "::" and not _follows_name(words, at):
        at, parts = at + 1, 1
    while True:
        end = _part_end(words, at)
        if end is None:
            return None
        at = end
        if word_at(words, at).text != "::":
            break
        at, parts = at + 1, parts + 1
    if parts == 0 and not _is_template(words, index, at):
        return None
    return at


def _follows_name(words: list[Word], index: int) -> bool:
    before = word_at(words, index - 1)
    return before.is_name and before.text not in KEYWORDS and not words[index].space


def _part_end(words: list[Word], index: int) -> int | None:
    """Give the end of one part of a qualified name."""
    word = word_at(words, index)
    if word.text == "~" and word_at(words, index - 1).text == "::":
        index += 1
        word = word_at(words, index)
    if word.text == "(" and word_at(words, index + 1).text == "anonymous":
        close = closing(words, index)
        return None if close is None else close + 1
    if not word.is_name or word.text in KEYWORDS:
        return None
    behind = word_at(words, index + 1)
    if behind.text == "<" and not behind.space:
        close = _template_end(words, index + 1)
        if close is not None and word_at(words, close).text == "::":
            return close
        if close is not None and (
            word_at(words, index - 1).text == "::" or _is_template(words, index, close)
        ):
            return close
    return index + 1


def _template_end(words: list[Word], index: int) -> int | None:
    """Give the end of template arguments; a comparison has no such shape."""
    level = 0
    for at in range(index, min(index + 200, len(words))):
        word = words[at]
        if (
            word.text not in _IN_TEMPLATE
            and word.text != ">>"
            and word.kind
            not in (
                "name",
                "number",
            )
        ):
            return None
        level += (word.text == "<") - (word.text == ">") - 2 * (word.text == ">>")
        if level <= 0:
            return at + 1
    return None


def _is_template(words: list[Word], start: int, end: int) -> bool:
    """Tell whether `name<...>` without any `::` is a type in a declaration or cast."""
    if end == start + 1 or word_at(words, start - 1).text not in _BEFORE_TEMPLATE:
        return False
    behind = word_at(words, end)
    return behind.text in ("*", "&", ")", "::") or (behind.is_name and bool(behind.space))
