"""Accounts, as a new director meets them: sign up, a forgotten password, a second factor."""

import re

import pytest
from django.core import mail

from tests.e2e.pages import Member
from tests.factories import a_user
from tests.support.door import code_for, with_second_factor

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

EMAIL, FIRST, SECOND = "ada@example.org", "points-and-prime-7", "a-whole-new-prime-8"


def test_forgotten_password_is_replaced_by_mail(house):
    ada = Member(house, "Ada").signs_up(EMAIL, FIRST)
    assert ada.is_signed_in()
    ada.signs_out()
    assert not ada.is_signed_in()

    mail.outbox.clear()
    ada.follows("Sign in").follows("Forgot your password?")
    ada.fills(email=EMAIL).sends("Send link")
    ada.reads("sent")
    (letter,) = mail.outbox
    assert letter.to == [EMAIL]
    link = re.search(r"http://\S+", letter.body)
    ada.goes_to(link[0]).fills(password1=SECOND, password2=SECOND)
    ada.sends("Change Password")
    if ada.is_signed_in():
        ada.signs_out()

    ada.signs_in(EMAIL, FIRST)
    assert not ada.is_signed_in()
    ada.signs_in(EMAIL, SECOND)
    assert ada.is_signed_in()


def test_second_factor_is_asked_for_after_it_is_set_up(house):
    user = a_user("Ada Abell")
    ada = Member(house, "Ada").signs_in(user)
    ada.opens_account_menu().follows("Security")
    ada.follows("Set up")
    if ada.page.locator("[name=password]").count():  # a sign-in that is not quite fresh is asked again
        ada.fills(password="a-long-password").sends("Confirm")
    secret = ada.page.locator("#authenticator_secret").input_value()
    ada.fills(code=code_for(secret)).sends("Activate")
    ada.reads("recovery codes")
    ada.signs_out()

    ada.signs_in(user)
    assert not ada.is_signed_in()
    ada.reads("Two-step sign-in")
    ada.fills(code="000000").sends("Sign in")
    ada.reads("Incorrect code")
    assert not ada.is_signed_in()


def test_second_factor_lets_in_with_the_right_code(house):
    user = a_user("Ada Abell")
    secret = with_second_factor(user)
    ada = Member(house, "Ada", phone=True).signs_in(user)
    ada.fills(code=code_for(secret)).sends("Sign in")
    assert ada.is_signed_in()
    assert not ada.visitor.scrolls_sideways()
