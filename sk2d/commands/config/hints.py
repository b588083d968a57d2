"""What was meant by a key that does not exist: misspelt, elsewhere, or another tool's name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from sk2d.commands.config.types import describe, nested_fields
from sk2d.errors import did_you_mean

OWNED = {
    "optimizer": "The phase owns the optimiser: set model.lr, model.weight_decay, model.betas",
    "lr_scheduler": "The phase owns the schedule: set model.schedule",
    "verbose": "Only validate and test have it: leave it out",
    "return_predictions": "Only predict has it: leave it out",
    "config": "A config cannot name another one: give several --config options",
    **dict.fromkeys(
        ("fit", "validate", "test", "predict"),
        "A config has no level for the command: move its keys one level up",
    ),
}
# Names in upstream's scripts and in the trainers that people come from -> the key here.
ELSEWHERE = {
    "input_json": "data.train",
    "train_file": "data.train",
    "data_path": "data.train",
    "dataset": "data.train",
    "dataset_dir": "data.train",
    "dataset_name": "data.train",
    "train_data": "data.train",
    "val_file": "data.val",
    "validation_file": "data.val",
    "eval_dataset": "data.val",
    "val_size": "data.val_share",
    "test_file": "data.test",
    "max_samples": "data.limit",
    "cutoff_len": "data.cutoff",
    "max_seq_length": "data.cutoff",
    "max_seq_len": "data.cutoff",
    "max_length": "data.cutoff",
    "model_max_length": "data.cutoff",
    "sequence_len": "data.cutoff",
    "packing": "data.pack",
    "sample_packing": "data.pack",
    "per_device_train_batch_size": "data.batch_size",
    "per_device_eval_batch_size": "data.batch_size",
    "micro_batch_size": "data.batch_size",
    "global_batch_size": "data.effective_batch",
    "train_batch_size": "data.effective_batch",
    "gradient_accumulation_steps": "data.effective_batch (it is reached by accumulation)",
    "dataloader_num_workers": "data.num_workers",
    "preprocessing_num_workers": "data.num_workers",
    "workers": "data.num_workers",
    "model_name_or_path": "model.base",
    "model_name": "model.base",
    "model_path": "model.base",
    "base_model": "model.base",
    "adapter_name_or_path": "model.base",
    "learning_rate": "model.lr",
    "warmup_ratio": "model.schedule.warmup",
    "warmup_steps": "model.schedule.warmup (a share of all steps)",
    "lr_scheduler_type": "model.schedule.kind",
    "adam_beta1": "model.betas",
    "adam_beta2": "model.betas",
    "finetuning_type": "model.lora (null for full fine-tuning)",
    "lora_rank": "model.lora.rank",
    "lora_r": "model.lora.rank",
    "lora_alpha": "model.lora.alpha",
    "lora_dropout": "model.lora.dropout",
    "lora_target": "model.lora.targets",
    "lora_target_modules": "model.lora.targets",
    "target_modules": "model.lora.targets",
    "template": "model.prompt",
    "prompt_template": "model.prompt",
    "flash_attn": "model.attention",
    "attn_implementation": "model.attention",
    "use_flash_attention": "model.attention flash2",
    "max_tokens": "model.max_new_tokens",
    "output_dir": "trainer.default_root_dir",
    "output": "trainer.default_root_dir",
    "num_train_epochs": "trainer.max_epochs",
    "epochs": "trainer.max_epochs",
    "num_epochs": "trainer.max_epochs",
    "max_grad_norm": "trainer.gradient_clip_val",
    "gradient_clipping": "trainer.gradient_clip_val",
    "logging_steps": "trainer.log_every_n_steps",
    "eval_steps": "trainer.val_check_interval",
    "eval_strategy": "trainer.check_val_every_n_epoch",
    "report_to": "trainer.logger",
    "deepspeed": "trainer.strategy",
    "gpus": "trainer.devices",
    "bf16": "trainer.precision bf16-mixed",
    "fp16": "trainer.precision 16-mixed",
    "dtype": "trainer.precision",
    "torch_dtype": "trainer.precision",
    "save_steps": "checkpoint.every_n_train_steps",
    "save_total_limit": "checkpoint.keep",
    "resume": "ckpt_path last",
    "resume_from_checkpoint": "ckpt_path last",
    "overwrite_output_dir": "overwrite",
    "seed": "seed_everything (the run) or data.seed (the order of rows)",
}


def unknown_part(key: str, known: Iterable[str]) -> str:
    """Find the first part of a key that does not exist.

    Args:
        key: A key that does not exist.
        known: The keys that do.

    Returns:
        The shortest beginning of the key that begins no known key, such as
        `modl` of `modl.base`.
    """
    parts = key.split(".")
    for end in range(1, len(parts)):
        start = ".".join(parts[:end])
        if not any(name == start or name.startswith(f"{start}.") for name in known):
            return start
    return key


def remedy_for(key: str, known: Mapping[str, Any]) -> str:
    """Say which key was meant.

    Args:
        key: A key, or the beginning of one, that does not exist.
        known: Type by key that does.

    Returns:
        A remedy; at the least, the keys of the section.
    """
    names = list(known)
    *above, last = key.split(".")
    for part in (last, *above):
        if part in OWNED:
            return OWNED[part]
    if last.replace("-", "_") in ELSEWHERE:
        return f"Here it is called {ELSEWHERE[last.replace('-', '_')]}"
    section = ".".join(above)
    if section in known and not nested_fields(known[section]):
        return f"Nothing stands below {section}: it takes {describe(known[section])}"
    if meant := _same_name(last, names) or _nearest(last, section, names):
        return f"Did you mean {meant}?"
    inside = [name.split(".")[-1] for name in names if name.rpartition(".")[0] == section]
    here = f"The keys of {section} are {', '.join(inside)}" if section else ""
    return here or "configs/reference.yaml lists all keys"


def _same_name(last: str, names: list[str]) -> str | None:
    same = [name for name in names if name.split(".")[-1] == last]
    return min(same, key=lambda name: name.count(".")) if same else None


def _nearest(last: str, section: str, names: list[str]) -> str | None:
    beside = {name.split(".")[-1]: name for name in names if name.rpartition(".")[0] == section}
    if not section:
        beside |= {name.split(".")[0]: name.split(".")[0] for name in names}
    anywhere = {name.split(".")[-1]: name for name in reversed(names)}
    for candidates in (beside, anywhere):
        near = did_you_mean(last.lower(), candidates)
        if near:
            return candidates[near.removeprefix("Did you mean ").removesuffix("?")]
    return None
