"""Models: load, LoRA, packed attention, chunked loss, generation, merge and export."""

import os

import torch
from transformers.utils import logging

# sk2d draws one progress bar of its own; bars of single files would tear it apart.
logging.disable_progress_bar()

# Where DeepSpeed is installed, saving a model imports it, and it warns of a missing GPU.
if not torch.cuda.is_available():
    os.environ.setdefault("DS_ACCELERATOR", "cpu")
