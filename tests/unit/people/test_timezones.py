"""Names of time zones: read once, and by one module alone."""

import ast
import subprocess
import sys

import pytest

from people.timezones import (
    ABBREVIATIONS,
    MAIN_ZONES,
    is_place_zone,
    match_zones,
    place_timezones,
    timezone_names,
    zone_choices,
)
from tests.architecture.source import APPS, ROOT, modules, tree

READS = """
import sys
opened = []
sys.addaudithook(lambda event, args: opened.append(args[0]) if event == "open" else None)
from people.timezones import timezone_names, place_timezones
counts = []
for _ in range(3):
    opened.clear()
    assert "Europe/Helsinki" in timezone_names() and "Europe/Helsinki" in place_timezones()
    counts.append(len(opened))
print(*counts)
"""


def test_names_when_asked_again_then_no_file_is_opened():
    done = subprocess.run([sys.executable, "-c", READS], cwd=ROOT, check=True, capture_output=True, text=True)
    first, *later = map(int, done.stdout.split())
    assert first > 1  # one with the names in it, or one for each, as this computer keeps them
    assert later == [0, 0]


def test_names_when_asked_elsewhere_then_of_the_one_module_that_keeps_them():
    askers = {
        str(path.relative_to(ROOT))
        for path in modules("config", *APPS)
        if "available_timezones" in path.read_text()  # the others are not worth parsing
        for node in ast.walk(tree(path))
        if isinstance(node, ast.Name | ast.Attribute | ast.alias)
        and "available_timezones"
        in (getattr(node, "id", ""), getattr(node, "attr", ""), getattr(node, "name", ""))
    }
    assert askers == {"people/timezones.py"}


def test_places_when_listed_then_cities_and_utc_in_order():
    places = place_timezones()
    assert list(places) == sorted(places)
    assert {"UTC", "Europe/Helsinki", "America/Argentina/Buenos_Aires"} <= set(places) <= timezone_names()
    assert not {"EST", "Etc/GMT+3", "GB", "US/Eastern"} & set(places)
    assert is_place_zone("Asia/Tokyo")
    assert not is_place_zone("UTC")


@pytest.mark.parametrize(
    ("typed", "zone"),
    [
        ("Europe/Helsinki", "Europe/Helsinki"),
        ("europe/helsinki", "Europe/Helsinki"),
        ("  new  york ", "America/New_York"),
        ("København", "Europe/Copenhagen"),
        ("Köln", ""),
        ("England", "Europe/London"),
        ("UK", "Europe/London"),
        ("Deutschland", "Europe/Berlin"),
        ("Türkiye", "Europe/Istanbul"),
        ("CEST", "Europe/Berlin"),
        ("est", "America/New_York"),
        ("UTC", "UTC"),
        ("", ""),
    ],
)
def test_zone_when_named_as_people_do_then_found(typed, zone):
    assert match_zones(typed) == ((zone,) if zone else ())


def test_zone_when_a_country_has_several_then_all_of_them_are_meant():
    assert {"Australia/Perth", "Australia/Sydney"} <= set(match_zones("Australia"))
    assert set(ABBREVIATIONS.values()) | set(MAIN_ZONES.values()) <= timezone_names()


def test_places_in_words_when_listed_then_city_and_country_in_the_language():
    words = dict(zone_choices("de"))
    assert words["Europe/London"] == "London, Vereinigtes Königreich"
    assert words["Africa/Cairo"] == "Kairo, Ägypten"
    assert list(words) == list(place_timezones())
