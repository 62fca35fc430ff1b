"""Reading our own source: which modules there are, and what stands in them."""

import ast
import tomllib
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import chain
from pathlib import Path
from typing import TypeVar

ROOT = Path(__file__).resolve().parents[2]
APPS = ("people", "games", "rating", "tournaments")
PURE_ROOMS = ("faults", "names", "games/rules", "games/records", "rating/formulas", "tournaments/engine")
Kind = TypeVar("Kind", bound=ast.AST)


@cache
def modules(*folders: str) -> tuple[Path, ...]:
    found = []
    for folder in folders:
        place = ROOT / folder
        paths = [place] if place.suffix == ".py" else sorted(place.rglob("*.py"))
        found += [path for path in paths if path.exists() and "migrations" not in path.parts]
    return tuple(found)


def modules_named(*names: str) -> list[Path]:
    """Modules of the apps that have one of these names, or stand in a folder that has."""
    return [path for path in modules(*APPS) if set(names) & set(path.relative_to(ROOT).with_suffix("").parts)]


def dotted(path: Path) -> str:
    name = ".".join(path.relative_to(ROOT).with_suffix("").parts)
    return name.removesuffix(".__init__")


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(), str(path))


@cache
def _by_kind(source: ast.AST) -> Mapping[type[ast.AST], list[ast.AST]]:
    found = defaultdict(list)
    for node in ast.walk(source):
        found[type(node)].append(node)
    return dict(found)


def nodes(source: ast.AST, *kinds: type[Kind]) -> Iterator[Kind]:
    """Everything of these kinds in a piece of source; a million nodes are gone through once, whoever asks."""
    by_kind = _by_kind(source)
    return chain.from_iterable(by_kind.get(kind, ()) for kind in kinds)  # type: ignore[misc]


def forget() -> None:
    """Let go of what was read: as trees it takes a few hundred megabytes."""
    tree.cache_clear()
    _by_kind.cache_clear()


def place(path: Path, node: ast.AST) -> str:
    return f"{path.relative_to(ROOT)}:{getattr(node, 'lineno', 0)}"


def floors_of(container: str) -> list[str]:
    """What stands above what inside ``container``, the highest first, as the contract of imports has it."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    (floors,) = (one["layers"] for one in contracts if one.get("containers") == [container])
    return floors
