"""What a run holds whatever its rows are: weights, adapters, gradients, the optimiser's states."""

from __future__ import annotations

from sk2d.models.memory.job import HALF, SINGLE, Job

# NF4 with a second quantisation: 4 bits, and per 64 weights a scale of 8 bits, whose own scale
# of 32 bits serves 256 of them (Dettmers et al. 2023, section 3).
NF4_BYTES = 0.5 + 1 / 64 + 4 / (64 * 256)
INT8_BYTES = 1.0
STATES = 2  # AdamW's moments
STATE_BYTES = {"adamw": 4.0, "adamw8bit": 1.03, "paged_adamw8bit": 1.03}
# Lightning's defaults of ZeRO's buckets, in elements: one for reducing, one for gathering.
BUCKET = 200_000_000


def weight_bytes(job: Job) -> int:
    """Give the bytes of the base's weights on a device.

    Args:
        job: The run.

    Returns:
        Bytes; with stage 3 a device's share, 0 where they are offloaded.
    """
    arch = job.architecture
    linear = arch.block_linear_parameters if job.quantization else 0
    packed = linear * (NF4_BYTES if job.quantization == "nf4" else INT8_BYTES)
    plain = (arch.parameters - linear) * job.stored_bytes
    if job.zero_stage == 3 and job.offload_param:
        return 0
    copies = 2 if job.reference else 1
    return copies * round((packed + plain) / job.share(3))


def file_bytes(job: Job) -> int:
    """Give what the base's files take in the CPU's memory while weights are read from them.

    Args:
        job: The run.

    Returns:
        Bytes; 0 where the weights are used as they lie in the files.
    """
    arch = job.architecture
    stored = SINGLE if arch.trained_in == "float32" else HALF
    if not job.quantization and stored == job.stored_bytes:
        return 0
    return arch.parameters * stored


def packing_bytes(job: Job) -> int:
    """Give the largest weight as it is made of the files, in 32 bits, before it is packed.

    Args:
        job: The run.

    Returns:
        Bytes; 0 without quantisation.
    """
    return job.architecture.embedding_parameters * SINGLE if job.quantization else 0


def adapter_bytes(job: Job) -> int:
    """Give the bytes of the adapters on a device.

    Args:
        job: The run.

    Returns:
        Bytes; 0 without LoRA.
    """
    return job.trained * job.trained_bytes // job.share(3) if job.lora else 0


def gradient_bytes(job: Job) -> int:
    """Give the bytes of the gradients of the trained weights on a device.

    Args:
        job: The run.

    Returns:
        Bytes; with stage 2 a device's share, 0 where they go to the offloaded optimiser.
    """
    if job.zero_stage >= 2 and job.offload_optimizer:
        return 0
    return job.trained * job.trained_bytes // job.share(2)


def optimizer_bytes(job: Job) -> int:
    """Give the bytes of the optimiser's states, and of DeepSpeed's exact copy of trained weights.

    Args:
        job: The run.

    Returns:
        Bytes of a device's share, wherever they are.
    """
    if job.zero_stage and job.half:
        return job.trained * (STATES + 1) * SINGLE // job.share(1)
    state = STATE_BYTES[job.optimizer]
    if job.optimizer == "adamw" and job.trained_bytes == HALF:
        state = HALF
    return round(job.trained * STATES * state) // job.share(1)


def copy_bytes(job: Job) -> int:
    """Give the half-precision copies of trained weights that autocast keeps during a step.

    Args:
        job: The run.

    Returns:
        Bytes; 0 where the weights are in the precision of the products already.
    """
    if not job.mixed or job.zero_stage:
        return 0
    if job.lora:
        return job.trained * HALF
    arch = job.architecture
    output = arch.embedding_parameters
    return (arch.block_linear_parameters + output) * HALF


def update_bytes(job: Job) -> int:
    """Give what the optimiser's step holds for a moment.

    Args:
        job: The run.

    Returns:
        Bytes: on a GPU torch updates all weights together and holds one further state of each, on
        a CPU one weight after the other. 8-bit states are updated in place on a GPU, and made whole
        for it on a CPU.
    """
    if job.offload_optimizer:
        return 0
    largest = job.largest_trained
    if job.device == "cpu":
        return (2 if job.optimizer == "adamw" else 4) * largest * job.trained_bytes
    if job.optimizer != "adamw":
        return 0
    each = job.trained * (SINGLE if job.zero_stage else job.trained_bytes)
    return max(each // job.share(1), largest * job.trained_bytes)


def exchange_bytes(job: Job) -> int:
    """Give the buffers in which devices exchange gradients and weights.

    Args:
        job: The run.

    Returns:
        Bytes; 0 for one device. Without DeepSpeed they are the gradients' own buckets (DDP).
    """
    if job.devices == 1:
        return 0
    if not job.zero_stage:
        return job.trained * job.trained_bytes
    return 2 * min(BUCKET, job.trained) * job.trained_bytes


def unpacked_bytes(job: Job) -> int:
    """Give the largest weight that is made whole for a product: from 4 bits, or gathered.

    Args:
        job: The run.

    Returns:
        Bytes; 0 where weights are held as they are used.
    """
    arch = job.architecture
    if job.quantization:
        return 2 * max(layer.parameters for layer in arch.linears) * job.compute_bytes
    if job.zero_stage == 3:
        block = arch.block_linear_parameters // arch.layers
        return 2 * max(block, arch.embedding_parameters) * job.compute_bytes
    return 0
