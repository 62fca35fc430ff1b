"""The alarms ask for figures that there are, and each has its page."""

import re
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[3]
RULES = yaml.safe_load((ROOT / "deploy" / "alarms.yml").read_text())["groups"][0]["rules"]
PAGES = (ROOT / "docs" / "operations.md").read_text()
CODE = "".join(path.read_text() for path in (ROOT / "config" / "watch").glob("*.py"))


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule["alert"])
def test_alarm_asks_for_figures_that_there_are_and_has_its_page(rule) -> None:
    for name in re.findall(r"crawford_\w+", rule["expr"]):
        assert f'"{re.sub(r"_(total|bucket)$", "", name)}"' in CODE, name
        assert name in PAGES
    title = rule["annotations"]["runbook"].partition("#")[2].replace("-", " ")
    assert re.search(rf"^### {title}$", PAGES, re.MULTILINE | re.IGNORECASE)
    assert rule["labels"]["severity"] in {"page", "morning"}


def test_figures_that_are_written_down_are_all_explained() -> None:
    made = set(re.findall(r'"(crawford_[a-z_]+)"', CODE)) - {"crawford_watched", "crawford_release"}
    assert len(made) > 20
    assert {name for name in made if name not in PAGES} == set()
