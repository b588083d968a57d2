import pytest

from sk2d.decompile import select
from sk2d.errors import UserErrors
from sk2d.frontends.records import Target

TARGETS = [
    Target("main", 0x1000, 32),
    Target("init", 0x1020, 16),
    Target("parse_line", 0x1040, 64),
    Target("init", 0x1080, 16),
]


def test_functions_are_found_by_name_and_by_any_address_inside() -> None:
    found = select(TARGETS, ["parse_line", "0x1000", "0x101f", "0x1080"])
    assert [target.address for target in found] == [0x1040, 0x1000, 0x1080]


def test_a_near_name_is_offered() -> None:
    with pytest.raises(UserErrors) as caught:
        select(TARGETS, ["parse_lines"])
    assert "parse_line" in str(caught.value)


def test_an_ambiguous_name_lists_the_addresses() -> None:
    with pytest.raises(UserErrors) as caught:
        select(TARGETS, ["init"])
    assert "2 functions have this name" in str(caught.value)
    assert "0x1020, 0x1080" in str(caught.value)


def test_an_address_between_functions_lists_the_nearest() -> None:
    with pytest.raises(UserErrors) as caught:
        select(TARGETS, ["0x1038"])
    assert "parse_line at 0x1040" in str(caught.value)


def test_all_mistakes_are_told_at_once() -> None:
    with pytest.raises(UserErrors) as caught:
        select(TARGETS, ["nothing_like_it", "init", "0xffff"])
    assert len(str(caught.value).splitlines()) == 3


def test_an_empty_file_says_so() -> None:
    with pytest.raises(UserErrors, match="The file has no functions"):
        select([], ["0x10"])
