"""The data module: sets, loaders, resumption, prediction."""

import copy
import os
import pickle
import random
from collections import Counter

import lightning.pytorch as pl
import numpy as np
import pytest
import torch

from sk2d.corpus.files import read_rows
from sk2d.data.loaders import WORKER_TIMEOUT_S, PlanLoader
from sk2d.data.modules import SupervisedData
from sk2d.data.tokens import build
from sk2d.errors import DataError
from sk2d.prompts import PROMPTS

from .conftest import some_rows

PROMPT = PROMPTS["skin"]


@pytest.fixture
def make_data(write_rows, tokenizer, tmp_path):
    def make(rows=None, stage="fit", **settings) -> SupervisedData:
        rows = some_rows() if rows is None else rows
        settings = {"effective_batch": 8, "batch_size": 2, "val_share": 0.2} | settings
        settings = {"train": str(write_rows(rows)), "cache_dir": str(tmp_path / "cache")} | settings
        data = SupervisedData(**settings)
        data.connect(tokenizer, PROMPT)
        data.setup(stage)
        return data

    return make


def ids_of(data: SupervisedData, name: str) -> list[str]:
    rows = data.sets.get(name)
    return [rows.tokens.column("id")[row] for row in rows.chosen] if rows else []


def functions(ids: list[str]) -> set[int]:
    return {int(one.removeprefix("row")) % 20 for one in ids}


def trained(loader: PlanLoader) -> list[list[int]]:
    return [batch["rows"] for batch in loader]


def test_val_train_validates_on_the_training_rows(make_data):
    data = make_data(val="train", val_share=0.2)
    assert ids_of(data, "train") == [f"row{n}" for n in range(40)]
    assert ids_of(data, "val") == ids_of(data, "test") == ids_of(data, "train")
    assert data.summary["rows"] == data.summary["val_rows"] == 40
    rows = [row.id for batch in data.predict_dataloader() for row in batch["rows"]]
    assert rows == ids_of(data, "train")


def test_f13_the_split_is_by_function(make_data):
    data = make_data()
    train, val = ids_of(data, "train"), ids_of(data, "val")
    assert sorted(train + val) == sorted(f"row{n}" for n in range(40))
    assert (len(train), len(val)) == (32, 8)
    assert functions(train) & functions(val) == set()
    assert ids_of(data, "test") == val


def test_no_validation_at_all(make_data):
    for data in (make_data(val_share=0.0), make_data([some_rows()[0]])):
        assert data.val_dataloader() == data.test_dataloader() == []
        assert data.summary["val_rows"] == 0
        assert data.sample_rows(1)[0].id == "row0"


def test_files_of_their_own(make_data, write_rows):
    val = str(write_rows(some_rows()[:5], "val.jsonl"))
    test = str(write_rows(some_rows()[5:8], "test.jsonl"))
    data = make_data(val=val, test=test)
    assert [len(ids_of(data, name)) for name in ("train", "val", "test")] == [40, 5, 3]
    assert data.summary["val_rows_in"] == 5
    assert len(list(make_data(stage="validate", val=val).val_dataloader())) == 3
    assert make_data(stage="test", test=test).summary["rows"] == 3


@pytest.mark.parametrize("pack", [True, False])
def test_an_epoch_trains_on_each_row_once_with_right_labels(make_data, tokenizer, pack):
    data = make_data(pack=pack)
    texts = {row.id: row for row in data.sets.texts("train")}
    names = ids_of(data, "train")
    seen: Counter[int] = Counter()
    for batch in data.train_dataloader():
        seen.update(batch["rows"])
        labels = batch["labels_BT"][batch["labels_BT"] != -100].tolist()
        expected = []
        for number in batch["rows"]:
            row = texts[names[number]]
            _, one = build(PROMPT.render(row.source), PROMPT.target(row.target), tokenizer, 2048)
            expected += [label for label in one if label != -100]
        assert labels == expected
        assert (batch["cu_seqlens"] is not None) is pack
    assert seen == Counter(range(32))


def test_step_tokens_add_up_to_the_supervised_tokens(make_data):
    data = make_data()
    batches = list(data.train_dataloader())
    assert len(batches) == data.plan().micro_per_epoch == 16
    by_step = [batches[at]["step_tokens"] for at in range(0, 16, 4)]
    assert sum(by_step) == data.summary["supervised_tokens"]
    counted = sum(int((batch["labels_BT"] != -100).sum()) for batch in batches)
    assert counted == data.summary["supervised_tokens"]


@pytest.mark.parametrize("num_workers", [0, 2])
def test_the_loaders_draw_nothing_from_global_generators(make_data, num_workers):
    data = make_data(num_workers=num_workers)
    before = torch.get_rng_state(), random.getstate(), pickle.dumps(np.random.get_state())
    trained(data.train_dataloader())
    trained(data.val_dataloader())
    list(data.predict_dataloader())
    after = torch.get_rng_state(), random.getstate(), pickle.dumps(np.random.get_state())
    assert torch.equal(before[0], after[0])
    assert before[1:] == after[1:]


def test_c13_workers_give_the_same_batches_and_cannot_hang(make_data, tokenizer, monkeypatch):
    monkeypatch.setenv("TOKENIZERS_PARALLELISM", "true")
    tokenizer(["int x;"] * 8)  # in use in the parent before the fork
    alone, helped = make_data(), make_data(num_workers=2)
    loader = helped.train_dataloader()
    assert os.environ["TOKENIZERS_PARALLELISM"] == "false"
    assert loader.timeout == WORKER_TIMEOUT_S > 0
    assert not loader.persistent_workers
    for ours, theirs in zip(alone.train_dataloader(), loader, strict=True):
        assert ours["rows"] == theirs["rows"]
        assert torch.equal(ours["input_ids_BT"], theirs["input_ids_BT"])


@pytest.mark.parametrize("num_workers", [0, 2])
@pytest.mark.parametrize("done", [0, 5, 16])
def test_c1_a_restored_position_goes_on_where_training_stopped(make_data, num_workers, done):
    straight = make_data()
    loader = straight.train_dataloader()
    first = trained(loader)
    loader.sampler.set_epoch(1)
    both = first + trained(loader)

    stopped = make_data(num_workers=num_workers)
    iterator = iter(stopped.train_dataloader())
    seen = []
    for place in range(done):
        seen.append(next(iterator)["rows"])
        stopped.advance(0, place + 1)  # what workers have fetched beyond does not count
    state = stopped.state_dict()
    assert state == {"epoch": 0, "done": done}

    resumed = make_data(num_workers=num_workers)
    resumed.load_state_dict(pickle.loads(pickle.dumps(state)))
    loader = resumed.train_dataloader()
    assert len(loader) == 16
    assert loader.state_dict() == state
    seen += trained(loader)
    if done < 16:
        loader.sampler.set_epoch(1)
        seen += trained(loader)
    assert seen == both
    assert seen[:16] != seen[16:]


class Recorder(pl.LightningModule):
    """Trains on nothing and notes which rows it was given."""

    def __init__(self) -> None:
        super().__init__()
        self.weight = torch.nn.Parameter(torch.zeros(1))
        self.rows: list[tuple[int, list[int]]] = []
        self.validated: list[list[int]] = []

    def training_step(self, batch, batch_idx):
        self.rows.append((self.current_epoch, batch["rows"]))
        self.trainer.datamodule.advance(self.current_epoch, batch_idx + 1)
        return self.weight.sum()

    def validation_step(self, batch, batch_idx):
        self.validated.append(batch["rows"])

    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), lr=0.1)


class Stop(pl.Callback):
    """Saves at an optimiser step and ends the run there."""

    def __init__(self, step: int, path: str) -> None:
        self.step, self.path = step, path

    def on_train_batch_end(self, trainer, module, outputs, batch, batch_idx):
        if trainer.global_step == self.step:
            trainer.save_checkpoint(self.path)
            trainer.should_stop = True


def run(data: SupervisedData, folder, ckpt_path=None, **settings) -> Recorder:
    module = Recorder()
    trainer = pl.Trainer(
        accelerator="cpu",
        logger=False,
        enable_progress_bar=False,
        enable_model_summary=False,
        use_distributed_sampler=False,
        default_root_dir=folder,
        accumulate_grad_batches=4,
        enable_checkpointing=False,
        **settings,
    )
    trainer.fit(module, datamodule=data, ckpt_path=ckpt_path, weights_only=True)
    return module


@pytest.mark.filterwarnings("ignore:.*does not have many workers:UserWarning")
@pytest.mark.parametrize("num_workers", [0, 1])
@pytest.mark.parametrize("steps", [1, 3, 4, 6])
def test_c1_under_lightning_a_resumed_run_sees_the_rows_of_the_straight_one(
    make_data, tmp_path, steps, num_workers
):
    straight = run(make_data(), tmp_path, max_epochs=3)
    assert [epoch for epoch, _ in straight.rows] == [0] * 16 + [1] * 16 + [2] * 16

    path = str(tmp_path / "stopped.ckpt")
    data = make_data(num_workers=num_workers)
    first = run(data, tmp_path, max_epochs=3, callbacks=[Stop(steps, path)])
    data = make_data(num_workers=num_workers)
    second = run(data, tmp_path, ckpt_path=path, max_epochs=3)
    assert first.rows + second.rows == straight.rows


@pytest.mark.filterwarnings("ignore:.*does not have many workers:UserWarning")
def test_without_validation_rows_lightning_trains(make_data, tmp_path):
    module = run(make_data(val_share=0.0), tmp_path, max_epochs=1)
    assert len(module.rows) == 20
    assert module.validated == []


@pytest.mark.filterwarnings("ignore:.*does not have many workers:UserWarning")
def test_tokenizer_and_prompt_come_from_the_module(make_data, tmp_path, tokenizer):
    data = SupervisedData(**{key: getattr(make_data(), key) for key in ("train", "cache_dir")})
    module = Recorder()
    module.tokenizer, module.prompt = tokenizer, PROMPT
    trainer = pl.Trainer(accelerator="cpu", logger=False, fast_dev_run=True, barebones=False)
    trainer.fit(module, datamodule=data)
    assert data.prompt is PROMPT
    assert len(module.rows) == 1


def test_validation_gives_every_row_once_in_the_same_order(make_data):
    data = make_data()
    loader = data.val_dataloader()
    first = trained(loader)
    loader.sampler.set_epoch(3)  # Lightning tells this sampler the training epoch, too
    assert trained(loader) == first
    assert sorted(row for rows in first for row in rows) == list(range(8))


def test_b8_a_run_without_any_row_left_is_an_error(make_data):
    with pytest.raises(DataError, match=r"no row is left: 40 read, 40 of them .*data\.cutoff"):
        make_data(cutoff=20)
    with pytest.raises(DataError, match="no row is left: 0 read.*Name a file that holds rows"):
        make_data([])


def test_b8_the_summary_counts(make_data):
    summary = make_data(cutoff=62).summary
    assert summary["rows_in"] == 40
    assert summary["dropped_too_long"] > 0
    kept = summary["rows"] + summary["val_rows"]
    assert kept + summary["dropped_too_long"] == 40
    assert summary["prompt_cut"] == summary["target_truncated"] == 0
    cut = make_data(cutoff=62, too_long="cut_prompt").summary
    assert cut["prompt_cut"] == summary["dropped_too_long"]
    assert cut["rows"] + cut["val_rows"] == 40


def test_the_hash_follows_text_order_and_split(make_data):
    rows = some_rows()
    changed = copy.deepcopy(rows)
    changed[7]["output"] += " "
    hashes = [make_data(variant).data_hash for variant in (rows, rows[::-1], rows[:-1], changed)]
    hashes.append(make_data(val_share=0.4).data_hash)
    assert len(set(hashes)) == 5
    assert make_data(pack=False, batch_size=1, seed=5).data_hash == hashes[0]


def test_limit_takes_the_first_rows(make_data):
    data = make_data(limit=3, val_share=0)
    assert ids_of(data, "train") == ["row0", "row1", "row2"]
    assert len(list(data.train_dataloader())) == 2


def test_rows_to_answer(make_data):
    data = make_data(batch_size=4, stage="predict")
    batches = list(data.predict_dataloader())
    assert [len(batch["rows"]) for batch in batches] == [4, 4]
    assert [row.id for batch in batches for row in batch["rows"]] == ids_of(data, "val")
    for batch in batches:
        assert batch["prompts"] == [PROMPT.render(row.source) for row in batch["rows"]]


def test_rows_to_answer_need_no_answer_and_may_be_long(make_data, write_rows):
    rows = [{"input": "int func1();" * 50}, {"input": "int func2();", "output": ""}]
    test = str(write_rows(rows, "test.jsonl"))
    data = make_data(stage="predict", test=test, cutoff=32, val_share=0)
    assert [row.id for batch in data.predict_dataloader() for row in batch["rows"]] == [
        "test:1",
        "test:2",
    ]
    with pytest.raises(DataError, match="no row to answer"):
        make_data(stage="predict", test=str(write_rows([], "none.jsonl"))).predict_dataloader()


def test_samples_are_rows_held_back_in_order(make_data):
    data = make_data()
    assert [row.id for row in data.sample_rows(3)] == ids_of(data, "val")[:3]
    assert [row.id for row in data.sample_rows(99)] == ids_of(data, "val")


@pytest.mark.parametrize("pack", [True, False])
def test_first_batch_is_laid_out_as_in_training(make_data, pack):
    batch = make_data(pack=pack).first_batch()
    assert batch["rows"] == [0, 1]
    assert (batch["cu_seqlens"] is not None) is pack
    assert batch["step_tokens"] == (batch["labels_BT"] != -100).sum()


def test_packing_may_be_switched_off_after_setup(make_data):
    """A model that cannot keep packed rows apart is found out late."""
    data = make_data()
    data.pack = False
    assert next(iter(data.train_dataloader()))["attention_mask_BT"] is not None


def test_predictions_stand_in_for_clean_ir(make_data, write_rows):
    answers = [{"id": f"row{n}", "predicted_ir": f"int predicted{n};"} for n in range(40)]
    path = str(write_rows(answers, "answers.jsonl"))
    data = make_data(predictions=path, predictions_share=0.5)
    used = [row for row in data.sets.texts("train") if row.source.startswith("int predicted")]
    assert 8 < len(used) < 32
    assert data.summary["predictions_found"] == 40
    assert data.summary["predictions_used"] >= len(used)
    assert data.data_hash != make_data().data_hash


def test_preview_is_printed_when_asked_for(make_data, capsys):
    make_data()
    assert capsys.readouterr().out == ""
    make_data(preview=2)
    assert capsys.readouterr().out.count("# This is the normalized code:") == 2


@pytest.mark.parametrize(
    ("file", "prompt"),
    [
        ("sk2_pseudo2norm_examples.jsonl", "skeleton"),
        ("sk2_norm2code_examples.jsonl", "skin"),
    ],
)
def test_released_rows_train_unchanged(released, tokenizer, tmp_path, file, prompt):
    path = released(file)
    data = SupervisedData(train=str(path), effective_batch=4, cache_dir=str(tmp_path), cutoff=4096)
    data.connect(tokenizer, PROMPTS[prompt])
    data.setup("fit")
    assert data.summary["rows"] + data.summary["val_rows"] == 20
    inputs = {raw["input"] for raw, _ in read_rows(path)}
    for batch in data.train_dataloader():
        (start,) = (batch["labels_BT"][0] == -100).nonzero().max(0).values.tolist()
        text = tokenizer.decode(batch["input_ids_BT"][0, 1 : start + 1])
        assert text in inputs
