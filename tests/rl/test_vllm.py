"""Rollouts by vLLM, which is not installed here: a stand-in of its interface answers instead."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
import torch
from lightning.pytorch import Callback
from peft import PeftModel
from safetensors.torch import load_file

from sk2d.errors import ConfigError
from sk2d.models.load import load_model, load_tokenizer
from sk2d.models.vllm_sampling import VllmSampler
from sk2d.rl.settings import RolloutSettings, UpdateSettings
from tests.models.making import save_adapter, trained_adapter
from tests.rl.test_policy import fit, journal

pytestmark = [
    pytest.mark.filterwarnings("ignore:all answers of step"),  # of a model that knows nothing
    pytest.mark.filterwarnings("ignore:.*have answers that all score the same"),
    pytest.mark.filterwarnings("ignore:Total length of `list` across ranks is zero"),
]


class StandIn:
    """Answers as `vllm.LLM` does, with the adapter that it finds in the request's folder."""

    made: list[StandIn]

    def __init__(self, **settings: Any) -> None:
        self.settings = settings
        self.requests: list[Any] = []
        self.adapters: list[dict[str, torch.Tensor]] = []
        self.made.append(self)

    def generate(
        self, prompts: list[Any], params: list[Any], *, lora_request: Any, use_tqdm: bool
    ) -> list[Any]:
        assert not use_tqdm
        folder = Path(lora_request.lora_path)
        self.requests.append(lora_request)
        self.adapters.append(load_file(folder / "adapter_model.safetensors"))
        base = self.settings["model"]
        model = PeftModel.from_pretrained(load_model(base), folder).eval()
        tokenizer = load_tokenizer(base)
        found = []
        for prompt, wanted in zip(prompts, params, strict=True):
            torch.manual_seed(wanted.seed)
            ids = prompt["prompt_token_ids"]
            outputs = [self._one(model, tokenizer, ids, wanted) for _ in range(wanted.n)]
            found.append(SimpleNamespace(outputs=outputs))
        return found

    def _one(self, model: Any, tokenizer: Any, prompt: list[int], wanted: Any) -> Any:
        ids: list[int] = []
        while len(ids) < wanted.max_tokens:
            with torch.no_grad():
                logits = model(input_ids=torch.tensor([prompt + ids])).logits[0, -1]
            odds = (logits / wanted.temperature).softmax(-1)
            ids.append(int(torch.multinomial(odds, 1)))
            if ids[-1] in wanted.stop_token_ids:
                return SimpleNamespace(token_ids=ids, stop_reason=ids[-1])
            text = tokenizer.decode(ids)
            for stop in wanted.stop:
                if stop in text:
                    return SimpleNamespace(token_ids=ids, stop_reason=stop)
        return SimpleNamespace(token_ids=ids, stop_reason=None)


@pytest.fixture
def vllm(monkeypatch: pytest.MonkeyPatch) -> type[StandIn]:
    """Put the stand-in where vLLM would be."""
    StandIn.made = []
    package, lora, request = (ModuleType(n) for n in ("vllm", "vllm.lora", "vllm.lora.request"))
    package.LLM, package.SamplingParams = StandIn, SimpleNamespace  # type: ignore[attr-defined]
    request.LoRARequest = lambda name, number, path: SimpleNamespace(  # type: ignore[attr-defined]
        lora_name=name, lora_int_id=number, lora_path=path
    )
    for module in (package, lora, request):
        monkeypatch.setitem(sys.modules, module.__name__, module)
    return StandIn


class Policies(Callback):
    """Keeps the adapter with which each step's answers should be drawn."""

    def __init__(self) -> None:
        self.seen: list[dict[str, torch.Tensor]] = []

    def on_train_batch_start(self, trainer: Any, module: Any, *_: Any) -> None:
        self.seen.append({n: p.detach().clone() for n, p in module.loaded.named_parameters()})


def test_each_step_is_answered_by_the_policy_as_it_is_then(
    make_rl_run: Any, vllm: type[StandIn], tmp_path: Path
) -> None:
    policies = Policies()
    rollouts = RolloutSettings(answers=3, at_once=2, engine="vllm")
    model = {"rollouts": rollouts, "update": UpdateSettings(kl=0.0, mask_truncated=False)}
    run = make_rl_run(model=model, max_steps=3, callbacks=[policies])
    fit(run)
    (llm,) = vllm.made
    steps = journal(tmp_path / "run")
    assert [len(each["answers"]) for each in steps] == [3] * len(steps)
    assert any(answer["score"] for each in steps for answer in each["answers"])
    assert llm.settings["max_lora_rank"] == 8, "the smallest that holds rank 4"
    assert llm.settings["max_model_len"] == 520
    numbers = [request.lora_int_id for request in llm.requests]
    assert numbers == [1, 1, 2, 2, 3], "two halves of a step; the last step is smaller"
    for number, adapter in zip(numbers, llm.adapters, strict=True):
        policy = policies.seen[number - 1]
        for name, weight in adapter.items():
            own = name.replace("lora_A.weight", "lora_A.default.weight")
            own = own.replace("lora_B.weight", "lora_B.default.weight")
            assert torch.equal(policy[own], weight)
    assert not all(
        torch.equal(weight, llm.adapters[-1][name]) for name, weight in llm.adapters[0].items()
    ), "the policy has learnt"
    left = [Path(request.lora_path).exists() for request in llm.requests]
    assert left == [False] * 4 + [True]


def asked(sampler: VllmSampler, policy: Any, stop: tuple[str, ...] = (), tokens: int = 6) -> Any:
    settings = {"per_prompt": 4, "max_new_tokens": tokens, "temperature": 1.0, "seed": 5}
    return sampler.sample(policy, 0, ["int f", "a"], stop=stop, **settings)


def test_answers_are_cut_where_ours_are(vllm: type[StandIn], rl_base: str) -> None:
    tokenizer = load_tokenizer(rl_base)
    sampler = VllmSampler(rl_base, tokenizer, rank=4, dtype=torch.float32, longest=64, memory=0.5)
    policy = trained_adapter(rl_base)
    plain = asked(sampler, policy)
    assert [len(group) for group in plain] == [4, 4]
    answers = [answer for group in plain for answer in group]
    for answer in answers:
        assert answer.finished == (answer.tokens[-1] == tokenizer.eos_token_id)
    whole = next(answer for answer in answers if not answer.finished and len(answer.text) > 3)
    stop = whole.text[2]
    cut = [answer for group in asked(sampler, policy, (stop,)) for answer in group]
    same = cut[answers.index(whole)]
    assert same.finished
    assert same.text == whole.text[: whole.text.index(stop)]


def test_an_adapter_is_no_base(vllm: type[StandIn], rl_base: str, tmp_path: Path) -> None:
    folder = save_adapter(rl_base, tmp_path / "adapter")
    with pytest.raises(ConfigError, match="is an adapter"):
        VllmSampler(
            str(folder),
            load_tokenizer(rl_base),
            rank=4,
            dtype=torch.float32,
            longest=64,
            memory=0.5,
        )


def test_without_vllm_it_is_an_error(rl_base: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "vllm", None)
    with pytest.raises(ConfigError, match="vLLM cannot be used here"):
        VllmSampler(
            rl_base, load_tokenizer(rl_base), rank=4, dtype=torch.float32, longest=64, memory=0.5
        )
