"""Every function has a name of its own that C takes."""

from __future__ import annotations

from sk2d.frontends.names import c_names
from sk2d.frontends.records import Target


def names(*given: str) -> list[str]:
    targets = [Target(name, 0x1000 + 16 * place, 16) for place, name in enumerate(given)]
    return list(c_names(reversed(targets)).values())


def test_a_name_of_c_stays() -> None:
    assert names("main", "_start", "a1") == ["main", "_start", "a1"]


def test_what_compilers_put_into_names_becomes_part_of_an_identifier() -> None:
    made = names("copy.part.0", "copy.constprop.0", "operator+", "0day", "größe", "")
    assert made == ["copy_part_0", "copy_constprop_0", "operator_", "_0day", "gr__e", "_"]
    assert all(name.isidentifier() for name in made)


def test_the_first_of_several_keeps_the_plain_name() -> None:
    assert names("init", "init", "init") == ["init", "init_1010", "init_1020"]
    assert names("a.b", "a_b") == ["a_b", "a_b_1010"]
