from sk2d.decompile.records import Decompiled, Verdict
from sk2d.decompile.verdicts import judge


def function(code: str, definitions: str = "") -> Decompiled:
    return Decompiled("f", 1, 2, "pseudo", code, code=code, definitions=definitions)


def test_each_function_has_its_own_verdict() -> None:
    good = function("int f(undefined4 a) { return g(a) + LOBYTE(a); }")
    bad = function("int f(int a) { return a.b; }")
    empty = Decompiled("f", 1, 2, "", verdict=Verdict(None, "decompiler", "it hung"))
    found = judge([good, bad, empty])
    assert found[0].verdict == Verdict(True)
    assert found[1].verdict.compiles is False
    assert found[1].verdict.message
    assert found[2].verdict == empty.verdict


def test_data_stands_before_the_code() -> None:
    [found] = judge([function("int f(void) { return DAT_1[2]; }", "int DAT_1[3] = {1, 2, 3};\n")])
    assert found.verdict.compiles


def test_text_that_defines_nothing_does_not_pass_for_code() -> None:
    for text in (";;;;", "int x;", "int f(void) {} int g(void) {}", "}{"):
        [found] = judge([function(text)])
        assert found.verdict.reason == "no_function"
