"""Entering by the registration link: one name, no account, and an answer that tells nothing of the name."""

from uuid import NAMESPACE_URL, uuid5

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from faults import Conflict
from names.public_page import PublicPage
from people.models import Player
from people.services.players import create_player
from tests.factories import a_club, a_user, an_event
from tests.support.director import desk_of
from tests.support.tournaments import signed_in, text_of
from tournaments.engine.new_entry import NewEntry
from tournaments.entries.services.entries import add_entry, withdraw_entry
from tournaments.entries.services.registration import approve_entries, set_approval_required
from tournaments.events.services.events import renew_registration_link, set_registration
from tournaments.models import Entry
from tournaments.selectors.access.links import entry_token, join_token, receipt_token

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def fresh_counters():
    cache.clear()


@pytest.fixture
def tournament():
    tournament = an_event()
    set_registration(actor=tournament.actor, event_id=tournament.event.pk, is_open=True)
    tournament.fresh()
    return tournament


@pytest.fixture
def at_once(tournament):
    """New names are in at once: the director has chosen that."""
    set_approval_required(actor=tournament.actor, event_id=tournament.event.pk, everybody=False)
    tournament.fresh()
    return tournament


class Guest:
    def __init__(self, tournament, client=None):
        self.url = reverse("player:join", args=[join_token(tournament.event)])
        self.client = client or Client()

    def types(self, name, key="k1", **more):
        data = {"name": name, "submission_key": str(uuid5(NAMESPACE_URL, key)), "hall": "yes", **more}
        return self.client.post(self.url, data, follow=True)

    def page(self):
        return self.client.get(self.url)


def approve(tournament, **more):
    return approve_entries(actor=tournament.actor, event_id=tournament.event.pk, **more)


def test_new_name_waits_for_approval_and_the_receipt_leads_to_the_personal_page(tournament):
    response = Guest(tournament).types("Zoe Zimmer")
    entry = Entry.objects.get()
    assert response.redirect_chain[-1][0] == reverse("player:registered", args=[receipt_token(entry)])
    assert "Your entry was received" in text_of(response)
    assert (entry.name, entry.source, entry.status) == ("Zoe Zimmer", "self", "expected")
    assert "Zoe" not in text_of(Client().get(reverse("public:entries", args=[tournament.event.public_id])))
    approve(tournament)
    page = Client().get(response.redirect_chain[-1][0], follow=True)
    assert page.redirect_chain[-1][0] == reverse("player:home", args=[entry_token(entry)])


def test_new_name_is_in_at_once_where_the_director_chose_that(at_once):
    response = Guest(at_once).types("Zoe Zimmer")
    entry = Entry.objects.get()
    assert response.redirect_chain[-1][0] == reverse("player:home", args=[entry_token(entry)])
    assert "Bookmark this page" in text_of(response)
    Guest(at_once).types("Zimmer Zoe", key="k2")
    assert [one.status for one in Entry.objects.order_by("pk")] == ["active", "expected"]


def test_answer_is_the_same_whoever_bears_the_name(tournament):
    """Not known, known, two of the name, public elsewhere, entered, withdrawn, and waiting for approval: same page, same statements."""
    an_event(club=tournament.club, entries=8)
    elsewhere = an_event(club=a_club(), entries=0)
    known = create_player(
        actor=elsewhere.actor, club=elsewhere.club, name="Lotte Far", public_page=PublicPage.NOW
    )
    assert known.listed
    for name in ("Bob", "Cleo"):
        player = Player.objects.get(name=name)
        add_entry(
            actor=tournament.actor,
            event_id=tournament.event.pk,
            division_id=tournament.division.pk,
            entry=NewEntry(player_id=player.pk),
        )
    withdraw_entry(actor=tournament.actor, event_id=tournament.event.pk, entry_id=tournament.entry("Cleo").pk)
    create_player(actor=tournament.actor, club=tournament.club, name="Dan")
    answers = {}
    for number, name in enumerate(["Xaver Xu", "Yan Yo", "Ann", "Bob", "Cleo", "Dan", "Lotte Far", "Yan Yo"]):
        with CaptureQueriesContext(connection) as asked:
            response = Guest(tournament).types(name, key=f"oracle {number}")
        said = text_of(response).replace(name, "…")
        answers[number] = (response.status_code, len(response.redirect_chain), said, len(asked))
    assert answers[1][2].count("Your entry was received") == 1
    assert set(answers.values()) == {answers[1]}
    assert Entry.objects.filter(division=tournament.division, status="expected").count() == 8


def test_approve_all_makes_no_second_player_and_leaves_doubtful_names(tournament):
    an_event(club=tournament.club, entries=2)
    ann = Player.objects.get(name="Ann")
    for number, name in enumerate(["ann", "Zoe Zimmer", "Zoe Zimmer"]):
        Guest(tournament).types(name, key=f"k{number}")
    approve(tournament)
    assert tournament.entry("Ann").players.get() == ann
    assert [one.status for one in Entry.objects.filter(name="Zoe Zimmer").order_by("pk")] == [
        "active",
        "expected",
    ]
    assert Player.objects.filter(search_name="ann").count() == 1
    with pytest.raises(Conflict, match=r"entry\.all_doubtful"):
        approve(tournament)
    page = text_of(desk_of(tournament).get("entries"))
    assert "Zoe Zimmer is already entered. Is this the same person?" in page
    desk_of(tournament).post(
        "turn-away", entry=Entry.objects.get(name="Zoe Zimmer", status="expected").public_id
    )
    assert Player.objects.filter(name="Zoe Zimmer").count() == 1


def test_who_withdrew_and_enters_again_is_reinstated_by_a_director(tournament):
    Guest(tournament).types("Zoe Zimmer")
    approve(tournament)
    zoe = Entry.objects.get()
    withdraw_entry(actor=tournament.actor, event_id=tournament.event.pk, entry_id=zoe.pk)
    Guest(tournament).types("Zimmer Zoe", key="k2")
    again = Entry.objects.get(status="expected")
    desk = desk_of(tournament)
    assert "Zoe Zimmer withdrew earlier. Reinstate the entry?" in text_of(desk.get("entries"))
    assert desk.post("approve-entries", entry=again.public_id).status_code == 409
    desk.post("return", applicant=again.public_id)
    assert Entry.objects.get() == zoe
    assert Entry.objects.get().status == "active"
    assert Player.objects.filter(search_name=zoe.players.get().search_name).count() == 1
    assert desk.post("return", applicant=again.public_id).status_code == 404


def test_namesake_is_another_person_or_the_one_who_is_meant(tournament):
    an_event(club=tournament.club, entries=1)
    Guest(tournament).types("Ann")
    desk = desk_of(tournament)
    assert "Known to the club: " in text_of(desk.get("entries"))
    desk.post("approve-entries", **{"as": f"{Entry.objects.get(division=tournament.division).public_id}.new"})
    ann, other = Player.objects.filter(name="Ann").order_by("pk")
    assert tournament.entry("Ann").players.get() == other
    Guest(tournament).types("Ann", key="k2")
    pending = Entry.objects.get(division=tournament.division, status="expected")
    assert "Ann is already entered. Is this the same person?" in text_of(desk.get("entries"))
    chosen = f"{pending.public_id}.{ann.public_id}"
    assert desk.post("approve-entries", **{"as": f"{pending.public_id}.{'x' * 12}"}).status_code == 404
    assert desk.post("approve-entries", **{"as": chosen}).status_code == 302
    assert Entry.objects.filter(entry_players__player=ann, division=tournament.division).exists()
    assert Player.objects.filter(name="Ann").count() == 2


def test_same_form_sent_twice_is_one_entry(tournament):
    guest = Guest(tournament)
    first = guest.types("Zoe Zimmer", key="same")
    again = guest.types("Zoe Zimmer", key="same")
    assert first.redirect_chain[-1] == again.redirect_chain[-1]
    assert Entry.objects.count() == 1


def test_form_when_sent_and_then_changed_in_the_browser_then_asked_and_not_dropped(tournament):
    guest = Guest(tournament)
    guest.types("Mispelt Name", key="same")
    asked = guest.types("Misspelt Name", key="same")
    assert asked.status_code == 409
    assert "already sent: Mispelt Name" in text_of(asked)
    assert 'value="Misspelt Name"' in asked.content.decode()
    assert str(uuid5(NAMESPACE_URL, "same")) not in asked.content.decode()
    assert Entry.objects.count() == 1


def test_form_for_another_player_when_the_own_entry_was_sent_before_then_asked_and_not_dropped(tournament):
    an_event(club=tournament.club, entries=1)
    user = a_user("Ann")
    Player.objects.filter(name="Ann").update(user=user)
    guest = Guest(tournament)
    guest.client.force_login(user, backend="allauth.account.auth_backends.AuthenticationBackend")
    assert guest.types("", player="me").redirect_chain
    asked = guest.types("Friend Ofann")
    assert (asked.status_code, "already sent: Ann" in text_of(asked)) == (409, True)
    assert guest.types("Friend Ofann", key="new").redirect_chain
    assert Entry.objects.filter(division=tournament.division).count() == 2


@pytest.mark.parametrize("key", ["", "1", "x" * 64])
def test_form_without_a_key_of_ours_never_leads_to_somebody_else_s_page(at_once, key):
    tournament = at_once
    Guest(tournament).types("Zoe Zimmer", submission_key=key)
    other = Guest(tournament).types("Yan Young", submission_key=key)
    assert other.redirect_chain[-1][0] == reverse(
        "player:home", args=[entry_token(tournament.entry("Yan Young"))]
    )


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("", "Enter the player’s name"),
        ("   ", "Enter the player’s name"),
        ("…!", "at least one letter"),
        ("x" * 121, "120 characters at most"),
    ],
)
def test_name_that_is_none_is_refused_beside_the_field(tournament, name, reason):
    response = Guest(tournament).types(name)
    assert response.status_code == 422
    assert reason in response.content.decode().split('for="id_name"')[1].split("<input")[0]
    assert not Entry.objects.exists()


def test_odd_bytes_are_no_reason_to_break(tournament):
    odd = "a b\0\n" * 99
    assert Guest(tournament).types("\0", submission_key=odd, player="\0").status_code == 422
    assert Guest(tournament).types("Zoe\0 Zimmer", submission_key=odd).status_code == 200
    assert Entry.objects.get().name == "Zoe Zimmer"


def test_somebody_signed_in_with_a_player_enters_with_one_tap(tournament):
    an_event(club=tournament.club, entries=1)
    user = a_user("Ann")
    Player.objects.filter(name="Ann").update(user=user)
    guest = Guest(tournament, signed_in(user))
    assert "Enter as Ann" in text_of(guest.page())
    guest.types("", player="me")
    assert tournament.entry("Ann").players.get().user == user
    assert "You are entered" in text_of(guest.page())


def test_nobody_enters_as_me_without_an_account(tournament):
    assert Guest(tournament).types("", player="me").status_code == 422
    assert not Entry.objects.exists()


def test_registration_that_is_closed_says_so(tournament):
    guest = Guest(tournament)
    set_registration(actor=tournament.actor, event_id=tournament.event.pk, is_open=False)
    assert "Registration is closed" in text_of(guest.page())
    assert guest.types("Zoe Zimmer").status_code == 409
    assert not Entry.objects.exists()


def test_link_that_was_renewed_is_gone(tournament):
    guest = Guest(tournament)
    renew_registration_link(actor=tournament.actor, event_id=tournament.event.pk)
    response = guest.page()
    assert response.status_code == 404
    assert "Ask the director for a new one" in text_of(response)


def test_tries_are_counted_for_each_address(tournament, clock):
    guest = Guest(tournament)
    for _try in range(60):
        assert guest.types("").status_code == 422
    blocked = guest.types("Zoe Zimmer")
    assert blocked.status_code == 429
    assert "Wait ten minutes" in text_of(blocked)
    assert not Entry.objects.exists()
    elsewhere = Client(REMOTE_ADDR="192.0.2.7")
    assert Guest(tournament, elsewhere).types("Zoe Zimmer").status_code == 200
    assert Entry.objects.count() == 1
    clock.moves(minutes=10)
    assert guest.types("", key="k2").status_code == 422


@pytest.mark.usefixtures("clock")
def test_address_that_a_visitor_makes_up_does_not_help(tournament):
    guest = Guest(tournament, Client(headers={"X-Forwarded-For": "198.51.100.1"}))
    for number in range(60):
        guest.client.defaults["HTTP_X_FORWARDED_FOR"] = f"198.51.100.{number}"
        guest.types("")
    assert guest.types("Zoe Zimmer").status_code == 429


def test_other_sites_cannot_enter_somebody_who_is_signed_in(tournament):
    an_event(club=tournament.club, entries=1)
    user = a_user("Ann")
    Player.objects.filter(name="Ann").update(user=user)
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(user, backend="allauth.account.auth_backends.AuthenticationBackend")
    assert Guest(tournament, strict).types("", player="me").status_code == 403
    assert not Entry.objects.filter(division=tournament.division).exists()
