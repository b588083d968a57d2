"""Phase 2, Skin: IR with placeholders to named source."""

from sk2d.phases.supervised import SupervisedModule


class SkinModule(SupervisedModule):
    """Fine-tune a causal language model to give an IR its names and types (arXiv 2509.22114)."""

    phase = "skin"
    default_prompt = "skin"
