"""The table of keys against DeepSpeed's own models, field by field and read by read."""

from __future__ import annotations

import enum
import importlib.metadata
import json
from typing import Any

import pytest

from sk2d.models.zero_config.conditions import Settings, unmet
from sk2d.models.zero_config.table import canonical, children, find, known_keys, known_mistakes
from sk2d.models.zero_config.values import accepts, choices
from tests.imports import ROOT

ZERO = "runtime.zero"
MODELS = {
    "zero_optimization": f"{ZERO}.config.DeepSpeedZeroConfig",
    "zero_optimization.offload_param": f"{ZERO}.offload_config.DeepSpeedZeroOffloadParamConfig",
    "zero_optimization.offload_optimizer": (
        f"{ZERO}.offload_config.DeepSpeedZeroOffloadOptimizerConfig"
    ),
    "zero_optimization.zenflow": "runtime.zenflow.zenflow_config.ZenFlowConfig",
    "zero_optimization.leaf_module": f"{ZERO}.leaf_module_config.DeepSpeedZeroLeafModuleConfig",
    "fp16": "runtime.precision_config.DeepSpeedFP16Config",
    "bf16": "runtime.precision_config.DeepSpeedBF16Config",
    "comms_logger": "comm.config.CommsLoggerConfig",
    "timers.throughput": "utils.config.DeepSpeedThroughputTimerConfig",
    "tensorboard": "monitor.config.TensorBoardConfig",
    "csv_monitor": "monitor.config.CSVConfig",
    "wandb": "monitor.config.WandbConfig",
    "comet": "monitor.config.CometConfig",
    "hybrid_engine": "runtime.config.HybridEngineConfig",
    "compile": "compile.config.CompileConfig",
    "tensor_parallel": "runtime.tensor_parallel.config.TPTrainingConfig",
    "tensor_parallel.tensor_parallel": "runtime.tensor_parallel.config.TPConfig",
    "weight_quantization": "inference.config.WeightQuantConfig",
}
# Made by a function or a number of torch, so that the table says it in words or leaves it out.
UNSAID = {"tensor_parallel.dtype", "zero_optimization.leaf_module.classes"}


@pytest.fixture
def locked() -> None:
    """Skip where another DeepSpeed than the one of the table is installed."""
    version = importlib.metadata.version("deepspeed")
    if not version.startswith("0.19."):
        pytest.skip(f"the table is that of DeepSpeed 0.19, and {version} is installed")


def load(name: str) -> Any:
    module, _, cls = f"deepspeed.{name}".rpartition(".")
    return getattr(importlib.import_module(module), cls)


@pytest.mark.parametrize("section", MODELS)
@pytest.mark.usefixtures("deepspeed_config", "locked")
def test_a_section_has_the_fields_of_deepspeeds_model(section: str) -> None:
    fields = load(MODELS[section]).model_fields
    names = {name for key, field in fields.items() for name in (key, field.alias) if name}
    key = find(section)
    assert key is not None
    assert key.type == "section:closed"
    removed = {"mics_shard_size", "mics_hierarchical_params_gather", "zeropp_loco_param"}
    assert names == set(children(section)) - removed


@pytest.mark.parametrize("section", MODELS)
@pytest.mark.usefixtures("deepspeed_config", "locked")
def test_defaults_are_those_of_deepspeeds_model(section: str) -> None:
    for name, field in load(MODELS[section]).model_fields.items():
        key = find(f"{section}.{name}")
        assert key is not None
        if key.name in UNSAID or key.is_section:
            continue
        default = field.get_default(call_default_factory=True)
        default = default.value if isinstance(default, enum.Enum) else default
        assert default == key.default, key.name


class Recorder(dict[str, Any]):
    """A config that keeps a list of the keys that the parser asks for."""

    def __init__(self, path: str, asked: set[str], **content: Any) -> None:
        self.path, self.asked = path, asked
        super().__init__(content)

    def _ask(self, key: object) -> None:
        self.asked.add(f"{self.path}{key}")

    def get(self, key: str, default: Any = None) -> Any:
        self._ask(key)
        return super().get(key, default)

    def __contains__(self, key: object) -> bool:
        self._ask(key)
        return super().__contains__(key)

    def __getitem__(self, key: str) -> Any:
        self._ask(key)
        return super().__getitem__(key)

    def keys(self) -> Any:
        return self

    def __copy__(self) -> Recorder:
        return Recorder(self.path, self.asked, **dict(self.items()))


@pytest.mark.usefixtures("locked")
def test_every_key_that_the_parser_asks_for_is_in_the_table(deepspeed_config: type) -> None:
    asked: set[str] = set()
    sections = [key.name for key in known_keys().values() if key.type == "section:open"]
    content = {
        name: Recorder(f"{name}.", asked)
        for name in sections
        if "." not in name and name not in ("timers", "checkpoint", "optimizer", "scheduler")
    }
    checkpoint = Recorder("checkpoint.", asked)
    dict.__setitem__(checkpoint, "writer", Recorder("checkpoint.writer.", asked))
    dict.__setitem__(checkpoint, "parallel_write", Recorder("checkpoint.parallel_write.", asked))
    content["checkpoint"] = checkpoint
    for name in ("optimizer", "scheduler"):
        content[name] = Recorder(f"{name}.", asked)
        dict.__setitem__(content[name], "type", "AdamW")
    deepspeed_config(Recorder("", asked, train_micro_batch_size_per_gpu=1, **content))
    assert len(asked) > 60
    assert "activation_checkpointing.cpu_checkpointing" in asked
    free = [key.name for key in known_keys().values() if key.type == "section:free"]
    named = {name for name in asked if not name.startswith(tuple(f"{f}." for f in free))}
    assert sorted(named - set(known_keys())) == []
    unread = {name for name in known_keys() if "." not in name and name not in asked}
    # Looked up in places that this parse does not reach.
    assert unread == {"allgather_size", "data_parallel_size", "sequence_parallel_size"}


def test_rows_make_sense() -> None:
    keys = known_keys()
    for key in keys.values():
        if key.type.startswith("alias:"):
            assert keys[canonical(key.name)].type != key.type
            continue
        section = key.name.rpartition(".")[0]
        assert not section or find(section) is not None
        assert key.says
        assert key.says == key.says.strip()
        assert unmet(key.needs, Settings({})) != "?", "the condition can be read"
        if key.default is not None and key.type != "removed":
            closed = True
            assert accepts(key.type, key.default, closed=closed), key.name
        if choices(key.type):
            assert len(choices(key.type)) > 1


def test_made_up_keys_are_no_real_ones() -> None:
    for name, mistake in known_mistakes().items():
        assert find(name) is None, name
        assert mistake.says
        assert mistake.remedy


def test_the_table_ships_with_the_package() -> None:
    text = (ROOT / "sk2d/models/zero_config/keys.tsv").read_text("utf-8")
    lines = text.splitlines()
    assert {line.count("\t") for line in lines} == {5}
    assert json.loads(lines[4].split("\t")[2]) == 1.0
