"""Packed and padded batches: the same tokens and labels, laid out differently."""

import pickle

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from sk2d.data.batches import Example, collate_packed, collate_padded
from sk2d.data.tokens import IGNORED

PAD = 2  # also the end token of the examples below: filling is masked by place


@st.composite
def examples(draw) -> list[Example]:
    made = []
    for row in range(draw(st.integers(1, 5))):
        ids = [*draw(st.lists(st.integers(3, 9), min_size=1, max_size=8)), PAD]
        made.append(Example(row, ids, draw(st.integers(0, len(ids) - 1))))
    return made


def labels_of(example: Example) -> list[int]:
    start = max(example.prompt_len, 1)
    return [IGNORED] * start + list(example.input_ids[start:])


@given(examples())
def test_packed_rows_follow_one_another(rows):
    batch = collate_packed(rows)
    ids = [token for row in rows for token in row.input_ids]
    assert batch["input_ids_BT"].tolist() == [ids]
    assert batch["labels_BT"].tolist() == [[label for row in rows for label in labels_of(row)]]
    assert batch["position_ids_BT"].tolist() == [[n for r in rows for n in range(len(r.input_ids))]]
    borders = [0, *np.cumsum([len(row.input_ids) for row in rows])]
    assert batch["cu_seqlens"].tolist() == borders
    assert batch["cu_seqlens"].dtype == torch.int32
    assert batch["attention_mask_BT"] is None
    assert batch["rows"] == [row.row for row in rows]


@given(examples())
def test_b7_padding_is_masked_by_place_also_when_pad_equals_eos(rows):
    batch = collate_padded(rows, PAD)
    longest = max(len(row.input_ids) for row in rows)
    for place, row in enumerate(rows):
        fill = longest - len(row.input_ids)
        assert batch["input_ids_BT"][place].tolist() == [*row.input_ids, *[PAD] * fill]
        assert batch["labels_BT"][place].tolist() == labels_of(row) + [IGNORED] * fill
        assert batch["attention_mask_BT"][place].tolist() == [1] * len(row.input_ids) + [0] * fill
        assert batch["position_ids_BT"][place].tolist() == list(range(longest))
        assert (batch["labels_BT"][place] == PAD).sum() == 1
    assert batch["cu_seqlens"] is None


@given(examples(), st.booleans())
def test_both_count_the_same_tokens(rows, counted):
    packed, padded = (
        collate_packed(rows, counted=counted),
        collate_padded(rows, PAD, counted=counted),
    )
    expected = sum(len(row.input_ids) - max(row.prompt_len, 1) for row in rows) * counted
    for batch in (packed, padded):
        assert (batch["labels_BT"] != IGNORED).sum() == batch["step_tokens"] == expected
        assert batch["counted"] is counted
        assert batch["input_ids_BT"].dtype == batch["labels_BT"].dtype == torch.long
    assert collate_packed(rows, step_tokens=99)["step_tokens"] == 99
    assert collate_padded(rows, PAD, step_tokens=99)["step_tokens"] == 99


@pytest.mark.parametrize("pack", [True, False])
def test_ids_from_a_read_only_file_are_copied(pack):
    ids = np.array([3, 4, 2], dtype=np.int32)
    ids.setflags(write=False)
    row = Example(0, ids, 1)
    batch = collate_packed([row]) if pack else collate_padded([row], PAD)
    batch["input_ids_BT"][0, 0] = 7
    assert ids.tolist() == [3, 4, 2]
    assert pickle.loads(pickle.dumps(batch))["labels_BT"].tolist() == [[IGNORED, 4, 2]]
