"""The plan of an epoch: every row once, whole steps, and nothing but its arguments."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sk2d.data.plan import PlanSampler, StepPlan, micro_batches_per_step
from sk2d.errors import ConfigError


@st.composite
def plans(draw, **fixed) -> StepPlan:
    micro, world = draw(st.integers(1, 4)), draw(st.integers(1, 3))
    settings = {"batch_size": draw(st.integers(1, 4)), "world_size": world} | fixed
    at_once = settings["batch_size"] * settings["world_size"]
    lengths = draw(st.lists(st.integers(2, 300), min_size=1, max_size=70))
    return StepPlan(
        lengths=np.array(lengths),
        supervised=np.array([length // 2 for length in lengths]),
        effective_batch=at_once * micro,
        seed=draw(st.integers(0, 2**40)),
        shuffle=draw(st.booleans()),
        pack=draw(st.booleans()),
        **settings,
    )


def a_plan(**changes) -> StepPlan:
    lengths = np.arange(10, 60)
    settings = {"effective_batch": 8, "batch_size": 2, "world_size": 2}
    return StepPlan(lengths=lengths, supervised=lengths // 2, **(settings | changes))


def counted(plan: StepPlan, epoch: int) -> list[list]:
    ranks = [plan.micro_batches(epoch, rank) for rank in range(plan.world_size)]
    return [[batch for batch in batches if batch.counted] for batches in ranks]


def step_rows(plan: StepPlan, epoch: int) -> list[set[int]]:
    """Rows of each optimiser step, as the ranks run them."""
    steps: list[set[int]] = [set() for _ in range(plan.steps_per_epoch)]
    for rank in range(plan.world_size):
        for place, batch in enumerate(plan.micro_batches(epoch, rank)):
            steps[place // plan.micro_per_step] |= set(batch.rows)
    return steps


@given(plan=plans(), epoch=st.integers(0, 3))
def test_every_row_exactly_once_over_all_ranks(plan, epoch):
    rows = Counter(r for batches in counted(plan, epoch) for batch in batches for r in batch.rows)
    assert rows == Counter(range(len(plan.lengths)))


@given(plan=plans(), epoch=st.integers(0, 3))
def test_all_ranks_run_the_planned_number_of_micro_batches(plan, epoch):
    full = len(plan.lengths) // plan.effective_batch
    for rank in range(plan.world_size):
        batches = plan.micro_batches(epoch, rank)
        assert len(batches) == plan.micro_per_epoch
        assert all(1 <= len(batch.rows) <= plan.batch_size for batch in batches)
        whole = batches[: full * plan.micro_per_step]
        assert all(len(batch.rows) == plan.batch_size and batch.counted for batch in whole)
        assert len(batches) - len(whole) <= plan.micro_per_step


@given(plan=plans(), epoch=st.integers(0, 3))
def test_step_tokens_are_those_of_the_whole_step(plan, epoch):
    steps = step_rows(plan, epoch)
    for rank in range(plan.world_size):
        for place, batch in enumerate(plan.micro_batches(epoch, rank)):
            rows = list(steps[place // plan.micro_per_step])
            assert batch.step_tokens == plan.supervised[rows].sum()


@given(plan=plans(), epoch=st.integers(0, 3), data=st.data())
def test_a_start_gives_the_tail_of_the_whole_epoch(plan, epoch, data):
    rank = data.draw(st.integers(0, plan.world_size - 1))
    sampler = PlanSampler(plan, rank)
    sampler.set_epoch(epoch)
    whole = list(sampler)
    start = data.draw(st.integers(0, len(whole)))
    sampler.set_start(start)
    sampler.set_epoch(epoch)  # as Lightning does once more
    assert list(sampler) == whole[start:]
    assert len(sampler) == len(whole) == plan.micro_per_epoch
    sampler.set_epoch(epoch + 1)
    assert list(sampler) == plan.micro_batches(epoch + 1, rank)


@pytest.mark.parametrize("pack", [True, False])
@pytest.mark.parametrize(("world", "batch"), [(1, 1), (1, 8), (2, 4), (4, 2), (2, 1)])
def test_a_step_holds_the_same_rows_on_any_number_of_devices(world, batch, pack):
    reference = [set(rows.tolist()) for rows in a_plan().steps(1)]
    assert step_rows(a_plan(world_size=world, batch_size=batch, pack=pack), 1) == reference


def test_epochs_differ_and_seeds_repeat():
    assert a_plan(seed=3).micro_batches(0, 1) == a_plan(seed=3).micro_batches(0, 1)
    orders = [
        tuple(a_plan(seed=seed).order(epoch)) for seed in (0, 1, 2**32, 2**33) for epoch in (0, 1)
    ]
    assert len(set(orders)) == 8
    assert list(a_plan(shuffle=False).order(5)) == list(range(50))


def test_the_order_is_pinned():
    """A change here would make old checkpoints go on with other rows."""
    lengths = np.full(8, 5)
    plan = StepPlan(lengths, lengths, effective_batch=2, batch_size=1, seed=7)
    assert plan.order(0).tolist() == [1, 5, 2, 6, 4, 3, 7, 0]


def test_rows_of_like_length_come_together_unpacked():
    plan = a_plan(effective_batch=16, batch_size=4, world_size=1, pack=False)
    for batch in plan.micro_batches(0, 0):
        others = [other for other in plan.micro_batches(0, 0) if other != batch]
        low, high = min(plan.lengths[list(batch.rows)]), max(plan.lengths[list(batch.rows)])
        same_step = [o for o in others if o.step_tokens == batch.step_tokens]
        inside = [length for o in same_step for length in plan.lengths[list(o.rows)]]
        assert not any(low < length < high for length in inside)


def test_packs_have_balanced_sums():
    draw = np.random.RandomState(0)
    lengths = draw.randint(20, 2000, size=256)
    plan = StepPlan(lengths, lengths // 2, effective_batch=64, batch_size=8)
    sums = [plan.lengths[list(batch.rows)].sum() for batch in plan.micro_batches(0, 0)]
    in_order = plan.lengths[plan.order(0)].reshape(-1, 8).sum(1)
    by_step = np.std(np.reshape(sums, (-1, 8)), axis=1)
    assert (by_step < np.std(in_order.reshape(-1, 8), axis=1) / 5).all()


def test_a_rank_without_rows_repeats_one_that_does_not_count():
    lengths = np.array([5])
    plan = StepPlan(lengths, lengths - 2, effective_batch=2, batch_size=1, world_size=2)
    first, second = (plan.micro_batches(0, rank) for rank in (0, 1))
    assert [(batch.rows, batch.counted, batch.step_tokens) for batch in first] == [((0,), True, 3)]
    assert [(batch.rows, batch.counted, batch.step_tokens) for batch in second] == [
        ((0,), False, 3)
    ]


def test_a_batch_that_cannot_be_made_is_an_error_that_names_the_ways_out():
    assert micro_batches_per_step(64, 4, 2) == 8
    with pytest.raises(ConfigError, match=r"data\.effective_batch: 64 rows.*Set it to 60 or 66,"):
        micro_batches_per_step(64, 3, 2)
    with pytest.raises(ConfigError, match=r"Set it to 8,"):
        a_plan(effective_batch=4, batch_size=4)
