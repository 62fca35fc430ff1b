"""A player becomes an account's by mail to a stored address, or by a personal link and a director's yes; and a director takes it back."""

import re
import threading
import time

import pytest
from django.core import mail
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from faults import Conflict, Missing, NotAllowed
from people.actors import Actor
from people.models import AuditEntry, Player, PlayerClaim
from people.services import hints
from people.services.claims import decide_claim, offer_player, open_claim, request_player, take_player
from tests.factories import a_user, an_event
from tests.support.tournaments import signed_in, text_of
from tournaments.engine.new_entry import NewEntry
from tournaments.entries.services.claims import release_player
from tournaments.entries.services.entries import add_entry
from tournaments.models import Entry, EntryDetail, Event, LinkPhone
from tournaments.selectors.access.links import entry_token
from tournaments.site.services.claim_mail import mail_claim_links

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def fresh_counters():
    cache.clear()


@pytest.fixture
def tournament():
    found = an_event(4).with_public_pages()
    Event.objects.filter(pk=found.event.pk).update(status="open")  # a draft is its directors' alone
    return found


@pytest.fixture
def entry(tournament):
    return tournament.entry("Ann")


@pytest.fixture
def ann(entry):
    return entry.players.get()


def asks(tournament, user, player):
    return request_player(user=user, player_id=player.pk, club_id=tournament.club.pk)


def answers(tournament, claim, *, accepts=True, actor=None):
    given = {"actor": actor or tournament.actor, "club_id": tournament.club.pk, "claim_id": claim.pk}
    return decide_claim(**given, accepts=accepts)


def test_link_when_the_director_says_yes_then_the_account_is_the_player(tournament, entry, ann):
    user, director = a_user("Ann"), signed_in(tournament.director)
    page = reverse("player:keep", args=[entry_token(entry)])
    assert "Sign in" in text_of(Client().get(page))
    assert Client().post(page, {"player": ann.public_id}).status_code == 200
    assert not PlayerClaim.objects.exists()
    phone = signed_in(user)
    assert phone.post(page, {"player": "\0"}).status_code == 404
    assert "Link request sent." in text_of(phone.post(page, {"player": ann.public_id}, follow=True))
    phone.post(page, {"player": ann.public_id})
    claim = PlayerClaim.objects.get()  # asked twice is once
    assert Player.objects.get(pk=ann.pk).user is None
    for where in (
        reverse("director:entries", args=[tournament.event.public_id]),
        reverse("people:players", args=[tournament.club.public_id]),
    ):
        assert "Link requests 1" in text_of(director.get(where))
    url = reverse("director:answer-claim", args=[tournament.club.public_id])
    for odd in ("", "x", "9" * 30):
        assert director.post(url, {"claim": odd, "answer": "yes"}).status_code == 404
    assert director.post(url, {"claim": claim.pk, "answer": "yes"}).status_code == 302
    assert Player.objects.get(pk=ann.pk).user == user
    assert director.post(url, {"claim": claim.pk, "answer": "no"}).status_code == 409
    assert entry_token(entry) in phone.get(reverse("player:me")).content.decode()
    kinds = AuditEntry.objects.filter(subject_type="people.player", subject_id=ann.pk)
    assert {"player.ask", "player.confirm"} <= set(kinds.values_list("action", flat=True))
    assert "all players of this entry already have an account" in text_of(phone.get(page)).lower()


def test_link_when_refused_then_told_and_the_player_stays_free(tournament, ann):
    user = a_user("Eve")
    answers(tournament, asks(tournament, user, ann), accepts=False)
    assert "declined the request" in text_of(signed_in(user).get(reverse("player:me")))
    assert Player.objects.get(pk=ann.pk).user is None
    assert asks(tournament, user, ann)  # may ask again


def test_of_two_who_ask_the_first_yes_counts_and_all_other_ways_end(tournament, ann):
    eve, user = a_user("Eve"), a_user("Ann")
    first, second = asks(tournament, eve, ann), asks(tournament, user, ann)
    token = offer_player(actor=tournament.actor, club_id=tournament.club.pk, player_id=ann.pk)
    answers(tournament, second)
    with pytest.raises(Conflict) as refused:
        answers(tournament, first)
    assert refused.value.code == "claim.answered"
    with pytest.raises(Missing):
        take_player(user=eve, token=token)
    assert Player.objects.get(pk=ann.pk).user == user


def test_answer_is_the_home_club_s_and_an_account_is_one_player(tournament, ann):
    user = a_user("Ann")
    other = an_event(director=a_user("Olga"), club=None)
    where = {"actor": other.actor, "event_id": other.event.pk, "division_id": other.division.pk}
    add_entry(**where, entry=NewEntry(player_id=ann.pk))
    claim = request_player(user=user, player_id=ann.pk, club_id=other.club.pk)
    assert claim.club == tournament.club  # the home club is asked, wherever the link is of
    with pytest.raises(NotAllowed):
        answers(tournament, claim, actor=other.actor)
    with pytest.raises(Missing):
        decide_claim(actor=other.actor, club_id=other.club.pk, claim_id=claim.pk, accepts=True)
    bob = asks(tournament, user, tournament.entry("Bob").players.get())
    answers(tournament, bob)
    with pytest.raises(Conflict) as refused:
        answers(tournament, claim)
    assert refused.value.code == "claim.is_other_player"
    with pytest.raises(Conflict):
        asks(tournament, user, ann)


def test_that_was_not_them_takes_the_account_the_links_and_every_way_back(tournament, entry, ann):
    eve = a_user("Eve")
    answers(tournament, asks(tournament, eve, ann))
    held = entry_token(entry)
    with pytest.raises(NotAllowed):
        release_player(actor=Actor.of(eve), club_id=tournament.club.pk, player_id=ann.pk)
    director = signed_in(tournament.director)
    url = reverse("director:release-player", args=[tournament.club.public_id, ann.public_id])
    assert director.post(url).status_code == 302
    assert director.post(url).status_code == 409
    assert Player.objects.get(pk=ann.pk).user is None
    assert Client().get(reverse("player:home", args=[held])).status_code == 404
    assert (
        entry_token(Entry.objects.get(pk=entry.pk))
        not in signed_in(eve).get(reverse("player:me")).content.decode()
    )
    trail = text_of(director.get(reverse("people:audit", args=[tournament.club.public_id])))
    assert "Wrong account unlinked: Ann no longer has an account." in trail
    assert offer_player(actor=tournament.actor, club_id=tournament.club.pk, player_id=ann.pk)


def stores(entry, player, address):
    EntryDetail.objects.create(entry=entry, player=player, email=address)


def test_mail_when_the_address_is_stored_then_a_link_goes_there_and_works_once(tournament, entry, ann):
    stores(entry, ann, "Ann@Home.example")
    assert mail_claim_links(address="ann@home.example", language="de") == 1
    (letter,) = mail.outbox
    assert letter.to == ["ann@home.example"]
    assert letter.subject == "[Crawford] Spieler mit deinem Konto verknüpfen"
    token = re.search(r"/claim/([\w-]+)/", letter.body)[1]
    assert take_player(user=a_user("Ann"), token=token) == ann
    with pytest.raises(Missing):
        open_claim(token)
    assert mail_claim_links(address="ann@home.example", language="de") == 0  # nobody is free there now
    assert len(mail.outbox) == 1


@pytest.mark.django_db(transaction=True)
def test_mail_when_the_queue_is_away_then_it_goes_all_the_same(tournament, entry, ann, monkeypatch):
    stores(entry, ann, "ann@home.example")
    monkeypatch.setattr(hints._BROKER, "lost", True)
    monkeypatch.setattr(hints._BROKER, "asked_again", time.monotonic() + 60)
    answer = Client().post(reverse("player:claim-mail"), {"email": "ann@home.example"})
    assert "a link is on its way there" in text_of(answer)
    for thread in threading.enumerate():
        if thread.name == "claim-mail":
            thread.join(20)
    assert [letter.to for letter in mail.outbox] == [["ann@home.example"]]


def test_mail_when_a_foreign_club_has_stored_its_own_address_then_nothing_is_sent(tournament, ann):
    other = an_event(director=a_user("Olga"), club=None)
    where = {"actor": other.actor, "event_id": other.event.pk, "division_id": other.division.pk}
    stores(add_entry(**where, entry=NewEntry(player_id=ann.pk)), ann, "olga@evil.example")
    assert mail_claim_links(address="olga@evil.example", language="en") == 0
    assert mail_claim_links(address="", language="en") == 0
    assert not mail.outbox
    assert not PlayerClaim.objects.exists()


def test_mail_says_the_same_for_every_address_and_ends_no_code_of_the_desk(tournament, entry, ann):
    stores(entry, ann, "ann@home.example")
    token = offer_player(actor=tournament.actor, club_id=tournament.club.pk, player_id=ann.pk)
    url = reverse("player:claim-mail")
    said = [
        text_of(Client().post(url, {"email": address})).replace(address, "…")
        for address in ("ann@home.example", "zoe@home.example")
    ]
    assert said[0] == said[1]
    assert "a link is on its way there" in said[0]
    mail_claim_links(address="ann@home.example", language="en")
    assert open_claim(token)
    for odd in ("", "x", "\0", "a" * 400 + "@x.example"):
        assert Client().post(url, {"email": odd}).status_code == 422


def test_own_link_withdraws_until_entries_close_and_from_one_s_own_phone(tournament, entry):
    phone, url = Client(), reverse("player:leave", args=[entry_token(entry)])
    home = reverse("player:home", args=[entry_token(entry)])
    assert "Withdraw" in text_of(phone.get(home))
    assert "Withdraw from Club night?" in text_of(phone.get(url))
    LinkPhone.objects.create(
        entry=entry,
        device="another",
        number=1,
        link_version=1,
        way="first",
        since=tournament.event.created_at,
    )
    refused = phone.post(url)
    assert refused.status_code == 403
    assert "Another phone already reports with this link" in text_of(refused)
    LinkPhone.objects.all().delete()
    assert phone.post(url).status_code == 302
    assert Entry.objects.get(pk=entry.pk).status == "withdrawn"
    assert phone.post(url).status_code == 409
    assert phone.get(url).status_code == 302
    row = AuditEntry.objects.get(action="entry.withdraw")
    assert (row.actor_label, row.data["phone"]) == ("link: Ann", 1)
