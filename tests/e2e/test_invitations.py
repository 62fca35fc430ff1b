"""Roles by consent, in a browser: somebody without an account becomes a director, somebody else helps without any."""

import re

import pytest
from django.core import mail
from django.urls import reverse

from people.models import Assistance, Membership
from tests.e2e.pages import Member
from tests.e2e.readers import violations
from tests.factories import a_club, a_user, an_event
from tests.support.lanes import ONLY_IN_FULL

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
EMAIL, PASSWORD = "ada@example.org", "points-and-prime-7"


def fits(person: Member) -> None:
    assert violations(person.page) == []
    assert not person.visitor.scrolls_sideways()


def test_invitation_when_mailed_to_somebody_without_an_account_then_they_sign_up_and_accept(house, settings):
    club = a_club(owner := a_user("Olga Owner"), "Turku BG")
    olga = Member(house, "Olga").signs_in(owner)
    olga.goes_to(reverse("people:members", args=[club.public_id])).follows("Invite a person")
    fits(olga)
    olga.fills(label="Ada", email=EMAIL).sends("Create invitation")
    olga.reads(f"An e-mail with the link is on its way to {EMAIL}")
    fits(olga)
    (letter,) = mail.outbox
    settings.ACCOUNT_EMAIL_VERIFICATION = (
        "mandatory"  # as in production; who signed in before has confirmed nothing here
    )
    settings.ACCOUNT_EMAIL_VERIFICATION_BY_CODE_ENABLED = True

    ada = Member(house, "Ada", phone=True)
    ada.goes_to(re.search(r"http://\S+", letter.body)[0]).reads("Olga Owner has invited you.")
    fits(ada)
    ada.follows("Create an account")
    ada.fills(name="Ada Abell", email=EMAIL, password1=PASSWORD, password2=PASSWORD).sends("Create account")
    code = re.search(r"^[A-Z0-9-]{6,12}$", mail.outbox[-1].body, re.MULTILINE)[0]
    ada.fills(code=code).sends("Confirm")
    ada.reads("You are invited: Director").sends("Accept as Ada Abell")
    ada.reads("Welcome! You are now Director of Turku BG.")
    assert Membership.objects.get(user__email=EMAIL).role == "director"

    ada.goes_to(reverse("people:clubs"))
    ada.page.locator("summary", has_text="Leave").click()
    fits(ada)
    ada.sends("Yes, leave").reads("You no longer have a role in Turku BG.")
    assert not Membership.objects.filter(user__email=EMAIL).exists()


@ONLY_IN_FULL
def test_helper_when_invited_by_a_link_then_records_a_result_without_an_account(house):
    tournament = an_event(4).publish()
    dora = Member(house, "Dora").signs_in(tournament.director)
    dora.goes_to(reverse("director:links", args=[tournament.event.public_id])).follows("Assistants")
    fits(dora)
    dora.fills(label="Hella").sends("Create invitation")
    address = dora.page.locator("#invitation-url").input_value()

    hella = Member(house, "Hella", phone=True, javascript=False)
    hella.goes_to(address).reads("You are invited: Assistant")
    hella.fills(name="Hella Helper").sends("Help without an account")
    hella.reads("Welcome! You are now Assistant")
    match = tournament.playable()[0]
    hella.goes_to(reverse("director:match", args=[tournament.event.public_id, match.public_id]))
    hella.does_not_read("Wrong match length?")
    hella.fills(score_a=match.length, score_b=2).sends("Record result")
    match.refresh_from_db()
    assert match.status == "confirmed"
    assert Assistance.objects.get().user.name == "Hella Helper"
    dora.goes_to(reverse("director:helpers", args=[tournament.event.public_id])).reads("without an account")
    fits(dora)
