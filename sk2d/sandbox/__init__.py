"""The jail: C that nobody has vouched for is compiled and run in it, and nowhere else.

Model-written C is hostile input, even when it is only compiled. `run` runs one command, `run_jobs`
several in one jail, `compile_c` and `compile_many` give the compiler's verdict, `run_test` that of
a test program. All are safe to call from threads and from forked or spawned workers.

A command in a jail has limits of CPU time, address space, file size, open files, processes, stack
and output, an almost empty environment, an empty stdin and a work folder of its own. The back ends
are tried from the strongest down (`LADDER`; `python cli.py doctor` shows the active one):

1. `namespaces`: own user, process, network, mount, ipc and host-name namespaces. Seen of the host
   are its programs and libraries, read-only. The work folder is in memory and ends with the jail.
2. `bubblewrap`: the same, built by the program `bwrap`.
3. `landlock`: no new namespaces. Files of others cannot be opened, TCP and abstract sockets and
   signals do not get out, all descendants are ended. The work folder is on disk.
4. `limits`: limits and the end of all descendants. Compilers run, with a warning. Running what was
   compiled is refused: `JailError`.

Covered, and tested by attacks: reading and writing files of the host, the network, reaching other
processes, gaining rights, outliving the verdict (also by fork, setsid, and when sk2d itself is
killed), endless loops and sleeps, memory, output and file floods, fork bombs, a crash of the
compiler, and, in `run_test`, passing without being right (see `testing`).

Not covered: faults of the kernel, or of gcc's own code in as far as it can be made to execute what
it compiles, within the jail; the memory of all processes of a jail together, which is only bounded
by the limits of each; hidden channels such as timing. Under `landlock` also: UDP and other sockets
that are no TCP, the names and sizes of files, changes of mode, owner and time of the user's own
files where sk2d does not run as root, the space on the disk, and a work folder that stays if every
process of sk2d is killed at once. Under `limits` a hostile text can show in its messages what the
user may read.
"""

from sk2d.sandbox.backends import LADDER, Backend, active_backend, failure
from sk2d.sandbox.compile_server import server_failure
from sk2d.sandbox.compiling import (
    COMPILE_FLAGS,
    COMPILE_LIMITS,
    CompileVerdict,
    compile_c,
    compile_many,
    iter_verdicts,
)
from sk2d.sandbox.limits import Limits, RunResult
from sk2d.sandbox.running import Job, run, run_jobs
from sk2d.sandbox.testing import (
    TEST_FLAGS,
    TEST_LIMITS,
    TestFailure,
    TestVerdict,
    compile_candidate,
    run_test,
)

__all__ = [
    "COMPILE_FLAGS",
    "COMPILE_LIMITS",
    "LADDER",
    "TEST_FLAGS",
    "TEST_LIMITS",
    "Backend",
    "CompileVerdict",
    "Job",
    "Limits",
    "RunResult",
    "TestFailure",
    "TestVerdict",
    "active_backend",
    "compile_c",
    "compile_candidate",
    "compile_many",
    "failure",
    "iter_verdicts",
    "run",
    "run_jobs",
    "run_test",
    "server_failure",
]
