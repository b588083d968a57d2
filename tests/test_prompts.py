"""The one place of prompts: exact strings, one builder, wrappers taken off."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import sk2d
from sk2d.errors import ConfigError
from sk2d.prompts import PROMPTS, clean, get_prompt, unwrap

CODE = "int f(int a) {\n  return a;\n}"
EVERY_PROMPT = pytest.mark.parametrize("prompt", PROMPTS.values(), ids=list(PROMPTS))

ALPHABET = st.sampled_from(list(" \t\r\n#ab{};\\\x00é") + ["int f", "# This is", "code:\n", "?\n"])
TEXTS = st.one_of(st.text(), st.lists(ALPHABET, max_size=30).map("".join))


def holds_no_wrapper(text: str) -> bool:
    return unwrap(text) == text and unwrap(clean(text)) == clean(text)


def rows(path: Path) -> list[dict[str, str]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize(
    ("name", "file"),
    [
        ("skeleton", "sk2_pseudo2norm_examples.jsonl"),
        ("skin", "sk2_norm2code_examples.jsonl"),
    ],
)
def test_released_rows_come_back_byte_by_byte(released, name, file):
    found = rows(released(file))
    assert len(found) == 20
    for row in found:
        code = unwrap(row["input"])
        assert code != row["input"]
        assert PROMPTS[name].render(code) == row["input"]


def test_released_rl_rows_are_the_assembly_wording(released):
    for row in rows(released("sk2_rl_examples.jsonl")):
        text = row["prompt"][0]["content"]
        assert PROMPTS["assembly"].render(unwrap(text)) == text


@pytest.mark.parametrize(
    ("name", "kind", "target_end"),
    [
        ("skeleton", "pseudo", ""),
        ("skin", "normalized", ""),
        ("ghidra-decompile", "decompiled", "\n"),
        ("assembly", "assembly", ""),
    ],
)
def test_exact_strings(name, kind, target_end):
    prompt = PROMPTS[name]
    question = "# What is the source code?"
    assert prompt.render(CODE) == f"# This is the {kind} code:\n{CODE}\n{question}\n"
    assert prompt.target(CODE + "\n") == CODE + target_end
    assert prompt.stop == ("\n# This is the", f"\n{question}")


def test_hash_changes_with_each_string():
    prompt = PROMPTS["skin"]
    changes = ("before", "after", "target_end")
    changed = [replace(prompt, **{key: getattr(prompt, key) + " "}) for key in changes]
    changed.append(replace(prompt, stop=(*prompt.stop, "x")))
    hashes = {one.hash for one in [*PROMPTS.values(), *changed]}
    assert len(hashes) == len(PROMPTS) + len(changed)
    assert all(len(one) == 16 and int(one, 16) >= 0 for one in hashes)
    assert replace(prompt, name="other").hash == prompt.hash


def test_unknown_prompt_is_named_with_the_near_one():
    with pytest.raises(ConfigError, match=r"'skeletn'.*Did you mean skeleton\?"):
        get_prompt("skeletn")
    with pytest.raises(ConfigError, match="Known prompts: skeleton, skin"):
        get_prompt("zzz")
    assert get_prompt("skin") is PROMPTS["skin"]


@EVERY_PROMPT
@given(text=TEXTS.filter(holds_no_wrapper))
def test_unwrap_undoes_render(prompt, text):
    assert unwrap(prompt.render(text)) == clean(text)


@given(text=TEXTS)
def test_cleaning_twice_changes_nothing(text):
    assert clean(clean(text)) == clean(text)


@EVERY_PROMPT
def test_a_wrapper_put_twice_comes_off(prompt):
    assert unwrap(prompt.render(prompt.render(CODE))) == CODE
    assert unwrap(PROMPTS["assembly"].render(prompt.render(CODE))) == CODE


def test_wrappers_with_other_line_ends_or_a_lost_last_newline():
    wrapped = PROMPTS["skeleton"].render(CODE)
    assert clean(unwrap(wrapped.replace("\n", "\r\n"))) == CODE
    assert unwrap("\n" + wrapped.rstrip("\n")) == CODE


@pytest.mark.parametrize("text", ["", CODE, "// # This is the pseudo code:\nint x;", "<s>" + CODE])
def test_text_without_wrapper_is_unchanged(text):
    assert unwrap(text) == text


@EVERY_PROMPT
@pytest.mark.parametrize(
    ("code", "inside"),
    [
        ("  int f(void){return 1;}\n", "  int f(void){return 1;}"),
        ("\n\n  int f(void);  \n \n", "  int f(void);"),
        ("", ""),
        ("int f(void)\r\n{\r\n}\r\n", "int f(void)\n{\n}"),
    ],
)
def test_f10_blanks_and_line_ends_are_treated_one_way(prompt, code, inside):
    """A row that holds the whole prompt and one that holds bare code give equal bytes."""
    rendered = prompt.render(code)
    assert rendered == prompt.before + inside + prompt.after
    assert prompt.render(unwrap(rendered)) == rendered
    assert prompt.render(unwrap(prompt.before + code + prompt.after)) == rendered


def test_f9_the_wordings_stand_in_one_module_only():
    package = Path(sk2d.__file__).parent
    wordings = ("# This is the", "# What is the source code")
    holders = {
        str(path.relative_to(package))
        for path in package.rglob("*.py")
        if any(wording in path.read_text(encoding="utf-8") for wording in wordings)
    }
    assert holders == {"prompts.py"}
