"""System calls that Python does not offer, each raising OSError like Python's own."""

from __future__ import annotations

import ctypes
import os
import platform
from typing import Final

CLONE_NEWNS: Final = 0x00020000
CLONE_NEWUTS: Final = 0x04000000
CLONE_NEWIPC: Final = 0x08000000
CLONE_NEWUSER: Final = 0x10000000
CLONE_NEWPID: Final = 0x20000000
CLONE_NEWNET: Final = 0x40000000

MS_RDONLY: Final = 1
MS_NOSUID: Final = 2
MS_NODEV: Final = 4
MS_NOEXEC: Final = 8
MS_BIND: Final = 4096
MS_REC: Final = 16384
MS_PRIVATE: Final = 1 << 18
MNT_DETACH: Final = 2

MOUNT_ATTR_RDONLY: Final = 1
MOUNT_ATTR_NOSUID: Final = 2
MOUNT_ATTR_NODEV: Final = 4
AT_RECURSIVE: Final = 0x8000
AT_FDCWD: Final = -100

PR_SET_PDEATHSIG: Final = 1
PR_SET_DUMPABLE: Final = 4
PR_SET_CHILD_SUBREAPER: Final = 36
PR_SET_NO_NEW_PRIVS: Final = 38

ADDR_NO_RANDOMIZE: Final = 0x0040000

# Calls newer than 2019 have one number everywhere.
_MOUNT_SETATTR: Final = 442
_LANDLOCK_CREATE_RULESET: Final = 444
_LANDLOCK_ADD_RULE: Final = 445
_LANDLOCK_RESTRICT_SELF: Final = 446
_PIVOT_ROOT: Final = {"x86_64": 155, "aarch64": 41, "riscv64": 41, "ppc64le": 203, "s390x": 217}

_libc = ctypes.CDLL(None, use_errno=True)
_libc.syscall.restype = ctypes.c_long


class _MountAttributes(ctypes.Structure):
    _fields_ = [(name, ctypes.c_uint64) for name in ("set", "clear", "propagation", "userns_fd")]


class _Ruleset(ctypes.Structure):
    _fields_ = [(name, ctypes.c_uint64) for name in ("handled_files", "handled_net", "scoped")]


class _PathBeneath(ctypes.Structure):
    _pack_ = 1
    _fields_ = [("allowed", ctypes.c_uint64), ("parent", ctypes.c_int32)]


def _checked(result: int, what: str) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")
    return result


def prctl(option: int, value: int) -> None:
    """Set a property of this process (prctl(2)).

    Args:
        option: One of the PR_ constants.
        value: Its value.
    """
    zero = ctypes.c_ulong(0)
    _checked(_libc.prctl(option, ctypes.c_ulong(value), zero, zero, zero), f"prctl({option})")


def fix_addresses() -> None:
    """Have the program that this process becomes loaded at the same addresses in every run.

    What a program reads of memory that it never wrote is then the same, too, and so is the verdict
    on it. See personality(2).
    """
    _checked(_libc.personality(ctypes.c_ulong(ADDR_NO_RANDOMIZE)), "personality")


def unshare(flags: int) -> None:
    """Leave namespaces for new ones (unshare(2)).

    Args:
        flags: CLONE_ constants.
    """
    _checked(_libc.unshare(flags), "unshare")


def mount(source: str, target: str, kind: str, flags: int, options: str = "") -> None:
    """Mount a file system (mount(2)).

    Args:
        source: A device, a folder for a bind mount, or any name.
        target: Where.
        kind: Its type, empty for bind mounts.
        flags: MS_ constants.
        options: Its options.
    """
    _checked(
        _libc.mount(
            os.fsencode(source),
            os.fsencode(target),
            kind.encode() or None,
            ctypes.c_ulong(flags),
            options.encode() or None,
        ),
        f"mount {kind or 'bind'} on {target}",
    )


def restrict_mount(path: str, attributes: int, *, recursive: bool) -> None:
    """Add restrictions to a mount (mount_setattr(2), Linux 5.12).

    Args:
        path: Where it is mounted.
        attributes: MOUNT_ATTR_ constants.
        recursive: Whether the mounts below it get them too.
    """
    wanted = _MountAttributes(set=attributes)
    _checked(
        _libc.syscall(
            ctypes.c_long(_MOUNT_SETATTR),
            ctypes.c_int(AT_FDCWD),
            os.fsencode(path),
            ctypes.c_uint(AT_RECURSIVE if recursive else 0),
            ctypes.byref(wanted),
            ctypes.c_size_t(ctypes.sizeof(wanted)),
        ),
        f"mount_setattr {path}",
    )


def make_root_here() -> None:
    """Make the working folder the root, and let go of the old root (pivot_root(2)).

    Raises:
        OSError: The call failed, or its number is not known for this processor.
    """
    number = _PIVOT_ROOT.get(platform.machine())
    if number is None:
        raise OSError(f"pivot_root: number unknown on {platform.machine()}")
    _checked(_libc.syscall(ctypes.c_long(number), b".", b"."), "pivot_root")
    _checked(_libc.umount2(b".", MNT_DETACH), "umount of the old root")


def landlock_version() -> int:
    """Ask the kernel for its Landlock (ABI version).

    Returns:
        The version, 0 without Landlock.
    """
    query = ctypes.c_uint(1)
    size = ctypes.c_size_t(0)
    version = _libc.syscall(ctypes.c_long(_LANDLOCK_CREATE_RULESET), None, size, query)
    return max(0, int(version))


def landlock_ruleset(files: int, net: int, scoped: int) -> int:
    """Create a Landlock ruleset (landlock_create_ruleset(2)).

    Args:
        files: File accesses that are denied unless a rule allows them.
        net: Network accesses of that kind.
        scoped: What is denied towards processes outside.

    Returns:
        Its file descriptor.
    """
    wanted = _Ruleset(files, net, scoped)
    size = ctypes.c_size_t(ctypes.sizeof(wanted))
    call = ctypes.c_long(_LANDLOCK_CREATE_RULESET)
    made = _libc.syscall(call, ctypes.byref(wanted), size, ctypes.c_uint(0))
    return _checked(made, "landlock_create_ruleset")


def landlock_allow(ruleset: int, folder: int, allowed: int) -> None:
    """Allow accesses below a folder, or to a file (landlock_add_rule(2)).

    Args:
        ruleset: A ruleset.
        folder: File descriptor of the folder or file.
        allowed: The accesses.
    """
    rule = _PathBeneath(allowed, folder)
    call = ctypes.c_long(_LANDLOCK_ADD_RULE)
    made = _libc.syscall(call, ruleset, 1, ctypes.byref(rule), ctypes.c_uint(0))
    _checked(made, "landlock_add_rule")


def landlock_enter(ruleset: int) -> None:
    """Put this process under a ruleset, for good (landlock_restrict_self(2)).

    Args:
        ruleset: A ruleset.
    """
    call = ctypes.c_long(_LANDLOCK_RESTRICT_SELF)
    _checked(_libc.syscall(call, ruleset, ctypes.c_uint(0)), "landlock_restrict_self")
