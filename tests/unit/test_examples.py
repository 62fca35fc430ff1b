"""The examples in docstrings of the product: what they say is what happens."""

import doctest
import importlib

import pytest

from tests.architecture.source import dotted
from tools.check import product_files

NAMES = [dotted(path) for path in product_files() if ">>> " in path.read_text()]


@pytest.mark.parametrize("name", NAMES)
def test_examples_when_run_then_they_give_what_they_say(name: str) -> None:
    module = importlib.import_module(name)
    found = doctest.testmod(module)
    assert found.attempted > 0
    assert found.failed == 0


def test_examples_when_looked_for_then_those_of_pages_and_services_are_among_them() -> None:
    assert len(NAMES) > 50
    assert {name.split(".")[0] for name in NAMES} >= {
        "config",
        "games",
        "names",
        "people",
        "rating",
        "tournaments",
    }
