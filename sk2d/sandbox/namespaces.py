"""Namespaces of their own for a jail, and the file system that is seen in it.

Seen are, read-only, the system's programs and libraries, an own /proc, four devices, and `/work`:
a file system in memory with a size limit, which is gone as soon as the last process of the jail
is. Homes, /tmp, /run, /sys, and /etc but for the linker's cache and alternatives, are not there.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Sequence
from typing import Final

from sk2d.sandbox import system
from sk2d.sandbox.landlock import DEVICES

FLAGS: Final = (
    system.CLONE_NEWUSER
    | system.CLONE_NEWNS
    | system.CLONE_NEWPID
    | system.CLONE_NEWNET
    | system.CLONE_NEWIPC
    | system.CLONE_NEWUTS
)
INSIDE: Final = 1000
"""The user that commands run as, as they see it."""

WORK: Final = "/work"
MAX_FILES: Final = 4096
_SAFE: Final = system.MS_NOSUID | system.MS_NODEV
_NEW_ROOT: Final = "/tmp"  # a mount point that every system has; only this namespace sees it change


def jail_user() -> int:
    """Choose the user outside that a jail's user stands for.

    Root gives every jail a user of its own that owns nothing: limits on processes do not bind
    root, and nothing of root's must be open to a jail. Others can only stand for themselves.

    Returns:
        A user id of this machine.
    """
    if os.geteuid() != 0:
        return os.geteuid()
    with open("/proc/self/uid_map") as lines:
        first, _, count = max(map(_three, lines), key=lambda entry: entry[2])
    return first + count // 4 + os.getpid() % (count // 4) if count >= 8 else 0


def _three(line: str) -> tuple[int, int, int]:
    first, outside, count = map(int, line.split())
    return first, outside, count


def enter_namespaces(user: int) -> None:
    """Leave the host's namespaces; the next child is process 1 of the jail.

    Args:
        user: The user outside that the jail's user stands for.
    """
    if os.geteuid() == 0 and user != 0:
        _enter_mapped_by_root(user)
        return
    system.unshare(FLAGS)
    _write("/proc/self/setgroups", "deny")
    _write("/proc/self/uid_map", f"{INSIDE} {user} 1")
    _write("/proc/self/gid_map", f"{INSIDE} {os.getegid()} 1")


def _enter_mapped_by_root(user: int) -> None:
    """Map another user than oneself: only root outside of the new namespace can write that."""
    os.setgroups([])
    own, ready = os.getpid(), os.pipe()
    mapper = os.fork()
    if mapper == 0:
        try:
            os.close(ready[1])
            os.read(ready[0], 1)
            _write(f"/proc/{own}/uid_map", f"{INSIDE} {user} 1")
            _write(f"/proc/{own}/gid_map", f"{INSIDE} {user} 1")
            os._exit(0)
        finally:
            os._exit(1)
    os.close(ready[0])
    try:
        system.unshare(FLAGS)
    finally:
        os.close(ready[1])
        _, status = os.waitpid(mapper, 0)
    if status:
        raise PermissionError(errno.EPERM, "root may not map another user into a namespace")


def become_inside_user() -> None:
    """Take the jail's user, keeping the rights inside that building the jail needs."""
    os.setresgid(INSIDE, INSIDE, INSIDE)
    os.setresuid(INSIDE, INSIDE, INSIDE)


def build_file_system(readable: Sequence[str], work_bytes: int) -> None:
    """Build the jail's file system and make it the only one there is.

    Args:
        readable: Paths of the host that are seen, read-only; symbolic links stay links.
        work_bytes: Size of `/work`.
    """
    system.mount("none", "/", "", system.MS_REC | system.MS_PRIVATE)
    # The new root is mounted over what lies below it, which is reached through its descriptor then.
    hidden = {p: os.open(p, os.O_PATH) for p in readable if p.startswith(f"{_NEW_ROOT}/")}
    system.mount("jail", _NEW_ROOT, "tmpfs", _SAFE, f"size=1m,nr_inodes={MAX_FILES},mode=755")
    for path in readable:
        _show(path, f"/proc/self/fd/{hidden[path]}" if path in hidden else path)
    for descriptor in hidden.values():
        os.close(descriptor)
    _make_devices()
    _make_proc()
    os.mkdir(_NEW_ROOT + WORK)
    options = f"size={work_bytes},nr_inodes={MAX_FILES},mode=700"
    system.mount("work", _NEW_ROOT + WORK, "tmpfs", _SAFE, options)
    if not hidden:
        os.symlink(WORK[1:], _NEW_ROOT + "/tmp")
    os.chdir(_NEW_ROOT)
    system.make_root_here()
    system.restrict_mount("/", system.MOUNT_ATTR_RDONLY, recursive=False)
    os.chdir(WORK)


def _show(path: str, source: str) -> None:
    """Bind one path of the host into the new root, read-only with all that is mounted below."""
    target = _NEW_ROOT + path
    os.makedirs(os.path.dirname(target), exist_ok=True)
    if source == path and os.path.islink(path):
        os.symlink(os.readlink(path), target)
        return
    _bind(source, target)
    strict = system.MOUNT_ATTR_RDONLY | system.MOUNT_ATTR_NOSUID | system.MOUNT_ATTR_NODEV
    system.restrict_mount(target, strict, recursive=True)


def _bind(path: str, target: str) -> None:
    if os.path.isdir(path):
        os.makedirs(target, exist_ok=True)  # a folder below another one that is shown is there
    else:
        os.close(os.open(target, os.O_CREAT | os.O_WRONLY))
    system.mount(path, target, "", system.MS_BIND | system.MS_REC)


def _make_devices() -> None:
    os.mkdir(_NEW_ROOT + "/dev")
    for path in DEVICES:
        _bind(path, _NEW_ROOT + path)


def _make_proc() -> None:
    """Mount an own /proc and forbid nested user namespaces, which would bring all rights back."""
    target = _NEW_ROOT + "/proc"
    os.mkdir(target)
    try:
        system.mount("proc", target, "proc", _SAFE | system.MS_NOEXEC)
    except PermissionError:
        # A container that hides parts of its own /proc allows no new one: the jail has none then.
        return
    _write(target + "/sys/user/max_user_namespaces", "0")
    system.restrict_mount(target, system.MOUNT_ATTR_RDONLY, recursive=False)


def _write(path: str, text: str) -> None:
    with open(path, "w") as file:
        file.write(text)
