"""Benchmarks are run by hand: nobody notices on the day itself that one names what has moved."""

import ast
import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

FOLDER = Path(__file__).resolve().parents[2] / "benchmarks"
OURS = ("config", "faults", "games", "people", "rating", "tournaments", "tools")


@pytest.mark.parametrize("program", sorted(path.name for path in FOLDER.glob("*.py")))
def test_benchmark_names_only_what_is_there(program):
    for node in ast.walk(ast.parse((FOLDER / program).read_text())):
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] in OURS:
            module = importlib.import_module(node.module)
            assert [alias.name for alias in node.names if not is_there(module, alias.name)] == []


def is_there(module: ModuleType, name: str) -> bool:
    """Whether a name stands in a module, or is a module in a package that nobody has asked for so far."""
    return hasattr(module, name) or importlib.util.find_spec(f"{module.__name__}.{name}") is not None
