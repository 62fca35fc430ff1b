"""Roles by consent (M2): an invitation, accepted or declined by whoever gets it; helpers of one event; leaving."""

import re
from datetime import timedelta

import pytest
from django.core import mail
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from people.actors import Actor
from people.models import Assistance, AuditEntry, Club, Membership, RoleInvitation, User
from people.services.players import create_player
from tests.factories import a_club, a_director, a_user, an_event
from tests.support.director import Desk, signed_in, words
from tournaments.engine.new_entry import NewEntry
from tournaments.engine.statuses import EventAction
from tournaments.entries.services.registration import register_self
from tournaments.events.services.events import change_event_status, set_registration
from tournaments.models import Entry
from tournaments.models.trail import audit_scope
from tournaments.selectors.access.links import join_token

pytestmark = pytest.mark.django_db


@pytest.fixture
def club() -> Club:
    return a_club(a_user("Olga Owner"), "Turku BG")


@pytest.fixture
def owner(club) -> Client:
    return signed_in(club.memberships.get().user)


def invited(client: Client, club: Club, **fields: str) -> str:
    """The address that the page of a new invitation shows."""
    page = client.post(reverse("director:invite", args=[club.public_id]), {"role": "director", **fields})
    assert page.status_code == 200, words(page)
    return address_on(page)


def address_on(page) -> str:
    return re.search(r'value="http://[^/]+(/invitation/[^"]+)"', page.content.decode())[1]


def test_member_when_invited_then_has_no_role_before_they_accept(club, owner) -> None:
    user = a_user("Dora Director")
    address = invited(owner, club, email=user.email)
    assert not Membership.objects.filter(user=user).exists()
    dora = signed_in(user)
    assert "Olga Owner has invited you." in words(dora.get(address))
    assert not Membership.objects.filter(user=user).exists()

    assert dora.post(address)["Location"] == reverse("director:home")

    assert Membership.objects.get(user=user, club=club).role == "director"
    trail = words(owner.get(reverse("people:audit", args=[club.public_id])))
    assert "Dora Director accepted the role: Director." in trail


def test_answer_when_the_address_has_an_account_or_none_then_the_same(club, owner) -> None:
    def shown_after(email: str) -> str:
        page = owner.post(
            reverse("director:invite", args=[club.public_id]), {"role": "reader", "email": email}
        )
        # The link and its picture are chance.
        text = re.sub(r"<svg.*?</svg>|/invitation/[^\"]+", "", page.content.decode().replace(email, "…"))
        return re.sub(r'name="csrfmiddlewaretoken" value="[^"]+"', "", text)

    assert shown_after(a_user("Sam Stranger").email) == shown_after("nobody@example.org")
    assert [letter.to for letter in mail.outbox][-1] == ["nobody@example.org"]
    assert len(mail.outbox) == 2


def test_letter_when_sent_then_carries_the_link_that_works(club, owner) -> None:
    invited(owner, club, email="dora@example.org")
    (letter,) = mail.outbox
    address = re.search(r"http://[^/]+(/invitation/\S+)", letter.body)[1]
    assert signed_in(a_user("Dora")).post(address).status_code == 302


@pytest.mark.parametrize(
    "name", ["Evil\u2028 https://phish.example/login", "www.phish.example", "phish.example/login"]
)
def test_club_when_named_like_a_web_address_then_refused(owner, club, name) -> None:
    page = owner.post(reverse("director:club-new"), {"name": name})
    assert page.status_code == 422
    assert "Names must not contain a web address." in words(page)
    assert Club.objects.get().name == "Turku BG"


def test_letter_when_sent_then_holds_no_word_of_club_or_sender(club, owner) -> None:
    Club.objects.update(name="Your account was suspended phish.example")
    User.objects.update(name="Support phish.example")
    invited(owner, club, email="victim@example.org", label="Pay now")
    (letter,) = mail.outbox
    assert letter.subject == "[Crawford] Invitation"
    assert "phish" not in letter.body
    assert "Pay now" not in letter.body
    assert len(re.findall(r"https?://", letter.body)) == 1


def test_invitation_when_used_once_then_nobody_else_uses_it(club, owner) -> None:
    address = invited(owner, club)
    signed_in(a_user("First")).post(address)
    second = signed_in(a_user("Second")).post(address)
    assert second.status_code == 404
    assert "has already been accepted" in words(second)
    assert club.memberships.count() == 2


def test_invitation_when_kept_then_neither_its_secret_nor_after_the_answer_its_address_is(
    club, owner
) -> None:
    token = invited(owner, club, email="dora@example.org").strip("/").rpartition("/")[2]
    row = RoleInvitation.objects.get()
    kept = [str(getattr(row, field.name)) for field in row._meta.concrete_fields]
    assert not any(token in text for text in kept)
    assert token not in str(list(AuditEntry.objects.values_list("data", flat=True)))
    signed_in(a_user("Dora")).post(f"/invitation/{token}/")
    assert RoleInvitation.objects.get().email == ""


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (
            lambda row: RoleInvitation.objects.update(expires_at=timezone.now() - timedelta(seconds=1)),
            "has expired",
        ),
        (lambda row: Membership.objects.filter(user=row.made_by).delete(), "withdrawn"),
        (lambda row: User.objects.filter(pk=row.made_by_id).update(is_active=False), "withdrawn"),
    ],
)
def test_invitation_when_too_old_or_its_maker_may_no_more_then_gone(club, owner, change, said) -> None:
    address = invited(owner, club)
    change(RoleInvitation.objects.get())
    answer = signed_in(a_user("Late")).post(address)
    assert answer.status_code == 404
    assert said in words(answer)
    assert not Membership.objects.filter(user__name="Late").exists()


def test_invitation_when_withdrawn_or_declined_then_gone(club, owner) -> None:
    address = invited(owner, club, label="Dora from Kuopio")
    members = reverse("people:members", args=[club.public_id])
    assert "Dora from Kuopio" in words(owner.get(members))
    row = RoleInvitation.objects.get()
    withdraw = reverse("director:withdraw-invitation", args=[club.public_id, row.public_id])
    assert owner.post(withdraw)["Location"] == members
    assert signed_in(a_user("Late")).post(address).status_code == 404
    assert owner.post(withdraw).status_code == 409

    declined = invited(owner, club)
    assert Client().post(declined, {"decline": "yes"}).status_code == 302
    assert signed_in(a_user("Late")).get(declined).status_code == 404
    assert club.memberships.count() == 1


def test_role_when_one_with_more_is_accepted_then_has_it_and_with_less_refused(club, owner) -> None:
    user = a_director(club)
    less = signed_in(user).post(invited(owner, club, role="reader"))
    assert less.status_code == 409
    assert "You already have this role" in words(less)
    signed_in(user).post(invited(owner, club, role="owner"))
    assert Membership.objects.get(user=user).role == "owner"


def test_invite_when_asked_too_often_then_refused(club, owner) -> None:
    url = reverse("director:invite", args=[club.public_id])
    for number in range(20):
        assert owner.post(url, {"role": "reader", "email": f"n{number}@example.org"}).status_code == 200
    answer = owner.post(url, {"role": "reader", "email": "one-more@example.org"})
    assert answer.status_code == 422
    assert "many invitations" in words(answer)
    assert len(mail.outbox) == 20


def test_invite_when_the_form_is_odd_then_beside_the_field(club, owner) -> None:
    url = reverse("director:invite", args=[club.public_id])
    for fields, wrong in (
        ({"role": "assistant"}, "role"),
        ({"role": "king"}, "role"),
        ({"role": "reader", "email": "no address"}, "email"),
        ({}, "role"),
    ):
        answer = owner.post(url, fields)
        assert (answer.status_code, set(answer.context["form"].errors)) == (422, {wrong})


def test_leave_when_the_last_owner_then_hands_over_first(club, owner) -> None:
    leave = reverse("people:leave", args=[club.public_id])
    assert "A club needs an owner." in words(owner.post(leave))
    signed_in(a_user("Second")).post(invited(owner, club, role="owner"))
    assert owner.post(leave)["Location"] == reverse("people:clubs")
    assert [member.user.name for member in club.memberships.all()] == ["Second"]


def test_reader_when_accepted_then_finds_unlisted_events_and_directs_nothing() -> None:
    tournament = an_event(4, name="Backroom", visibility="unlisted").publish()
    draft = an_event(2, club=tournament.club, name="Planned", director=tournament.director)
    Membership.objects.create(club=tournament.club, user=(reader := a_user("Rita Reader")), role="reader")
    client = signed_in(reader)
    home = words(client.get(reverse("director:home")))
    assert "Backroom" in home
    assert "Planned" not in home
    for page, event in (("event", tournament), ("board", tournament)):
        assert client.get(reverse(f"director:{page}", args=[event.event.public_id])).status_code == 403
    assert client.get(reverse("director:event", args=[draft.event.public_id])).status_code == 404
    assert client.get(reverse("director:club", args=[tournament.club.public_id])).status_code == 403


# --- helpers of an event ---


def helper_link(tournament, **fields: object) -> str:
    page = Desk(tournament, signed_in(tournament.director)).post("helpers", **fields)
    assert page.status_code == 200, words(page)
    return address_on(page)


def test_helper_when_without_an_account_then_calls_and_records_in_this_event_alone() -> None:
    tournament = an_event(4).publish()
    other = an_event(4, club=tournament.club, director=tournament.director).publish()
    client = Client()
    address = helper_link(tournament, label="Hella")
    assert client.post(address, {"name": " "}).status_code == 422
    assert client.post(address, {"name": "Hella Helper"})["Location"] == reverse(
        "director:board", args=[tournament.event.public_id]
    )
    desk = Desk(tournament, client)

    board = desk.get("board")
    assert board.status_code == 200
    assert reverse("director:settings", args=[tournament.event.public_id]) not in board.content.decode()
    match = tournament.playable()[0]
    assert desk.post("match-act", match.public_id, "call").status_code == 302
    assert desk.result(match, 7, 3).status_code == 302
    match.refresh_from_db()
    assert match.status == "confirmed"
    assert "Hella Helper" in words(Desk(tournament, signed_in(tournament.director)).get("audit"))

    assert desk.get("match", match.public_id).status_code == 200
    assert desk.post("correct", match.public_id, score_a=3, score_b=7).status_code == 403
    for page in ("event", "settings", "entries", "links", "audit", "helpers"):
        assert desk.get(page).status_code == 403
    assert Desk(other, client).get("board").status_code == 403
    assert client.post(reverse("director:club-new"), {"name": "Mine"}).status_code == 422


def test_helper_when_the_event_is_over_or_they_are_taken_off_then_may_nothing() -> None:
    tournament = an_event(4).publish()
    client = Client()
    client.post(helper_link(tournament), {"name": "Hella Helper"})
    helper = Desk(tournament, client)
    director = Desk(tournament, signed_in(tournament.director))
    assert "Hella Helper" in words(director.get("helpers"))
    assert director.post("end-help", helper=Assistance.objects.get().pk).status_code == 302
    assert helper.get("board").status_code == 403

    client.logout()
    client.post(helper_link(tournament), {"name": "Hella Helper"})
    assert helper.get("board").status_code == 200
    tournament.play_out()
    assert helper.get("board").status_code == 403


def test_helper_when_invited_to_several_then_helps_with_those_of_the_club_alone() -> None:
    tournament = an_event(4, name="One").publish()
    second = an_event(4, club=tournament.club, director=tournament.director, name="Two").publish()
    foreign = an_event(4, name="Foreign").publish()
    odd = Desk(tournament, signed_in(tournament.director)).post("helpers", events=foreign.event.public_id)
    assert odd.status_code == 422
    user = a_user("Hella Helper")
    signed_in(user).post(helper_link(tournament, events=second.event.public_id))
    scopes = {audit_scope(tournament.event), audit_scope(second.event)}
    assert set(Assistance.objects.filter(user=user).values_list("scope", flat=True)) == scopes
    assert {event["name"] for event in signed_in(user).get(reverse("director:home")).context["helps"]} == {
        "One",
        "Two",
    }


def test_helper_when_somebody_is_expected_then_approves_or_turns_away_and_sees_no_other_page() -> None:
    tournament = an_event(2)
    change_event_status(actor=tournament.actor, event_id=tournament.event.pk, action=EventAction.OPEN)
    set_registration(actor=tournament.actor, event_id=tournament.event.pk, is_open=True)
    for name in ("Known One", "Known Two"):
        create_player(actor=tournament.actor, club=tournament.club, name=name)
        register_self(
            actor=Actor.with_label("link"), token=join_token(tournament.fresh()), entry=NewEntry(name=name)
        )
    client = Client()
    client.post(helper_link(tournament), {"name": "Hella Helper"})
    desk = Desk(tournament, client)
    assert "Known One" in words(desk.get("expected"))

    one, two = (tournament.entry(name) for name in ("Known One", "Known Two"))
    here = f"{desk.url('expected')}#expected"
    assert desk.post("approve-entries", entry=one.public_id)["Location"] == here
    assert desk.post("turn-away", entry=two.public_id).status_code == 302
    one.refresh_from_db()
    assert one.status == "active"
    assert not Entry.objects.filter(pk=two.pk).exists()
    assert "No entries pending approval" in words(desk.get("expected"))
    assert desk.get("entries").status_code == 403
    assert desk.post("admit", entry=one.public_id).status_code == 403
    assert desk.post("approval", approve="all").status_code == 403


def test_guest_when_invited_to_a_role_then_needs_an_account(club, owner) -> None:
    tournament = an_event(4).publish()
    client = Client()
    client.post(helper_link(tournament), {"name": "Hella Helper"})
    answer = client.post(invited(owner, club, role="owner"))
    assert answer.status_code == 409
    assert "requires your own account" in words(answer)


def test_account_when_the_site_invites_then_made_with_an_invitation_and_not_without(
    club, owner, settings
) -> None:
    settings.ACCOUNTS = "invited"
    address = invited(owner, club)
    fields = {
        "name": "Dora Diaz",
        "email": "dora@example.org",
        "password1": "points-and-prime-7",
        "password2": "points-and-prime-7",
    }
    stranger, dora = Client(), Client()
    stranger.post(reverse("account_signup"), fields)
    assert not User.objects.filter(email="dora@example.org").exists()
    dora.get(address)
    dora.post(reverse("account_signup"), fields)
    assert User.objects.filter(email="dora@example.org").exists()
