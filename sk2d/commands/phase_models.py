"""The models of `decompile` and `evaluate`; torch is loaded only where there are some.

They are not in the command's own module: whoever reads its signature loads all that this imports.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sk2d.errors import ConfigError

if TYPE_CHECKING:
    from sk2d.decompile.loading import Phases


@dataclass(frozen=True)
class Models:
    """Which models answer, and how.

    Args:
        skeleton: Model of the first phase.
        skin: Model of the second.
        prompt: Prompt of a folder that does not say.
        batch_size: Prompts that are answered together.
        max_new_tokens: Longest answer.
        prompt_lookup: Tokens that are guessed ahead.
        device: Where they run.
    """

    skeleton: str | None
    skin: str | None
    prompt: str | None
    batch_size: int
    max_new_tokens: int
    prompt_lookup: int
    device: str | None

    def named(self) -> dict[str, str]:
        """Give the models that are used, by phase, in the order of the phases."""
        given = {"skeleton": self.skeleton, "skin": self.skin}
        return {phase: model for phase, model in given.items() if model is not None}

    def check(self) -> None:
        """Refuse options that do nothing or cannot be.

        Raises:
            ConfigError: One is.
        """
        if self.prompt is not None and not self.named():
            what, remedy = "no model is given that it could be for", "Give --skeleton and --skin"
            raise ConfigError(what, where="--prompt", remedy=remedy)
        for name in ("batch_size", "max_new_tokens"):
            if getattr(self, name) < 1:
                raise ConfigError("it must be at least 1", where=f"--{name}")
        if self.prompt_lookup < 0:
            raise ConfigError("it must be 0 or more", where="--prompt_lookup")

    def load(self) -> Phases | None:
        """Load the models, or make ready to load them in turn.

        Returns:
            The phases; None where no model is given.
        """
        named = self.named()
        if not named:
            return None
        from sk2d.decompile.loading import Phases
        from sk2d.decompile.phases import Asking, prompt_for

        asking = Asking(self.batch_size, self.max_new_tokens, self.prompt_lookup, self.device)
        found = {
            phase: (name, prompt_for(name, phase, self.prompt)) for phase, name in named.items()
        }
        return Phases(found, asking)
