import dataclasses

from hypothesis import given, settings
from hypothesis import strategies as st

from sk2d.models.architecture import architecture_of
from sk2d.models.memory import Job, Lora, estimate, largest_batch, smallest_changes

GIB = 2**30
LARGE = architecture_of("LLM4Binary/llm4decompile-6.7b-v2")
assert LARGE is not None
FULL = Job(LARGE, "16-mixed", None, gradient_checkpointing=True)
LORA = Job(LARGE, "16-mixed", batch_size=8, gradient_checkpointing=False)


def test_each_single_change_is_enough_by_itself() -> None:
    changes = smallest_changes(FULL, 32 * GIB)
    assert [change.key for change in changes] == [
        "model.lora.rank",
        "trainer.strategy",
        "trainer.strategy",
    ]
    assert all(change.peak_bytes <= 32 * GIB for change in changes)
    assert all(change.cost for change in changes)
    assert changes[0].options == "--model.lora.rank 16"


def test_the_cheapest_comes_first() -> None:
    keys = [change.key for change in smallest_changes(LORA, 32 * GIB)]
    assert keys[0] == "data.batch_size"
    assert keys.index("data.batch_size") < keys.index("model.gradient_checkpointing")


def test_the_longest_cutoff_that_fits_is_named() -> None:
    job = dataclasses.replace(LORA, batch_size=1, length=8192)
    limit = estimate(dataclasses.replace(job, length=4096)).peak_bytes
    cutoffs = [x.value for x in smallest_changes(job, limit) if x.key == "data.cutoff"]
    assert cutoffs == ["4096"]


def test_where_no_single_change_is_enough_the_fewest_together_are_named() -> None:
    [change] = smallest_changes(LORA, 8 * GIB)
    assert change.key == "data.batch_size, model.gradient_checkpointing, model.quantization"
    assert change.value == "1, true, nf4"
    assert change.peak_bytes <= 8 * GIB
    assert change.options.startswith("--data.batch_size 1 --model.gradient_checkpointing true")


def test_nothing_is_named_where_nothing_helps() -> None:
    assert smallest_changes(dataclasses.replace(LORA, device="cpu"), GIB // 8) == []


def test_no_change_is_offered_that_the_config_would_refuse() -> None:
    quantized = dataclasses.replace(LORA, quantization="nf4", batch_size=64)
    named = " ".join(change.key for change in smallest_changes(quantized, 12 * GIB))
    assert "lora" not in named
    assert "strategy" not in named
    on_cpu = dataclasses.replace(FULL, device="cpu", precision="32-true")
    named = " ".join(change.key for change in smallest_changes(on_cpu, 30 * GIB))
    assert "strategy" not in named
    assert "precision" not in named


@settings(deadline=None, max_examples=60)
@given(
    rows=st.integers(1, 64),
    length=st.sampled_from([256, 1024, 4096]),
    lora=st.sampled_from([None, Lora(), Lora(64)]),
    checkpointing=st.booleans(),
    limit=st.integers(4, 200),
)
def test_what_is_named_fits(
    rows: int, length: int, lora: Lora | None, checkpointing: bool, limit: int
) -> None:
    job = Job(
        LARGE,
        "16-mixed",
        lora,
        batch_size=rows,
        length=length,
        gradient_checkpointing=checkpointing,
    )
    for change in smallest_changes(job, limit * GIB):
        assert change.peak_bytes <= limit * GIB
        assert len(change.key.split(", ")) == len(change.value.split(", "))


@settings(deadline=None, max_examples=60)
@given(limit=st.integers(1, 300), checkpointing=st.booleans())
def test_the_largest_batch_fits_and_one_more_does_not(limit: int, checkpointing: bool) -> None:
    job = Job(LARGE, "16-mixed", gradient_checkpointing=checkpointing)
    rows = largest_batch(job, limit * GIB)

    def fits(count: int) -> bool:
        return estimate(dataclasses.replace(job, batch_size=count)).peak_bytes <= limit * GIB

    assert rows == 0 or fits(rows)
    assert not fits(rows + 1)
