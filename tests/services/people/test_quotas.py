"""Quotas: nobody gets past one, whoever has more keeps it, an operator allows more, and who is refused is told what and whom to ask."""

import io
import itertools
import zipfile

import pytest
from django.core.cache import cache
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

from faults import Conflict, Invalid, Missing
from games.services.imports import start_import
from people.actors import Actor
from people.messages import describe
from people.models import AuditEntry, Club, Membership, Role
from people.services.invitations import accept_invitation, invite
from people.services.quotas import QUOTAS, set_allowance
from rating.services.lists import ListSettings, create_list
from tests.factories import a_club, a_user, an_event
from tests.support.director import signed_in
from tests.support.records import a_record
from tournaments.engine.new_entry import NewEntry
from tournaments.entries.services.entries import add_entries
from tournaments.selectors.operators.quotas import quota_use

pytestmark = pytest.mark.django_db
_numbers = itertools.count()
OPERATOR = Actor.with_label("an operator")


def owns(user, count: int) -> None:
    more = Club.objects.bulk_create(Club(name=f"Club number {number}") for number in range(count))
    Membership.objects.bulk_create(Membership(user=user, club=one, role=Role.OWNER) for one in more)


def allow(owner, quota: str, amount: int | None) -> None:
    set_allowance(actor=OPERATOR, owner=owner, quota=quota, amount=amount, reason="a federation")


def test_clubs_when_an_account_has_many_then_it_keeps_them_founds_no_more_and_may_again_once_allowed():
    owner = a_user()
    owns(owner, 48)
    with pytest.raises(Conflict) as refused:
        a_club(owner)
    assert (refused.value.code, refused.value.params["limit"], refused.value.params["have"]) == (
        "quota.clubs",
        5,
        48,
    )
    assert owner.memberships.count() == 48
    allow(owner, "clubs", 60)
    assert a_club(owner).memberships.get().user == owner
    assert signed_in(owner).get("/direct/").status_code == 200


def test_clubs_when_the_quota_is_reached_then_the_page_says_how_many_and_whom_to_ask(settings):
    settings.QUOTAS = {**settings.QUOTAS, "clubs": 1}
    settings.OPERATOR_CONTACT = "ops@example.org"
    owner = a_club().memberships.get().user
    answer = signed_in(owner).post(reverse("director:club-new"), {"name": "Add player"})
    assert answer.status_code == 422
    assert "can own up to 1 clubs" in answer.content.decode()
    assert "ops@example.org" in answer.content.decode()


def test_ownership_when_the_quota_is_reached_then_it_is_not_accepted_either(settings):
    settings.QUOTAS = {**settings.QUOTAS, "clubs": 1}
    club, other = a_club(), a_user()
    a_club(other)
    owner = Actor.of(club.memberships.get().user)
    token = invite(actor=owner, club_id=club.pk, role="owner").token
    with pytest.raises(Conflict, match=r"quota\.clubs"):
        accept_invitation(user=other, token=token)
    assert not club.memberships.filter(user=other).exists()
    allow(other, "clubs", 2)
    accept_invitation(user=other, token=token)
    assert club.memberships.filter(user=other).exists()


@pytest.mark.parametrize("quota", ["invitations", "players", "entries", "lists", "archives", "members"])
def test_quota_of_a_club_when_reached_then_refused_and_allowed_by_an_operator(settings, quota):
    tournament = an_event(entries=2)
    wants = {
        "invitations": lambda: invite(
            actor=tournament_owner(tournament), club_id=tournament.club.pk, role="reader"
        ),
        "players": lambda: enter(tournament, "Zoe"),
        "entries": lambda: enter(tournament, "Zoe"),
        "lists": lambda: create_list(
            actor=tournament.actor, club_id=tournament.club.pk, settings=ListSettings(name="Two")
        ),
        "archives": lambda: archive(tournament),
        "members": lambda: join(tournament),
    }[quota]
    have = {use.quota.code: use.used for use in quota_use(tournament.club)}[quota]
    settings.QUOTAS = {**settings.QUOTAS, quota: have}
    with pytest.raises(Conflict) as refused:
        wants()
    assert refused.value.code == f"quota.{quota}"
    assert settings.OPERATOR_CONTACT in describe(refused.value)
    allow(tournament.club, quota, have + 1)
    wants()
    with pytest.raises(Conflict):
        wants() if quota != "players" else enter(tournament, "Yara")


def tournament_owner(tournament) -> Actor:
    return Actor.of(tournament.club.memberships.get(role="owner").user)


def enter(tournament, name: str) -> None:
    given = {
        "actor": tournament.actor,
        "event_id": tournament.event.pk,
        "division_id": tournament.division.pk,
    }
    add_entries(**given, entries=[NewEntry(name=name)])


def join(tournament) -> None:
    token = invite(actor=tournament_owner(tournament), club_id=tournament.club.pk, role="reader").token
    accept_invitation(user=a_user(), token=token)


def archive(tournament) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as file:
        file.writestr(f"{next(_numbers)}.txt", "no record")
    start_import(
        actor=tournament.actor, club_id=tournament.club.pk, content=packed.getvalue(), filename="a.zip"
    )


def test_archive_when_it_was_handed_in_before_then_it_is_found_past_the_quota(settings):
    tournament = an_event(entries=0)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as file:
        file.writestr("a.txt", "no record")
    given = {"actor": tournament.actor, "club_id": tournament.club.pk, "filename": "a.zip"}
    start_import(**given, content=packed.getvalue())
    settings.QUOTAS = {**settings.QUOTAS, "archives": 1}
    assert start_import(**given, content=packed.getvalue()).repeated


def test_checks_when_the_day_is_spent_then_page_and_api_say_so_and_another_account_goes_on(settings):
    cache.clear()
    settings.QUOTAS = {**settings.QUOTAS, "checks": 1}
    settings.OPERATOR_CONTACT = "ops@example.org"

    def sent(client: Client, name: str):
        return client.post(
            reverse(name), {"file": SimpleUploadedFile("a.mat", a_record("Ann", "Bob", 1, "l"))}
        )

    assert sent(Client(), "games:check").status_code == 200
    again = sent(Client(), "api-records:check")
    assert (again.status_code, again.json()["code"]) == (429, "quota.checks")
    assert again["Retry-After"]
    page = sent(Client(), "games:check")
    assert page.status_code == 429
    assert "ops@example.org" in page.content.decode()
    user = a_user()
    allow(user, "checks", 2)
    assert [sent(signed_in(user), "games:check").status_code for _ in range(3)] == [200, 200, 429]


def test_api_when_a_quota_is_reached_then_a_conflict_with_its_own_code(settings):
    tournament = an_event(entries=2)
    settings.QUOTAS = {**settings.QUOTAS, "entries": 2}
    answer = signed_in(tournament.director).post(
        reverse("api:entries", args=[tournament.event.public_id]),
        {"players": [{"name": "Zoe"}]},
        content_type="application/json",
    )
    assert (answer.status_code, answer.json()["code"]) == (409, "quota.entries")
    assert answer.json()["faults"][0]["params"] == {
        "limit": 2,
        "have": 2,
        "contact": settings.OPERATOR_CONTACT,
    }


def test_allowance_when_set_then_in_the_operators_trail_with_its_reason_and_taken_back_by_the_usual():
    club = a_club()
    allow(club, "players", 9)
    allow(club, "players", None)
    rows = AuditEntry.objects.filter(scope="operators").order_by("pk")
    assert [(row.data["before"], row.data["after"]) for row in rows] == [(None, 9), (9, None)]
    assert {row.data["reason"] for row in rows} == {"a federation"}
    assert not club.allowances.exists()


@pytest.mark.parametrize(
    ("quota", "amount", "reason", "error"),
    [
        ("clubs", 9, "why", Missing),  # of accounts
        ("nonsense", 9, "why", Missing),
        ("players", -1, "why", Invalid),
        ("players", 10**9, "why", Invalid),
        ("players", 9, " \n\u200b", Invalid),
        ("players", 9, "w" * 401, Invalid),
        ("players", None, "why", Conflict),  # it is the usual
    ],
)
def test_allowance_when_something_is_odd_then_refused_and_nothing_kept(quota, amount, reason, error):
    club = a_club()
    with pytest.raises(error) as refused:
        set_allowance(actor=OPERATOR, owner=club, quota=quota, amount=amount, reason=reason)
    assert describe(refused.value)
    assert not club.allowances.exists()


def test_command_when_asked_then_shows_and_sets():
    club = a_club()
    owner = club.memberships.get().user
    told = io.StringIO()
    call_command("quota", owner.email, "clubs", "60", "--reason", "a federation", stdout=told)
    assert "1 of 60 (usual limit: 5)" in told.getvalue()
    call_command("quota", club.public_id, stdout=told)
    assert "lists        1 of 20" in told.getvalue()
    assert set(QUOTAS) == {line.split()[0] for line in told.getvalue().splitlines()}
    for wrong in (["nobody@example.org"], [club.public_id, "lists", "many"], [club.public_id, "clubs", "3"]):
        with pytest.raises(CommandError):
            call_command("quota", *wrong, "--reason", "x", stdout=told)
