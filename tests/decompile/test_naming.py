from sk2d.decompile.naming import NameBook, aligned, named, own_name
from sk2d.frontends.records import Target

TARGETS = [
    Target("main", 0x1000, 32),
    Target("FUN_1020", 0x1020, 16, is_named=False),
    Target("FUN_1040", 0x1040, 64, is_named=False),
]
PSEUDO = 'int FUN_1020(int a) { FUN_1040(a); puts("x"); return main(a); }'
IR = 'int func1(int var1) { func2(var1); puts("x"); return main(var1); }'
CODE = 'int handle(int n) { log_it(n); puts("x"); return main(n); }'


def test_callees_get_their_names_through_all_texts() -> None:
    code, names, warnings = named(NameBook(TARGETS), PSEUDO, IR, CODE)
    assert [(n.address, n.pseudo, n.ir, n.recovered) for n in names] == [
        (0x1020, "FUN_1020", "func1", "handle"),
        (0x1040, "FUN_1040", "func2", "log_it"),
        (0x1000, "main", "main", "main"),
    ]
    assert code == CODE
    assert warnings == []


def test_a_name_that_was_recovered_once_is_kept_over_the_binary() -> None:
    book = NameBook(TARGETS)
    named(book, PSEUDO, IR, CODE)
    other = "int write_log(int n) { return n + 1; }"
    code, names, _ = named(book, "int FUN_1040(int a) { return a + 1; }", None, other)
    assert code == "int log_it(int n) { return n + 1; }"
    assert names[0].recovered == "log_it"


def test_a_name_of_the_file_or_the_library_is_not_given_twice() -> None:
    book = NameBook(TARGETS)
    assert book.name_of("FUN_1020", "main") == "main_1020"
    assert book.name_of("FUN_1040", "strlen") == "strlen_1040"
    assert book.name_of("main", "start") == "main"
    assert book.name_of("printf", "log") == "printf"


def test_a_call_that_a_model_lost_is_told() -> None:
    _, names, warnings = named(NameBook(TARGETS), PSEUDO, None, "int handle(int n) { return n; }")
    assert warnings == ["call not found again: FUN_1040", "call not found again: main"]
    assert names[1].recovered == "FUN_1040"


def test_names_are_aligned_by_their_order_and_not_at_all_where_numbers_differ() -> None:
    assert aligned(["a", "b", "c"], ["x", "b", "y"]) == ["x", "b", "y"]
    assert aligned(["a", "b"], ["b"]) == [None, "b"]
    assert aligned([], []) == []


def test_text_that_is_no_function_has_no_name() -> None:
    assert own_name("not C at all {{{") is None
    assert own_name("int a; int b;") is None
    assert named(NameBook(TARGETS), "int x;", None, "junk") == ("junk", (), [])
