"""Names of C++ and of globals: `::counter`, `A::b`, `std::vector<int>`, `operator new`.

A name of several parts becomes one identifier. The `::` of a global goes; where a local variable
has the same name, which is why the decompiler wrote `::`, the local one gets another name.
"""

from __future__ import annotations

from typing import Final

from sk2d.c.normalization.symbols import identifier, join, name_symbols
from sk2d.c.normalization.words import NEAR, Word, closing, word_at
from sk2d.c.tokens import KEYWORDS

_OPERATORS: Final = {
    "<<": "shl", ">>": "shr", "==": "eq", "!=": "ne", "<": "lt", ">": "gt", "<=": "le",
    ">=": "ge", "+": "add", "-": "sub", "*": "mul", "/": "div", "%": "mod", "=": "assign",
    "+=": "add_assign", "-=": "sub_assign", "*=": "mul_assign", "/=": "div_assign", "!": "not",
    "&": "and", "|": "or", "^": "xor", "~": "compl", "++": "inc", "--": "dec", "->": "arrow",
    "[": "index", "(": "call", "<<=": "shl_assign", ">>=": "shr_assign", "&&": "land",
    "||": "lor",
}  # fmt: skip
_IN_NAMES: Final = {"*": "_ptr", "&": "_ref"}
_BEFORE_TEMPLATE: Final = frozenset(("", ";", "{", "}", "(", ",", "const", "volatile"))
_IN_TEMPLATE: Final = frozenset((",", "*", "&", "::", "<", ">", "(", ")", "[", "]"))


def name_plainly(words: list[Word]) -> None:
    """Make one identifier of each name that is none in C.

    Args:
        words: The words, changed in place.
    """
    present = {word.text for word in words}
    name_symbols(words, present)
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


def _name_operators(words: list[Word]) -> None:
    """Make identifiers of `operator new`, `operator.delete` and `operator<<`."""
    for index in range(len(words) - 1, -1, -1):
        if words[index].text != "operator" or word_at(words, index - 1).text in (".", "->"):
            continue
        behind = word_at(words, index + 1)
        if behind.text == "." and word_at(words, index + 2).is_name:
            join(words, index, index + 3, f"operator_{words[index + 2].text}")
        elif behind.is_name and behind.text in ("new", "delete"):
            join(words, index, index + 2, f"operator_{behind.text}")
        elif behind.text in _OPERATORS and not behind.space:
            pair = behind.text in "[(" and word_at(words, index + 2).text in (")", "]")
            called = word_at(words, index + 2 + pair).text == "("
            if not called or (behind.text in "[(" and not pair):
                continue
            join(words, index, index + 2 + pair, f"operator_{_OPERATORS[behind.text]}")
        else:
            continue
        if word_at(words, index + 1).text == "[" and word_at(words, index + 2).text == "]":
            join(words, index, index + 3, f"{words[index].text}_array")


def _keep_locals_apart(words: list[Word]) -> None:
    """Rename each local variable whose global namesake is written with `::`."""
    names = {word.text for word in words if word.is_name}
    new_names = {}
    for name in sorted(_globals(words)):
        new_names[name] = f"{name}_local"
        while new_names[name] in names:
            new_names[name] += "_"
    local = [index for index, word in enumerate(words) if word.text in new_names]
    for word in [words[index] for index in local if _is_unqualified(words, index)]:
        word.text = new_names[word.text]


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


def _is_unqualified(words: list[Word], index: int) -> bool:
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
            join(words, index, end, _qualified_name(words[index:end]))
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
            text = _IN_NAMES.get(word.text, word.text)
            parts[-1] += f"_{text}" if before.isidentifier() and word.is_name else text
        before = "" if word.text == "~" else word.text
    return "__".join(identifier(part) for part in parts if part)


def _qualified_end(words: list[Word], index: int) -> int | None:
    """Give the end of a name with `::` or template arguments that begins here, if one does."""
    at, parts = index, 0
    if words[at].text == "::" and not _follows_name(words, at):
        at, parts = at + 1, 1
    while True:
        end = _part_end(words, at)
        if end is None or at > index + NEAR:
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
    for at in range(index, min(index + NEAR, len(words))):
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
