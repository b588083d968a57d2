"""What sk2d uses of PEFT, imported without bitsandbytes.

PEFT imports bitsandbytes at once where it is installed. That costs seconds at every start, and one
that fails at import, as it does without a library for the GPU at hand, would take PEFT with it.
Only quantised bases need it; `show_bitsandbytes` lets PEFT see it then.
"""

from __future__ import annotations

import sys

_NAME = "bitsandbytes"
_hidden = _NAME not in sys.modules
if _hidden:
    sys.modules[_NAME] = None  # type: ignore[assignment]  # an import of it now is an ImportError
try:
    from peft import (
        LoraConfig,
        PeftConfig,
        PeftModel,
        get_peft_model,
        get_peft_model_state_dict,
    )
    from peft import __version__ as version
    from peft.import_utils import is_bnb_4bit_available, is_bnb_available
    from peft.tuners.tuners_utils import BaseTunerLayer
    from peft.utils.save_and_load import load_peft_weights, set_peft_model_state_dict

    # PEFT keeps the answers.
    is_bnb_available()
    is_bnb_4bit_available()
finally:
    if _hidden:
        del sys.modules[_NAME]

__all__ = [
    "BaseTunerLayer",
    "LoraConfig",
    "PeftConfig",
    "PeftModel",
    "get_peft_model",
    "get_peft_model_state_dict",
    "load_peft_weights",
    "set_peft_model_state_dict",
    "show_bitsandbytes",
    "version",
]


def show_bitsandbytes() -> None:
    """Let PEFT look for bitsandbytes again, once it is known to work."""
    is_bnb_available.cache_clear()
    is_bnb_4bit_available.cache_clear()
