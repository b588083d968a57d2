"""What decompilers write beside C: calling conventions, registers, symbol versions."""

from __future__ import annotations

from typing import Final

from sk2d.c.normalization.words import NEAR, Word, closing, remove, word_at

_BARE: Final = frozenset(
    [
        "__cdecl",
        "_cdecl",
        "__stdcall",
        "_stdcall",
        "__fastcall",
        "_fastcall",
        "__thiscall",
        "__vectorcall",
        "__pascal",
        "__clrcall",
        "__regcall",
        "__usercall",
        "__userpurge",
        "__golang",
        "__swiftcall",
        "__rustcall",
        "__syscall",
        "__regparm1",
        "__regparm2",
        "__regparm3",
        "__msabi",
        "__sysv_abi",
        "processEntry",
        "__noreturn",
        "__pure",
        "__hidden",
        "__return_ptr",
        "__struct_ptr",
        "__unaligned",
        "__ptr32",
        "__ptr64",
        "__sptr",
        "__uptr",
        "__far",
        "__near",
        "__huge",
        "__w64",
        "__cppobj",
        "__interface",
        "__bitmask",
        "__unused",
    ]
)
_WITH_ARGUMENT: Final = frozenset(
    [
        "__spoils",
        "__shifted",
        "__declspec",
        "__offset",
        "__strlit",
        "__stroff",
        "__enum",
        "__tabform",
        "__custom",
    ]
)
_ALL: Final = _BARE | _WITH_ARGUMENT | {"@"}


def remove_annotations(words: list[Word]) -> None:
    """Take out what decompilers write beside C.

    Args:
        words: The words, changed in place.
    """
    if _ALL.isdisjoint(word.text for word in words):
        return
    index = 0
    while index < len(words):
        end = _annotation_end(words, index)
        if end is None:
            index += 1
        else:
            remove(words, index, end)


def _annotation_end(words: list[Word], index: int) -> int | None:
    """Give the word behind the annotation that begins here, if one does."""
    word = words[index]
    if word.text == "@":
        return _at_end(words, index)
    if not word.is_name or word_at(words, index - 1).text in (".", "->"):
        return None
    if word.text in _BARE:
        return index + 1
    if word.text in _WITH_ARGUMENT and word_at(words, index + 1).text in ("(", "<"):
        end = closing(words, index + 1)
        return None if end is None else end + 1
    return None


def _at_end(words: list[Word], index: int) -> int | None:
    """Give the end of `@<rax>`, `@plt`, `@8`, `@@GLIBC_2.2.5`, or of the `@` of `@f@8`."""
    behind = word_at(words, index + 1)
    if behind.text == "<":
        end = closing(words, index + 1, NEAR)
        return None if end is None else end + 1
    if behind.space:
        return None
    after_name = word_at(words, index - 1).is_name and not words[index].space
    if not after_name:
        return index + 1 if behind.is_name else None
    if behind.text == "@":
        behind = word_at(words, index + 2)
        return _version_end(words, index + 2) if not behind.space else None
    return index + 2 if behind.kind in ("name", "number") else None


def _version_end(words: list[Word], index: int) -> int | None:
    """Give the end of a symbol version such as `GLIBC_2.2.5`."""
    if not word_at(words, index).is_name:
        return None
    index += 1
    while word_at(words, index).kind == "number" and not words[index].space:
        index += 1
    return index
