"""Number literals in decimal, with the C type that they had.

C gives `0xFFFFFFFF` the type unsigned int and `4294967295` the type long: a hexadecimal literal may
take an unsigned type by itself, a decimal one only by its suffix (C11 6.4.4.1).
"""

from __future__ import annotations

import re
from typing import Final

_LONGEST: Final = 64
_INT_MAX: Final = 2**31 - 1
_UINT_MAX: Final = 2**32 - 1
_LONG_MAX: Final = 2**63 - 1
_ULONG_MAX: Final = 2**64 - 1

_HEX: Final = re.compile(r"0[xX]([0-9a-fA-F]+)([uU]?)(ll|LL|l|L|)([uU]?)\Z")
_MICROSOFT: Final = re.compile(r"(0[xX][0-9a-fA-F]+|[0-9]+)(u?)i(8|16|32|64)\Z", re.IGNORECASE)


def decimal_literal(text: str) -> str:
    """Write a hexadecimal or Microsoft integer literal as a decimal one of the same type.

    Args:
        text: A number token.

    Returns:
        The literal with equal type and value; other literals as they are.
    """
    if len(text) > _LONGEST:
        return text
    microsoft = _MICROSOFT.match(text)
    if microsoft:
        text = _standard_suffix(microsoft[1], microsoft[2], int(microsoft[3]))
    match = _HEX.match(text)
    if not match:
        return text
    value, suffix = int(match[1], 16), match[2] + match[3] + match[4]
    if value > _ULONG_MAX:
        return text
    unsigned = bool(match[2] or match[4])
    return f"{value}{suffix if unsigned else _suffix(value, suffix)}"


def _suffix(value: int, suffix: str) -> str:
    """Give the suffix of a decimal literal for a hexadecimal one without `u`."""
    if value > _LONG_MAX:
        return f"u{suffix or 'l'}"
    if not suffix and _INT_MAX < value <= _UINT_MAX:
        return "u"
    return suffix


def _standard_suffix(digits: str, unsigned: str, bits: int) -> str:
    """Give a Microsoft literal with the suffix that C has for its type.

    Types narrower than int are int as soon as an operator sees them.
    """
    value = int(digits, 0) if digits[1:2] in ("x", "X") else int(digits)
    if bits < 32:
        return digits
    over = _LONG_MAX if bits == 64 else _INT_MAX
    u = "u" if unsigned or value > over else ""
    return f"{digits}{u}{'LL' if bits == 64 else ''}"
