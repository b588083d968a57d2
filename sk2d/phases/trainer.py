"""Lightning's trainer, whose precision may be left to the machine."""

from __future__ import annotations

from typing import Any, Literal

from lightning.fabric.connector import _PRECISION_INPUT
from lightning.pytorch import Trainer

from sk2d.models.strategies import register_strategies


class RunTrainer(Trainer):
    """Lightning's trainer; the command line replaces `precision: auto` before it builds one.

    Args:
        *args: Arguments of Lightning's trainer.
        precision: Lightning's precision, or auto for the one that suits the machine.
        **kwargs: Arguments of Lightning's trainer.
    """

    def __init__(
        self, *args: Any, precision: _PRECISION_INPUT | Literal["auto"] | None = None, **kwargs: Any
    ) -> None:
        assert precision != "auto", "auto is resolved before a trainer is built"
        register_strategies()
        super().__init__(*args, precision=precision, **kwargs)
