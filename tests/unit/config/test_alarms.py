"""The alarms ask for figures that there are, and each has its page."""

import re
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[3]
RULES = yaml.safe_load((ROOT / "deploy" / "alarms.yml").read_text())["groups"][0]["rules"]
TRIED = yaml.safe_load((ROOT / "deploy" / "alarms_test.yml").read_text())["tests"]
PAGES = (ROOT / "docs" / "operations.md").read_text()
CODE = "".join(path.read_text() for path in (ROOT / "config" / "watch").glob("*.py"))


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule["alert"])
def test_alarm_asks_for_figures_that_there_are_and_has_its_page(rule) -> None:
    for name in re.findall(r"crawford_\w+", rule["expr"]):
        assert f'"{re.sub(r"_(total|bucket)$", "", name)}"' in CODE, name
        assert name in PAGES
    title = rule["annotations"]["runbook"].partition("#")[2].replace("-", " ")
    found = re.search(rf"^### {title}\n(.*?)^##", PAGES, re.MULTILINE | re.IGNORECASE | re.DOTALL)
    assert found
    first, _blank, what_to_do = found[1].strip().partition("\n\n")
    assert f"`{rule['alert']}`" in first  # whoever was woken by a name finds it
    assert len(what_to_do) > 100
    assert rule["labels"]["severity"] in {"page", "morning"}


def test_alarms_and_their_pages_have_the_same_names() -> None:
    names = [rule["alert"] for rule in RULES]
    assert len(names) == len(set(names))
    alarms = PAGES.partition("\n## Alarms\n")[2].partition("\n## ")[0]
    assert sorted(re.findall(r"`(Crawford\w+)`", alarms)) == sorted(names)


def test_every_alarm_is_tried_both_ways() -> None:
    tried = {
        (one["alertname"], bool(one.get("exp_alerts"))) for test in TRIED for one in test["alert_rule_test"]
    }
    assert tried == {(rule["alert"], speaks) for rule in RULES for speaks in (True, False)}


def test_figures_that_are_written_down_are_all_explained() -> None:
    made = set(re.findall(r'"(crawford_[a-z_]+)"', CODE)) - {"crawford_watched", "crawford_release"}
    assert len(made) > 20
    assert {name for name in made if name not in PAGES} == set()
