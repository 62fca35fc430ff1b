"""Benchmarks are run by hand: nobody notices on the day itself that one names what has moved."""

import ast
import importlib
from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parents[2] / "benchmarks"
OURS = ("config", "faults", "games", "people", "rating", "tournaments", "tools")


@pytest.mark.parametrize("program", sorted(path.name for path in FOLDER.glob("*.py")))
def test_benchmark_names_only_what_is_there(program):
    for node in ast.walk(ast.parse((FOLDER / program).read_text())):
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] in OURS:
            module = importlib.import_module(node.module)
            assert [alias.name for alias in node.names if not hasattr(module, alias.name)] == []
