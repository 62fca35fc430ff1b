"""What the page of a player says of a call: its title, what it rings for, whether it asks while it is hidden."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from tests.factories import an_event
from tests.support.tournaments import text_of
from tournaments.engine.statuses import MatchAction
from tournaments.hall.services.calling import move_match, set_table
from tournaments.models import CallAnswer, Entry
from tournaments.selectors.access.links import entry_token

pytestmark = pytest.mark.django_db


def page(entry: Entry) -> tuple[str, dict[str, str], str]:
    """Its title, what the page rings for, and all of its text."""
    answer = Client().get(reverse("player:home", args=[entry_token(entry)]))
    html = answer.content.decode()
    region = re.search(r'<div id="my-live"[^>]*>', html)[0]
    title = " ".join(re.search(r"<title>(.*?)</title>", html, re.DOTALL)[1].split())
    return title, dict(re.findall(r'data-(ring[\w-]*|live-hidden)="([^"]*)"', region)), text_of(answer)


def test_page_when_waiting_called_moved_sent_back_and_playing_then_rings_for_calls_alone():
    tournament = an_event(4, lengths=[5]).publish()
    match = tournament.playable()[0]
    entry, other = (tournament.entry_at(match, side) for side in "ab")
    where = {"actor": tournament.actor, "event_id": tournament.event.pk, "match_id": match.pk}
    title, ring, text = page(entry)
    assert (title.partition(" · ")[0], ring) == (entry.name, {"live-hidden": "25"})
    assert "I’m on my way" not in text
    assert "Cannot play" in text
    move_match(**where, action=MatchAction.CALL)
    title, called, text = page(entry)
    assert title.startswith("Called: table 1 · ")
    assert called["ring-words"] == f"Called: table 1, against {other.name}"
    assert called["live-hidden"] == "25"
    assert "I’m on my way" in text
    set_table(**where, table=3)
    _title, moved, _text = page(entry)
    assert moved["ring"] != called["ring"]
    move_match(**where, action=MatchAction.SEND_BACK)
    assert "ring" not in page(entry)[1]
    move_match(**where, action=MatchAction.START)
    title, ring, text = page(entry)
    assert (title.partition(" · ")[0], ring) == (entry.name, {})
    assert "Cannot play" not in text


def test_answer_when_typed_or_sent_in_any_way_then_taken_or_told_why_not():
    tournament = an_event(4, lengths=[5]).publish()
    match = tournament.playable()[0]
    entry = tournament.entry_at(match, "a")
    address = reverse("player:answer", args=[entry_token(entry), match.public_id])
    phone = Client()

    def says(**words: str) -> tuple[int, str]:
        answer = phone.post(address, words, follow=True)
        return answer.status_code, text_of(answer)

    assert says(coming="perhaps")[0] == 422
    status, text = says(coming="cannot", reason=" ")
    assert (status, "Enter a short reason so that the director can decide" in text) == (422, True)
    long = "w" * 141
    refused = phone.post(address, {"coming": "cannot", "reason": long})
    assert refused.status_code == 422
    assert f'value="{long}"' in refused.content.decode()  # what was typed is not lost
    status, text = says(coming="cannot", reason="My train")
    assert (status, "You reported that you cannot play" in text, "“My train”" in text) == (200, True, True)
    other = Client().get(reverse("player:home", args=[entry_token(tournament.entry_at(match, "b"))]))
    assert "train" not in text_of(other)
    strange = Client().post(address, {"coming": "coming"})
    assert strange.status_code == 403
    assert CallAnswer.objects.get().reason == "My train"
    status, text = says(coming="")
    assert (status, "Answer withdrawn." in text) == (200, True)
