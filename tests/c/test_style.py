"""clang-format for many functions: same tokens, same result under any load, all accounted for."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given, settings

from sk2d.c import formatter
from sk2d.c.formatter import STYLE, program
from sk2d.c.style import MAX_NESTING, format_functions, format_with_reasons
from sk2d.c.tokens import significant, tokenize
from sk2d.errors import Reason, SourceError, UserError
from tests.c.c_programs import functions
from tests.imports import ROOT

PLAIN = "int f(int a){return a+1;}"
PRETTY = "int f(int a) { return a + 1; }"
NESTED_IFS = "".join(f"#if b{n}\n" for n in range(14)) + "int x;\n" + "#else\n#endif\n" * 14
SLOW = f"int f() {{ return a{'<b' * 3000}; }}"  # two seconds of CPU time


def reason(code: str) -> Reason | None:
    """Why a text cannot be formatted; its neighbours always are."""
    before, result, after = format_with_reasons([PLAIN, code, PLAIN])
    assert before == after == PRETTY
    return result.reason if isinstance(result, SourceError) else None


def comments(code: str) -> list[str]:
    return ["".join(t.text.split()) for t in tokenize(code) if t.kind == "comment"]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder in which temporary ones are made."""
    path = tmp_path / "temporary"
    path.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(path))
    return path


@pytest.fixture
def replace_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Put a shell script in place of clang-format; it runs in the folder of the texts."""

    def replace(script: str) -> None:
        path = tmp_path / "clang-format"
        path.write_text(f"#!/bin/sh\n{script}\n")
        path.chmod(0o755)
        monkeypatch.setattr(formatter, "program", lambda: str(path))

    return replace


def test_one_process_formats_many_functions_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    commands: list[list[str]] = []
    start = subprocess.Popen

    def count(command: list[str], **options: object) -> object:
        commands.append(command)
        return start(command, **options)  # type: ignore[call-overload]

    monkeypatch.setattr(subprocess, "Popen", count)
    done = format_functions([f"int f{n}(void){{return {n};}}" for n in range(100)])
    assert done == [f"int f{n}(void) {{ return {n}; }}" for n in range(100)]
    assert len(commands) == 1
    assert commands[0][0] == program()


def test_a_long_statement_has_a_process_of_its_own_and_keeps_its_place() -> None:
    long = f"x = {'a + ' * 500}a;"
    done = format_functions([PLAIN, long, PLAIN])
    assert done[0] == done[2] == PRETTY
    assert significant(str(done[1])) == significant(long)


def test_no_functions_give_no_result() -> None:
    assert format_functions([]) == []


@pytest.mark.parametrize(
    ("code", "wanted"),
    [
        (PLAIN, PRETTY),
        ("\n\n" + PLAIN + "\r\n\n", PRETTY),
        ("int*f(int*a,char* b,T*c){}", "int* f(int* a, char* b, T* c) {}"),
        ("int *f(int *a,char *b,T *c){}", "int *f(int *a, char *b, T *c) {}"),
        ("int f(){int class=1;return new*class;}", None),
        ("int f(){x=a?:b;return sizeof(int)*2;}", None),
        ('#include "b.h"\n#include <a.h>\nint f(){}', '#include "b.h"\n#include <a.h>\nint f() {}'),
        (
            "#define  TWICE(a)  ((a)+(a))\nint f(){}",
            "#define TWICE(a) ((a) + (a))\nint f() {}",
        ),
        (
            "#define D(a) do{a;}  \\\nwhile(0)",
            "#define D(a) \\\n  do {       \\\n    a;       \\\n  } while (0)",
        ),
        ('int f(){x="a" \\\n"b";}', 'int f() {\n  x = "a"\n      "b";\n}'),
    ],
)  # fmt: skip
def test_layout(code: str, wanted: str | None) -> None:
    (done,) = format_functions([code])
    assert done is not None
    assert wanted is None or done == wanted
    assert "".join(done.replace("\\", "").split()) == "".join(code.replace("\\", "").split())


def test_literals_and_comments_stay_whole() -> None:
    long = "word " * 40
    code = f'char *s = "{long}"; /* {long} */ // {long}\n//tight\nint f(){{}} /// {long}'
    (done,) = format_functions([code])
    assert done is not None
    assert f'"{long}"' in done
    assert f"/* {long} */" in done
    assert "//tight" in done
    assert comments(done) == comments(code)


@pytest.mark.parametrize("start", ["// clang-format off\n", "/* clang-format off */ ", "#define A "
                                   "/* clang-format off */ 1\n"])  # fmt: skip
def test_a_comment_cannot_switch_formatting_off(start: str) -> None:
    (done,) = format_functions([start + PLAIN])
    assert done is not None
    assert done.startswith(start.strip())
    assert done.endswith(PRETTY)


def test_a_text_with_every_stand_in_for_such_a_comment_has_a_reason() -> None:
    letters = [chr(n) for n in (*range(65, 91), *range(97, 123))]
    names = "; int ".join(f"clang{letter}format" for letter in letters)
    assert reason(f"// clang-format off\nint {names};") == Reason.FMT_FAILED


def test_style_files_of_other_folders_do_not_count(folder: Path) -> None:
    (folder / ".clang-format").write_text("BasedOnStyle: GNU\n")
    (folder / ".clang-format-ignore").write_text("*\n")
    assert format_functions([PLAIN]) == [PRETTY]


def test_text_that_is_not_utf8_keeps_its_bytes() -> None:
    code = b'int f(){puts("ol\xe9 na\xc3\xafve");return 1;}'.decode("utf-8", "surrogateescape")
    (done,) = format_functions([code])
    assert done is not None
    assert significant(done) == significant(code)


def test_each_text_is_accounted_for() -> None:
    bad = {
        "": Reason.EMPTY,
        "\0": Reason.NUL_BYTE,
        "int \ud800;": Reason.NOT_TEXT,
        "x;" * 200_000: Reason.TOO_LARGE,
        "(" * 10_000: Reason.TOO_DEEP,
        f"int f(){{return {'(' * (MAX_NESTING)}1;}}": Reason.TOO_DEEP,
        NESTED_IFS: Reason.FMT_TIMEOUT,
        "#\\\n" * 50: Reason.FMT_CHANGED,
    }
    codes = [code for text in bad for code in (PLAIN, text)]
    done = format_with_reasons(codes)
    assert done[::2] == [PRETTY] * len(bad)
    assert [e.reason for e in done[1::2] if isinstance(e, SourceError)] == list(bad.values())
    assert format_functions(codes)[1::2] == [None] * len(bad)


def test_a15_too_many_branches_of_if_are_refused_without_a_clock() -> None:
    assert reason(NESTED_IFS) == Reason.FMT_TIMEOUT
    in_a_row = "#if a\nint x;\n#elif b\nint y;\n#else\nint z;\n#endif\n" * 60
    assert reason(in_a_row) is None
    assert reason("#if a\n" * 300 + "#else\n#endif\n" * 8) is None
    assert reason("#else\n#endif\n" * 100) is None


def test_a15_a_slow_function_fails_alone_and_its_batch_does_not() -> None:
    done = format_with_reasons([PLAIN, SLOW, PLAIN], timeout=1)
    assert [done[0], done[2]] == [PRETTY, PRETTY]
    assert isinstance(done[1], SourceError)
    assert done[1].reason == Reason.FMT_TIMEOUT, str(done[1])


def test_a_crash_costs_only_the_function_that_crashes(
    replace_program: Callable[[str], None], folder: Path
) -> None:
    replace_program("grep -q CRASH *.c && kill -SEGV $$; grep -q REFUSE *.c && exit 1; exit 0")
    codes = ["int a;", "CRASH;", "int b;", "REFUSE;"]
    done = format_with_reasons(codes)
    assert [done[0], done[2]] == ["int a;", "int b;"]
    for error in (done[1], done[3]):
        assert isinstance(error, SourceError)
        assert error.reason == Reason.FMT_FAILED
    assert list(folder.iterdir()) == []


def test_a_function_that_needs_too_much_memory_has_the_reason_of_a_limit(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(formatter, "_MEMORY", 200 << 20)
    assert reason(f"x = {'a ?' * 1000} b {': c' * 1000};") == Reason.FMT_TIMEOUT


def test_changed_tokens_are_a_reason(replace_program: Callable[[str], None]) -> None:
    replace_program("sed -i s/CHANGE/CHANGED/ *.c")
    done = format_with_reasons(["int a;", "CHANGE;", "/* CHANGE */ int b;"])
    assert done[0] == "int a;"
    for error in done[1:]:
        assert isinstance(error, SourceError)
        assert error.reason == Reason.FMT_CHANGED


def test_a_stop_from_outside_counts_against_no_text(
    replace_program: Callable[[str], None], folder: Path
) -> None:
    replace_program("kill -KILL $$")
    with pytest.raises(UserError, match="stopped by SIGKILL"):
        format_functions([PLAIN])
    assert list(folder.iterdir()) == []


def test_a_missing_program_is_told_with_a_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(formatter.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(UserError, match="pip install --force-reinstall clang-format"):
        program.__wrapped__()


def test_no_room_for_temporary_files_is_told_with_a_remedy(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(formatter, "_memory_folder", lambda: str(tmp_path / "missing"))
    with pytest.raises(UserError, match="TMPDIR"):
        format_functions([PLAIN])


def test_no_temporary_file_is_left(folder: Path) -> None:
    format_with_reasons([PLAIN, SLOW, "#\\\n" * 50], timeout=1)
    assert list(folder.iterdir()) == []


def test_neither_the_neighbours_nor_threads_change_a_result() -> None:
    codes = [
        f"int f{n}(char{' ' * (n % 2)}*{' ' * ((n + 1) % 2)}a){{return {n};}}" for n in range(40)
    ]
    together = format_functions(codes)
    assert [format_functions([code])[0] for code in codes[:10]] == together[:10]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(format_functions, [codes] * 8)) == [together] * 8


@pytest.mark.slow
def test_a15_a_busy_machine_gives_the_same_result(released: Callable[[str], Path]) -> None:
    lines = released("bringup_pairs.jsonl").read_text().splitlines()
    codes = [json.loads(line)["pseudo"] for line in lines[::4]] + [NESTED_IFS, SLOW]
    idle = [str(one) for one in format_with_reasons(codes)]
    busy = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(8)]
    try:
        assert [str(one) for one in format_with_reasons(codes)] == idle
    finally:
        for process in busy:
            process.kill()
            process.wait()


@settings(max_examples=40, deadline=None)
@given(functions())
def test_formatting_twice_is_formatting_once_and_keeps_every_token(code: str) -> None:
    (done,) = format_functions([code])
    assert done is not None
    assert comments(done) == comments(code)
    no_directives = [[t for t in significant(text) if t[0] != "#"] for text in (done, code)]
    assert no_directives[0] == no_directives[1]
    assert format_functions([done]) == [done]


def shipped() -> Iterator[str]:
    for path in sorted((ROOT / "examples").glob("*.jsonl")):
        for line in path.read_text().splitlines():
            row = json.loads(line)
            yield from (row[key] for key in ("code", "input", "output") if key in row)


def test_the_shipped_examples_are_in_this_style() -> None:
    texts = list(dict.fromkeys(shipped()))
    assert len(texts) > 200
    assert format_functions(texts) == texts


def test_the_released_ground_truths_are_in_this_style(released: Callable[[str], Path]) -> None:
    texts = []
    for line in released("sk2_rl_examples.jsonl").read_text().splitlines():
        texts.append(json.loads(line)["reward_model"]["ground_truth"])
    for name in ("sk2_pseudo2norm_examples.jsonl", "sk2_norm2code_examples.jsonl"):
        lines = released(name).read_text().splitlines()
        texts += [json.loads(line)["output"] for line in lines]
    assert len(texts) == 100
    assert format_functions(texts) == texts


def test_upstreams_normalised_rows_are_nearly_all_in_this_style(
    released: Callable[[str], Path],
) -> None:
    lines = released("bringup_pairs.jsonl").read_text().splitlines()
    texts = [json.loads(line)["upstream_pseudo_norm"] for line in lines][::8]
    texts = [text for text in texts if text]
    done = format_functions(texts)
    assert all(done)
    # The others differ only in white space: upstream used another version of clang-format.
    assert sum(a == b for a, b in zip(done, texts, strict=True)) >= 0.92 * len(texts)


def test_formatting_released_code_twice_is_formatting_it_once(
    released: Callable[[str], Path],
) -> None:
    lines = released("bringup_pairs.jsonl").read_text().splitlines()[::12]
    codes = [json.loads(line)[key] for line in lines for key in ("code", "pseudo")]
    done = [code for code in format_functions(codes) if code]
    assert len(done) >= len(codes) - 1  # one pseudo-code has half a megabyte
    assert format_functions(done) == done


def test_the_style_is_googles_with_the_stated_exceptions() -> None:
    command = [program(), f"--style={STYLE}", "--dump-config", "--assume-filename=x.c"]
    ours = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    command[1] = "--style=Google"
    googles = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    changed = {
        line.split(":")[0].strip() for line in set(ours.splitlines()) - set(googles.splitlines())
    }
    assert changed <= {
        "DerivePointerAlignment", "BreakStringLiterals", "ReflowComments", "Enabled",
    }  # fmt: skip


def test_very_long_statements_keep_their_line_breaks_and_their_tokens() -> None:
    terms = " +\n(long)*(int *)".join(f"(g({number}, h(x)) )" for number in range(400))
    code = f"int f(int x)\n{{\nint y=1;\nreturn {terms};\n}}"
    formatted = format_functions([code])[0]
    assert formatted is not None
    assert formatted.startswith("int f(int x) {\n  int y = 1;\n  return ")
    assert formatted.count("\n") == code.count("\n") - 1
    assert significant(formatted) == significant(code)
    assert format_functions([formatted]) == [formatted]
