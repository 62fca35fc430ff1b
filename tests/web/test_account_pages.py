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


NEW = {"name": "Eve New", "email": "eve@example.org", "password1": PASSWORD, "password2": PASSWORD}


def test_sign_up_when_accounts_are_invited_then_closed_in_words_and_nothing_is_made(client, settings):
    settings.ACCOUNTS = "invited"

    for answer in (client.get(reverse("account_signup")), client.post(reverse("account_signup"), NEW)):
        assert_ours(answer.content.decode())
        assert "created by the site operator" in answer.content.decode()
    assert not get_user_model().objects.exists()
    assert reverse("account_signup") not in client.get(reverse("account_login")).content.decode()


def test_forgotten_password_when_the_site_sends_no_mail_then_says_whom_to_ask(client, settings, mailoutbox):
    settings.MAIL_WORKS = False
    user = get_user_model().objects.create_user("ada@example.org", PASSWORD)

    for answer in (
        client.get(reverse("account_reset_password")),
        client.post(reverse("account_reset_password"), {"email": user.email}),
    ):
        assert_ours(answer.content.decode())
        assert "Ask the site operator" in answer.content.decode()
    assert mailoutbox == []


@pytest.mark.parametrize("password", ["prime-4-9", "8472916305", "password123", "eve@example.org"])
def test_password_when_short_or_common_or_a_number_or_the_address_then_refused(client, password):
    client.post(reverse("account_signup"), {**NEW, "password1": password, "password2": password})

    assert not get_user_model().objects.exists()


def test_password_when_of_ten_characters_then_taken(client):
    client.post(reverse("account_signup"), {**NEW, "password1": "primes-4-9", "password2": "primes-4-9"})

    assert get_user_model().objects.get(email=NEW["email"]).name == "Eve New"


def test_sign_up_without_a_name_then_it_is_asked_for(client):
    answer = client.post(reverse("account_signup"), {**NEW, "name": " "})

    assert "data-error-summary" in answer.content.decode()
    assert not get_user_model().objects.exists()


@pytest.mark.parametrize(
    ("link", "name"),
    [
        ("Notifications", "player:notices"),
        ("Privacy", "account_privacy"),
        ("Security", "mfa_index"),
        ("Signed-in devices", "usersessions_list"),
    ],
)
def test_link_of_the_account_menu_leads_to_a_page_with_its_words_as_heading(member, link, name):
    menu = member.get(reverse("account_email")).content.decode().partition('class="menu-list"')[2]
    assert re.search(rf'href="{reverse(name)}">.*?</svg>\s*{link}</a>', menu, re.DOTALL)
    page = member.get(reverse(name)).content.decode()
    assert re.search(rf"<h1[^>]*>\s*{link}\s*</h1>", page)


@pytest.mark.parametrize(
    ("link", "name"),
    [
        ("Events", "public:events"),
        ("Players", "public:players"),
        ("Clubs", "public:clubs"),
        ("Ratings", "public:ratings"),
    ],
)
def test_link_of_the_public_header_leads_to_a_page_with_its_words_as_heading(client, link, name):
    page = client.get(reverse(name), follow=True).content.decode()
    assert re.search(rf"<h1[^>]*>\s*{link}\s*</h1>", page)
    current = re.findall(
        r'aria-current="page">([^<]+)</a>', page.partition('class="app-nav"')[2].partition("</nav>")[0]
    )
    assert current == [link]
