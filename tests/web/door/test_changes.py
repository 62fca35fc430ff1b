"""What is changed of an account: it is asked who one is, by the strongest there is, and told to both addresses."""

import re

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.test import Client
from django.urls import reverse

from people.models import User
from tests.factories import a_user
from tests.support.door import CountingHasher, code_for, with_second_factor

pytestmark = pytest.mark.django_db

PASSWORD, NEW = "a-long-password", "another-long-password"
OTHER = "ada.new@example.org"


@pytest.fixture
def confirms(settings):
    """A site that confirms addresses, as in production. Its own addresses are made before, for those of the others stay."""
    reverse("account_confirm_email", args=["key"])
    settings.ACCOUNT_EMAIL_VERIFICATION = "mandatory"
    settings.ACCOUNT_EMAIL_VERIFICATION_BY_CODE_ENABLED = True
    settings.MFA_ALLOW_UNVERIFIED_EMAIL = False


@pytest.fixture
def ada():
    user = a_user("Adalbertine")
    EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
    return user


def signed_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def changes_address(client: Client):
    return client.post(reverse("account_email"), {"email": OTHER, "action_add": "yes"})


def code_in(mail) -> str:
    return re.search(r"^([A-Z0-9-]{6,})$", mail.body, re.MULTILINE)[1]


def test_address_when_a_session_is_stolen_then_it_is_asked_who_one_is(ada, confirms):
    answer = changes_address(signed_in(ada))

    assert answer["Location"].startswith(reverse("account_reauthenticate"))
    assert not EmailAddress.objects.filter(email=OTHER).exists()


def test_address_when_there_is_a_second_factor_then_the_password_does_not_do(ada, confirms):
    with_second_factor(ada)
    client = signed_in(ada)

    assert changes_address(client)["Location"].startswith(reverse("mfa_reauthenticate"))
    answer = client.post(reverse("account_reauthenticate"), {"password": PASSWORD})
    assert answer["Location"].startswith(reverse("mfa_reauthenticate"))
    assert changes_address(client)["Location"].startswith(reverse("mfa_reauthenticate"))


def test_address_when_changed_then_both_hear_of_it(ada, confirms, mailoutbox):
    secret, client, old = with_second_factor(ada), signed_in(ada), ada.email
    asked = changes_address(client)["Location"]
    client.post(asked, {"code": code_for(secret), "next": reverse("account_email")})
    (letter,) = mailoutbox
    assert letter.to == [OTHER]
    # Who gets it has not accepted anything yet: no word of the account stands in it.
    assert ada.name not in letter.subject + letter.body
    assert User.objects.get(pk=ada.pk).email == old  # it is nobody's until the code is typed

    client.post(reverse("account_email_verification_sent"), {"code": code_in(letter)})

    assert User.objects.get(pk=ada.pk).email == OTHER
    assert list(EmailAddress.objects.filter(user=ada).values_list("email", flat=True)) == [OTHER]
    notices = [mail for mail in mailoutbox if "Email Changed" in mail.subject]
    assert sorted(mail.to[0] for mail in notices) == sorted([old, OTHER])
    assert all(old in mail.body and OTHER in mail.body for mail in notices)


def test_address_when_it_is_somebody_elses_then_the_page_does_not_say_so(ada, confirms, mailoutbox):
    eve, client = a_user("Eve"), signed_in(ada)
    asked = client.post(reverse("account_email"), {"email": eve.email, "action_add": "yes"})["Location"]

    answer = client.post(asked, {"password": PASSWORD, "next": reverse("account_email")}, follow=True)

    assert answer.request["PATH_INFO"] == reverse("account_email_verification_sent")
    assert User.objects.get(pk=eve.pk).email == eve.email
    assert not EmailAddress.objects.filter(user=ada, email=eve.email).exists()


def test_address_when_the_site_sends_no_mail_then_not_taken_and_said_so(ada, settings):
    settings.MAIL_WORKS = False
    client = signed_in(ada)

    page = changes_address(client)

    assert "To change your address, contact the site operator" in page.content.decode()
    assert not EmailAddress.objects.filter(email=OTHER).exists()


def test_password_when_changed_then_a_mail_says_so_and_from_where(ada, mailoutbox):
    client = signed_in(ada)

    client.post(
        reverse("account_change_password"),
        {"oldpassword": PASSWORD, "password1": NEW, "password2": NEW},
        REMOTE_ADDR="203.0.113.9",
    )

    (letter,) = mailoutbox
    assert letter.to == [ada.email]
    assert "203.0.113.9" in letter.body
    assert NEW not in letter.body


def test_password_when_there_is_a_second_factor_then_the_old_one_does_not_do(ada):
    secret, client = with_second_factor(ada), signed_in(ada)
    data = {"oldpassword": PASSWORD, "password1": NEW, "password2": NEW}

    asked = client.post(reverse("account_change_password"), data)["Location"]

    assert asked.startswith(reverse("mfa_reauthenticate"))
    assert User.objects.get(pk=ada.pk).check_password(PASSWORD)
    client.post(asked, {"code": code_for(secret), "next": reverse("account_change_password")})
    assert User.objects.get(pk=ada.pk).check_password(NEW)


def test_second_factor_when_the_thief_has_session_and_password_then_it_stays(ada):
    with_second_factor(ada)
    thief = signed_in(ada)

    thief.post(reverse("account_reauthenticate"), {"password": PASSWORD})
    answer = thief.post(reverse("mfa_deactivate_totp"))

    assert answer["Location"].startswith(reverse("mfa_reauthenticate"))
    assert Authenticator.objects.filter(user=ada).exists()


def test_second_factor_when_taken_away_then_a_mail_says_so(ada, mailoutbox):
    secret, client = with_second_factor(ada), signed_in(ada)
    asked = client.post(reverse("mfa_deactivate_totp"))["Location"]

    client.post(asked, {"code": code_for(secret), "next": reverse("mfa_deactivate_totp")})

    assert not Authenticator.objects.filter(user=ada).exists()
    assert [mail.to for mail in mailoutbox] == [[ada.email]]


def test_notices_when_there_is_no_row_of_the_address_then_sent_to_the_account(mailoutbox):
    root = a_user("Root")
    client = signed_in(root)

    client.post(
        reverse("account_change_password"), {"oldpassword": PASSWORD, "password1": NEW, "password2": NEW}
    )

    assert [mail.to for mail in mailoutbox] == [[root.email]]


# --- sign-up and reset tell nobody who has an account (L2) ---


def signs_up(email: str):
    data = {"name": "Eve New", "email": email, "password1": NEW, "password2": NEW}
    return Client().post(reverse("account_signup"), data)


@pytest.mark.parametrize("name", ["Eve at chips.example/win", "\u202e", " \n "])
def test_sign_up_when_the_name_is_none_or_holds_an_address_then_refused_beside_it(name):
    data = {"name": name, "email": "eve@example.org", "password1": NEW, "password2": NEW}
    answer = Client().post(reverse("account_signup"), data)
    assert "name" in answer.context["form"].errors
    assert not User.objects.filter(email="eve@example.org").exists()


def test_sign_up_when_the_name_has_line_breaks_then_kept_in_one_line():
    data = {"name": " Eve\u202e \n New ", "email": "eve@example.org", "password1": NEW, "password2": NEW}
    Client().post(reverse("account_signup"), data)
    assert User.objects.get(email="eve@example.org").name == "Eve New"


@pytest.fixture
def hashed(settings):
    """The passwords that were hashed: nearly all that a sign-up takes."""
    settings.PASSWORD_HASHERS = ["tests.support.door.CountingHasher"]
    CountingHasher.seen.clear()
    return CountingHasher.seen


def test_sign_up_when_the_address_has_an_account_then_the_same_answer_and_the_same_work(
    ada, confirms, hashed, mailoutbox
):
    hashed.clear()
    known = signs_up(ada.email)
    of_known = len(hashed)
    hashed.clear()
    new = signs_up("new@example.org")

    assert of_known == len(hashed) == 1
    assert (known.status_code, known["Location"]) == (new.status_code, new["Location"])
    assert sorted(mail.to[0] for mail in mailoutbox) == sorted([ada.email, "new@example.org"])


def test_reset_when_the_address_has_no_account_then_the_same_answer_and_a_mail_either_way(ada, mailoutbox):
    answers = [
        Client().post(reverse("account_reset_password"), {"email": email})
        for email in (ada.email, "nobody@example.org")
    ]

    assert len({(answer.status_code, answer["Location"]) for answer in answers}) == 1
    assert [mail.to for mail in mailoutbox] == [[ada.email], ["nobody@example.org"]]
