"""What ends a sign-in ends the notifications of the account on that browser; those of a personal link stay."""

import pytest
from django.test import Client
from django.urls import reverse

from people.actors import Actor
from people.models import User
from people.services.accounts import suspend_account
from tests.factories import a_user, an_event
from tests.support.push import Phone
from tournaments.models import Entry, SubscribedFor, Subscription
from tournaments.selectors.access.links import entry_token

pytestmark = pytest.mark.django_db
PASSWORD = "a-long-password"


def keys(phone: Phone) -> dict[str, str]:
    return {"endpoint": phone.endpoint, "p256dh": phone.browser.p256dh, "auth": phone.browser.auth}


def a_browser(user: User, phone: Phone | None = None, client: Client | None = None) -> Client:
    """Signed in by the page, so that it has a name with the account; and subscribed."""
    client = client or Client(headers={"accept-language": "en"})
    client.post(reverse("account_login"), {"login": user.email, "password": PASSWORD})
    if phone is not None:
        assert client.post(reverse("player:push"), keys(phone)).status_code == 200
    return client


def notified(user: User) -> set[str]:
    return set(SubscribedFor.objects.filter(user=user).values_list("subscription__endpoint", flat=True))


PHONE, LAPTOP = Phone(), Phone(f"{Phone.endpoint}-laptop", secret=b"another sixteen!")


@pytest.fixture
def user() -> User:
    return a_user("Ann Abel")


@pytest.fixture
def browsers(user) -> tuple[Client, Client]:
    made = a_browser(user, PHONE), a_browser(user, LAPTOP)
    assert notified(user) == {PHONE.endpoint, LAPTOP.endpoint}
    return made


def test_account_when_signed_out_then_that_browser_alone_is_notified_no_more(user, browsers):
    entry = Entry.objects.get(division__event=an_event(4).publish().event, name="Ann")
    link = reverse("player:link-push", args=[entry_token(entry)])
    assert browsers[0].post(link, keys(PHONE)).status_code == 200
    browsers[0].post(reverse("account_logout"))
    assert notified(user) == {LAPTOP.endpoint}
    assert SubscribedFor.objects.get(entry=entry).subscription.endpoint == PHONE.endpoint


def test_account_when_its_session_was_over_and_it_signs_in_again_then_a_sign_out_still_ends_it(
    user, browsers
):
    browsers[0].cookies.pop("sessionid")
    a_browser(user, client=browsers[0]).post(reverse("account_logout"))
    assert notified(user) == {LAPTOP.endpoint}


@pytest.mark.parametrize(("button", "left"), [("others", {PHONE.endpoint}), ("everywhere", set())])
def test_sessions_when_ended_from_afar_then_their_browsers_are_notified_no_more(user, browsers, button, left):
    browsers[0].post(reverse("usersessions_list"), {button: "yes"})
    assert notified(user) == left


def test_password_when_changed_then_no_browser_is_notified_any_more(user, browsers):
    words = {"oldpassword": PASSWORD, "password1": "another-long-1", "password2": "another-long-1"}
    assert browsers[0].post(reverse("account_change_password"), words).status_code == 302
    assert not notified(user)


def test_account_when_suspended_then_no_browser_is_notified_any_more(user, browsers):
    suspend_account(actor=Actor.program(), email=user.email, reason="Spam")
    assert not notified(user)


def test_browser_when_another_account_asks_then_it_is_notified_for_that_one_alone(user, browsers):
    other = a_user("Ben Berg")
    a_browser(other, PHONE)
    assert (notified(user), notified(other)) == ({LAPTOP.endpoint}, {PHONE.endpoint})


def test_row_of_an_earlier_release_when_its_account_signs_out_anywhere_then_ended(user, browsers):
    SubscribedFor.objects.filter(subscription__endpoint=LAPTOP.endpoint).update(device="")
    browsers[0].post(reverse("account_logout"))
    assert not notified(user)


def test_data_when_removed_from_a_phone_then_nothing_is_sent_to_it_for_anybody(user, browsers):
    to, phone = reverse("player:push-removed"), Client(enforce_csrf_checks=True)
    known = {"endpoint": PHONE.endpoint, "auth": PHONE.browser.auth}
    assert phone.post(to, known | {"auth": LAPTOP.browser.auth}).status_code == 404
    assert notified(user) == {PHONE.endpoint, LAPTOP.endpoint}
    assert phone.post(to, known).json() == {"subscribed": False}
    assert phone.post(to, known).status_code == 404
    assert Subscription.objects.get().endpoint == LAPTOP.endpoint
