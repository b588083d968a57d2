"""DeepSpeed's engine as a strategy: on one GPU or many, on the CPU, and without a launcher.

Lightning's runs on GPUs only, compiles after loading the model, writes checkpoints in place.
"""

from __future__ import annotations

import contextlib
import copy
import os
import sys
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any, Literal, cast

import torch
from lightning.fabric.utilities.seed import reset_seed
from lightning.pytorch import Trainer
from lightning.pytorch.strategies import DeepSpeedStrategy
from lightning.pytorch.trainer.states import TrainerFn
from torch import Tensor
from torch.optim import Optimizer

from sk2d.errors import ConfigError, ResumeError
from sk2d.models.strategies import checkpoint_folder as folders
from sk2d.models.strategies.effective import Effective, check_against_trainer, read_back
from sk2d.models.strategies.launcher import RunLauncher
from sk2d.models.strategies.offload import on_the_cpu, small_states
from sk2d.models.strategies.ops import build_ops, needed_ops
from sk2d.models.strategies.rendezvous import Rendezvous
from sk2d.models.strategies.starting import compute_on_the_cpu, start_deepspeed
from sk2d.models.strategies.threads import share_threads
from sk2d.models.strategies.weights import (
    cut_up,
    output_weight,
    use_outside_its_layer,
    whole_float32,
)

DEFAULTS: dict[str, Any] = {"stage": 2, "offload_optimizer": False, "offload_parameters": False}


class RunDeepSpeedStrategy(DeepSpeedStrategy):
    """DeepSpeed for a run of sk2d.

    Args:
        stage: What is shared out among the devices: 1 the optimiser's states, 2 the gradients too,
            3 the weights too.
        offload_optimizer: Keep the optimiser's states in the computer's memory and update there.
        offload_parameters: Keep the weights there too; needs stage 3.
        config: A DeepSpeed config, as a file or mapping, in place of the three above. Batch sizes,
            accumulation, clipping, precision and optimiser are the trainer's and the module's.
        pin_memory: Page-locked memory for what is offloaded; faster, and cannot be swapped.
        cpu_ops: `build` compiles DeepSpeed's own parts for the CPU before anything is loaded;
            `torch` does without them, which is slower.
        initial_scale_power: With 16-mixed, the loss is scaled by 2 to this power at first.
        loss_scale_window: Steps without overflow after which the scale is doubled.
        timeout_s: Seconds that a process waits for another one.
    """

    def __init__(
        self,
        stage: int = 2,
        offload_optimizer: bool = False,
        offload_parameters: bool = False,
        config: str | dict[str, Any] | None = None,
        pin_memory: bool = False,
        cpu_ops: Literal["build", "torch"] = "build",
        initial_scale_power: int = 16,
        loss_scale_window: int = 1000,
        timeout_s: int = 1800,
    ) -> None:
        if not torch.cuda.is_available():
            os.environ["DS_ACCELERATOR"] = "cpu"
        given = (stage, offload_optimizer, offload_parameters)
        named = os.environ.get(self.DEEPSPEED_ENV_VAR) if config is None else config
        _only_one(dict(zip(DEFAULTS, given, strict=True)), named)
        super().__init__(
            stage=stage,
            offload_optimizer=offload_optimizer,
            offload_parameters=offload_parameters,
            config=copy.deepcopy(config),
            pin_memory=pin_memory,
            initial_scale_power=initial_scale_power,
            loss_scale_window=loss_scale_window,
            timeout=timedelta(seconds=timeout_s),
            exclude_frozen_parameters=True,
        )
        self.cpu_ops = cpu_ops
        self.effective: Effective | None = None
        self._rendezvous: Rendezvous | None = None
        self._resumed_from: Path | None = None
        if cpu_ops == "torch":
            assert isinstance(self.config, dict), "a config is read by the constructor"
            self.config["zero_force_ds_cpu_optimizer"] = False

    @property
    def root_device(self) -> torch.device:
        """Device of this process; DeepSpeed wants an index also on the CPU."""
        assert self.parallel_devices is not None, "the trainer gives the devices"
        device = self.parallel_devices[self.local_rank]
        return torch.device("cpu", 0) if device.type == "cpu" else device

    @property
    def zero(self) -> dict[str, Any]:
        """The part of the config about ZeRO."""
        assert isinstance(self.config, dict), "a config is read by the constructor"
        return cast("dict[str, Any]", self.config.get("zero_optimization") or {})

    @property
    def offloads_optimizer(self) -> bool:
        """Whether the optimiser's states are in the computer's memory."""
        return (self.zero.get("offload_optimizer") or {}).get("device", "none") != "none"

    def _configure_launcher(self) -> None:
        self._rendezvous = Rendezvous(self.num_processes * self.num_nodes)
        environment = self.cluster_environment
        self._launcher = RunLauncher(
            environment, self.num_processes, self.num_nodes, self._prepare_run
        )

    def _prepare_run(self) -> None:
        """Do in the first process what has to be done once, before any other process starts."""
        assert self._rendezvous is not None, "the launcher is configured by the trainer"
        threads, reason = share_threads(self.num_processes)
        counted = f"{threads} thread{'s' if threads > 1 else ''}"
        sys.stderr.write(f"note: {counted} per process ({reason})\n")
        self._build_ops()
        self._rendezvous.open()

    def _build_ops(self) -> None:
        if self.cpu_ops == "torch":
            return
        kind, several = self.root_device.type, self.num_processes
        names = needed_ops(kind, processes=several, offload_optimizer=self.offloads_optimizer)
        build_ops(names, kind)

    def setup_environment(self) -> None:
        """Join the other processes; what DeepSpeed compiles is there before the model loads."""
        assert self.accelerator is not None, "the trainer gives the accelerator"
        self.accelerator.setup_device(self.root_device)
        if self.root_device.type == "cpu":
            compute_on_the_cpu()
        self._build_ops()
        self.setup_distributed()

    def setup_distributed(self) -> None:
        """Start torch's process group, and DeepSpeed on it."""
        assert self._rendezvous is not None, "the launcher is configured by the trainer"
        reset_seed()
        self.set_world_ranks()
        self._set_node_environment_variables()
        backend = self._process_group_backend = self._get_process_group_backend()
        self._rendezvous.join(backend, self.global_rank, cast("timedelta", self._timeout))
        start_deepspeed(
            backend,
            cast("timedelta", self._timeout),
            shared_memory=self.cpu_ops == "build" and self.world_size > 1,
        )

    @contextlib.contextmanager
    def model_sharded_context(self) -> Iterator[None]:
        """Cut the weights up after they were loaded, one by one (stage 3).

        Each process loads the whole model into the computer's memory first: what is made of it
        (adapters, checks of the attention) needs whole weights.
        """
        yield
        self._init_config_if_needed()
        module = self.lightning_module
        if self.zero_stage_3 and module is not None:
            cut_up(module, self._whole_config(), self._half_dtype())

    def _whole_config(self) -> dict[str, Any]:
        assert isinstance(self.config, dict), "a config is read by the constructor"
        return self.config

    def _half_dtype(self) -> torch.dtype | None:
        config = self._whole_config()
        kinds = {"fp16": torch.float16, "bf16": torch.bfloat16}
        on = [kind for name, kind in kinds.items() if config.get(name, {}).get("enabled")]
        return on[0] if on else None

    def _format_batch_size_and_grad_accum_config(self) -> None:
        """Put the trainer's values into the config, where they are the engine's."""
        assert isinstance(self.config, dict), "a config is read by the constructor"
        module = self.lightning_module
        if module is None:
            return
        self.config["gradient_clipping"] = float(module.trainer.gradient_clip_val or 0.0)
        self.config["train_micro_batch_size_per_gpu"] = self._micro_batch()
        self.config["gradient_accumulation_steps"] = module.trainer.accumulate_grad_batches
        self.config.pop("train_batch_size", None)

    def _micro_batch(self) -> int:
        assert self.lightning_module is not None, "the trainer connects the module"
        data = getattr(self.lightning_module.trainer, "datamodule", None)
        return int(getattr(data, "batch_size", 1))

    def _init_optimizers(self) -> tuple[Optimizer, Any]:
        optimizer, schedule = super()._init_optimizers()
        if self.offloads_optimizer and self.cpu_ops == "build":
            optimizer = on_the_cpu(optimizer, schedule)
        return optimizer, schedule

    def init_deepspeed(self) -> None:
        """Set the engine up, and read back what it does."""
        super().init_deepspeed()
        module = self.lightning_module
        assert module is not None, "the trainer connects the module"
        if self.zero_stage_3:
            use_outside_its_layer(module, output_weight(module))
        if not module.trainer.training:
            return
        self.effective = read_back(self.deepspeed_engine, self.root_device.type)
        check_against_trainer(self.effective, self._wanted(module.trainer))
        if self.is_global_zero:
            sys.stderr.write(f"note: {self.effective.line()}\n")
            if self.offloads_optimizer and (small := small_states(module)):
                sys.stderr.write(f"note: {small}\n")

    def _wanted(self, trainer: Trainer) -> dict[str, float]:
        accumulation, batch = trainer.accumulate_grad_batches, self._micro_batch()
        return {
            "stage": int(self.zero.get("stage", 0)),
            "clipping": float(trainer.gradient_clip_val or 0.0),
            "micro_batch": batch,
            "accumulation": accumulation,
            "batch": batch * accumulation * self.world_size,
        }

    @property
    def handles_gradient_accumulation(self) -> bool:
        """False: DeepSpeed counts micro-batches, and would run an epoch's short last step on."""
        return False

    @contextlib.contextmanager
    def block_backward_sync(self) -> Iterator[None]:
        """Do nothing: the engine adds gradients up where it keeps them, and shares them out."""
        yield

    def backward(self, closure_loss: Tensor, *args: Any, **kwargs: Any) -> Tensor:
        """Differentiate, and tell the engine whether the optimiser steps after this micro-batch.

        Lightning has divided the loss by the accumulation, so the engine must not.

        Args:
            closure_loss: The micro-batch's share of the step's loss.
            args: Further arguments of Lightning.
            kwargs: Further arguments of Lightning.

        Returns:
            The loss.
        """
        assert self.lightning_module is not None, "the trainer connects the module"
        accumulates = self.lightning_module.trainer.fit_loop._should_accumulate()
        self.deepspeed_engine.set_gradient_accumulation_boundary(not accumulates)
        loss = super().backward(closure_loss, *args, scale_wrt_gas=False, **kwargs)
        if accumulates:
            self.deepspeed_engine.step()  # counts the micro-batch; the weights stay
        return loss

    def grad_norm(self) -> float:
        """Give the norm of the last step's gradient before clipping; NaN before the first step."""
        norm = self.deepspeed_engine.get_global_grad_norm()
        return float("nan") if norm is None else float(norm)

    @property
    def skipped_last(self) -> bool:
        """Whether the scaler skipped the last step because its gradient overflowed."""
        return bool(getattr(self.deepspeed_engine.optimizer, "overflow", False))

    def lightning_module_state_dict(self) -> dict[str, Any]:
        """Give the trained weights in float32; called in every process."""
        assert self.lightning_module is not None, "the trainer connects the module"
        return whole_float32(self.lightning_module)

    def optimizer_state(self, optimizer: Optimizer) -> dict[str, Any]:
        """Say that the optimiser's state is in the engine's part of the checkpoint.

        Args:
            optimizer: Not used: the engine writes its own.

        Returns:
            The name of that part.
        """
        return {"folder": folders.ENGINE}

    def save_checkpoint(
        self, checkpoint: dict[str, Any], filepath: str | Path, storage_options: Any | None = None
    ) -> None:
        """Write a checkpoint folder beside its name, mark it and rename it; all processes call it.

        Args:
            checkpoint: Lightning's part.
            filepath: The checkpoint's name.
            storage_options: Not supported; must be None.
        """
        assert storage_options is None, "storage options are not supported"
        path = Path(self.broadcast(str(filepath)))
        temporary = Path(self.broadcast(str(folders.beside(path))))
        temporary.mkdir(parents=True, exist_ok=True)
        self.deepspeed_engine.save_checkpoint(
            str(temporary),
            tag=folders.ENGINE,
            save_latest=False,
            exclude_frozen_parameters=True,
        )
        self.barrier()
        if self.is_global_zero:
            for script in temporary.glob("*.py"):  # DeepSpeed's own tools; `merge` reads ours
                script.unlink()
            self.checkpoint_io.save_checkpoint(checkpoint, temporary / folders.RUN)
            folders.finish(temporary, path)
        self.barrier()

    def load_checkpoint(
        self, checkpoint_path: str | Path, weights_only: bool | None = None
    ) -> dict[str, Any]:
        """Read Lightning's part; the engine's follows when it has been checked.

        Args:
            checkpoint_path: A checkpoint folder; to measure or predict also a file.
            weights_only: Not used: nothing but plain types and tensors is read.

        Returns:
            Lightning's part of the checkpoint.

        Raises:
            ResumeError: Training cannot go on from it under DeepSpeed.
        """
        path = Path(checkpoint_path)
        if folders.is_checkpoint_folder(path):
            self._resumed_from = path
        elif self._fits():
            raise ResumeError(
                "it was written without DeepSpeed, whose optimiser states it does not hold",
                where=str(path),
                remedy="Resume with the trainer.strategy that it was written with",
            )
        return self.checkpoint_io.load_checkpoint(path, weights_only=True)

    def _fits(self) -> bool:
        assert self.lightning_module is not None, "the trainer connects the module"
        return self.lightning_module.trainer.state.fn == TrainerFn.FITTING

    def load_model_state_dict(self, checkpoint: Any, strict: bool = True) -> None:
        """Load the engine's part to go on training, and the trained weights for anything else.

        Args:
            checkpoint: Lightning's part.
            strict: Whether every weight must be in it.

        Raises:
            ResumeError: The engine cannot read its part.
        """
        if not self._fits():
            if self.zero_stage_3:
                self._restore_zero_state(checkpoint, strict=strict)
            else:
                assert self.lightning_module is not None, "the trainer connects the module"
                self.lightning_module.load_state_dict(checkpoint["state_dict"], strict=strict)
            return
        assert self._resumed_from is not None, "load_checkpoint comes first"
        found, _ = self.deepspeed_engine.load_checkpoint(
            str(self._resumed_from),
            tag=folders.ENGINE,
            load_module_strict=False,
            load_lr_scheduler_states=False,
        )
        if found is None:
            raise ResumeError("DeepSpeed cannot read its part", where=str(self._resumed_from))

    def on_train_start(self) -> None:
        """Let a resumed run fetch from the restored position on.

        The schedule's length made Lightning start an iterator before anything was restored.
        """
        assert self.lightning_module is not None, "the trainer connects the module"
        fetcher = self.lightning_module.trainer.fit_loop._data_fetcher
        if self._resumed_from is not None and fetcher is not None:
            iter(fetcher)

    def teardown(self) -> None:
        """Let go of the engine and of the store."""
        super().teardown()
        if self._rendezvous is not None:
            self._rendezvous.close()


def _only_one(given: dict[str, Any], config: Any) -> None:
    odd = [name for name, value in given.items() if value != DEFAULTS[name]]
    if config is not None and odd:
        raise ConfigError(
            f"a DeepSpeed config is given, so {', '.join(odd)} would have no effect",
            where="trainer.strategy",
            remedy="Say it in the config, or leave the config out",
        )
