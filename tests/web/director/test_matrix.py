"""The page of all people and divisions: as a form without scripts, what it shows again after a refusal, and what helpers see of it."""

import re

import pytest
from django.urls import reverse

from people.models import Assistance
from tests.factories import Tournament, a_user, an_event
from tests.support.director import Desk, desk_of, signed_in, words
from tournaments.check_in.services.windows import open_check_in
from tournaments.events.services.divisions import DivisionDetails, add_division
from tournaments.events.services.stages import StageDetails
from tournaments.models import Division, Entry, EntryDetail, Here

pytestmark = pytest.mark.django_db


@pytest.fixture
def tournament(clock) -> Tournament:
    return an_event(4, lengths=[5])


@pytest.fixture
def second(tournament) -> Division:
    details = DivisionDetails(name="Novices", capacity=2, stages=[StageDetails(lengths=[3])])
    return add_division(
        actor=tournament.actor, event_id=tournament.event.pk, division=details, first_name="Open"
    )


@pytest.fixture
def desk(tournament) -> Desk:
    return desk_of(tournament)


def sent_by(desk: Desk, action: str, /, **fields: object) -> str:
    """The page that a browser shows after it has sent this."""
    assert desk.post(action, **fields).status_code == 302
    return words(desk.get("matrix"))


def as_shown(html: str) -> dict[str, list[str]]:
    """What a browser would send of the form, untouched."""
    form = html[html.index("data-matrix-changed") :]
    found: dict[str, list[str]] = {}
    for tag in re.findall(r"<input[^>]+>", form):
        name, value = re.search(r'name="([^"]+)"', tag), re.search(r'value="([^"]*)"', tag)
        if name and name[1] != "csrfmiddlewaretoken" and ("checkbox" not in tag or " checked" in tag):
            found.setdefault(name[1], []).append(value[1] if value else "")
    return found


def test_form_as_it_was_shown_changes_nothing_and_with_ticks_exactly_these(tournament, second, desk):
    first = Division.objects.get(event=tournament.event, position=1)
    open_check_in(actor=tournament.actor, event_id=tournament.event.pk, division_id=first.pk)
    page = desk.get("matrix")
    assert "0 of 2" in words(page)
    sent = as_shown(page.content.decode())
    assert "No changes to save." in sent_by(desk, "matrix-save", **sent)
    ann = Entry.objects.get(name="Ann").players.get().public_id
    bob = Entry.objects.get(name="Bob").players.get().public_id
    cleo = Entry.objects.get(name="Cleo").players.get().public_id
    for name in (ann, bob, cleo):
        sent["in"].append(f"{name}:{second.pk}")
    sent |= {
        "here": [ann],
        "paid": [ann],
        f"note:{bob}": ["pays later"],
        "name": ["Zoe"],
        "new": [str(first.pk)],
    }
    done = sent_by(desk, "matrix-save", **sent)
    assert "7 changes saved." in done
    assert "the division is full: Cleo" in done
    assert "2 of 2, 1 waiting" in done
    assert set(Entry.objects.filter(division=second).values_list("name", "status")) == {
        ("Ann", "active"),
        ("Bob", "active"),
        ("Cleo", "waiting"),
    }
    assert Here.objects.get().entry.name == "Ann"
    assert EntryDetail.objects.filter(paid=True).count() == 2
    assert Entry.objects.filter(division=first, name="Zoe").exists()
    number = re.search(r'name="save" value="(\d+)"', desk.get("matrix").content.decode())
    assert "Changes undone." in sent_by(desk, "matrix-undo", save=number[1])
    assert not Here.objects.exists()


def test_two_directors_at_once_then_the_second_sees_what_is_new_and_keeps_what_they_ticked(
    tournament, second, desk
):
    shown = desk.get("matrix").content.decode()
    ann = Entry.objects.get(name="Ann").players.get().public_id
    bob = Entry.objects.get(name="Bob").players.get().public_id
    theirs, ours = as_shown(shown), as_shown(shown)
    theirs["paid"] = [ann]
    desk.post("matrix-save", **theirs)
    first = Division.objects.get(event=tournament.event, position=1)
    Entry.objects.filter(name="Bob").update(status="waiting")
    ours["in"] = [one for one in ours["in"] if one != f"{bob}:{first.pk}"]
    ours[f"note:{ann}"] = ["with her brother"]
    again = desk.post("matrix-save", **ours)
    assert again.status_code == 409
    html = again.content.decode()
    assert "Another person has changed this in the meantime: Bob" in words(again)
    assert html.count("is-stale") == 1
    assert "with her brother" in html
    assert not EntryDetail.objects.exclude(note="").exists()
    saved = sent_by(desk, "matrix-save", **as_shown(html))
    assert "change saved" in saved or "changes saved" in saved
    assert Entry.objects.get(name="Bob").status == "withdrawn"
    assert EntryDetail.objects.get(entry__name="Ann").note == "with her brother"


def test_search_shows_some_and_saves_those_alone(tournament, desk):
    page = desk.get("matrix", q="cle")
    assert "Cleo" in words(page)
    assert "Dan" not in words(page)
    sent = as_shown(page.content.decode())
    assert len(sent["row"]) == 1


def test_helper_sees_who_plays_and_says_who_is_here_and_no_payments(tournament, desk):
    open_check_in(actor=tournament.actor, event_id=tournament.event.pk, division_id=tournament.division.pk)
    helper = a_user("Helga")
    Assistance.objects.create(user=helper, club=tournament.club, scope=f"event:{tournament.event.pk}")
    client = signed_in(helper)
    page = client.get(reverse("director:matrix", args=[tournament.event.public_id]))
    assert "Paid" not in words(page)
    sent = as_shown(page.content.decode())
    assert set(sent) <= {"q", "page", "row"}
    ann = tournament.entry("Ann").players.get().public_id
    client.post(reverse("director:matrix-save", args=[tournament.event.public_id]), {**sent, "here": [ann]})
    assert Here.objects.get().entry.name == "Ann"
