"""What a reward refuses before the compiler sees it.

Answers are hostile: a compiler that is asked about them must see one ordinary function, and nothing
that would make the text in the compiler another one than the text that was read here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from tree_sitter import Node

from sk2d.c import libc
from sk2d.c.names import resolve
from sk2d.c.parse import Tree, decode, encode, parse, syntax_error, walk
from sk2d.c.tokens import Token, clean_source, significant, tokenize
from sk2d.errors import Reason, SourceError
from sk2d.rewards.candidates import Verdict
from sk2d.sandbox.compiling import printable

MAX_BYTES: Final = 65_536
MAX_DEPTH: Final = 200

_STANDARD_INCLUDE: Final = re.compile(r"#\s*include\s*<([\w./]+)>\s*")
_LINE_MARKER: Final = re.compile(
    r'^[ \t]*#[ \t]*(?:line[ \t]+)?\d+(?:[ \t]+"[^"\n]*")?[ \d\t]*(?:\n|\Z)', re.MULTILINE
)
_ASSEMBLY: Final = frozenset(["asm", "__asm", "__asm__"])
_MACHINE: Final = frozenset(
    ["__builtin_frame_address", "__builtin_return_address", "__builtin_eh_return"]
    + ["__builtin_unwind_init", "__builtin_extract_return_addr", "__builtin_frob_return_addr"]
    + ["__builtin_apply_args", "__builtin_apply", "__builtin_return", "__builtin_dwarf_cfa"]
    + ["__builtin_stack_save", "__builtin_stack_restore", "__builtin_longjmp", "__builtin_setjmp"]
)
"""With these a function reaches the frames of its callers, a test's `main` among them."""
_ATTRIBUTE: Final = frozenset(["__attribute__", "__attribute", "__declspec"])
_WORDS_OF_ATTRIBUTES: Final = """
unused noreturn noinline packed aligned const pure format fallthrough malloc nonnull cold hot
warn_unused_result deprecated always_inline leaf nothrow transparent_union vector_size
gnu_inline regparm cdecl fastcall stdcall may_alias returns_nonnull
"""
_HARMLESS: Final = frozenset(_WORDS_OF_ATTRIBUTES.split())
_SPLICE: Final = re.compile(r"\\[ \t\f\v]*(?:\r\n|\n|\r)|\\[ \t\f\v]*\Z")
_TRIGRAPH: Final = re.compile(r"\?\?[=/'()!<>-]")
_WORDS_OF_HEADERS: Final = """
assert complex ctype errno fenv float inttypes iso646 limits locale math setjmp signal stdalign
stdarg stdatomic stdbool stddef stdint stdio stdlib stdnoreturn string tgmath threads time uchar
wchar wctype alloca arpa/inet dirent dlfcn fcntl getopt glob grp libgen malloc memory netdb
netinet/in poll pthread pwd regex sched search semaphore strings sys/file sys/ioctl sys/mman
sys/resource sys/select sys/socket sys/stat sys/time sys/times sys/types sys/uio sys/un sys/utsname
sys/wait syslog termios unistd utime values
"""
_STANDARD_HEADERS: Final = frozenset(_WORDS_OF_HEADERS.split())
_NO_STATEMENT: Final = frozenset(["{", "}", ";"])
_BY_REASON: Final = {
    Reason.EMPTY: Verdict.EMPTY,
    Reason.TOO_LARGE: Verdict.TOO_LARGE,
    Reason.TOO_DEEP: Verdict.TOO_DEEP,
    Reason.SYNTAX_ERROR: Verdict.SYNTAX_ERROR,
}


class Refusal(NamedTuple):
    """Why an answer is not judged any further.

    Attributes:
        verdict: The kind.
        message: For people.
    """

    verdict: Verdict
    message: str


class RefusedError(Exception):
    """An answer that is refused.

    Args:
        verdict: The kind.
        message: For people.
    """

    def __init__(self, verdict: Verdict, message: str) -> None:
        super().__init__(message)
        self.refusal = Refusal(verdict, printable(message))


class Admitted(NamedTuple):
    """An answer that is one ordinary function.

    Attributes:
        text: The text without its standard includes.
        tree: Its tree.
        name: Name of the function.
        definition: Node of the function; None for one in the old style, which the tree splits up.
    """

    text: str
    tree: Tree
    name: str
    definition: Node | None


def refusal(
    code: str, *, func_name: str | None = None, may_be_main: bool = False
) -> Refusal | None:
    """Say why an answer is refused.

    Args:
        code: The answer; untrusted.
        func_name: Name that its function must have; None for any but `main`.
        may_be_main: Whether it may define `main`, as its reference does.

    Returns:
        The reason; None for an answer that is admitted.
    """
    try:
        admit(code, func_name=func_name, may_be_main=may_be_main)
    except RefusedError as refused:
        return refused.refusal
    return None


def admit(code: str, *, func_name: str | None = None, may_be_main: bool = False) -> Admitted:
    """Read an answer, or refuse it.

    Args:
        code: The answer; untrusted.
        func_name: Name that its function must have; None for any but `main`.
        may_be_main: Whether it may define `main`, as its reference does.

    Returns:
        The answer.

    Raises:
        RefusedError: It is refused.
    """
    text = _checked_text(code)
    try:
        tree = parse(text)
    except SourceError as error:
        verdict = _BY_REASON.get(error.reason, Verdict.BAD_TEXT)
        raise RefusedError(verdict, str(error)) from error
    if tree.depth > MAX_DEPTH:
        raise RefusedError(Verdict.TOO_DEEP, f"nested {tree.depth} levels deep")
    name, definition = _only_function(tree)
    _check_inside(tree)
    _check_name(name, func_name, may_be_main)
    return Admitted(text, tree, name, definition)


def without_line_markers(code: str) -> str:
    """Take out the line markers that a preprocessor left in a released text.

    Args:
        code: A released text; trusted.

    Returns:
        The text without those lines.
    """
    return _LINE_MARKER.sub("", code)


def _checked_text(code: str) -> str:
    try:
        text = clean_source(code)
    except SourceError as error:
        verdict = _BY_REASON.get(error.reason, Verdict.BAD_TEXT)
        raise RefusedError(verdict, str(error)) from error
    if len(encode(text)) > MAX_BYTES:
        raise RefusedError(Verdict.TOO_LARGE, f"more than {MAX_BYTES} bytes")
    if _SPLICE.search(text):
        raise RefusedError(Verdict.DIRECTIVE, "a line ends in a backslash")
    kept = "".join(token.text for token in _checked_tokens(text))
    if not kept.strip():
        raise RefusedError(Verdict.EMPTY, "there is no code")
    return kept


def _checked_tokens(text: str) -> Iterator[Token]:
    """Give the tokens but those of standard includes; refuse what a token alone shows."""
    before = ""
    for token in tokenize(text):
        if token.kind == "directive":
            if not _is_standard_include(token.text):
                raise RefusedError(Verdict.DIRECTIVE, token.text[:80])
            continue
        if token.kind in ("string", "char"):
            yield token
            before = ""
            continue
        if token.kind == "comment" and not _is_closed(token.text):
            raise RefusedError(Verdict.BAD_TEXT, "a comment is not closed")
        _check_token(token, before)
        yield token
        before = before if token.blank else token.text


def _is_closed(comment: str) -> bool:
    return comment.startswith("//") or (len(comment) >= 4 and comment.endswith("*/"))


def _check_token(token: Token, before: str) -> None:
    text = token.text
    if token.kind == "comment":
        if _TRIGRAPH.search(text):
            raise RefusedError(Verdict.DIRECTIVE, "a trigraph")
        return
    if "#" in text or (before == "%" and text == ":"):
        raise RefusedError(Verdict.DIRECTIVE, "the sign of a directive")
    if before == "?" and text == "?":
        raise RefusedError(Verdict.DIRECTIVE, "the beginning of a trigraph")
    if text == "_Pragma" or text == "__pragma":
        raise RefusedError(Verdict.DIRECTIVE, text)
    if text in _ASSEMBLY or text in _MACHINE:
        raise RefusedError(Verdict.ASSEMBLY, text)
    if text == "[" and before == "[":
        raise RefusedError(Verdict.ATTRIBUTE, "[[")
    if text == "\\":
        raise RefusedError(Verdict.BAD_TEXT, "a backslash outside literals")


def _is_standard_include(directive: str) -> bool:
    found = _STANDARD_INCLUDE.fullmatch(directive)
    return found is not None and found[1].removesuffix(".h") in _STANDARD_HEADERS


def _only_function(tree: Tree) -> tuple[str, Node | None]:
    """Find the one function; anything else on file level is refused."""
    items = [node for node in tree.root.children if node.type != "comment"]
    if len(items) == 1 and items[0].type == "function_definition" and not tree.root.has_error:
        name = _name(tree, items[0])
        if name is not None:
            body = items[0].child_by_field_name("body")
            _check_body(tree.text(body) if body is not None else "")
            return name, items[0]
    return _only_function_of_names(tree), None


def _name(tree: Tree, definition: Node) -> str | None:
    """Give the name of an ordinary definition; None where it takes more to find it."""
    node = definition.child_by_field_name("declarator")
    while node is not None and node.type in ("pointer_declarator", "parenthesized_declarator"):
        node = node.child_by_field_name("declarator")
    if node is None or node.type != "function_declarator":
        return None
    declarator = node.child_by_field_name("declarator")
    return tree.text(declarator) if declarator and declarator.type == "identifier" else None


def _check_body(body: str) -> None:
    if all(word in _NO_STATEMENT for word in significant(body)):
        raise RefusedError(Verdict.EMPTY_BODY, "the body says nothing")


def _only_function_of_names(tree: Tree) -> str:
    """Find the function of a text that the tree alone does not settle, such as an old-style one."""
    try:
        functions = resolve(tree).functions
    except SourceError as error:
        wrong = syntax_error(tree)
        place = f" near line {wrong.start_point[0] + 1}" if wrong is not None else ""
        raise RefusedError(Verdict.SYNTAX_ERROR, f"{error}{place}") from error
    if not functions:
        raise RefusedError(Verdict.NO_FUNCTION, "no function is defined")
    if len(functions) > 1:
        raise RefusedError(Verdict.SEVERAL_FUNCTIONS, f"{len(functions)} functions are defined")
    (function,) = functions
    around = tree.source[: function.start] + b" " + tree.source[function.end :]
    if other := significant(decode(around)):
        raise RefusedError(Verdict.OTHER_ITEM, f"beside the function: {' '.join(other)[:80]}")
    _check_body(decode(tree.source[function.body_start : function.end]))
    return function.name


def _check_inside(tree: Tree) -> None:
    if sum(node.type == "function_definition" for node in walk(tree.root)) > 1:
        raise RefusedError(Verdict.NESTED_FUNCTION, "a function within the function")
    _check_attributes(tree)


def _check_attributes(tree: Tree) -> None:
    """Refuse attributes that act outside the function, by the words that stand in them."""
    text = decode(tree.source)
    if not any(word in text for word in _ATTRIBUTE):
        return
    words = [t for t in tokenize(text) if not t.blank]
    for place, token in enumerate(words):
        if token.text in _ATTRIBUTE:
            for name in _attribute_names(words, place + 1):
                if name.strip("_") not in _HARMLESS:
                    raise RefusedError(Verdict.ATTRIBUTE, name)


def _attribute_names(words: list[Token], place: int) -> Iterator[str]:
    """Give the names on the level of the list: what is deeper are arguments."""
    depth = 0
    for token in words[place:]:
        depth += {"(": 1, ")": -1}.get(token.text, 0)
        if depth == 0:
            return
        if depth <= 2 and token.kind != "op":
            yield token.text


def _check_name(name: str, wanted: str | None, may_be_main: bool) -> None:
    if name == "main" and not may_be_main and wanted != "main":
        raise RefusedError(Verdict.DEFINES_MAIN, "it defines main")
    if wanted is not None and name != wanted:
        raise RefusedError(Verdict.SIGNATURE, f"it defines {name}, not {wanted}")
    if libc.kind_of(name) == "func" or name.startswith(("__builtin_", "__sync_", "__atomic_")):
        raise RefusedError(Verdict.STANDARD_NAME, f"{name} is a function of the standard library")
