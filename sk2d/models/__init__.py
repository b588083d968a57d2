"""Models: load, LoRA, packed attention, chunked loss, generation, merge and export."""

from transformers.utils import logging

# sk2d draws one progress bar of its own; bars of single files would tear it apart.
logging.disable_progress_bar()
