"""A player becomes an account's by a link from the desk: once, for a day, given by whoever keeps the player."""

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from faults import Conflict, Missing, NotAllowed
from people.actors import Actor
from people.models import AuditEntry, Player, PlayerClaim
from people.services.claims import offer_player, open_claim, take_player
from tests.factories import a_user, an_event
from tests.support.tournaments import signed_in, text_of
from tournaments.engine.new_entry import NewEntry
from tournaments.engine.statuses import EventAction
from tournaments.entries.services.entries import add_entry
from tournaments.entries.services.own import withdraw_own_entry
from tournaments.events.services.divisions import DivisionDetails, update_division
from tournaments.events.services.events import change_event_status
from tournaments.models import Entry
from tournaments.selectors.access.links import entry_token

pytestmark = pytest.mark.django_db


@pytest.fixture
def tournament():
    """Open for entries: of a draft nobody is told but its directors."""
    tournament = an_event(4).with_public_pages()
    change_event_status(actor=tournament.actor, event_id=tournament.event.pk, action=EventAction.OPEN)
    tournament.fresh()
    return tournament


@pytest.fixture
def ann(tournament):
    return tournament.entry("Ann").players.get()


def offered(tournament, player):
    return offer_player(actor=tournament.actor, club_id=tournament.club.pk, player_id=player.pk)


def test_claim_when_taken_then_the_account_is_the_player_and_the_link_is_worth_nothing(tournament, ann):
    token, user = offered(tournament, ann), a_user("Ann")
    assert not PlayerClaim.objects.filter(secret_hash__contains=token).exists()
    assert take_player(user=user, token=token) == ann
    assert Player.objects.get(pk=ann.pk).user == user
    with pytest.raises(Missing) as refused:
        take_player(user=a_user("Eve"), token=token)
    assert refused.value.code == "claim.used"
    assert AuditEntry.objects.filter(action="player.take", subject_id=ann.pk).exists()
    with pytest.raises(Conflict):
        offered(tournament, ann)


def test_claim_when_old_newer_or_odd_then_refused(tournament, ann):
    first = offered(tournament, ann)
    second = offered(tournament, ann)
    for token, code in ((first, "claim.used"), ("", "claim.unknown"), ("x" * 500, "claim.unknown")):
        with pytest.raises(Missing) as refused:
            open_claim(token)
        assert refused.value.code == code
    PlayerClaim.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    with pytest.raises(Missing) as refused:
        take_player(user=a_user("Ann"), token=second)
    assert refused.value.code == "claim.expired"


def test_account_is_one_player(tournament, ann):
    user = a_user("Ann")
    take_player(user=user, token=offered(tournament, ann))
    bob = offered(tournament, tournament.entry("Bob").players.get())
    with pytest.raises(Conflict):
        take_player(user=user, token=bob)
    assert open_claim(bob)
    with pytest.raises(Conflict):
        take_player(user=a_user("Helper", is_guest=True), token=bob)


def test_only_the_home_club_gives_a_player_away(tournament, ann):
    other = an_event(director=a_user("Olga"), club=None)
    add_entry(
        actor=other.actor,
        event_id=other.event.pk,
        division_id=other.division.pk,
        entry=NewEntry(player_id=ann.pk),
    )
    with pytest.raises(NotAllowed):
        offer_player(actor=other.actor, club_id=other.club.pk, player_id=ann.pk)
    with pytest.raises(NotAllowed):
        offer_player(actor=Actor.of(a_user("Eve")), club_id=tournament.club.pk, player_id=ann.pk)


def test_pages_when_a_code_is_given_out_then_scanned_signed_in_and_taken(tournament, ann):
    director = signed_in(tournament.director)
    shown = director.post(reverse("director:offer-claim", args=[tournament.club.public_id, ann.public_id]))
    assert shown.status_code == 200
    assert "no-store" in shown["Cache-Control"]
    address = shown.context["url"].partition("/claim/")[2]
    claim = f"/claim/{address}"
    stranger = text_of(Client().get(claim))
    assert "Are you Ann?" in stranger
    assert "Sign in" in stranger
    Client().post(claim)
    assert Player.objects.get(pk=ann.pk).user is None
    client = signed_in(a_user("Ann"))
    assert "Are you a player?" in text_of(client.get(reverse("player:me")))
    page = client.post(claim, follow=True)
    assert "Your account is now linked to Ann." in text_of(page)
    assert entry_token(tournament.entry("Ann")) in page.content.decode()
    assert client.get(claim).status_code == 404


def test_own_page_tells_matches_links_and_what_is_behind(tournament, ann):
    user = a_user("Ann")
    Player.objects.filter(pk=ann.pk).update(user=user)
    client = signed_in(user)
    tournament.publish(seed=2)
    page = client.get(reverse("player:me"))
    assert entry_token(tournament.entry("Ann")) in page.content.decode()
    assert "to 5" in text_of(page) or "to 7" in text_of(page)
    assert "Withdraw" not in text_of(page)
    tournament.play_out()
    page = client.get(reverse("player:me"))
    assert "Past events" in text_of(page)
    assert "Club night" in text_of(page)


def test_withdrawal_of_one_s_own_entry_until_the_last_day_of_entries(tournament, ann):
    user = a_user("Ann")
    Player.objects.filter(pk=ann.pk).update(user=user)
    client, entry = signed_in(user), tournament.entry("Ann")
    url = reverse("player:withdraw")
    assert client.post(url, {"entry": tournament.entry("Bob").public_id}).status_code == 404
    assert client.post(url, {"entry": "\0"}).status_code == 404
    late = DivisionDetails(entries_until=timezone.now() - timedelta(hours=1))
    where = {
        "actor": tournament.actor,
        "event_id": tournament.event.pk,
        "division_id": tournament.division.pk,
    }
    update_division(**where, division=late)
    assert "Withdraw" not in text_of(client.get(reverse("player:me")))
    assert client.post(url, {"entry": entry.public_id}).status_code == 409
    update_division(**where, division=DivisionDetails())
    assert "Withdraw" in text_of(client.get(reverse("player:me")))
    client.post(url, {"entry": entry.public_id})
    assert Entry.objects.get(pk=entry.pk).status == "withdrawn"
    with pytest.raises(Missing):
        withdraw_own_entry(actor=Actor.of(user), public_id=entry.public_id)


def test_own_page_when_the_event_is_a_draft_then_says_nothing_of_it(ann):
    draft = an_event(0, name="Planned Surprise")
    entry = NewEntry(player_id=ann.pk)
    where = {"actor": draft.actor, "event_id": draft.event.pk, "division_id": draft.division.pk}
    add_entry(**where, entry=entry)
    user = a_user("Ann")
    Player.objects.filter(pk=ann.pk).update(user=user)
    assert "Planned Surprise" not in text_of(signed_in(user).get(reverse("player:me")))
