"""Nonsense in every place of every body that programs may send: refused in words, never a crash."""

import copy
import json
from collections.abc import Iterator
from typing import Any

import pytest
from django.urls import reverse

from rating.selectors import club_lists
from tests.factories import an_event
from tests.permissions.shared import rolled_back
from tests.support.director import signed_in
from tests.support.lanes import in_full
from tournaments.notices.services.announcing import announce
from tournaments.series.services.series import create_series
from tournaments.series.services.templates import save_template

pytestmark = pytest.mark.django_db

# Each place gets every fourth of them, its neighbour the next ones; all of them in `.ci/long`.
TURNS = 4
ODD = (None, "a\0b", "\ud800", 10**30, -1, 1.5, [], {}, "x" * 3000)

STAGE = {
    "name": "Main",
    "system": "single_elimination",
    "lengths": [5, 7],
    "draw_method": "blind",
    "report_policy": "opponent_confirms",
    "fed_by": 0,
    "takes": 0,
    "prizes": [100, 50],
    "bracket": {
        "third_place": True,
        "apart": ["club"],
        "flights": [{"kind": "consolation", "lengths": [3], "rounds": 1, "admission": "played"}],
    },
}
SWISS = {
    "name": "Swiss",
    "system": "swiss",
    "lengths": [5],
    "swiss": {
        "rounds": 3,
        "lives": 0,
        "group_count": 1,
        "all_at_once": False,
        "tie_breaks": ["wins", "buchholz"],
        "bye_points": 2,
        "late_points": 0,
        "clubs": "ignore",
        "parties": "avoid",
    },
}
EVENT = {
    "name": "Sent",
    "starts_on": "2026-12-01",
    "ends_on": "2026-12-02",
    "timezone": "Europe/Berlin",
    "visibility": "public",
    "tables": 4,
    "weight": 1.5,
    "template": "",
    "divisions": [
        {
            "name": "Open",
            "team_size": 1,
            "entries_until": "2026-12-01T10:00:00Z",
            "reentries": 0,
            "moving": 0,
            "stages": [STAGE],
        },
        {"name": "Two", "stages": [SWISS]},
    ],
}
CONDUCT = {"slips": {"moves": "legal"}, "clocks": {"overtime": 60}, "rated": True}
PRIZES = {
    "currency": "EUR",
    "seen": "",
    "divisions": [
        {
            "number": 1,
            "pool": "600",
            "stages": [
                {
                    "number": 1,
                    "sections": [
                        {
                            "section": "main",
                            "way": "per_cent",
                            "part": "70",
                            "pool": None,
                            "unit": "5",
                            "places": [{"value": "60", "gift": "Cup"}, {"value": 40}],
                        }
                    ],
                }
            ],
        }
    ],
}
CLAIM = {"score_a": 5, "score_b": 3, "kind": "played", "winner": "a", "submission_key": "k"}


def places(body: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Every place in a body, itself first."""
    yield path
    for key, value in (
        body.items() if isinstance(body, dict) else enumerate(body) if isinstance(body, list) else ()
    ):
        yield from places(value, (*path, key))


def with_odd(body: Any, path: tuple[Any, ...], odd: Any) -> Any:
    if not path:
        return odd
    changed = copy.deepcopy(body)
    inner = changed
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = odd
    return changed


def test_bodies_when_anything_in_them_is_odd_then_refused_or_done_never_a_crash() -> None:
    tournament = an_event(4, lengths=[5]).publish()
    open_match, over = tournament.playable()
    tournament.settle(over, "a", 2)
    coming = an_event(2, club=tournament.club, director=tournament.director)
    event, match, other = tournament.event.public_id, open_match.public_id, over.public_id
    entry = tournament.entry_at(over, "b").public_id
    notice = announce(actor=tournament.actor, event_id=tournament.event.pk, text="Hello").public_id
    player = tournament.entry_at(over, "b").players.get().public_id
    series = create_series(actor=tournament.actor, club_id=tournament.club.pk, name="Cup").public_id
    template = save_template(actor=tournament.actor, event_id=tournament.event.pk, name="Weekend").public_id
    bodies = [
        (reverse("api:club-events", args=[tournament.club.public_id]), EVENT),
        (
            reverse("api:copy-event", args=[event]),
            {"starts_on": "2030-11-19", "name": "Again", "people": True, "divisions": [1], "submission_key": ""},
        ),
        (
            reverse("api:entries", args=[coming.event.public_id]),
            {"division": 1, "players": [{"id": "", "name": "Zoe"}], "team": "", "party": "x", "overrule": "x"},
        ),
        (
            reverse("api:check-ins", args=[event]),
            {"division": 1, "day": "2030-01-01", "opens_at": "2030-01-01T10:00:00Z", "closes_at": None},
        ),
        (
            reverse("api:matrix", args=[event]),
            {
                "cells": [{"player": "x", "division": 1, "seen": "out", "wanted": "in"}],
                "here": [{"player": "x", "seen": "no", "wanted": True}],
                "paid": [{"player": "x", "seen": "no", "wanted": True}],
                "notes": [{"player": "x", "seen": "", "wanted": "y"}],
                "values": [{"player": "x", "column": 1, "seen": "", "wanted": "y"}],
                "new": [{"player": "", "name": "Zoe", "divisions": [1], "here": False, "paid": False}],
                "overrule": "x",
            },
        ),
        (
            reverse("api:name-randomness", args=[event]),
            {"division": 1, "stage": 1, "source": "drand", "due_at": "2030-01-01T10:00:00Z", "label": "x", "seen": "x"},
        ),
        (reverse("api:draw-gates", args=[event]), {"division": 1, "stage": 1, "absent": [entry], "seen": "x"}),
        (
            reverse("api:matrix-columns", args=[event]),
            {
                "columns": [{"id": 0, "name": "Board", "kind": "tick", "choices": ["a", "b"], "asked": True, "printed": True}],
                "until": "2030-01-01T10:00:00Z",
                "seen": "x",
            },
        ),
        (reverse("api:matrix-undo", args=[event]), {"last_save": 1}),
        (reverse("api:mark-here", args=[event]), {"entries": [entry], "code": "", "day": "2030-01-01", "here": True}),
        (reverse("api:buy-back", args=[event, entry]), {"overrule": "x"}),
        (reverse("api:tables", args=[event]), {"table": 2, "in_use": False}),
        (reverse("api:call-next", args=[event]), {"everything": True}),
        (reverse("api:desk-notes", args=[event]), {"text": "Coffee is out", "for_helpers": True}),
        (reverse("api:settle-desk-note", args=[event, "nonesuch"]), {"done": True}),
        (reverse("api:notices", args=[event]), {"text": "Coffee", "division": 1, "minutes": 15}),
        (reverse("api:withdraw-notice", args=[event, notice]), {"seen": 1}),
        (reverse("api:report", args=[match]), {**CLAIM, "note": "n", "seen": 1}),
        (reverse("api:award", args=[match]), {"to": "a", "points": 1, "why": "start", "note": "n", "seen": 1}),
        (reverse("api:late", args=[match]), {"late": "a", "minutes": 6, "seen": 1}),
        (reverse("api:slow", args=[match]), {"slow": "a", "minutes": 12, "seen": 1}),
        (reverse("api:clock", args=[match]), {"score_a": 1, "score_b": 0, "seen": 1}),
        (reverse("api:clock-off", args=[match]), {"seen": 1}),
        (reverse("api:take-back-award", args=[match]), {"number": 1, "seen": 1}),
        (
            reverse("api:adjourn", args=[match]),
            {
                "score_a": 1, "score_b": 2, "cube": 2, "cube_owner": "a", "position": "4HPwATDgc/ABMA", "on_roll": "a",
                "dice": [6, 1], "clock_a": 60, "clock_b": 60, "resumes_on": "2190-12-01", "resumes_at": "10:00",
                "place": "here", "note": "n", "seen": 1,
            },
        ),
        (reverse("api:resume", args=[match]), {"seen": 1}),
        (reverse("api:correct-preview", args=[other]), {**CLAIM, "length": 7}),
        (reverse("api:correct", args=[other]), {**CLAIM, "length": 7, "repair": "replace", "seen": "x", "note": "n"}),
        (reverse("api:undo", args=[event]), {"undo": 1}),
        (reverse("api:prizes", args=[event]), PRIZES),
        (
            reverse("api:limits", args=[event]),
            {"division": 1, "source": "USBGF", "least": 1000.5, "most": 1500, "refuses": True, "seen": ""},
        ),
        (reverse("api:approve", args=[event, entry]), {"overrule": "x"}),
        (reverse("api:entry-answers", args=[event, entry]), {"answers": [{"column": 1, "value": "x"}], "seen": "x"}),
        (reverse("api:conduct", args=[event]), {"division": 1, "stage": 1, "conduct": CONDUCT, "seen": "x"}),
        (reverse("api:take-back-prizes", args=[event]), {"undo": 1}),
        (
            reverse("api:player-numbers", args=[tournament.club.public_id, player]),
            {
                "numbers": [{"federation": "USBGF", "number": "12", "valid_until": "2030-01-01"}],
                "ratings": [{"source": "USBGF", "value": 1500.5, "on": "2026-01-01"}],
                "seen": "",
            },
        ),
        (
            reverse("api:series", args=[series]),
            {"name": "Cup", "rule": {"points": [9, 5], "rest": 1, "scale": "list", "ties": "share", "best": 2, "division": "A"}, "archived": True, "seen": ""},
        ),
        (
            reverse("api:club-template", args=[tournament.club.public_id, template]),
            {"name": "Weekend", "sentence": "As ever", "archived": False, "seen": 1},
        ),
        *[
            (reverse(f"api:{action}", args=[event]), {"division": 1, "stage": 1, "seen": 1, "entries": [entry]})
            for action in ("play-off", "take-back-play-off", "record-play-off", "forget-play-offs")
        ],
    ]  # fmt: skip
    set_whole = (
        "/prizes/",
        "/conduct/",
        "/limits/",
        "/columns/",
        "/numbers/",
        f"/{series}/",
        f"/{template}/",
    )
    client = signed_in(tournament.director)
    client.raise_request_exception = False
    crashes, answered = set(), set()
    for address, body in bodies:
        for number, path in enumerate(places(body)):
            for odd in ODD if in_full() else ODD[number % TURNS :: TURNS]:
                sent = with_odd(body, path, odd)
                with rolled_back():
                    send = client.put if address.endswith(set_whole) else client.post
                    answer = send(address, json.dumps(sent), content_type="application/json")
                answered.add(answer.status_code)
                if answer.status_code >= 500:
                    crashes.add(f"{address} {path} = {odd!r:.40}")
    assert not crashes, "\n".join(sorted(crashes))
    assert {400, 422} & answered


def test_addresses_when_a_number_in_them_is_beyond_every_database_then_there_is_no_such_thing() -> None:
    tournament = an_event(2)
    client = signed_in(tournament.director)
    event, rating_list = tournament.event.public_id, club_lists(tournament.club.pk)[0].public_id
    for name, lead in {
        "director:division": event,
        "director:change-division": event,
        "director:stage-new": event,
        "director:stage": event,
        "director:remove-stage": event,
        "director:conduct": event,
        "director:undo-repair": event,
        "director:take-back-prizes": event,
        "rating:why": rating_list,
        "rating:official-issue": rating_list,
        "rating_api:official-rows": rating_list,
        "rating_api:change": rating_list,
        "rating_director:correct": rating_list,
        "rating_director:void": rating_list,
    }.items():
        for number in (0, 2**63, 10**30):
            address = reverse(name, args=[lead, number])
            assert client.post(address).status_code in {404, 405}, address
            assert client.get(address).status_code in {302, 404, 405}, address
