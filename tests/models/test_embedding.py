"""Embedders: the packaged model as its card reads it, folders and their pooling, and the choice."""

from __future__ import annotations

import json
import math
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
import torch

from sk2d.errors import ModelError
from sk2d.models import embedding
from sk2d.models.embedding import ModelEmbedder, load_embedder, pooled, pooling_of
from sk2d.prompts import unwrap
from sk2d.rewards.candidates import Candidate
from sk2d.rewards.endpoint_embedder import EndpointEmbedder
from sk2d.rewards.naming import Mode, NamingReward

TEXTS = ["int count_words(void);", "number of the words", "x", "the price of potatoes " * 9]


@pytest.fixture(scope="module")
def minilm() -> ModelEmbedder:
    made = load_embedder()
    assert isinstance(made, ModelEmbedder)
    return made


@pytest.fixture
def folder(tiny: Path, tmp_path: Path) -> Path:
    """Give a copy of the tiny model, to write settings into."""
    return Path(shutil.copytree(tiny, tmp_path / "copy"))


def write(folder: Path, name: str, content: object) -> None:
    (folder / name).parent.mkdir(exist_ok=True)
    (folder / name).write_text(json.dumps(content))


def dot(one: list[float], other: list[float]) -> float:
    return math.fsum(a * b for a, b in zip(one, other, strict=True))


def test_the_packaged_model_is_read_as_its_card_says(minilm: ModelEmbedder) -> None:
    inputs = minilm.tokenizer(TEXTS, padding=True, truncation=True, return_tensors="pt")
    with torch.no_grad():
        hidden_BTH = minilm.model(**inputs)[0]
    mask_BT1 = inputs["attention_mask"].unsqueeze(-1).float()
    mean_BH = (hidden_BTH * mask_BT1).sum(1) / mask_BT1.sum(1)
    wanted_BH = torch.nn.functional.normalize(mean_BH, dim=1)
    found_BH = torch.tensor(minilm(TEXTS))
    assert found_BH.shape == (4, 384)
    torch.testing.assert_close(found_BH, wanted_BH, atol=1e-5, rtol=0)
    assert (minilm.name, minilm.max_length, minilm.pooling) == ("minilm", 256, "mean")


def test_meaning_is_nearer_than_spelling(minilm: ModelEmbedder) -> None:
    words, count, _, potatoes = minilm(TEXTS)
    assert dot(words, count) > 0.5 > 0.2 > dot(words, potatoes)


def test_batches_and_order_change_nothing(
    minilm: ModelEmbedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert minilm([]) == []
    alone = [minilm([text])[0] for text in TEXTS]
    monkeypatch.setattr(minilm, "batch", 3)
    for one, other in zip(minilm(TEXTS), alone, strict=True):
        assert dot(one, other) == pytest.approx(1, abs=1e-5)


def test_long_texts_are_cut_and_counted() -> None:
    short = load_embedder(max_length=8)
    assert isinstance(short, ModelEmbedder)
    one, other = short(["a b c d e f g h i j k", "a b c d e f and another end of it"])
    assert dot(one, other) == pytest.approx(1, abs=1e-6)
    short(["a b"])
    assert short.truncated == 2
    assert load_embedder(max_length=9_999).max_length == 512  # type: ignore[attr-defined]


@pytest.mark.parametrize("mode", ["paper", "upstream", "strict"])
def test_every_released_answer_has_the_maximum(
    mode: Mode, minilm: ModelEmbedder, released: Callable[[str], Path]
) -> None:
    lines = released("sk2_norm2code_examples.jsonl").read_text().splitlines()
    rows = [json.loads(line) for line in lines]
    irs = [unwrap(row["input"]) for row in rows]
    gold = [
        Candidate(row["output"], row["output"], ir=ir) for row, ir in zip(rows, irs, strict=True)
    ]
    cheat = [Candidate(one.ir or "", one.reference, ir=one.ir) for one in gold]
    found = NamingReward(mode, minilm)([*gold, *cheat])
    assert [one.score for one in found[:20]] == pytest.approx([1.0] * 20, abs=1e-6)
    assert all((one.score or 0) < 0.95 for one in found[20:])


# Pooling.


@pytest.mark.parametrize(
    ("how", "left", "right"), [("mean", 2.0, 1.5), ("cls", 1.0, 1.0), ("lasttoken", 3.0, 2.0)]
)
def test_pooling_by_hand_with_padding_on_either_side(how: str, left: float, right: float) -> None:
    hidden_BTH = torch.tensor([[[9.0], [1.0], [2.0], [3.0]], [[1.0], [2.0], [9.0], [9.0]]])
    mask_BT = torch.tensor([[0, 1, 1, 1], [1, 1, 0, 0]])
    assert pooled(hidden_BTH, mask_BT, how).tolist() == [[left], [right]]


@pytest.mark.parametrize(
    ("config", "how"),
    [
        ({"pooling_mode_lasttoken": True, "pooling_mode_mean_tokens": False}, "lasttoken"),
        ({"pooling_mode_cls_token": True, "include_prompt": True}, "cls"),
        ({"pooling_mode": "lasttoken", "include_prompt": True}, "lasttoken"),
        ({"pooling_mode_mean_tokens": True, "word_embedding_dimension": 32}, "mean"),
        (None, "mean"),
    ],
)
def test_the_folder_says_how_to_pool(folder: Path, config: object, how: str) -> None:
    write(folder, "modules.json", [{"type": "x.models.Transformer"}, {"type": "x.models.Pooling"}])
    if config is not None:
        write(folder, "1_Pooling/config.json", config)
    made = load_embedder(str(folder))
    assert isinstance(made, ModelEmbedder)
    assert made.pooling == how
    one, other = made(["int f(void) { return 1; }", "x"])
    assert math.hypot(*one) == pytest.approx(1) == pytest.approx(math.hypot(*other))


def test_the_last_token_of_a_decoder_is_that_without_padding(folder: Path) -> None:
    write(folder, "1_Pooling/config.json", {"pooling_mode_lasttoken": True})
    made = ModelEmbedder(folder)
    together = made(["x", "int main(void) { return 0; }", ""])
    assert dot(together[0], made(["x"])[0]) == pytest.approx(1, abs=1e-5)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("1_Pooling/config.json", {"pooling_mode_max_tokens": True}),
        ("1_Pooling/config.json", {"pooling_mode_cls_token": True, "pooling_mode_lasttoken": True}),
        ("modules.json", [{"type": "sentence_transformers.models.Dense"}]),
    ],
)
def test_what_is_not_known_is_refused(folder: Path, name: str, content: object) -> None:
    write(folder, name, content)
    with pytest.raises(ModelError, match="not known here"):
        pooling_of(folder)


def test_settings_that_are_no_json_are_said(folder: Path) -> None:
    (folder / "modules.json").write_text("{")
    with pytest.raises(ModelError, match=r"modules.json: the file is no JSON"):
        load_embedder(str(folder))


# The choice.


def test_a_package_that_is_missing_is_said_with_the_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedding, "PACKAGE", "gt_no_such_package")
    with pytest.raises(ModelError, match="not installed.*extra `embed`") as error:
        load_embedder()
    assert "\n" not in str(error.value)


def test_a_folder_without_a_model_is_said(folder: Path) -> None:
    (folder / "model.safetensors").unlink()
    with pytest.raises(ModelError, match="cannot be loaded"):
        load_embedder(str(folder))
    with pytest.raises(ModelError, match="no such model folder"):
        load_embedder("no-such-model")


def test_an_address_needs_a_model(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ModelError, match="Name it behind the address: http://localhost/v1#MODEL"):
        load_embedder("http://localhost/v1")
    monkeypatch.setenv("OPENAI_API_KEY", "from the environment")
    named = load_embedder("http://localhost/v1#m")
    assert isinstance(named, EndpointEmbedder)
    assert (named.name, named.model) == ("m at http://localhost/v1", "m")
    assert named.service.key == "from the environment"
    assert load_embedder("https://localhost/v1", model="n", key="k").name == (
        "n at https://localhost/v1"
    )


@pytest.mark.parametrize("wrong", [{"batch": 0}, {"max_length": 0}])
def test_numbers_that_make_no_sense(wrong: dict[str, int]) -> None:
    with pytest.raises(ModelError, match="must be at least 1"):
        load_embedder(**wrong)  # type: ignore[arg-type]
