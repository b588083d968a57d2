"""A module imports only from its floor or a lower one; the base package starts without torch."""

from collections.abc import Iterable
from pathlib import Path

import pytest

from tests.imports import ROOT, imports_of

FLOORS = [
    "errors sandbox hardware prompts endpoint",
    "c",
    "frontends corpus",
    "metrics rewards",
    "data",
    "models",
    "phases",
    "decompile rl",
    "evaluation",
    "commands",
]
FLOOR = {f"sk2d.{name}": floor for floor, names in enumerate(FLOORS) for name in names.split()}
HEAVY = {"torch", "lightning", "transformers"}
COMMANDS = ["corpus", "doctor", "evaluate", "preprocess", "report", "reward"]
"""What the base package starts, each with what it can do without torch."""
FILES = sorted((ROOT / "sk2d").rglob("*.py"))


def module_of(path: Path, root: Path = ROOT) -> str:
    return ".".join(path.relative_to(root).with_suffix("").parts).removesuffix(".__init__")


def floor_of(module: str) -> int | None:
    """Give the floor by the first two names; the package itself (its version) is on floor 0."""
    names = module.split(".")[:2]
    return 0 if names in (["sk2d"], ["sk2d", "__version__"]) else FLOOR.get(".".join(names))


def climbs(path: Path, root: Path = ROOT) -> list[str]:
    """Give the imports of a file that lead up the floors, or to a module that is on none."""
    own = floor_of(module_of(path, root))
    ours = [n for n in imports_of(path, inside_functions=True, root=root) if n.startswith("sk2d")]
    return [n for n in ours if own is None or (to := floor_of(n)) is None or to > own]


@pytest.mark.parametrize("path", FILES, ids=module_of)
def test_a_module_stands_on_a_floor_and_imports_from_it_or_below(path: Path) -> None:
    assert floor_of(module_of(path)) is not None, f"give {module_of(path)} a floor"
    assert not climbs(path)


@pytest.mark.parametrize("path", FILES, ids=module_of)
def test_floors_0_to_3_start_without_torch(path: Path) -> None:
    if (floor_of(module_of(path)) or 0) <= 3:
        tops = {name.split(".")[0] for name in imports_of(path, inside_functions=False)}
        assert not tops & HEAVY


def files_of(names: Iterable[str]) -> set[Path]:
    """Give the files that importing these names runs: the packages above them too."""
    tops = ["/".join(parts[:n]) for name in names for parts in [name.split(".")] for n in range(5)]
    ours = (ROOT / top for top in tops if top.startswith("sk2d"))
    return {p for top in ours for p in (top.with_suffix(".py"), top / "__init__.py") if p.is_file()}


@pytest.mark.parametrize("command", COMMANDS)
def test_what_the_base_package_does_starts_without_torch(command: str) -> None:
    todo, seen = files_of([f"sk2d.commands.{command}"]), set[Path]()
    while todo:
        path = todo.pop()
        seen.add(path)
        names = set(imports_of(path, inside_functions=False))
        heavy = {name for name in names if name.split(".")[0] in HEAVY}
        assert not heavy, f"{module_of(path)} imports {', '.join(heavy)}"
        todo |= files_of(names) - seen
    assert len(seen) > 5


def test_the_rule_sees_imports_inside_functions_and_relative_ones(tmp_path: Path) -> None:
    path = tmp_path / "sk2d" / "c" / "names.py"
    path.parent.mkdir(parents=True)
    path.write_text(
        "from sk2d import errors, prompts\nfrom . import parse\n"
        "def f():\n    from sk2d.models import load\n    from ..data import tokens\n"
    )
    assert sorted(climbs(path, tmp_path)) == ["sk2d.data.tokens", "sk2d.models.load"]
