"""sk2d: from decompiler output back to C, in two phases (Skeleton, Skin), and the training of both.

The package is built in floors; a module imports only from its own floor or a lower one
(`tests/test_floors.py`). Nothing on floors 0 to 3 imports torch.
"""

__version__ = "0.1.0"
