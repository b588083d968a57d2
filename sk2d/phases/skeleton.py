"""Phase 1, Skeleton: pseudo-code to IR with placeholders."""

from sk2d.phases.supervised import SupervisedModule


class SkeletonModule(SupervisedModule):
    """Fine-tune a causal language model to turn pseudo-code into IR (arXiv 2509.22114)."""

    phase = "skeleton"
    default_prompt = "skeleton"
