"""A player who is made with an entry gets a public page with the first public draw, or at once if they agreed to it."""

import pytest
from django.test import Client
from django.urls import reverse

from names.public_page import PublicPage
from people.models import Player
from people.services.players import choose_public_name, update_player
from tests.factories import Tournament, a_user, an_event
from tests.support.director import signed_in
from tests.support.tournaments import opened, text_of
from tournaments.draws.services.draws import unpublish_draw
from tournaments.engine.new_entry import NewEntry
from tournaments.entries.services.entries import add_entry
from tournaments.events.services.events import EventDetails, update_event
from tournaments.repairs.services.late_entry import add_late_entry
from tournaments.repairs.services.substitute import change_player

pytestmark = pytest.mark.django_db


def enter(tournament: Tournament, name: str, **more) -> Player:
    where = {
        "actor": tournament.actor,
        "event_id": tournament.event.pk,
        "division_id": tournament.division.pk,
    }
    return add_entry(**where, entry=NewEntry(name=name, **more)).players.get()


def is_public(name: str) -> bool:
    """Whether strangers find them: by the search of players, and by their page."""
    player = Player.objects.get(name=name)
    found = Client().get("/api/v1/players/", {"q": name}).json()["results"]
    page = Client().get(f"/p/{player.public_id}/").status_code == 200
    assert page is bool(found)
    return page


def test_typed_player_when_the_draw_is_published_then_public_and_not_before():
    tournament = an_event(4)
    for name, page in (("Nora Now", PublicPage.NOW), ("Nils None", PublicPage.NONE)):
        enter(tournament, name, public_page=page)
    enter(tournament, "Mia Minor", minor=True)
    Player.objects.filter(name="Bob").update(shown_as="hidden")
    seen = []
    for step in (lambda: None, lambda: opened(tournament), tournament.draw, tournament.publish):
        step()
        seen.append([is_public(name) for name in ("Ann", "Nora Now", "Nils None", "Mia Minor", "Bob")])
    assert seen == [[False, True, False, False, False]] * 3 + [[True, True, False, False, False]]
    unpublish_draw(actor=tournament.actor, event_id=tournament.event.pk, stage_id=tournament.stage.pk)
    assert is_public("Ann")  # who was public stays so


def test_player_when_the_event_is_unlisted_then_public_once_it_is_not():
    tournament = an_event(2, visibility="unlisted").publish()
    assert not is_public("Ann")
    details = EventDetails(
        name=tournament.event.name,
        starts_on=tournament.event.starts_on,
        ends_on=tournament.event.ends_on,
        timezone=tournament.event.timezone,
        visibility="public",
    )
    update_event(actor=tournament.actor, event_id=tournament.event.pk, details=details)
    assert is_public("Ann")


def test_player_when_entered_into_a_public_draw_then_public_at_once_unless_said_otherwise():
    tournament = an_event(6).publish()
    where = {"actor": tournament.actor, "event_id": tournament.event.pk, "stage_id": tournament.stage.pk}
    add_late_entry(**where, entry=NewEntry(name="Lea Later"))
    add_late_entry(**where, entry=NewEntry(name="Lou Later", public_page=PublicPage.NONE))
    assert (is_public("Lea Later"), is_public("Lou Later")) == (True, False)


def test_player_when_they_take_somebody_s_place_then_public_only_if_the_draw_is():
    for visibility, name in (("unlisted", "Uma Unlisted"), ("public", "Pam Public")):
        tournament = an_event(4, visibility=visibility).publish()
        entry = tournament.division.entries.first()
        change_player(
            actor=tournament.actor,
            event_id=tournament.event.pk,
            entry_id=entry.pk,
            wrong_id=entry.players.get().pk,
            right=NewEntry(name=name),
        )
    assert (is_public("Uma Unlisted"), is_public("Pam Public")) == (False, True)


@pytest.mark.parametrize(
    ("sent", "public"), [({}, False), ({"public_page": "now"}, True), ({"public_page": "none"}, False)]
)
def test_api_when_it_makes_a_player_of_a_draft_then_public_only_if_they_agreed(sent, public):
    tournament = an_event(0)
    director = signed_in(tournament.director)
    event = tournament.event.public_id
    by_entry = director.post(
        reverse("api:entries", args=[event]),
        {"players": [{"name": "Quiet Draft", **sent}]},
        content_type="application/json",
    )
    by_matrix = director.post(
        reverse("api:matrix", args=[event]),
        {"new": [{"name": "Quiet Matrix", "divisions": [1], **sent}]},
        content_type="application/json",
    )
    assert (by_entry.status_code, by_matrix.status_code) == (201, 200)
    assert [one["name"] for one in by_entry.json()["players"]] == ["Quiet Draft"]
    assert [is_public(name) for name in ("Quiet Draft", "Quiet Matrix")] == [public] * 2
    assert Player.objects.filter(listed_with_draw=True).count() == (0 if sent else 2)


def test_pages_when_they_make_a_player_then_ask_since_when_there_is_a_public_page():
    tournament = an_event(3)
    director = signed_in(tournament.director)
    entries = f"/direct/events/{tournament.event.public_id}/entries/"
    assert "From the first public draw" in text_of(director.get(entries))
    for name, page in (("Dana Draw", ""), ("Nora Now", "now"), ("Nils None", "none"), ("Odd One", "\0")):
        director.post(f"{entries}add/", {"name": name, "public_page": page})
    names = ("Dana Draw", "Nora Now", "Nils None", "Odd One")
    assert [is_public(name) for name in names] == [False, True, False, False]
    tournament.publish()
    assert [is_public(name) for name in names] == [True, True, False, True]


def test_player_who_waits_for_a_draw_when_changed_then_waits_on_or_stays_without_a_page():
    tournament = an_event(4)
    where = {"actor": tournament.actor, "club_id": tournament.club.pk}
    ann, bob, cleo, dan = Player.objects.order_by("pk")
    pages = f"/clubs/{tournament.club.public_id}/players/"
    director = signed_in(tournament.director)
    assert "Public from the first draw" in text_of(director.get(pages))
    typed = {"name": "Ann A", "shown_as": "full", "listed_with_draw": "on"}
    assert director.post(f"{pages}{ann.public_id}/", typed).status_code == 302
    update_player(**where, player_id=bob.pk, name="Bob B", listed=False)
    update_player(**where, player_id=cleo.pk, name="Cleo C", listed=True)
    user = a_user("Dan")
    Player.objects.filter(pk=dan.pk).update(user=user)
    choose_public_name(actor=type(tournament.actor).of(user), player_id=dan.pk, shown_as="full", listed=False)
    names = ("Ann A", "Bob B", "Cleo C", "Dan")
    assert [is_public(name) for name in names] == [False, False, True, False]
    tournament.publish()
    assert [is_public(name) for name in names] == [True, False, True, False]
