"""A form that is rejected because of the sign-in is shown again with everything in it, and never for another site."""

import re

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from tests.factories import a_user, an_event
from tests.support.door import sign_in
from tournaments.models import Notice

pytestmark = pytest.mark.django_db
OWN = {"Origin": "http://testserver", "Sec-Fetch-Site": "same-origin", "Sec-Fetch-Mode": "navigate"}
TEXT = "The second round\nbegins at “two” o'clock. " * 4


@pytest.fixture
def tournament():
    return an_event(4, tables=2).publish()


@pytest.fixture
def address(tournament) -> str:
    return reverse("director:notices", args=[tournament.event.public_id])


def a_browser(user=None) -> Client:
    browser = Client(enforce_csrf_checks=True, headers={"accept-language": "en"})
    browser.cookies["csrftoken"] = "a" * 32
    if user is not None:
        sign_in(browser, user)
    return browser


def fields_of(page: bytes) -> dict[str, str]:
    """What the browser would send from the form of the page."""
    text = page.decode().replace("&#x27;", "'").replace("&quot;", '"').replace("\r\n", "\n")
    (form,) = re.findall(r'<form class="form stack" method="post".*?</form>', text, re.DOTALL)
    found = dict(re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)">', form))
    return found | dict(
        re.findall(r'<textarea id="[^"]+" name="([^"]+)" rows="6">\n(.*?)</textarea>', form, re.DOTALL)
    )


def test_form_when_its_token_is_of_an_earlier_sign_in_then_shown_again_and_sent_by_another_press(
    tournament, address
):
    browser = a_browser(tournament.director)
    old = {"csrfmiddlewaretoken": "b" * 32, "text": TEXT, "submission_key": "k" * 16, "lasts": "60"}
    answer = browser.post(address, old, headers=OWN)
    page = answer.content.decode()
    assert answer.status_code == 403
    assert "You signed in again since this page was opened" in page
    assert str(tournament.director) in page  # whose account sends it
    assert f'action="{address}"' in page
    assert not Notice.objects.exists()
    again = fields_of(answer.content)
    assert {name: again[name] for name in ("text", "submission_key", "lasts")} == {
        name: old[name] for name in ("text", "submission_key", "lasts")
    }
    assert browser.post(address, again, headers=OWN).status_code == 302
    assert Notice.objects.count() == 1


def test_form_when_signed_out_meanwhile_then_it_stays_until_somebody_signs_in(tournament, address):
    browser = a_browser()
    sent = {"csrfmiddlewaretoken": "a" * 32, "text": TEXT, "submission_key": "k" * 16}
    answer = browser.post(address, sent, headers=OWN)
    assert (answer.status_code, "Sign in in a new tab" in answer.content.decode()) == (403, True)
    assert fields_of(answer.content)["text"] == TEXT
    # Who signed in there has another token: asked once more, under the name of the account.
    other = a_user("Olga Other")
    sign_in(browser, other)
    browser.cookies["csrftoken"] = "c" * 32
    asked = browser.post(address, fields_of(answer.content), headers=OWN)
    assert (asked.status_code, "Olga Other" in asked.content.decode()) == (403, True)
    assert not Notice.objects.exists()


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {**OWN, "Sec-Fetch-Site": "cross-site"},
        {**OWN, "Sec-Fetch-Mode": "cors"},
        {**OWN, "X-Requested-With": "desk"},
    ],
)
def test_form_when_another_site_or_a_script_sent_it_then_nothing_of_it_is_shown(tournament, address, headers):
    browser = a_browser(tournament.director)
    answer = browser.post(address, {"csrfmiddlewaretoken": "b" * 32, "text": TEXT}, headers=headers)
    assert answer.status_code == 403
    assert b"The second round" not in answer.content
    assert b"Send again" not in answer.content
    signed_out = a_browser().post(address, {"csrfmiddlewaretoken": "a" * 32, "text": TEXT}, headers=headers)
    assert b"The second round" not in signed_out.content


def test_form_when_it_has_secrets_and_files_then_those_are_not_echoed(tournament, address):
    browser = a_browser(tournament.director)
    secrets = {
        "password1": "hunter-two",
        "oldpassword": "hunter-two",
        "code": "hunter-two",
        "phone_code": "hunter-two",
    }
    file = SimpleUploadedFile("list.csv", b"hunter-two")
    sent = {"csrfmiddlewaretoken": "b" * 32, "text": "<b>short</b>", "lines": file, **secrets}
    page = browser.post(address, sent, headers=OWN).content.decode()
    assert "hunter-two" not in page
    assert 'enctype="multipart/form-data"' in page
    assert "Files are not saved. Choose them again: list.csv" in page
    assert "Passwords and codes are not saved" in page
    assert "&lt;b&gt;short&lt;/b&gt;" in page
