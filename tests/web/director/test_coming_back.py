"""Whoever left an event, or was left out, comes back: four ways out, nine ways back, before and after the draw, in three systems.

Each way ends in one of two things: the entry takes part again, the same one and of the same player, or the answer says why not and what to do.
A sample of the ways runs always, every one of them with ``CRAWFORD_TEST_FULL=1``.
"""

import itertools
import os
from dataclasses import dataclass

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from people.actors import Actor
from people.models import Player
from tests.factories import Tournament, a_user, an_event
from tests.support.director import Desk, desk_of, signed_in, words
from tests.support.rounds import publish_next
from tournaments.check_in.services.leaving_out import withdraw_missing
from tournaments.check_in.services.marking import check_in_entries
from tournaments.check_in.services.windows import open_check_in
from tournaments.checks.soundness import integrity_faults
from tournaments.engine.new_entry import NewEntry
from tournaments.engine.stages.swiss import SwissSettings
from tournaments.entries.services.registration import register_self
from tournaments.events.services.events import set_registration
from tournaments.models import Division, Entry, EntryPlayer
from tournaments.selectors.access.links import entry_token, join_token
from tournaments.selectors.waiting import place_in_queue

pytestmark = pytest.mark.django_db

SYSTEMS = {
    "single_elimination": {"lengths": [5]},
    "swiss": {"system": "swiss", "lengths": [5], "swiss": SwissSettings(rounds=3)},
    "round_robin": {"system": "round_robin", "lengths": [5]},
}
LEAVES = ("link", "account", "desk", "left out")
WAYS = ("link", "account", "desk", "check-in", "late", "api link", "api director", "form", "matrix")
BY_PLAYER = ("link", "account", "api link", "form")
OWN = ("link", "account")
EVERY = list(itertools.product(SYSTEMS, (False, True), LEAVES, WAYS))
JSON = "application/json"
FULL = os.environ.get("CRAWFORD_TEST_FULL") == "1"
SAMPLE = EVERY if FULL else EVERY[::23]


@dataclass
class World:
    """An event with Ann, who has an account, and the browsers of both sides."""

    tournament: Tournament
    ann: Entry
    account: Client
    desk: Desk
    phone: Client

    @property
    def now(self) -> Entry:
        return Entry.objects.get(pk=self.ann.pk)

    @property
    def token(self) -> str:
        return entry_token(self.now)

    def api(self, what: str) -> str:
        return reverse(f"api:{what}", args=[self.tournament.event.public_id, self.ann.public_id])


def world(system: str, entries: int = 6) -> World:
    tournament = an_event(entries=entries, **SYSTEMS[system])
    set_registration(actor=tournament.actor, event_id=tournament.event.pk, is_open=True)
    tournament.fresh()
    user = a_user("Ann")
    ann = tournament.entry("Ann")
    Player.objects.filter(entries=ann).update(user=user)
    return World(tournament, ann, signed_in(user), desk_of(tournament), Client())


def leave(there: World, way: str) -> None:
    tournament = there.tournament
    where = {"actor": tournament.actor, "event_id": tournament.event.pk}
    if way == "link":
        there.phone.post(reverse("player:leave", args=[there.token]))
    elif way == "account":
        there.account.post(reverse("player:withdraw"), {"entry": there.ann.public_id})
    elif way == "desk":
        there.desk.post("withdraw", entry=there.ann.public_id)
    else:
        open_check_in(**where, division_id=tournament.division.pk)
        check_in_entries(**where, entry_ids=[entry.pk for entry in Entry.objects.exclude(pk=there.ann.pk)])
        withdraw_missing(**where, stage_id=tournament.stage.pk, listed=[there.ann.pk])
    assert there.now.status == "withdrawn"


def draw(tournament: Tournament) -> None:
    if tournament.stage.system == "single_elimination":
        tournament.publish()
    else:
        publish_next(tournament)


def come_back(there: World, way: str) -> str:
    """What the answer says, or nothing."""
    tournament, desk, entry = there.tournament, there.desk, there.ann.public_id
    if way == "link":
        return words(there.phone.post(reverse("player:return", args=[there.token]), follow=True))
    if way == "account":
        return words(there.account.post(reverse("player:return-signed-in"), {"entry": entry}, follow=True))
    if way == "form":
        page = there.account.get(reverse("player:join", args=[join_token(tournament.fresh())]))
        if reverse("player:return-signed-in") in page.content.decode():
            return words(
                there.account.post(reverse("player:return-signed-in"), {"entry": entry}, follow=True)
            )
        return words(page)
    if way == "api link":
        header = {"authorization": f"Link {there.token}"}
        return there.phone.post(there.api("reinstate"), {}, JSON, headers=header).content.decode()
    if way == "api director":
        return desk.client.post(there.api("reinstate"), {}, JSON).content.decode()
    if way == "matrix":
        return through_the_matrix(there)
    page = {"desk": "entries", "check-in": "check-in", "late": "late-entry"}[way]
    shown = desk.get(page)
    if way != "check-in" or shown.context["check_in"] is not None:
        assert "Reinstate Ann" in shown.content.decode()
    return words(desk.client.post(desk.url("return"), {"entry": entry, "from": page}, follow=True))


def through_the_matrix(there: World) -> str:
    page = there.desk.get("matrix")
    row = next(row for row in page.context["rows"] if row["name"] == "Ann")
    cell = row["cells"][0]
    if cell["locked"]:
        return cell["why"]
    fields = {"row": row["row"], "in": cell["value"]}
    return words(there.desk.client.post(there.desk.url("matrix-save"), fields, follow=True))


def expected(system: str, drawn: bool, left: str, way: str) -> str:
    """A part of the answer; empty: the entry takes part again."""
    fixed = drawn and system == "round_robin"
    if way in BY_PLAYER:
        if drawn and system != "swiss":
            return "Ask at the desk: the director can reinstate you"
        return "" if left in OWN else "Ask at the desk to be reinstated"
    if way == "matrix" and fixed:
        return "Entries are closed for this division. Choose another division."
    return "All rounds have been drawn without Ann" if fixed else ""


@pytest.mark.parametrize(("system", "drawn", "left", "way"), SAMPLE)
def test_who_left_comes_back_by_every_way_or_is_told_what_to_do(system, drawn, left, way):
    there = world(system)
    players = Player.objects.count()
    leave(there, left)
    if drawn:
        draw(there.tournament)
    said = come_back(there, way)
    wanted = expected(system, drawn, left, way)
    assert wanted in said
    assert there.now.status == ("withdrawn" if wanted else "active"), said
    assert Entry.objects.filter(entry_players__player__name="Ann").count() == 1
    assert Player.objects.count() == players
    assert integrity_faults(there.tournament.fresh()) == []


def test_who_comes_back_to_a_full_division_goes_to_the_end_of_the_waiting_list():
    there = world("single_elimination")
    tournament = there.tournament
    Division.objects.update(capacity=5)
    for name in ("Gil", "Hana"):
        there.desk.post("add-entry", name=name, player="", when_full="wait")
    leave(there, "link")
    Division.objects.update(capacity=5)
    page = Client().get(reverse("player:return", args=[there.token]))
    assert "You will be added to the end of the waiting list" in words(page)
    said = come_back(there, "link")
    assert "You are number" in said
    waiting = Entry.objects.filter(status="waiting")
    assert place_in_queue(there.now) == waiting.count()
    assert "Reinstated at the end of the waiting list: Ann." in words(there.desk.get("audit"))
    assert integrity_faults(tournament.fresh()) == []


def test_form_when_a_swiss_is_full_between_rounds_then_it_says_that_who_comes_back_waits():
    there = world("swiss")
    leave(there, "account")
    draw(there.tournament)
    Division.objects.update(capacity=5)
    page = words(there.account.get(reverse("player:join", args=[join_token(there.tournament.fresh())])))
    assert "You will be added to the end of the waiting list" in page
    assert "You are number 1 on the waiting list" in come_back(there, "form")


def test_own_page_when_the_player_left_more_events_then_it_asks_for_full_divisions_once():
    there = world("single_elimination")
    leave(there, "account")
    Division.objects.update(capacity=5)

    def queries(events):
        with CaptureQueriesContext(connection) as asked:
            page = words(there.account.get(reverse("player:me")))
        assert page.count("You will be added to the end of the waiting list") == events
        return len([one for one in asked if "COUNT" in one["sql"] and "tournaments_entry" in one["sql"]])

    one = queries(1)
    other = an_event(entries=6)
    set_registration(actor=other.actor, event_id=other.event.pk, is_open=True)
    again, player = other.entry("Ann"), Player.objects.get(entries=there.ann)
    EntryPlayer.objects.filter(entry=again).update(player=player)
    there.account.post(reverse("player:withdraw"), {"entry": again.public_id})
    Division.objects.update(capacity=5)
    assert queries(2) == one


def test_program_of_a_director_is_asked_in_a_full_division_and_decides_on_names():
    there = world("single_elimination", 4)
    tournament, client = there.tournament, there.desk.client
    Division.objects.update(capacity=4)
    where = [tournament.event.public_id]
    entries = reverse("api:entries", args=where)
    gil = {"players": [{"name": "Gil"}]}
    full = client.post(entries, gil, JSON)
    assert full.status_code == 409
    assert full.json()["code"] == "entry.full"
    about = {"division": "Club night", "places": 4, "have": 4, "waiting": 0, "count": 1}
    assert full.json()["present"] == {**about, "may_wait": True}
    made = client.post(entries, {**gil, "when_full": "wait"}, JSON)
    assert (made.status_code, made.json()["waiting"], made.json()["number"]) == (201, 1, None)
    assert client.post(entries, {**gil, "when_full": "perhaps"}, JSON).status_code == 400
    register_self(
        actor=Actor.with_label("form"), token=join_token(tournament.fresh()), entry=NewEntry(name="Ann")
    )
    (ann, *_others) = [
        one for one in client.get(reverse("api:expected", args=where)).json() if not one["approved"]
    ]
    assert (ann["doubt"], len(ann["same_name"])) == ("entered", 1)
    approve = reverse("api:approve", args=[*where, ann["id"]])
    refused = client.post(approve, {}, JSON)
    assert (refused.status_code, refused.json()["code"]) == (409, "entry.doubtful")
    assert client.post(approve, {"player": ann["same_name"][0]}, JSON).status_code == 409  # entered already
    assert client.post(approve, {"player": "new"}, JSON).status_code == 200
    assert Player.objects.filter(name="Ann").count() == 2
    withdraw = there.api("withdraw-entry")
    assert client.post(withdraw, {}, JSON).json()["status"] == "withdrawn"
    asked = client.post(there.api("reinstate"), {}, JSON)
    assert asked.json()["code"] == "entry.full"
    standing = client.post(there.api("reinstate"), {"when_full": "wait"}, JSON).json()
    assert (standing["status"], standing["waiting"]) == ("waiting", place_in_queue(there.now))
