"""Sign-in and account pages: all of them carry our frame, and none asks for more than the strict content policy."""

import re

import pytest
from django.contrib.auth import get_user_model
from django.test import Client
from django.urls import reverse

pytestmark = pytest.mark.django_db

PASSWORD = "points-and-prime-7"


@pytest.fixture
def member(client: Client) -> Client:
    user = get_user_model()(email="ada@example.org", name="Ada Abell")
    user.set_password(PASSWORD)
    user.save()
    answer = client.post(reverse("account_login"), {"login": "ada@example.org", "password": PASSWORD})
    assert answer.status_code == 302
    return client


def assert_ours(html: str) -> None:
    assert 'class="app-header"' in html
    assert 'id="main"' in html
    assert len(re.findall(r"<h1\b", html)) == 1
    assert not re.search(r"\sstyle=|<style\b", html)


@pytest.mark.parametrize(
    "name", ["account_login", "account_signup", "account_reset_password", "account_reset_password_done"]
)
def test_entrance_page_carries_our_frame(client, name):
    answer = client.get(reverse(name))
    assert answer.status_code == 200
    assert_ours(answer.content.decode())


@pytest.mark.parametrize("name", ["account_email", "account_change_password", "account_logout", "mfa_index"])
def test_account_page_carries_our_frame(member, name):
    answer = member.get(reverse(name))
    assert answer.status_code == 200
    html = answer.content.decode()
    assert_ours(html)
    assert "Signed in as Ada Abell" in html


def test_wrong_password_is_said_in_the_summary_and_never_which_half_was_wrong(client):
    answer = client.post(reverse("account_login"), {"login": "nobody@example.org", "password": "wrong"})
    html = answer.content.decode()
    assert_ours(html)
    assert "data-error-summary" in html
    assert "nobody@example.org" in html  # typed once is enough


def test_a_visitor_gets_no_cookie_from_a_page_without_a_form(client):
    answer = client.get("/no-such-page/")
    assert answer.status_code == 404
    assert not answer.cookies
