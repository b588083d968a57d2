"""The other engine, with stand-ins for its two programs."""

import pytest

from sk2d.c.inference import infer
from sk2d.errors import Reason, SourceError, UserError

CODE = "T f(T x) { return x; }"
GENERATOR = '#!/bin/sh\n[ "$2" = -o ] && sed "s/^/seen: /" "$1" > "$3"\n'
SOLVER = '#!/bin/sh\n[ "$1 $3" = "-i -o" ] && sed "s/.*seen: T .*/typedef int T;/" "$2" > "$4"\n'


def install(folder, monkeypatch, **programs):
    for name, text in programs.items():
        path = folder / name.replace("_", "-")
        path.write_text(text)
        path.chmod(0o755)
    monkeypatch.setenv("PATH", str(folder), prepend=":")


def test_its_two_programs_are_run_one_after_the_other(tmp_path, monkeypatch):
    install(tmp_path, monkeypatch, psychecgen=GENERATOR, psychecsolver_exe=SOLVER)
    assert infer(CODE, engine="psychec") == "typedef int T;\n"


def test_what_it_cannot_do_is_told_in_its_words(tmp_path, monkeypatch):
    fails = "#!/bin/sh\necho Expected a declaration >&2\nexit 1\n"
    install(tmp_path, monkeypatch, psychecgen=fails, psychecsolver_exe=SOLVER)
    with pytest.raises(SourceError, match="Expected a declaration") as caught:
        infer(CODE, engine="psychec")
    assert caught.value.reason is Reason.UNSUPPORTED


def test_without_it_the_user_is_told_what_to_do(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(UserError, match=r"psychecgen.*not installed.*use the engine sk2d"):
        infer(CODE, engine="psychec")
