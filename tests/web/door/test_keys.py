"""Passkeys as the site hands them out; what a browser does with them is in `tests/e2e/test_keys.py`."""

import json

import pytest
from django.test import Client
from django.urls import reverse

from tests.factories import a_user
from tests.support.door import with_key

pytestmark = pytest.mark.django_db

PASSWORD = "a-long-password"


def test_passkey_when_asked_for_then_bound_to_the_name_of_the_site_however_it_was_opened(settings):
    settings.SITE_URL = "https://club.example.org"
    client = Client(headers={"host": "localhost", "accept": "application/json"})

    options = client.get(reverse("mfa_login_webauthn")).json()["request_options"]["publicKey"]

    assert options["rpId"] == "club.example.org"
    assert options["userVerification"] == "required"


def test_passkey_when_added_then_for_the_name_of_the_site_and_for_the_account_alone(settings, client):
    settings.SITE_URL = "https://club.example.org"
    user = a_user("Ada")
    client.force_login(user)
    asked = client.get(reverse("mfa_add_webauthn"))["Location"]
    page = client.post(asked, {"password": PASSWORD, "next": reverse("mfa_add_webauthn")}, follow=True)

    options = page.context["js_data"]["creation_options"]["publicKey"]

    assert options["rp"]["id"] == "club.example.org"
    assert options["user"]["name"] == user.email
    assert page.context["form"]["passwordless"].value() is True


def test_page_when_the_site_is_at_a_bare_address_then_no_passkeys_and_a_sentence_why(settings, client):
    settings.MFA_SUPPORTED_TYPES = ["totp", "recovery_codes"]
    assert "passkey" not in client.get(reverse("account_login")).content.decode()
    client.force_login(a_user("Ada"))

    page = client.get(reverse("mfa_index")).content.decode()

    assert "This site is at a bare address" in page
    assert reverse("mfa_add_webauthn") not in page


def key(**response: object) -> str:
    """Something of the outer shape that browsers send."""
    return json.dumps({"id": "eHg", "rawId": "eHg", "type": "public-key", "response": response})


ODD = [
    "",
    "{}",
    "[]",
    "7",
    "not json",
    key(),
    json.dumps({"id": "x", "rawId": "x", "type": "public-key", "response": {}}),
    json.dumps({"id": "eHg", "rawId": "eHg", "type": "public-key", "response": [1]}),
    key(clientDataJSON="e30", attestationObject="oA"),
    key(clientDataJSON="e30", attestationObject="eHh4", transports=7),
    key(clientDataJSON="e30", authenticatorData="eHh4", signature="eHh4", userHandle="MQ"),
    key(clientDataJSON="_w", authenticatorData="A" * 60, signature="", userHandle=None),
    key(clientDataJSON="W10", authenticatorData="A" * 60, signature="", userHandle="____"),
]


@pytest.mark.parametrize("credential", ODD)
def test_key_when_what_is_sent_is_none_then_refused_in_words_and_nobody_is_in(client, credential):
    client.get(reverse("mfa_login_webauthn"), headers={"accept": "application/json"})

    answer = client.post(reverse("mfa_login_webauthn"), {"credential": credential}, follow=True)

    assert answer.status_code == 200
    assert answer.request["PATH_INFO"] == reverse("account_login")
    assert not answer.wsgi_request.user.is_authenticated


@pytest.mark.parametrize("credential", ODD)
def test_key_when_what_is_added_is_none_then_refused(client, credential):
    client.force_login(a_user("Ada"))
    asked = client.get(reverse("mfa_add_webauthn"))["Location"]
    client.post(asked, {"password": PASSWORD, "next": reverse("mfa_add_webauthn")})

    answer = client.post(reverse("mfa_add_webauthn"), {"name": "x", "credential": credential})

    assert answer.status_code == 200
    assert answer.context["form"].errors


@pytest.mark.parametrize("credential", ODD)
def test_key_when_what_proves_it_is_none_then_not_proven(client, credential):
    user = a_user("Ada")
    client.force_login(user)
    with_key(user)

    client.get(reverse("mfa_reauthenticate_webauthn"))
    client.post(reverse("mfa_reauthenticate_webauthn"), {"credential": credential})

    assert client.get(reverse("mfa_add_webauthn")).status_code == 302
