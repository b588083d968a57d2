"""A module imports only from its own floor or a lower one; floors 0 to 3 start without torch."""

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


def test_the_rule_sees_imports_inside_functions_and_relative_ones(tmp_path: Path) -> None:
    path = tmp_path / "sk2d" / "c" / "names.py"
    path.parent.mkdir(parents=True)
    path.write_text(
        "from sk2d import errors, prompts\nfrom . import parse\n"
        "def f():\n    from sk2d.models import load\n    from ..data import tokens\n"
    )
    assert sorted(climbs(path, tmp_path)) == ["sk2d.data.tokens", "sk2d.models.load"]
