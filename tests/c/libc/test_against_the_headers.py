"""The table says what the headers of this system say: gcc compares the two."""

import re
import subprocess
from pathlib import Path

import pytest

from sk2d.c import libc
from sk2d.c.libc import table
from sk2d.c.libc.preprocessed import header_names, includes

GCC = ["gcc", "-std=gnu11", "-D_GNU_SOURCE", "-fno-diagnostics-show-caret", "-x", "c", "-"]
VERSION = '#include <features.h>\n"glibc" __GLIBC__ __GLIBC_MINOR__ __GNUC__ __x86_64__\n'


def gcc(*arguments: str, text: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*GCC, *arguments], input=text, capture_output=True, text=True)


@pytest.fixture(scope="module", autouse=True)
def _the_system_of_the_table():
    present = [Path("/usr/include", name).exists() for name in ("argp.h", "crypt.h", "stdio.h")]
    if not all(present) or '"glibc" 2 36 12 1' not in gcc("-E", "-P", text=VERSION).stdout:
        pytest.skip("the table was made with glibc 2.36 and gcc 12 on x86-64")


def test_a_declaration_that_differs_from_the_header_is_an_error():
    entries = [table._entry(name) for name in sorted(table._rows())]
    same_twice = [
        e for e in entries
        if e.kind in ("func", "var") or (e.kind == "type" and not set(e.text) & set("{#"))
    ]  # fmt: skip
    lines = "".join(f"#undef {e.name}\n{e.text}\n" for e in same_twice)
    done = gcc("-fsyntax-only", text=includes(header_names()) + lines)
    assert (done.returncode, done.stderr) == (0, "")
    wrong = gcc("-fsyntax-only", text=includes(header_names()) + lines + "int strlen(int);\n")
    assert "conflicting types" in wrong.stderr


def test_structures_have_the_layout_of_the_headers():
    questions = [f"sizeof({tag})" for tag in table._members()]
    for tag, members in table._members().items():
        questions += [f"__builtin_offsetof({tag}, {member})" for member in members]
    theirs, ours = includes(header_names()), libc.declare(table._rows())
    without_answer = refused(theirs, questions)
    asked = [q for i, q in enumerate(questions) if i not in without_answer]
    assert len(asked) > 1300
    assert refused(ours, questions) == without_answer
    assert answers(ours, asked) == answers(theirs, asked)


def refused(head: str, questions: list[str]) -> set[int]:
    """Bit-fields have no offset."""
    lines = "".join(f"unsigned long v{i} = {q};\n" for i, q in enumerate(questions))
    said = gcc("-fsyntax-only", "-fmax-errors=0", "-w", text=head + lines).stderr
    first = head.count("\n") + 1
    return {int(n) - first for n in re.findall(r"^<stdin>:(\d+):\d+: error", said, re.MULTILINE)}


def answers(head: str, questions: list[str]) -> dict[str, str]:
    body = ",\n".join(questions)
    assembly = gcc("-S", "-w", "-o", "-", text=f"{head}unsigned long v[] = {{{body}}};\n").stdout
    values = re.findall(r"\.(?:quad|zero)\t(\d+)", assembly.split("\nv:\n")[1])
    return dict(zip(questions, values, strict=False))


def test_constants_have_the_values_of_the_headers():
    names = [n for n in sorted(libc.names()) if libc.kind_of(n) == "constant"]
    whole = [n for n in names if libc.type_of(n) in ("int", "unsigned", "long", "unsigned long")]
    theirs = gcc("-S", "-w", "-o", "-", text=includes(header_names()) + values_of(whole)).stdout
    ours = gcc("-S", "-w", "-o", "-", text=libc.declare(whole) + values_of(whole)).stdout
    assert len(whole) > 2500
    assert (
        theirs.split("\nv:\n")[1].split(".ident")[0] == ours.split("\nv:\n")[1].split(".ident")[0]
    )


def values_of(names: list[str]) -> str:
    return f"long v[] = {{{', '.join(names)}}};\n"


@pytest.mark.slow
def test_the_generator_gives_the_files_of_the_package():
    from sk2d.c.libc.generate import make

    entries, members = make()
    lines = (Path(table.__file__).parent / table.DECLARATIONS).read_text().splitlines()[1:]
    assert [entry.line() for _, entry in sorted(entries.items())] == lines
    assert {tag: dict(own) for tag, own in members.items()} == table._members()
