"""One trial of the largest micro-batch, where `data.batch_size: auto` was chosen by an estimate."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from lightning.pytorch import Callback, Trainer
from lightning.pytorch.utilities.rank_zero import rank_zero_info

from sk2d.data.batches import Batch
from sk2d.errors import OutOfMemory
from sk2d.models.loss import supervised_loss
from sk2d.models.strategies import deepspeed_of
from sk2d.phases import randomness
from sk2d.phases.attached import supervised_data_of
from sk2d.phases.out_of_memory import out_of_memory_in

if TYPE_CHECKING:
    from sk2d.phases.supervised import SupervisedModule

WHERE = "data.batch_size"


class TrialStep(Callback):
    """Runs the longest rows forward and backward once before training, and leaves no trace.

    Args:
        states_bytes: Memory that the optimiser's states will take, held during the trial.
    """

    def __init__(self, states_bytes: int) -> None:
        self.states_bytes = states_bytes

    def on_fit_start(self, trainer: Trainer, module: SupervisedModule) -> None:  # type: ignore[override]
        """Try the longest rows.

        Args:
            trainer: The trainer.
            module: The module, on its device.

        Raises:
            OutOfMemory: They do not fit.
            Exception: Anything else that is raised, as it is.
        """
        if deepspeed_of(trainer):
            rank_zero_info("data.batch_size auto is not tried beforehand under DeepSpeed")
            return
        data = supervised_data_of(trainer)
        batch = module.transfer_batch_to_device(data.longest_batch(), module.device, 0)
        before = randomness.capture(module.device)
        try:
            self._try(trainer, module, batch)
        except Exception as error:
            if out_of_memory_in(error) is None:
                raise
            what = f"auto chose {data.batch_size} by the estimate, and a trial ran out of memory"
            smaller = max(1, data.batch_size // 2)
            raise OutOfMemory(what, where=WHERE, remedy=f"Give --{WHERE} {smaller}") from error
        finally:
            randomness.restore(before, module.device)

    def _try(self, trainer: Trainer, module: SupervisedModule, batch: Batch) -> None:
        held = torch.empty(self.states_bytes, dtype=torch.uint8, device=module.device)
        trained = [weight for weight in module.parameters() if weight.requires_grad]
        with trainer.precision_plugin.forward_context():
            loss = supervised_loss(module.loaded, batch, chunk=module.loss_chunk).loss
            torch.autograd.grad(loss, trained, allow_unused=True)
        del held
