import subprocess
import sys
import warnings

import pytest

from sk2d import sandbox
from sk2d.errors import JailError
from sk2d.sandbox.backends import WITHOUT, _warn_once
from tests.imports import ROOT
from tests.sandbox.conftest import EXECUTING, NAMES, use

PROGRAM = {"code.c": "int main(void){ return 3; }"}


def test_the_ladder_goes_down_one_rung_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    usable = [name for name in NAMES if sandbox.failure(name) is None]
    for position, name in enumerate(usable):
        monkeypatch.setenv(WITHOUT, ",".join(usable[:position]))
        assert sandbox.active_backend().name == name
    monkeypatch.setenv(WITHOUT, ",".join(NAMES))
    with pytest.raises(JailError, match="no jail can be built.*namespaces: switched off"):
        sandbox.active_backend()
    with pytest.raises(JailError):
        sandbox.compile_c("int x;")


@pytest.mark.parametrize("name", EXECUTING)
def test_a_back_end_that_may_execute_compiles_and_executes(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    use(name, monkeypatch)
    jobs = [sandbox.Job(["gcc", "code.c"], PROGRAM), sandbox.Job(["./a.out"])]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        built, ran = sandbox.run_jobs(jobs, executes=True)
        assert sandbox.compile_c("int x;").compiles
    assert built is not None
    assert built.ok
    assert ran is not None
    assert ran.exit_code == 3


def test_with_limits_alone_compiling_warns_once_and_executing_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    use("limits", monkeypatch)
    _warn_once.cache_clear()
    with pytest.warns(UserWarning, match="weak jail"):
        assert sandbox.compile_c("int x;").compiles
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert not sandbox.compile_c("int x").compiles
    with pytest.raises(JailError, match="refused"):
        sandbox.run(["true"], executes=True)
    with pytest.raises(JailError, match="refused"):
        sandbox.run_test(
            "int f(void){return 1;}",
            "int main(void){return 0;}",
            declarations="int f(void);",
            func_name="f",
        )


def test_limits_alone_still_end_what_hangs_and_all_of_it(
    monkeypatch: pytest.MonkeyPatch, marker: str
) -> None:
    use("limits", monkeypatch)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        done = sandbox.run(
            ["sh", "-c", f"setsid sleep {marker} & while :; do :; done"],
            limits=sandbox.Limits(cpu_seconds=1),
        )
    assert (done.stop, done.left_processes) == ("cpu", True)


def test_what_a_machine_refuses_is_told_and_the_next_back_end_taken() -> None:
    """A container without the right to make namespaces: tried for real, in one of its own."""
    code = (
        "from sk2d import sandbox; print(sandbox.active_backend().name); "
        "print(sandbox.failure('namespaces'))"
    )
    inside = f'echo 0 >/proc/sys/user/max_user_namespaces; exec {sys.executable} -c "{code}"'
    done = subprocess.run(
        ["unshare", "-Ur", "sh", "-c", inside], cwd=ROOT, capture_output=True, text=True, timeout=60
    )
    if "unshare" in done.stderr or "max_user_namespaces" in done.stderr:
        pytest.skip(f"no user namespace to try this in: {done.stderr}")
    name, why = done.stdout.splitlines()
    assert name in ("landlock", "limits")
    assert "unshare" in why
