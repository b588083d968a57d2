import multiprocessing
import os
import socket
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from sk2d import sandbox
from sk2d.errors import JailError
from sk2d.sandbox import Job, Limits, run, run_jobs
from tests.sandbox.conftest import comes_true, jail_folders, processes_with

SHORT = Limits(cpu_seconds=1, wall_seconds=20, processes=16)


def shell(script: str, limits: Limits = SHORT, **more: object) -> sandbox.RunResult:
    return run(["bash", "-c", script], more.pop("files", None), limits, executes=True, **more)


def test_a_command_reads_its_files_and_gives_its_output_and_files_back(backend: str) -> None:
    done = shell(
        "cat a.txt - ; echo no >&2; tr a-z A-Z <a.txt >b.txt; exit 3",
        files={"a.txt": "text \udce9\n", "unused": b"\0"},
        stdin=b"from stdin",
        collect=["b.txt", "not there"],
    )
    assert (done.exit_code, done.signal, done.stop, done.ok) == (3, None, None, False)
    assert (done.stdout, done.stderr) == (b"text \xe9\nfrom stdin", b"no\n")
    assert done.files == {"b.txt": b"TEXT \xe9\n"}
    assert not done.left_processes


def test_only_plain_files_are_given_back(backend: str) -> None:
    script = "ln -s /usr/bin/env link; mkfifo pipe; mkdir folder; echo x >file"
    done = shell(script, collect=["link", "pipe", "folder", "file"])
    assert done.files == {"file": b"x\n"}


def test_stdin_and_the_environment_are_empty_and_the_folder_too(backend: str) -> None:
    done = shell("cat; ls -A; env | cut -d= -f1 | sort | tr '\\n' ' '")
    assert done.stdout == b"HOME LC_ALL PATH PWD SHLVL TMPDIR _ "


def test_nothing_of_the_host_can_be_written_and_nothing_private_read(backend: str) -> None:
    home = os.path.expanduser("~")
    script = f"""
        for place in / /usr /usr/bin /etc /var/tmp /dev /dev/shm /proc /run {home} {os.getcwd()}
        do (echo x >$place/sk2d-escaped) 2>/dev/null && echo wrote $place; done
        cat /etc/passwd /etc/hostname 2>/dev/null
        ls -A {home} {os.getcwd()} /etc/ssl /var/log 2>/dev/null
        cat /proc/{os.getpid()}/environ /proc/$PPID/environ 2>/dev/null
        true
    """
    done = shell(script)
    assert (done.exit_code, done.stdout) == (0, b"")


def test_no_other_process_can_be_signalled(backend: str) -> None:
    done = shell(f"kill -0 {os.getpid()} 2>/dev/null && echo reached; kill -9 $PPID; echo alive")
    assert done.stdout == b"alive\n"


def test_there_is_no_network(backend: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        done = shell(f"exec 3<>/dev/tcp/127.0.0.1/{port} && echo connected")
        assert done.stdout == b""
        server.settimeout(0.1)
        with pytest.raises(TimeoutError):
            server.accept()


def test_a_command_gains_no_rights(backend: str) -> None:
    done = shell("id -u; setpriv --dump | grep no_new_privs; grep CapEff /proc/self/status")
    user, *rights = done.stdout.decode().splitlines()
    assert int(user) != 0
    none = ["CapEff:\t0000000000000000"] if backend != "landlock" else []  # it has no /proc
    assert rights == ["no_new_privs: 1", *none]
    if backend != "bubblewrap":
        assert not shell("unshare -Ur true").ok


@pytest.mark.parametrize(
    ("script", "limits", "stop"),
    [
        ("while :; do :; done", SHORT, "cpu"),
        ("sleep 100", Limits(wall_seconds=0.3), "wall"),
        ("trap '' TERM INT HUP; sleep 100 & wait", Limits(wall_seconds=0.3), "wall"),
        ("yes", SHORT, "output"),
        ("yes >&2", SHORT, "output"),
        ("exec yes >file", Limits(file_bytes=10_000), "file"),
        ("exec tail /dev/zero", Limits(memory_bytes=200_000_000), "memory"),
    ],
)
def test_limits(script: str, limits: Limits, stop: str, backend: str, marker: str) -> None:
    done = shell(f": {marker}; {script}", limits)
    assert done.stop == stop
    assert not done.ok
    assert len(done.stdout) <= 65_536
    assert len(done.stderr) <= 65_536


def test_who_ignores_the_signal_at_the_limit_of_cpu_time_is_killed() -> None:
    assert shell("trap '' XCPU; while :; do :; done").stop == "cpu"


def test_the_work_folder_has_a_size_and_a_command_no_more_files_than_allowed() -> None:
    done = shell(
        "for i in 1 2 3 4; do head -c 900000 /dev/zero >$i || exit 7; done",
        Limits(folder_bytes=2_000_000),
    )
    assert done.exit_code == 7
    done = shell("i=0; while : >f$i; do i=$((i+1)); done 2>/dev/null; echo $i")
    assert 0 < int(done.stdout) < 5_000
    assert shell("ulimit -n; ulimit -c").stdout == b"128\n0\n"


def test_e11_processes_that_outlive_their_parent_are_ended(backend: str, marker: str) -> None:
    done = shell(f"sleep {marker} & (setsid sh -c 'setsid sleep {marker} &' &) ; exit 0")
    assert done.exit_code == 0
    assert done.left_processes


def test_e11_a_fork_bomb_is_bounded_and_ends(backend: str, marker: str) -> None:
    bomb = f": {marker}; f() {{ f | f & f; }}; f 2>/dev/null"
    shell(bomb, Limits(cpu_seconds=1, wall_seconds=1, processes=20))
    assert processes_with(marker) == []


def test_a_chain_of_processes_that_each_fork_and_exit_is_caught(backend: str, marker: str) -> None:
    done = shell(f"f() {{ (: {marker}; f) & }}; f; sleep 0.2", Limits(wall_seconds=3))
    assert done.stop in (None, "processes")
    assert done.left_processes


def test_jobs_of_one_jail_share_files_but_no_processes(backend: str, marker: str) -> None:
    jobs = [
        Job(["sh", "-c", f"echo 1 >a; sleep {marker} &"]),
        Job(["sh", "-c", "cat a; cat /proc/*/cmdline | tr '\\0' ' ' >&2; exit 1"]),
        Job(["cat", "a"], needs_earlier=True),
        Job(["cat", "b"], {"b": "2"}),
    ]
    first, second, third, fourth = run_jobs(jobs, executes=True)
    assert first is not None
    assert first.left_processes
    assert second is not None
    assert second.stdout == b"1\n"
    assert marker.encode() not in second.stderr
    assert third is None
    assert fourth is not None
    assert fourth.stdout == b"2"


def test_a_file_that_a_command_planted_is_replaced_and_not_followed(backend: str) -> None:
    jobs = [
        Job(["sh", "-c", "ln -s target b; mkdir -p x/y; chmod 0 x"]),
        Job(["sh", "-c", "cat b; test -e target || echo untouched"], {"b": "2 "}),
    ]
    *_, last = run_jobs(jobs, executes=True)
    assert last is not None
    assert last.stdout == b"2 untouched\n"


def test_what_one_command_leaves_the_next_does_not_see(marker: str) -> None:
    deep = "for i in $(seq 1 400); do mkdir 0123456789 && cd 0123456789; done"
    mess = "touch a .b; mkdir -p c/d; touch c/d/e; chmod 0 c"
    run(["bash", "-c", f"{mess}; {deep}; sleep {marker} &"])
    assert run(["ls", "-A"]).stdout == b""


def test_a_command_that_cannot_start_is_no_verdict(backend: str) -> None:
    with pytest.raises(JailError, match="no-such-program"):
        run(["no-such-program"], executes=True)
    assert run(["true"]).ok


def test_leaving_early_ends_the_jail(backend: str, marker: str) -> None:
    jobs = [Job(["true"]), Job(["sleep", marker])]
    results = run_jobs(jobs, executes=True)
    assert next(results) is not None
    assert comes_true(lambda: processes_with(marker) != [])
    results.close()  # type: ignore[attr-defined]
    assert comes_true(lambda: processes_with(marker) == [])


def test_threads_run_jails_at_the_same_time() -> None:
    def echo(number: int) -> bytes:
        return run(["echo", str(number)], executes=number % 2 == 0).stdout

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(echo, range(16))) == [f"{n}\n".encode() for n in range(16)]


def work(number: int) -> bytes:
    return run(["echo", str(number)]).stdout


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_worker_processes_have_jails_of_their_own(method: str) -> None:
    assert run(["true"]).ok  # this process has a jailer, which a fork must not use
    with multiprocessing.get_context(method).Pool(2) as pool:
        assert pool.map(work, range(4)) == [b"0\n", b"1\n", b"2\n", b"3\n"]
    assert run(["true"]).ok


def test_a_jailer_that_was_killed_is_replaced() -> None:
    from sk2d.sandbox.client import _STATE

    assert run(["true"]).ok
    assert _STATE.jailer is not None
    _STATE.jailer.process.kill()
    _STATE.jailer.process.wait()
    assert run(["echo", "again"], executes=True).stdout == b"again\n"


def test_a_jailer_that_is_killed_in_the_middle_is_no_verdict(backend: str, marker: str) -> None:
    from sk2d.sandbox.client import _STATE

    assert run(["true"]).ok
    raised: list[BaseException] = []

    def hang() -> None:
        try:
            run(["sleep", marker], executes=True)
        except JailError as error:
            raised.append(error)

    thread = threading.Thread(target=hang)
    thread.start()
    assert comes_true(lambda: processes_with(marker) != [])
    assert _STATE.jailer is not None
    _STATE.jailer.process.kill()
    thread.join(20)
    assert len(raised) == 1
    assert comes_true(lambda: processes_with(marker) == [])
    assert comes_true(lambda: jail_folders() == set())
