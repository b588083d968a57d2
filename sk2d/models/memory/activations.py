"""What a block keeps for the backward pass, counted tensor by tensor.

Read off transformers' Llama and PEFT with `torch.autograd.graph.saved_tensors_hooks`; the test of
this module counts again. h hidden size, s heads x head length, i width of the feed-forward layer,
r rank; all figures are bytes per token of one block.
"""

from __future__ import annotations

from sk2d.models.memory.job import HALF, SINGLE, Job


def block_bytes(job: Job) -> int:
    """Give the bytes that one block keeps per token.

    Args:
        job: The run.

    Returns:
        Bytes, whatever `gradient_checkpointing` says.
    """
    arch = job.architecture
    hidden, inner = arch.hidden, arch.intermediate
    size, stream = job.compute_bytes, job.stream_bytes
    queries = arch.heads * arch.head_dim
    # q, k and v; the output is the input of o_proj, unless a cast stands between
    attention = (4 if job.half and job.lora else 3) * queries * size
    norms = 2 * hidden * SINGLE  # computed in 32 bits
    feed = (3 if arch.gated else 2) * inner * size + inner * _input_bytes(job)
    if job.lora is None:
        norms += 2 * hidden * stream  # for the gradient of their weights
        inputs = 6 if job.mixed else 3
        return attention + norms + feed + inputs * hidden * size
    inputs = 6 if job.half else 3  # each adapter casts its own copy
    adapters = len(arch.linears) * job.lora.rank * (SINGLE if not job.mixed else size)
    return attention + norms + feed + inputs * hidden * _input_bytes(job) + adapters


def _input_bytes(job: Job) -> int:
    """Give the bytes of a linear layer's kept input: adapters keep 32 bits where nothing casts."""
    return SINGLE if job.lora and not job.mixed else job.compute_bytes


def kept_bytes(job: Job) -> int:
    """Give what all blocks keep for the backward pass.

    Args:
        job: The run.

    Returns:
        Bytes; with checkpointing the input of each block only.
    """
    arch = job.architecture
    per_token = arch.hidden * job.stream_bytes if job.gradient_checkpointing else block_bytes(job)
    ends = 3 * arch.hidden * SINGLE  # embedding, last norm, hidden states of the loss
    return job.tokens * (arch.layers * per_token + ends)


def passing_bytes(job: Job) -> int:
    """Give what the backward pass of one block holds besides: gradients, and recomputed tensors.

    Args:
        job: The run.

    Returns:
        Bytes.
    """
    arch = job.architecture
    gradients = job.tokens * (arch.intermediate + 2 * arch.hidden) * job.compute_bytes
    again = job.tokens * block_bytes(job) if job.gradient_checkpointing else 0
    return gradients + again


def score_bytes(job: Job) -> int:
    """Give the matrices of attention scores that are held at once.

    Args:
        job: The run.

    Returns:
        Bytes: 0 for fused kernels. The plain way holds scores and softmax of every block, the
        softmax in 32 bits, and one more of each while it computes.
    """
    if job.attention == "fused":
        return 0
    arch = job.architecture
    one = job.batch_size * arch.heads * job.length**2
    blocks = 1 if job.gradient_checkpointing else arch.layers
    return one * (blocks * (job.compute_bytes + SINGLE) + SINGLE)


def span_bytes(job: Job, rows: int | None = None) -> int:
    """Give what one block holds while it computes without keeping anything.

    Args:
        job: The run.
        rows: Rows that go through it; None for those of a micro-batch.

    Returns:
        Bytes: the two streams, and what the feed-forward layer is wide.
    """
    arch = job.architecture
    tokens = job.tokens if rows is None else rows * job.length
    wide = (3 if arch.gated else 2) * arch.intermediate
    return tokens * (wide * job.compute_bytes + 2 * arch.hidden * job.stream_bytes)


def loss_bytes(job: Job) -> tuple[int, int]:
    """Give what the loss holds for a moment, and what it leaves until the backward pass.

    Args:
        job: The run.

    Returns:
        Bytes of a chunk's logits with their copies in 16 bits, and bytes of the gradients of the
        hidden states and, where it is trained, of the output layer.
    """
    arch = job.architecture
    positions = max(1, round(job.tokens * job.supervised))
    chunk = min(job.loss_chunk, positions)
    logits = chunk * arch.vocab * (SINGLE + (HALF if job.half else 0))
    left = positions * arch.hidden * (SINGLE + job.compute_bytes)
    if job.lora is None:
        left += arch.embedding_parameters * SINGLE
        logits += arch.embedding_parameters * (HALF + SINGLE) if job.half else 0
    return logits, left
