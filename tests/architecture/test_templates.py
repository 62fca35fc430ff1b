"""Templates keep to the rooms as modules do: what one includes is of its own room, of one below, or of all."""

import re

import pytest

from tests.architecture.source import ROOT, floors_of

TEMPLATES = ROOT / "templates"
NAMED = re.compile(r"{%-?\s*(?:include|extends)\s+[\"']([^\"']+)[\"']")
# Folders whose names django-allauth has chosen: pages of the sign-in, which is of people.
DOOR = {"account", "allauth", "mfa"}
SHARED = {"", "shared"}  # the folder of all templates, and what rooms share


def floors():
    """How high each room stands, as the contract of imports has it; below all of them the apps that know no event."""
    layers = [*floors_of("tournaments"), "games | affected rating", "people"]
    return {
        room: height for height, layer in enumerate(reversed(layers)) for room in re.findall(r"\w+", layer)
    }


FLOORS = floors()


def room_of(template):
    folder = template.partition("/")[0] if "/" in template else ""
    return "people" if folder in DOOR else folder


def may_include(template, other):
    room, of = room_of(template), room_of(other)
    return of in SHARED or room == of or (room != "" and FLOORS[of] < FLOORS[room])


def test_templates_when_one_includes_another_then_it_is_of_its_room_or_of_one_below():
    named = [
        (str(path.relative_to(TEMPLATES)), other)
        for path in sorted(TEMPLATES.rglob("*.html"))
        for other in NAMED.findall(path.read_text())
    ]
    assert len(named) > 1000
    assert [f"{one} names {other}" for one, other in named if not may_include(one, other)] == []


@pytest.mark.parametrize(
    ("template", "other", "may"),
    [
        ("entries/entries.html", "entries/_row.html", True),
        ("entries/entries.html", "hall/_row.html", True),
        ("hall/board.html", "entries/_row.html", False),
        ("entries/entries.html", "matches/_row.html", False),
        ("rating/list.html", "shared/_row.html", True),
        ("rating/list.html", "games/_row.html", False),
        ("mfa/index.html", "account/base.html", True),
        ("shared/_row.html", "people/_name.html", True),
        ("shared/_row.html", "matches/_row.html", False),
        ("_row.html", "shared/_row.html", True),
        ("_row.html", "people/_name.html", False),
    ],
)
def test_templates_know_rooms_as_imports_do(template, other, may):
    assert may_include(template, other) is may
