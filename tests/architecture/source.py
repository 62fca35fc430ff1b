"""Reading our own source: which modules there are, and what stands in them."""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
APPS = ("people", "games", "rating", "tournaments")
PURE_ROOMS = ("faults", "names", "games/rules", "games/records", "rating/formulas", "tournaments/engine")


def modules(*folders: str) -> Iterator[Path]:
    for folder in folders:
        place = ROOT / folder
        for path in [place] if place.suffix == ".py" else sorted(place.rglob("*.py")):
            if path.exists() and "migrations" not in path.parts:
                yield path


def modules_named(*names: str) -> list[Path]:
    """Modules of the apps that have one of these names, or stand in a folder that has."""
    return [path for path in modules(*APPS) if set(names) & set(path.relative_to(ROOT).with_suffix("").parts)]


def dotted(path: Path) -> str:
    name = ".".join(path.relative_to(ROOT).with_suffix("").parts)
    return name.removesuffix(".__init__")


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(), str(path))


def place(path: Path, node: ast.AST) -> str:
    return f"{path.relative_to(ROOT)}:{getattr(node, 'lineno', 0)}"
