"""What the preprocessor makes of the system's headers: their text, their files, their macros."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from sk2d import sandbox

HERE: Final = Path(__file__).parent
_LIMITS: Final = sandbox.Limits(cpu_seconds=60, output_bytes=1 << 26)

_GCC: Final = ("gcc", "-std=gnu11", "-D_GNU_SOURCE")
_STRIPPED: Final = (
    "-D__attribute__(x)=",
    "-D__asm__(x)=",
    "-D__extension__=",
    "-D__restrict=restrict",
    "-D__inline=inline",
    "-D__inline__=inline",
    "-D__signed__=signed",
    "-D__volatile__=volatile",
    "-D__const=const",
    "-D_Float32=float",
    "-D_Float64=double",
    "-D_Float32x=double",
    "-D_Float64x=long double",
    "-D_Float128=long double",
    "-D__float128=long double",
)
"""GNU's keywords and types that a parser of standard C does not know."""

_MARKER = re.compile(r'# \d+ "(?P<file>[^"]*)"')
_DEFINE = re.compile(r"#define (?P<name>\w+)(?:\((?P<params>[^)]*)\))?(?: (?P<body>.*))?")

_OWNERS: Final = {
    "bits/confname.h": "unistd.h",
    "bits/environments.h": "unistd.h",
    "bits/pthreadtypes.h": "pthread.h",
    "bits/struct_stat.h": "sys/stat.h",
    "bits/types/sigset_t.h": "signal.h",
    "bits/types/struct_timeval.h": "sys/time.h",
    "bits/types/struct_timespec.h": "time.h",
    "bits/types/clock_t.h": "time.h",
    "bits/types/time_t.h": "time.h",
    "bits/types/struct_iovec.h": "sys/uio.h",
    "bits/types/struct_sched_param.h": "sched.h",
    "bits/cpu-set.h": "sched.h",
    "bits/getopt_core.h": "unistd.h",
    "bits/endian.h": "endian.h",
    "bits/endianness.h": "endian.h",
    "bits/sockaddr.h": "sys/socket.h",
}
"""Files that an earlier header includes, although another one is meant to give their names."""


class RawMacro(NamedTuple):
    """A macro as a header defines it; `params` is None for an object-like one."""

    name: str
    params: str | None
    body: str
    file: str


def gcc(arguments: Sequence[str], text: str) -> str:
    """Run gcc over a text of ours, in the jail as every compiler.

    Args:
        arguments: Its options, besides dialect and language.
        text: C source.

    Returns:
        What it prints.
    """
    command = [*_GCC, *arguments, "-xc", "-"]
    done = sandbox.run(command, stdin=text.encode(), limits=_LIMITS)
    assert done.ok, done.stderr.decode(errors="replace")
    return done.stdout.decode()


def gcc_errors(arguments: Sequence[str], text: str) -> str:
    """Let gcc check a text of ours.

    Args:
        arguments: Its options, besides dialect and language.
        text: C source.

    Returns:
        What it says against the text.
    """
    command = [*_GCC, "-fsyntax-only", *arguments, "-xc", "-"]
    return sandbox.run(command, stdin=text.encode(), limits=_LIMITS).stderr.decode()


def header_names() -> list[str]:
    """Give the headers that the table is made from.

    Returns:
        Their names in the order of `headers.txt`.
    """
    lines = (HERE / "headers.txt").read_text("utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("#")]


def includes(names: Iterable[str]) -> str:
    """Give the text that includes headers.

    Args:
        names: The headers.

    Returns:
        One line for each.
    """
    return "".join(f"#include <{name}>\n" for name in names)


def standard_c(text: str) -> str:
    """Preprocess a text and take out what only gcc understands.

    Args:
        text: C source.

    Returns:
        Its text with line markers, which pycparser can read.
    """
    return "typedef int __builtin_va_list;\n" + gcc(["-E", *_STRIPPED], text)


def raw_macros(text: str) -> dict[str, RawMacro]:
    """Find the macros that are defined at the end of a text.

    Args:
        text: C source.

    Returns:
        Each by its name.
    """
    found: dict[str, RawMacro] = {}
    file = ""
    for line in gcc(["-E", "-dD"], text).splitlines():
        if marker := _MARKER.match(line):
            file = marker["file"]
        elif line.startswith("#undef "):
            found.pop(line.split()[1], None)
        elif define := _DEFINE.match(line):
            body = (define["body"] or "").strip()
            found[define["name"]] = RawMacro(define["name"], define["params"], body, file)
    return found


def owners(names: Sequence[str]) -> dict[str, str]:
    """Find out which header stands for each file that the headers include.

    Args:
        names: The headers; an earlier one goes before a later one.

    Returns:
        Header by path of a file.
    """
    found: dict[str, str] = {}
    direct: dict[str, str] = {}
    for name in names:
        files = gcc(["-M"], includes([name])).replace("\\\n", " ").split()[1:]
        for file in files:
            found.setdefault(file, name)
            if file.endswith(f"/include/{name}") or file.endswith(f"-gnu/{name}"):
                direct[file] = name
    for file in found:
        direct.update((file, to) for end, to in _OWNERS.items() if file.endswith(end))
    return found | direct
