"""The examples in docstrings of the pure rooms: what they say is what happens."""

import doctest
import importlib
from pathlib import Path

import pytest
from django.conf import settings

ROOT = Path(settings.BASE_DIR)
ROOMS = ("games/rules", "games/records", "rating/formulas", "tournaments/engine")
PATHS = [path for room in ROOMS for path in sorted((ROOT / room).rglob("*.py")) if ">>> " in path.read_text()]


def module_of(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts)


@pytest.mark.parametrize("name", [module_of(path) for path in PATHS])
def test_examples_when_run_then_they_give_what_they_say(name: str) -> None:
    module = importlib.import_module(name)
    found = doctest.testmod(module)
    assert found.attempted > 0
    assert found.failed == 0


def test_examples_when_counted_then_there_are_enough() -> None:
    assert len(PATHS) > 15
