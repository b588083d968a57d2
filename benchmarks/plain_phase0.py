"""A plain phase 0 for comparison: one clang-format and one gcc for every function."""

from __future__ import annotations

import re
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import clang_format

from sk2d.c.inference import infer
from sk2d.c.rename import obfuscate
from sk2d.errors import SourceError
from sk2d.sandbox import COMPILE_FLAGS

_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_HEX = re.compile(r"\b0x([0-9a-fA-F]+)")
_CALL = re.compile(r"\b__(?:fastcall|cdecl|noreturn)\b")
_WORDS = {"__int64": "long long", "_DWORD": "uint32_t", "_QWORD": "uint64_t", "_BYTE": "uint8_t"}
_TYPES = re.compile(rf"\b(?:{'|'.join(_WORDS)})\b")


@cache
def clang_format_program(*, wrapper: bool) -> str:
    """Find clang-format.

    Args:
        wrapper: The command as a user has it on the path (of the wheel: a Python script), or the
            binary behind it, which starts ten times as fast.
    """
    if wrapper:
        return str(Path(sys.executable).with_name("clang-format"))
    return str(Path(clang_format.__file__).parent / "data" / "bin" / "clang-format")


def plain_normalize(pseudo: str) -> str:
    """Normalise by regular expressions, which costs next to nothing."""
    text = _CALL.sub("", _COMMENT.sub(" ", pseudo))
    text = _HEX.sub(lambda match: str(int(match[1], 16)), text)
    return _TYPES.sub(lambda match: _WORDS[match[0]], text)


def plain_clang_format(code: str, wrapper: bool) -> str | None:
    """Format one function in a process of its own."""
    command = [clang_format_program(wrapper=wrapper), "--style=Google"]
    done = subprocess.run(command, input=code, text=True, capture_output=True, check=False)
    return done.stdout if done.returncode == 0 else None


def plain_format(pseudo: str, wrapper: bool) -> str | None:
    """Normalise and format pseudo-code."""
    return plain_clang_format(plain_normalize(pseudo), wrapper)


def plain_row(row: dict[str, Any], wrapper: bool) -> bool:
    """Take one row through phase 0; tell whether it came out."""
    pseudo = plain_format(row["pseudo"], wrapper)
    code = plain_clang_format(row["code"], wrapper)
    if pseudo is None or code is None:
        return False
    try:
        ir = plain_clang_format(obfuscate(row["code"], pseudo).ir, wrapper)
        header = infer(ir) if ir else None
    except SourceError:
        return False
    return header is not None and plain_compile(f"{header}\n{ir}\n")


def plain_compile(code: str) -> bool:
    """Compile one function in a process of its own, without a jail."""
    command = ["gcc", *COMPILE_FLAGS, "-x", "c", "-"]
    done = subprocess.run(command, input=code, text=True, capture_output=True, check=False)
    return done.returncode == 0
