"""What a director may set on a rating list: each border from both sides, without a database."""

from datetime import date

import pytest

from faults import Invalid
from rating.models import RatingList
from rating.services.lists import ListSettings, settings_version, validate_settings


def faults_of(**changed):
    try:
        validate_settings(ListSettings(**{"name": "Club rating", **changed}))
    except Invalid as refused:
        return [(fault.code, fault.field) for fault in refused.faults]
    return []


@pytest.mark.parametrize(
    "settings",
    [
        {"name": "n" * 120},
        {"name": f"  {'n' * 60}   {'m' * 59}  "},  # blanks that nobody sees do not count
        {"start": 0.0},
        {"start": 10_000.0},
        {"shortest": 1, "longest": 1},
        {"shortest": 99, "longest": 99},
        {"counts_from": date(1900, 1, 1), "counts_until": date(2199, 12, 31)},
        {"counts_from": date(2026, 5, 1), "counts_until": date(2026, 5, 1)},  # a list of one day
        {"minimum_matches": 0, "minimum_experience": 0, "provisional_below": 0, "active_months": 0},
        {"minimum_matches": 10_000, "minimum_experience": 1_000_000},
        {"provisional_below": 1_000_000, "active_months": 240},
    ],
)
def test_settings_when_just_inside_then_they_are_taken(settings):
    assert faults_of(**settings) == []


@pytest.mark.parametrize(
    ("settings", "code", "field"),
    [
        ({"name": " "}, "rating.name_missing", "name"),
        ({"name": "n" * 121}, "rating.name_long", "name"),
        ({"system": "uscf"}, "rating.system_unknown", "system"),
        ({"start": -0.5}, "rating.start", "start"),
        ({"start": 10_000.5}, "rating.start", "start"),
        ({"shortest": 0}, "rating.lengths", "shortest"),
        ({"longest": 100}, "rating.lengths", "shortest"),
        ({"shortest": 9, "longest": 7}, "rating.lengths", "shortest"),
        ({"disciplines": ["chess"]}, "rating.discipline_unknown", "disciplines"),
        ({"counts_from": date(1899, 12, 31)}, "rating.year", "counts_from"),
        ({"counts_until": date(2200, 1, 1)}, "rating.year", "counts_until"),
        ({"counts_from": date(2026, 5, 2), "counts_until": date(2026, 5, 1)}, "rating.dates", "counts_until"),
        ({"active_months": 241}, "rating.ranking_number", "active_months"),
        ({"active_months": -1}, "rating.ranking_number", "active_months"),
        ({"minimum_matches": 10_001}, "rating.ranking_number", "minimum_matches"),
        ({"minimum_experience": 1_000_001}, "rating.ranking_number", "minimum_experience"),
        ({"provisional_below": 1_000_001}, "rating.ranking_number", "provisional_below"),
        ({"members": "friends"}, "rating.members_unknown", "members"),
        ({"system": "elo", "parameters": {"divisor": -5}}, "rating.parameter.range", "parameters.divisor"),
    ],
)
def test_settings_when_just_outside_then_refused_at_their_field(settings, code, field):
    assert faults_of(**settings) == [(code, field)]


def test_settings_when_nothing_but_a_name_is_said_then_the_list_begins_as_its_system_does():
    assert validate_settings(ListSettings(name=" Club  rating ")) == {
        "name": "Club rating",
        "system": "fibs",
        "parameters": validate_settings(ListSettings(name="x", start=1500.0))["parameters"],
        "start": 1500.0,
        "shortest": 2,  # F12: one point is not rated by default
        "longest": 99,
        "disciplines": ["standard"],
        "events": [],
        "counts_from": None,
        "counts_until": None,
        "minimum_matches": 1,
        "provisional_below": 100,
        "minimum_experience": 0,
        "active_months": 0,
        "members": "",
        "provisional_apart": False,
    }


def test_version_of_settings_when_a_database_keeps_the_parameters_in_another_order_then_the_same():
    parameters = {"divisor": 400, "k": 32}
    one, other = (
        RatingList(parameters=dict(pairs)) for pairs in (parameters.items(), [*parameters.items()][::-1])
    )
    assert settings_version(one) == settings_version(other)
    assert settings_version(RatingList(parameters={**parameters, "k": 16})) != settings_version(one)
