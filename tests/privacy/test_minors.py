"""Minors: a short name, no page, no ratings in public, a guardian who speaks for them, and nobody told but the desk."""

import pytest
from django.test import Client

from faults import Conflict
from people.actors import Actor
from people.models import Player, PlayerClaim, User
from people.services.claims import offer_player
from people.services.players import choose_public_name, update_player
from tests.factories import Tournament, a_user, an_event
from tests.permissions.shared import rolled_back
from tournaments.entries.services.consents import set_consents_by_link
from tournaments.models import Entry, EntryDetail
from tournaments.selectors.access.links import entry_token

pytestmark = pytest.mark.django_db


@pytest.fixture
def tournament() -> Tournament:
    made = an_event(4, lengths=[5]).publish()
    entry = Entry.objects.first()
    player = entry.players.get()
    update_player(
        actor=made.actor, club_id=made.event.club_id, player_id=player.pk, name="Kim Kidd", minor=True
    )
    Entry.objects.filter(pk=entry.pk).update(name="Kim Kidd")
    return made


def kim() -> Player:
    return Player.objects.get(name="Kim Kidd")


def browser_of(user: User) -> Client:
    browser = Client()
    browser.force_login(user)
    return browser


def test_public_pages_call_minors_by_a_short_name_and_tell_nobody_why(tournament):
    tournament.play_out()
    child = kim()
    assert (child.public_name, child.hall_name, child.listed) == ("Kim K.", "Kim K.", False)
    addresses = [f"/e/{tournament.event.public_id}/{part}" for part in ("", "bracket/", "entries/", "hall/")]
    matches = [slot.match.public_id for slot in child.entries.get().slots.select_related("match")]
    addresses += [f"/m/{match}/" for match in matches]
    addresses += [
        f"/api/v1/events/{tournament.event.public_id}/{part}"
        for part in ("", "entries/", "bracket/", "matches/")
    ]
    addresses += ["/api/v1/players/", f"/c/{tournament.event.club.public_id}/players/"]
    for address in addresses:
        text = Client().get(address).content.decode()
        assert "Kidd" not in text, address
        assert "minor" not in text.lower(), address
        assert child.public_id not in text, address
    assert "Kim K." in Client().get(addresses[1]).content.decode()
    assert Client().get(f"/p/{child.public_id}/").status_code == 404
    assert Client().get(f"/api/v1/players/{child.public_id}/").status_code == 404
    rating = tournament.event.club.rating_lists.first()
    for page in ("", "ratings.csv", "ratings.json"):
        text = Client().get(f"/r/{rating.public_id}/{page}")
        body = b"".join(text.streaming_content) if text.streaming else text.content
        assert b"Kim" not in body, page
    for page in ("", "chart.svg", "history.csv", "versus/"):
        assert Client().get(f"/r/{rating.public_id}/player/{child.public_id}/{page}").status_code == 404, page


def test_desk_sees_the_mark_and_public_page_cannot_be_switched_on(tournament):
    desk = browser_of(tournament.director)
    page = desk.get(f"/direct/events/{tournament.event.public_id}/agreements/").content.decode()
    assert "Minor" in page
    update_player(
        actor=tournament.actor,
        club_id=tournament.event.club_id,
        player_id=kim().pk,
        name="Kim Kidd",
        listed=True,
        shown_as="full",
    )
    assert (kim().listed, kim().public_name) == (False, "Kim K.")


def test_minors_agree_to_nothing_by_themselves(tournament):
    entry = kim().entries.get()
    page = Client().get(f"/my/{entry_token(entry)}/agreements/").content.decode()
    assert "A guardian gives these permissions" in page
    assert "<select" not in page
    with rolled_back(), pytest.raises(Conflict):
        set_consents_by_link(
            actor=Actor.with_label("link"), entry_id=entry.pk, player_id=kim().pk, replies={"photo": "yes"}
        )
    sent = Client().post(f"/my/{entry_token(entry)}/agreements/", {"player": kim().public_id, "photo": "yes"})
    assert sent.status_code == 409
    child = a_user("Kim")
    Player.objects.filter(pk=kim().pk).update(user=child)
    data = {"player": kim().public_id, "entry": entry.public_id, "photo": "yes"}
    assert browser_of(child).post("/me/agree/", data).status_code == 409
    with rolled_back(), pytest.raises(Exception, match="unknown"):
        choose_public_name(actor=Actor.of(child), player_id=kim().pk, shown_as="full", listed=True)
    assert not EntryDetail.objects.exists()


def test_guardian_takes_the_link_says_so_and_speaks_for_the_child(tournament):
    token = offer_player(actor=tournament.actor, club_id=tournament.event.club_id, player_id=kim().pk)
    parent = a_user("Pat Parent")
    mine = browser_of(parent)
    page = mine.get(f"/claim/{token}/").content.decode()
    assert "parent or guardian" in page
    assert mine.post(f"/claim/{token}/").status_code == 422
    assert kim().guardian is None
    assert mine.post(f"/claim/{token}/", {"guardian": "yes"}).status_code == 302
    assert (kim().guardian, kim().user) == (parent, None)
    assert PlayerClaim.objects.get().ended_at is not None
    assert "Kim K. (you are the guardian)" in mine.get("/me/").content.decode()
    entry = kim().entries.get()
    data = {"player": kim().public_id, "entry": entry.public_id, "photo": "no"}
    assert mine.post("/me/agree/", data).status_code == 302
    assert EntryDetail.objects.get().photo == "no"
    assert (
        mine.post("/account/privacy/", {"player": kim().public_id, "shown_as": "hidden"}).status_code == 302
    )
    assert (kim().shown_as, kim().public_name) == ("hidden", "\ue000")
    with rolled_back(), pytest.raises(Conflict):
        offer_player(actor=tournament.actor, club_id=tournament.event.club_id, player_id=kim().pk)
    update_player(
        actor=tournament.actor,
        club_id=tournament.event.club_id,
        player_id=kim().pk,
        name="Kim Kidd",
        minor=False,
    )
    assert kim().guardian is None  # grown up
    assert mine.post("/me/agree/", data).status_code == 404
