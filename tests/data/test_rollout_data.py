"""The data of reinforcement learning: which rows are used, in which order, resumed exactly."""

import copy
import pickle
import random

import lightning.pytorch as pl
import numpy as np
import pytest
import torch
from rich.console import Console

from sk2d.corpus.files import read_rows
from sk2d.corpus.rows import make_rl_row
from sk2d.data import RolloutData
from sk2d.data.tokens import encode_prompt
from sk2d.errors import ConfigError, DataError, UserErrors
from sk2d.prompts import PROMPTS

PROMPT = PROMPTS["skeleton"]


def rl_rows(count=40, functions=20, phase="skeleton"):
    """Rows of different lengths; each function comes count / functions times, one after another."""
    rows = []
    for number in range(count):
        source = f"int f{number}(int a1) {{\n{' a1++;' * (number % 7)}\n  return {number};\n}}"
        answer = f"int func1(int var1) {{ return var1 + {number // (count // functions)}; }}"
        text = PROMPTS["assembly"].render(source)
        facts = {"phase": phase, "index": number, "split": "train", "header": "", "name": "f"}
        rows.append(make_rl_row(text, answer, id=f"row{number}", **facts))
    return rows


def fit(rows):
    return [None] * len(rows)


class Unfit:
    """Cannot use rows of some numbers, and notes what it was asked."""

    def __init__(self, *ids):
        self.ids = ids
        self.asked = []

    def __call__(self, rows):
        self.asked.append([row.id for row in rows])
        return ["1 of 2: no prototype" if row.id in self.ids else None for row in rows]


@pytest.fixture
def make_data(write_rows, tokenizer):
    def make(rows=None, stage="fit", unfit=fit, phase="skeleton", **settings) -> RolloutData:
        settings = {"effective_batch": 5, "val_share": 0.2, "val_batch": 3} | settings
        path = write_rows(rl_rows() if rows is None else rows)
        data = RolloutData(**({"train": str(path)} | settings))
        data.connect(tokenizer, PROMPT, phase, unfit)
        data.setup(stage)
        return data

    return make


def ids_of(data, name):
    return [row.id for row in data.sets.get(name).rows]


def asked(loader):
    return [[row.id for row in batch.rows] for batch in loader]


def functions(ids):
    return {int(one.removeprefix("row")) // 2 for one in ids}


def test_batches_hold_rows_prompts_and_ids(make_data, tokenizer):
    data = make_data()
    batches = list(data.train_dataloader())
    assert [len(batch.rows) for batch in batches] == [5] * 6 + [2]
    assert len(data.train_dataloader()) == 7
    assert sorted(row.id for batch in batches for row in batch.rows) == sorted(
        ids_of(data, "train")
    )
    for batch in batches:
        assert batch.prompts == [PROMPT.render(row.source) for row in batch.rows]
        assert batch.prompt_ids == [encode_prompt(text, tokenizer) for text in batch.prompts]
        assert data.transfer_batch_to_device(batch, torch.device("cpu"), 0) is batch


def test_the_prompt_around_the_code_is_the_models_own(make_data):
    data = make_data()
    prompt = data.first_prompt()
    assert prompt == PROMPT.render(data.sets.get("train").rows[0].source)
    assert prompt.count("# This is") == 1


def test_the_order_depends_on_seed_and_epoch_alone(make_data):
    loader = make_data().train_dataloader()
    first = asked(loader)
    assert first == asked(loader) == asked(make_data().train_dataloader())
    loader.sampler.set_epoch(1)
    second = asked(loader)
    other = asked(make_data(seed=1).train_dataloader())
    assert first != second != other != first
    assert sorted(sum(first, [])) == sorted(sum(second, [])) == sorted(sum(other, []))
    assert sum(first, []) != sorted(sum(first, []))


def test_nothing_is_drawn_from_global_generators(make_data):
    data = make_data()
    before = torch.get_rng_state(), random.getstate(), pickle.dumps(np.random.get_state())
    asked(data.train_dataloader())
    asked(data.val_dataloader())
    after = torch.get_rng_state(), random.getstate(), pickle.dumps(np.random.get_state())
    assert torch.equal(before[0], after[0])
    assert before[1:] == after[1:]


@pytest.mark.parametrize("done", [0, 3, 7])
def test_a_restored_position_goes_on_where_training_stopped(make_data, done):
    loader = make_data().train_dataloader()
    both = asked(loader)
    loader.sampler.set_epoch(1)
    both += asked(loader)

    stopped = make_data()
    iterator = iter(stopped.train_dataloader())
    seen = []
    for place in range(done):
        seen.append([row.id for row in next(iterator).rows])
        stopped.advance(0, place + 1)
    state = pickle.loads(pickle.dumps(stopped.state_dict()))
    assert state == {"epoch": 0, "done": done}

    resumed = make_data()
    resumed.load_state_dict(state)
    loader = resumed.train_dataloader()
    assert len(loader) == 7
    assert loader.state_dict() == state
    seen += asked(loader)
    if done < 7:
        loader.sampler.set_epoch(1)
        seen += asked(loader)
    assert seen == both


def test_an_engine_may_restore_after_the_loader_was_made(make_data):
    data = make_data()
    loader = data.train_dataloader()
    whole = asked(loader)
    data.load_state_dict({"epoch": 0, "done": 4})
    assert asked(loader) == whole[4:]


class Recorder(pl.LightningModule):
    """Answers nothing and notes which rows it was given."""

    phase, prompt = "skeleton", PROMPT

    def __init__(self):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.zeros(1))
        self.asked, self.validated = [], []
        self.unfit = Unfit("row0")

    def training_step(self, batch, batch_idx):
        self.asked.append((self.current_epoch, [row.id for row in batch.rows]))
        self.trainer.datamodule.advance(self.current_epoch, batch_idx + 1)
        return self.weight.sum()

    def validation_step(self, batch, batch_idx):
        self.validated.append([row.id for row in batch.rows])

    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), lr=0.1)


class Stop(pl.Callback):
    def __init__(self, step, path):
        self.step, self.path = step, path

    def on_train_batch_end(self, trainer, module, outputs, batch, batch_idx):
        if trainer.global_step == self.step:
            trainer.save_checkpoint(self.path)
            trainer.should_stop = True


def run(data, tokenizer, folder, ckpt_path=None, **settings):
    module = Recorder()
    module.tokenizer = tokenizer
    trainer = pl.Trainer(
        accelerator="cpu",
        logger=False,
        enable_progress_bar=False,
        enable_model_summary=False,
        use_distributed_sampler=False,
        enable_checkpointing=False,
        default_root_dir=folder,
        max_epochs=2,
        num_sanity_val_steps=0,
        **settings,
    )
    trainer.fit(module, datamodule=data, ckpt_path=ckpt_path, weights_only=True)
    return module


@pytest.mark.filterwarnings("ignore:.*does not have many workers:UserWarning")
@pytest.mark.parametrize("steps", [2, 7, 9])
def test_under_lightning_a_resumed_run_asks_what_the_straight_one_does(
    write_rows, tokenizer, tmp_path, steps
):
    """Tokenizer, prompt, phase and reward come from the module."""
    settings = {"train": str(write_rows(rl_rows())), "effective_batch": 5, "val_share": 0.2}
    straight = run(RolloutData(**settings), tokenizer, tmp_path)
    assert [epoch for epoch, _ in straight.asked] == [0] * 7 + [1] * 7
    assert all("row0" not in rows for _, rows in straight.asked)
    assert len(straight.validated) == 2  # a batch of 8 rows, after each epoch
    path = str(tmp_path / "stopped.ckpt")
    first = run(RolloutData(**settings), tokenizer, tmp_path, callbacks=[Stop(steps, path)])
    second = run(RolloutData(**settings), tokenizer, tmp_path, ckpt_path=path)
    assert first.asked + second.asked == straight.asked


def test_the_split_is_by_function(make_data):
    data = make_data()
    train, val = ids_of(data, "train"), ids_of(data, "val")
    assert sorted(train + val) == sorted(f"row{n}" for n in range(40))
    assert (len(train), len(val)) == (32, 8)
    assert functions(train) & functions(val) == set()


def test_functions_beyond_the_most_rows_to_validate_on_are_trained_on(make_data):
    data = make_data(val_share=0.5, val_rows=5)
    train, val = ids_of(data, "train"), ids_of(data, "val")
    assert (len(train), len(val)) == (36, 4)  # whole functions, of two rows each
    assert functions(train) & functions(val) == set()
    with pytest.raises(ConfigError, match=r"data.val_rows: 1 rows are fewer than any function"):
        make_data(val_rows=1)


def test_validation_gives_every_row_once_in_the_same_order(make_data):
    data = make_data()
    loader = data.val_dataloader()
    first = asked(loader)
    assert sum(first, []) == ids_of(data, "val")
    assert [len(rows) for rows in first] == [3, 3, 2]
    loader.sampler.set_epoch(3)  # Lightning tells this sampler the training epoch, too
    assert asked(loader) == first
    data.load_state_dict({"epoch": 0, "done": 2})
    assert asked(data.val_dataloader()) == first


def test_validation_on_training_rows_and_none_at_all(make_data):
    data = make_data(val="train", val_rows=6)
    assert ids_of(data, "val") == ids_of(data, "train")[:6]
    assert (data.summary["rows"], data.summary["val_rows"]) == (40, 6)
    assert "val_rows_in" not in data.summary
    for data in (make_data(val_share=0.0), make_data(rl_rows()[:1])):
        assert data.val_dataloader() == []
        assert data.summary["val_rows"] == 0
        assert [row.id for row in data.sample_rows(1)] == ["row0"]


def test_a_validation_file_is_read_until_there_are_enough_rows(make_data, write_rows):
    unfit = Unfit("row3", "row5")
    rows = [*rl_rows()[:20], {"no": "row"}]
    val = str(write_rows(rows, "val.jsonl"))
    data = make_data(val=val, val_rows=4, unfit=unfit)
    assert ids_of(data, "val") == ["row0", "row1", "row2", "row4"]
    found = {key: data.summary[key] for key in data.summary if key.startswith("val_")}
    assert (found["val_rows_in"], found["val_rows"], found["val_left_out"]) == (5, 4, 1)
    assert (data.summary["rows"], data.summary["left_out"]) == (38, 2)
    assert [(row["id"], row["where"]) for row in data.left_out] == [
        ("row3", f"{data.train}:4"),
        ("row5", f"{data.train}:6"),
        ("row3", f"{val}:4"),
    ]


def test_validating_alone_judges_the_validation_file_alone(make_data, write_rows):
    unfit = Unfit()
    val = str(write_rows(rl_rows()[:3], "val.jsonl"))
    data = make_data(val=val, stage="validate", unfit=unfit)
    assert unfit.asked == [["row0", "row1", "row2"]]
    assert data.summary["rows"] == 3
    assert ids_of(make_data(stage="validate"), "val") == ids_of(make_data(), "val")
    with pytest.raises(ConfigError, match="no rows to test"):
        make_data(stage="test")


def test_rows_that_the_reward_cannot_use_are_left_out_and_listed(make_data):
    unfit = Unfit("row3", "row30")
    data = make_data(unfit=unfit)
    assert data.left_out == [
        {"id": f"row{n}", "where": f"{data.train}:{n + 1}", "reason": "1 of 2: no prototype"}
        for n in (3, 30)
    ]
    used = ids_of(data, "train") + ids_of(data, "val")
    assert sorted(used) == sorted({f"row{n}" for n in range(40)} - {"row3", "row30"})
    data.setup("fit")
    assert unfit.asked == [[f"row{n}" for n in range(40)]]  # once, though set up twice


def test_only_rows_in_use_are_judged_some_at_a_time(make_data):
    unfit = Unfit()
    data = make_data(rl_rows(200, 100), unfit=unfit, limit=150, cutoff=50)
    dropped = data.summary["dropped_too_long"]
    assert 0 < dropped < 150
    assert sum(len(ids) for ids in unfit.asked) == 150 - dropped
    assert max(len(ids) for ids in unfit.asked) <= 64


def test_the_summary_accounts_for_every_row(make_data):
    data = make_data(unfit=Unfit("row0", "row1", "row8"), cutoff=50)
    found = data.summary
    assert found["rows_in"] == 40
    assert found["dropped_too_long"] > 0
    assert found["left_out"] == len(data.left_out) == 3
    used = found["rows"] + found["val_rows"]
    assert used + found["dropped_too_long"] + found["left_out"] == 40
    lengths = [len(ids) for batch in data.train_dataloader() for ids in batch.prompt_ids]
    assert (found["longest"], found["tokens"]) == (max(lengths), sum(lengths))
    assert found["longest"] <= 50


def test_the_hash_follows_text_order_and_split(make_data, write_rows):
    rows = rl_rows()
    changed = copy.deepcopy(rows)
    changed[7]["reward_model"]["ground_truth"] += " "
    headed = copy.deepcopy(rows)
    headed[7]["extra_info"]["header"] = "typedef int a;"
    variants = (rows, rows[::-1], rows[:-1], changed, headed)
    hashes = [make_data(variant).data_hash for variant in variants]
    hashes += [make_data(val_share=0.4).data_hash, make_data(unfit=Unfit("row7")).data_hash]
    assert len(set(hashes)) == 7
    assert make_data(effective_batch=3, seed=5).data_hash == hashes[0]
    elsewhere = str(write_rows(rows, "elsewhere.jsonl"))
    assert make_data(train=elsewhere).data_hash == hashes[0]


def test_a_run_without_any_row_left_is_an_error(make_data):
    message = r"no row is left: 40 read, 40 of them .* 20 tokens \(data.cutoff\). Raise data.cutoff"
    with pytest.raises(DataError, match=message):
        make_data(cutoff=20)
    with pytest.raises(DataError, match="data.train: .*no row is left: 0 read. Name a file that"):
        make_data([])
    message = r"2 of them since the reward .*rows.jsonl:1: 1 of 2: no prototype\).*cli.py reward"
    with pytest.raises(DataError, match=message):
        make_data(rl_rows()[:2], unfit=Unfit("row0", "row1"))


def test_a_row_of_the_other_phase_is_refused_before_any_is_judged(make_data):
    unfit = Unfit()
    rows = rl_rows()[:3] + rl_rows(1, 1, phase="skin")
    message = r"rows.jsonl:4: this is a row of the skin, and the model is a skeleton.*rl_skeleton"
    with pytest.raises(DataError, match=message):
        make_data(rows, unfit=unfit)
    assert unfit.asked == []
    assert len(ids_of(make_data(rows, limit=3), "train")) == 1  # of two functions
    assert make_data(rl_rows(4, 4, "skin"), phase="skin").summary["rows"] == 3


def test_e9_one_odd_row_is_an_error_at_the_start(make_data):
    rows = rl_rows()
    rows[-1]["data_source"] = "gsm8k"
    with pytest.raises(DataError, match=r"rows.jsonl:40: there is no reward for .* 'gsm8k'"):
        make_data(rows)


def test_preview_shows_prompts_and_references(make_data, capsys):
    make_data()
    assert capsys.readouterr().out == ""
    make_data(preview=2)
    shown = capsys.readouterr().out
    assert shown.count("# What is the source code?") == shown.count("int func1(int var1)") == 2
    rows = rl_rows()[:1]
    rows[0]["id"] = "[/odd]\x1b[31m"
    rows[0]["reward_model"]["ground_truth"] += "\x1b"
    console = Console(width=100, force_terminal=False)
    with console.capture() as captured:
        console.print(make_data(rows).preview_rows(9))
    assert "\x1b" not in captured.get()
    assert "[/odd]" in captured.get()


def test_settings_that_a_resumed_run_must_share(make_data):
    data = make_data()
    assert {key: getattr(data, key) for key in data.fixed} == {
        "batch_size": 1,
        "effective_batch": 5,
        "cutoff": 1024,
        "seed": 0,
    }


@pytest.mark.parametrize(
    ("settings", "line"),
    [
        ({"train": "no.jsonl"}, "data.train: no.jsonl: there is no such file"),
        ({"val": "no.jsonl"}, "data.val: no.jsonl: there is no such file"),
        ({"cutoff": 15}, "data.cutoff: 15 is not a whole number of at least 16"),
        ({"effective_batch": 0}, "data.effective_batch: 0 is not"),
        ({"val_rows": 0}, "data.val_rows: 0 is not a whole number of at least 1"),
        ({"val_batch": 1.5}, "data.val_batch: 1.5 is not"),
        ({"val_share": 1.0}, "data.val_share: 1.0 is no share"),
        ({"seed": -1}, "data.seed: -1 is not"),
        ({"limit": 0}, "data.limit: 0 is not"),
        ({"preview": True}, "data.preview: True is not"),
    ],
)
def test_each_mistake_names_its_key_and_a_remedy(write_rows, settings, line):
    path = str(write_rows(rl_rows()))
    assert RolloutData(train=path).check() == []
    assert RolloutData(train="owner/name", val="train", limit=3).check() == []
    problems = RolloutData(**({"train": path} | settings)).check()
    assert [str(problem)[: len(line)] for problem in problems] == [line]
    assert problems[0].remedy


def test_all_mistakes_at_once(make_data):
    with pytest.raises(UserErrors) as caught:
        make_data(train="no.jsonl", cutoff=3, effective_batch=0, val_share=2)
    assert [problem.where for problem in caught.value.problems] == [
        "data.train",
        "data.cutoff",
        "data.effective_batch",
        "data.val_share",
    ]


def test_devices_share_a_batch(make_data):
    whole = asked(make_data().train_dataloader())
    plans = []
    for rank in range(3):
        data = make_data()
        data.trainer = type("Trainer", (), {"world_size": 3, "global_rank": rank})
        data.trainer.current_epoch = 0
        loader = data.train_dataloader()
        assert len(loader) == 7
        plans.append(asked(loader))
    for batch, parts in zip(whole, zip(*plans, strict=True), strict=True):
        assert sorted(sum(parts, [])) == sorted(batch)
    assert plans[2][-1] == []  # two rows are left for three devices


def test_released_rows_load_with_the_models_own_prompt(released, tokenizer):
    path = released("sk2_rl_examples.jsonl")
    data = RolloutData(train=str(path), cutoff=4096)
    data.connect(tokenizer, PROMPT, "skeleton", fit)
    data.setup("fit")
    assert data.summary["rows"] + data.summary["val_rows"] == 60
    texts = {raw["prompt"][0]["content"].splitlines()[1] for raw, _ in read_rows(path)}
    for loader in (data.train_dataloader(), data.val_dataloader()):
        for text in (text for batch in loader for text in batch.prompts):
            assert text.startswith(PROMPT.before)
            assert text.endswith(PROMPT.after)
            assert text.count("# This is the") == text.count("# What is the source code?") == 1
            assert text.removeprefix(PROMPT.before).splitlines()[0] in texts
