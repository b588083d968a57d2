import subprocess
import sys

import pytest


def test_the_memory_of_a_process_grows_by_what_it_takes() -> None:
    # In a process of its own: this one may have memory that earlier tests freed.
    code = """
from sk2d.hardware import process_memory_bytes
before = process_memory_bytes()
taken = bytearray(b"1" * 200_000_000)
print(process_memory_bytes() - before > 100_000_000, len(taken))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.stdout.split() == ["True", "200000000"]


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="glibc is a Linux library")
def test_freed_memory_stays_with_the_process_when_asked() -> None:
    code = """
from sk2d.hardware import process_memory_bytes, set_allocator
took = set_allocator(sparing=False)
block = bytearray(b"1" * 200_000_000)
full = process_memory_bytes()
del block
print(took, process_memory_bytes() > full - 50_000_000)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.stderr == ""
    assert done.stdout.split() in (["True", "True"], ["False", "False"])


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="glibc is a Linux library")
def test_freed_memory_goes_back_when_it_is_to_be_spared() -> None:
    code = """
from sk2d.hardware import process_memory_bytes, set_allocator
took = set_allocator(sparing=True)
before = process_memory_bytes()
blocks = [bytearray(b"1" * 1_000_000) for _ in range(200)]
last = blocks.pop()
del blocks
print(took, process_memory_bytes() - before < 20_000_000)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.stderr == ""
    assert done.stdout.split()[0] in ("True", "False")
    assert done.stdout.split() != ["True", "False"]
