"""Rules in words: those that hold in a stage, and all of them by number with boards."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from tests.factories import an_event
from tests.support.tournaments import opened, text_of
from tournaments.models import Stage
from tournaments.shared.words.rules import RULES, rules_in_force

KNOWN = {number for rules in RULES.values() for number in rules}


def lines(**fields):
    stage = Stage(**{"lengths": [7], **fields})
    return {rule: line.words for line in rules_in_force(stage) for rule in line.rules}


def test_match_is_by_crawford_and_never_with_what_is_for_money():
    found = lines(format_preset="match")
    assert "The Crawford rule applies" in found["F2"]
    assert "Jacoby, beavers and automatic doubles are not used" in found["F14"]
    assert found["F11"] == "Clocks are not used."
    assert set(found) <= KNOWN


def test_format_without_cube_or_gammons_says_so():
    found = lines(format_preset="first_off", lengths=[])
    assert "gammons are not used" in found["R33"] or "doubling cube is not used" in found["R33"]
    assert "F2" not in found


def test_lateness_stands_with_its_number_and_its_minutes():
    assert "minutes" in lines(format_preset="match")["F15"]


@pytest.mark.django_db
def test_page_of_an_event_cites_rules_that_stand_on_the_page_of_rules():
    tournament = opened(an_event(entries=2))
    page = Client().get(reverse("public:rules", args=[tournament.event.public_id]))
    assert "The Crawford rule applies" in text_of(page)
    cited = set(re.findall(r"/help/rules/#(\w+)", page.content.decode()))
    help_page = Client().get(reverse("public:rules-help")).content.decode()
    assert {"F1", "F2", "F14", "R42"} <= cited
    assert all(f'id="{number}"' in help_page for number in cited)
    assert help_page.count('role="img"') >= 5
