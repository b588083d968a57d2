"""The words of C and GNU C by what they do in a declaration."""

from __future__ import annotations

from typing import Final

from sk2d.c.tokens import GNU_KEYWORDS, KEYWORDS


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


CONVENTIONS: Final = _set(
    "__cdecl __stdcall __fastcall __thiscall __vectorcall __usercall __userpurge __noreturn "
    "__hidden __spoils __unaligned __forceinline __pure __ptr32 __ptr64"
)
"""Words of other compilers and of IDA that say nothing about names."""

TYPES: Final = _set(
    "void char short int long float double signed unsigned _Bool _Complex _Imaginary __signed "
    "__signed__ __int128 _Float128 __auto_type __int8 __int16 __int32 __int64"
)
QUALIFIERS: Final = _set(
    "const __const __const__ volatile __volatile __volatile__ restrict __restrict __restrict__ "
    "_Atomic"
)
STORAGE: Final = _set(
    "typedef extern static register auto inline __inline __inline__ _Noreturn _Thread_local "
    "__thread __extension__"
)
ATTRIBUTES: Final = _set("__attribute__ __attribute _Alignas __declspec")
ASSEMBLY: Final = _set("asm __asm __asm__")
RECORDS: Final = _set("struct union enum")
TYPEOF: Final = _set("typeof __typeof __typeof__")
SIZES: Final = _set("sizeof _Alignof __alignof__ __alignof")
TRANSPARENT: Final = _set("__extension__ __real__ __imag__")
VA_ARG: Final = _set("va_arg __builtin_va_arg")
OFFSETOF: Final = _set("offsetof __builtin_offsetof")

SPECIFIERS: Final = TYPES | QUALIFIERS | STORAGE | ATTRIBUTES | RECORDS | TYPEOF | CONVENTIONS
"""Words that begin a declaration."""

TYPE_STARTS: Final = TYPES | QUALIFIERS | RECORDS | TYPEOF
"""Words that begin a type."""

RESERVED: Final = KEYWORDS | GNU_KEYWORDS | CONVENTIONS | TYPES | {"__declspec"}
"""Words that are no names."""

ASSIGNMENTS: Final = _set("= += -= *= /= %= &= |= ^= <<= >>=")
BINARY: Final = ASSIGNMENTS | _set("|| && | ^ & == != < > <= >= << >> + - * / %")
PREFIX: Final = _set("+ - ! ~ * & ++ --")

AFTER_OBJECT: Final = ASSIGNMENTS | _set("++ -- [ . -> + - * / % < > <= >= << >> | ^")
BEFORE_OBJECT: Final = _set("++ -- + - / % < > <= >= << >> | ^ [ ~")
"""Operators that no function stands beside: what does is an object or a constant."""
