"""Held back by function, the same ones each time."""

from hypothesis import given
from hypothesis import strategies as st

from sk2d.data.splits import split_by_group

GROUPS = st.lists(st.sampled_from("abcdefghijklmnop"), min_size=1, max_size=60)


@given(GROUPS, st.floats(0, 0.99))
def test_f13_no_function_on_both_sides_and_no_row_lost(groups, share):
    train, val = split_by_group(groups, share)
    assert sorted([*train, *val]) == list(range(len(groups)))
    assert list(train) == sorted(train)
    assert list(val) == sorted(val)
    assert {groups[row] for row in train} & {groups[row] for row in val} == set()
    assert len(train) > 0
    assert (len(val) > 0) is (share > 0 and len(set(groups)) > 1)


@given(st.permutations([*"aabbccddeeff"]))
def test_the_choice_depends_on_names_alone(groups):
    train, val = split_by_group(groups, 0.3)
    expected = [*"aabbccddeeff"]
    held = {expected[row] for row in split_by_group(expected, 0.3)[1]}
    assert {groups[row] for row in val} == held
    assert len(held) == 2


def test_nothing_at_all():
    train, val = split_by_group([], 0.5)
    assert len(train) == len(val) == 0
