"""Passkeys and second factors in a real browser, with a key that the DevTools protocol makes."""

import re

import pytest
from allauth.account.models import EmailAddress
from django.urls import reverse
from playwright.sync_api import expect

from people.models import SignIn, User
from tests.e2e.pages import PASSWORD, Member
from tests.e2e.readers import violations
from tests.factories import a_user
from tests.support.door import code_for, with_second_factor
from tests.support.lanes import in_full

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def with_key(member: Member) -> Member:
    """The browser has a key in it that knows its owner's finger."""
    devtools = member.page.context.new_cdp_session(member.page)
    devtools.send("WebAuthn.enable")
    options = {
        "protocol": "ctap2",
        "transport": "internal",
        "hasResidentKey": True,
        "hasUserVerification": True,
        "isUserVerified": True,
        "automaticPresenceSimulation": True,
    }
    devtools.send("WebAuthn.addVirtualAuthenticator", {"options": options})
    return member


def fits(member: Member, *, readers: bool = False) -> None:
    """`readers`: axe reads the page in every run, in `.ci/long` all of them."""
    if readers or in_full():
        assert violations(member.page) == []
    assert not member.visitor.scrolls_sideways()


def test_passkey_when_added_then_it_signs_in_alone_and_proves_who_one_is(house):
    user = a_user("Ada Abell")
    ada = with_key(Member(house, "Ada", phone=True)).signs_in(user)
    ada.opens_account_menu().follows("Security")
    fits(ada, readers=True)
    ada.follows("Add a passkey").fills(password=PASSWORD).sends("Confirm")
    ada.reads("Sign in with this key alone")
    fits(ada)
    ada.fills(name="My phone").sends("Add key")
    ada.reads("recovery codes")
    fits(ada)
    ada.goes_to(reverse("mfa_list_webauthn")).reads("My phone")
    fits(ada)
    ada.signs_out()

    ada.goes_to(reverse("account_login") + "?next=/clubs/")
    fits(ada, readers=True)
    with ada.page.expect_navigation(url=re.compile("/clubs/")):
        ada.clicks("Sign in with a passkey")
    assert ada.is_signed_in()
    assert SignIn.objects.latest("pk").way == "passkey"

    ada.goes_to(reverse("account_change_password"))
    ada.reads("Use your passkey or security key")
    fits(ada)
    ada.sends("Use your passkey or security key")
    ada.reads("Current Password")


@pytest.fixture
def confirms(settings):
    """A site that confirms addresses by a code, as production with mail does."""
    settings.ACCOUNT_EMAIL_VERIFICATION = "mandatory"
    settings.ACCOUNT_EMAIL_VERIFICATION_BY_CODE_ENABLED = True
    settings.MFA_ALLOW_UNVERIFIED_EMAIL = False
    settings.MFA_PASSKEY_SIGNUP_ENABLED = True
    settings.ROOT_URLCONF = "tests.support.passkey_urls"


@pytest.mark.usefixtures("confirms")
def test_account_when_begun_with_a_passkey_then_a_name_an_address_and_no_password(house, mailoutbox):
    ada = with_key(Member(house, "Ada", phone=True))
    ada.goes_to("/").follows("Sign in").follows("Create an account")
    fits(ada, readers=True)
    ada.follows("Continue with a passkey")
    fits(ada)
    ada.fills(name="Ada Abell", email="ada@example.org").sends("Continue")
    (mail,) = mailoutbox
    ada.fills(code=re.search(r"^\s*([A-Z0-9-]{6,9})\s*$", mail.body, re.MULTILINE)[1])
    ada.page.locator("main form [type=submit]").first.click()
    ada.reads("Create your passkey")
    fits(ada, readers=True)
    ada.sends("Create passkey")
    assert ada.is_signed_in()
    user = User.objects.get()
    assert (user.name, user.has_usable_password()) == ("Ada Abell", False)
    ada.signs_out()

    ada.goes_to(reverse("account_login"))
    with ada.page.expect_navigation():
        ada.clicks("Sign in with a passkey")
    assert ada.is_signed_in()
    ada.goes_to(reverse("mfa_index")).reads("Not set: you sign in with a passkey.")


def test_passkey_when_the_browser_has_none_for_the_site_then_that_is_said(house):
    ada = with_key(Member(house, "Ada"))
    ada.goes_to(reverse("account_login")).clicks("Sign in with a passkey")
    ada.reads("The key could not be used")


def test_key_when_it_is_no_passkey_then_asked_for_after_the_password(house):
    user = a_user("Ada Abell")
    ada = with_key(Member(house, "Ada")).signs_in(user)
    ada.goes_to(reverse("mfa_add_webauthn")).fills(password=PASSWORD).sends("Confirm")
    ada.page.get_by_label("Sign in with this key alone").uncheck()
    ada.sends("Add key")
    ada.signs_out()

    ada.signs_in(user)
    assert not ada.is_signed_in()
    ada.sends("Use your passkey or security key")
    assert ada.is_signed_in()
    assert SignIn.objects.latest("pk").way == "webauthn"


def test_staff_when_signing_in_first_then_led_to_a_second_factor(house):
    root = a_user("Rita Root", is_staff=True, is_superuser=True)
    rita = Member(house, "Rita").signs_in(root)
    rita.reads("needs two-step sign-in")
    rita.goes_to("/admin/").reads("needs two-step sign-in")
    rita.follows("Set up").fills(password=PASSWORD).sends("Confirm")
    secret = rita.page.locator("#authenticator_secret").input_value()
    rita.fills(code=code_for(secret)).sends("Activate")
    rita.goes_to("/admin/")
    expect(rita.page).to_have_title(re.compile("Site administration"))


def test_address_when_changed_then_the_second_factor_is_asked_for(house):
    user = a_user("Ada Abell")
    EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
    secret = with_second_factor(user)
    ada = Member(house, "Ada", phone=True).signs_in(user)
    ada.fills(code=code_for(secret)).sends("Sign in")
    ada.opens_account_menu().follows("Security")
    with ada.page.expect_navigation():
        ada.page.locator("main").get_by_role("link", name=re.compile("E-mail address")).click()
    ada.reads("Sign-in address")
    fits(ada)
    ada.fills(email="new@example.org").sends("Change address")
    ada.reads("Enter an authenticator code")
    ada.does_not_read("Use your password")
    ada.fills(code=code_for(secret, later=1)).sends("Confirm")
    ada.reads("Your address changes to new@example.org")
    fits(ada, readers=True)
    user.refresh_from_db()
    assert user.email != "new@example.org"


def test_sessions_when_signed_out_everywhere_then_the_other_window_is_out(house):
    user = a_user("Ada Abell")
    phone = Member(house, "Ada's phone", phone=True).signs_in(user)
    desk = Member(house, "Ada's desk", javascript=False).signs_in(user)
    phone.opens_account_menu().follows("Signed-in devices")
    phone.reads("Where you are signed in")
    fits(phone, readers=True)
    assert phone.page.locator("section").first.locator("tbody tr").count() == 2

    phone.sends("Sign out everywhere")
    phone.reads("You are signed out everywhere.")
    desk.goes_to(reverse("director:home"))
    assert not desk.is_signed_in()


def test_sign_up_when_addresses_are_confirmed_then_the_code_of_the_mail_lets_in(house, settings, mailoutbox):
    reverse("account_confirm_email", args=["key"])  # the site's addresses are made before it is another site
    settings.ACCOUNT_EMAIL_VERIFICATION = "mandatory"
    settings.ACCOUNT_EMAIL_VERIFICATION_BY_CODE_ENABLED = True
    ada = Member(house, "Ada", phone=True).signs_up("ada@example.org", PASSWORD)
    ada.reads("Enter Email Verification Code")
    fits(ada)
    assert not ada.is_signed_in()
    (letter,) = mailoutbox
    ada.fills(code=re.search(r"^([A-Z0-9-]{6,})$", letter.body, re.MULTILINE)[1]).sends("Confirm")
    assert ada.is_signed_in()
