from sk2d.decompile.records import Decompiled, Verdict
from sk2d.decompile.whole import whole_file
from sk2d.sandbox import compile_c


def function(name: str, address: int, code: str, compiles: bool = True) -> Decompiled:
    verdict = Verdict(compiles, None, "" if compiles else "it is broken */")
    return Decompiled(name, address, 4, code, code, code=code, verdict=verdict)


def test_functions_that_call_each_other_stand_in_one_file() -> None:
    functions = [
        function("even", 1, "char even(int n) { return n == 0 || odd(n - 1); }"),
        function("odd", 2, "char odd(int n) { return n != 0 && even(n - 1); }"),
    ]
    found = whole_file(functions)
    assert found.compiles
    assert found.left_out == {}
    assert compile_c(found.text).compiles
    assert found.text.index("char odd(int n);") < found.text.index("/* even at 0x1 */")


def test_a_function_that_does_not_compile_stands_there_as_text_with_the_reason() -> None:
    functions = [
        function("good", 1, "int good(void) { return bad(3); }"),
        function("bad", 2, "int bad(int a) { return a.b; }", compiles=False),
    ]
    found = whole_file(functions)
    assert found.compiles
    assert list(found.left_out) == ["bad"]
    assert "#if 0 /* it is broken * / */\nint bad(int a)" in found.text


def test_a_function_that_only_conflicts_with_others_is_left_out() -> None:
    functions = [
        function("first", 1, "int first(int a) { return a; }"),
        function("second", 2, "int second(int a) { return first(a, a, a); }"),
        function("third", 3, "int third(int a) { return first(a); }"),
    ]
    found = whole_file(functions)
    assert found.compiles
    assert list(found.left_out) == ["second"]


def test_data_that_several_use_is_defined_once() -> None:
    data = "int DAT_10[2] = {1, 2};\n"
    functions = [
        Decompiled(name, place, 4, "x", "x", code=f"int {name}(void) {{ return DAT_10[0]; }}",
                   definitions=data, verdict=Verdict(True))
        for place, name in enumerate(("f", "g"))
    ]  # fmt: skip
    found = whole_file(functions)
    assert found.compiles
    assert found.text.count("DAT_10[2]") == 1


def test_nothing_at_all_is_a_file_too() -> None:
    assert whole_file([]).compiles
