"""The one door: who gets in by which way, how often one may try, and what is kept of it."""

import logging
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from people.models import SignIn, User
from tests.factories import a_user
from tests.support.door import code_for, with_second_factor
from tournaments.tasks import forget

pytestmark = pytest.mark.django_db

PASSWORD = "a-long-password"
HOME, HALL, ELSEWHERE = "198.51.100.1", "198.51.100.2", "203.0.113.66"
FIREFOX = "Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0"


def knocks(client: Client, user: User | str, password: str = PASSWORD, address: str = HOME):
    data = {"login": getattr(user, "email", user), "password": password}
    return client.post(reverse("account_login"), data, REMOTE_ADDR=address, headers={"user-agent": FIREFOX})


def is_in(client: Client) -> bool:
    return client.get(reverse("director:home")).status_code == 200


# --- /admin/ has no door of its own (H1) ---


def test_admin_when_the_password_is_sent_to_its_own_sign_in_then_nobody_is_signed_in(client):
    root = a_user("Root", is_staff=True, is_superuser=True)
    with_second_factor(root)

    answer = client.post("/admin/login/?next=/admin/", {"username": root.email, "password": PASSWORD})

    assert answer.status_code == 302
    assert answer["Location"].startswith(reverse("account_login"))
    assert not is_in(client)
    assert client.get("/admin/")["Location"].startswith("/admin/login/")


def test_admin_when_the_password_is_right_then_the_second_factor_is_asked_for(client):
    root = a_user("Root", is_staff=True, is_superuser=True)
    secret = with_second_factor(root)

    assert knocks(client, root)["Location"] == reverse("mfa_authenticate")
    assert not is_in(client)
    client.post(reverse("mfa_authenticate"), {"code": code_for(secret)})
    assert client.get("/admin/").status_code == 200


def test_admin_when_a_password_is_changed_there_then_on_the_accounts_page(client):
    root = a_user("Root", is_staff=True, is_superuser=True)
    with_second_factor(root)
    client.force_login(root)

    assert client.get("/admin/password_change/")["Location"] == reverse("account_change_password")


def test_staff_when_without_a_second_factor_then_nothing_opens_but_its_set_up(client):
    root = a_user("Root", is_staff=True, is_superuser=True)
    client.force_login(root)

    for address in ("/admin/", reverse("director:home"), "/"):
        assert client.get(address)["Location"] == reverse("mfa_index")
    refused = client.get("/api/v1/clubs/")
    assert refused.status_code == 403
    assert refused.json()["code"] == "account.second_factor"
    assert "needs two-step sign-in" in client.get(reverse("mfa_index")).content.decode()
    with_second_factor(root)
    assert client.get("/admin/").status_code == 200


def test_staff_when_only_recovery_codes_are_left_then_that_is_no_second_factor(client):
    from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes

    root = a_user("Root", is_staff=True, is_superuser=True)
    RecoveryCodes.activate(root)
    client.force_login(root)

    assert client.get("/admin/")["Location"] == reverse("mfa_index")


def test_director_when_without_a_second_factor_then_nothing_is_asked_for(client, django_assert_num_queries):
    client.force_login(a_user())
    client.get(reverse("director:home"))

    # the session, the account, its clubs, the events it helps in, what operators hid
    with django_assert_num_queries(5):
        assert client.get(reverse("director:home")).status_code == 200


# --- tries (M7) ---


def test_tries_when_a_stranger_uses_them_up_then_the_owner_gets_in_from_elsewhere():
    ada = a_user("Ada")
    for _ in range(6):
        knocks(Client(), ada, "wrong", address=ELSEWHERE)

    refused = knocks(Client(), ada, address=ELSEWHERE)
    assert "Too many failed login attempts" in refused.content.decode()
    owner = Client()
    knocks(owner, ada)
    assert is_in(owner)


def test_tries_when_a_stranger_in_the_same_hall_uses_them_up_then_the_owners_phone_gets_in():
    ada, phone = a_user("Ada"), Client()
    knocks(phone, ada)
    phone.post(reverse("account_logout"))
    for _ in range(12):
        knocks(Client(), ada, "wrong", address=HALL)

    assert "Too many" in knocks(Client(), ada, address=HALL).content.decode()
    knocks(phone, ada, address=HALL)
    assert is_in(phone)


def test_tries_when_the_hall_is_flooded_then_the_owners_code_is_still_read():
    ada, phone = a_user("Ada"), Client()
    secret = with_second_factor(ada)
    knocks(phone, ada, address=HALL)
    for number in range(12):
        knocks(Client(), f"nobody{number}@example.org", "wrong", address=HALL)

    phone.post(reverse("mfa_authenticate"), {"code": code_for(secret)}, REMOTE_ADDR=HALL)
    assert is_in(phone)


def test_tries_when_strangers_come_from_everywhere_then_a_known_address_is_let_in():
    ada = a_user("Ada")
    knocks(Client(), ada)
    for number in range(52):
        knocks(Client(), ada, "wrong", address=f"203.0.113.{number}")

    assert "Too many" in knocks(Client(), ada, address="192.0.2.200").content.decode()
    owner = Client()
    knocks(owner, ada)
    assert is_in(owner)


def test_tries_when_the_phone_that_knows_the_account_guesses_then_it_is_stopped_too():
    ada, phone = a_user("Ada"), Client()
    knocks(phone, ada)
    phone.post(reverse("account_logout"))
    for _ in range(5):
        knocks(phone, ada, "wrong")

    assert "Too many" in knocks(phone, ada).content.decode()


def test_tries_when_a_browser_knows_another_account_then_it_is_a_stranger_to_this_one():
    eve, ada, browser = a_user("Eve"), a_user("Ada"), Client()
    knocks(browser, eve, address=ELSEWHERE)
    browser.post(reverse("account_logout"))
    for _ in range(5):
        knocks(Client(), ada, "wrong", address=ELSEWHERE)

    assert "Too many" in knocks(browser, ada, address=ELSEWHERE).content.decode()


def test_tries_when_the_cookie_is_made_up_then_it_counts_for_nothing():
    ada, browser = a_user("Ada"), Client()
    browser.cookies["crawford_device"] = '{"1": "mine"}'
    for _ in range(5):
        knocks(browser, ada, "wrong")

    assert "Too many" in knocks(browser, ada).content.decode()


def test_tries_when_right_then_none_is_used_up():
    ada = a_user("Ada")
    for _ in range(8):
        client = Client()
        knocks(client, ada)
        assert is_in(client)


# --- what is kept ---


def test_history_when_somebody_came_in_and_somebody_tried_then_the_owner_reads_both(client):
    ada, eve = a_user("Ada"), a_user("Eve")
    knocks(Client(), ada, "wrong", address=ELSEWHERE)
    knocks(client, ada)

    page = client.get(reverse("usersessions_list")).content.decode()

    for words in ("Wrong password", ELSEWHERE, "Signed in", HOME, "Firefox · Android"):
        assert words in page
    client.force_login(eve)
    assert ELSEWHERE not in client.get(reverse("usersessions_list")).content.decode()


def test_history_when_the_code_was_wrong_then_that_is_said(client):
    ada = a_user("Ada")
    secret = with_second_factor(ada)
    knocks(client, ada)
    client.post(reverse("mfa_authenticate"), {"code": "000000"})
    client.post(reverse("mfa_authenticate"), {"code": code_for(secret)})

    kept = list(SignIn.objects.order_by("pk").values_list("outcome", "way"))

    assert kept == [("wrong_code", "totp"), ("in", "totp")]


def test_history_when_ninety_days_are_over_then_forgotten():
    ada = a_user("Ada")
    knocks(Client(), ada)
    knocks(Client(), ada)
    old, young = SignIn.objects.order_by("pk")
    SignIn.objects.filter(pk=old.pk).update(at=timezone.now() - timedelta(days=90, minutes=1))
    SignIn.objects.filter(pk=young.pk).update(at=timezone.now() - timedelta(days=89))

    forget()

    assert list(SignIn.objects.all()) == [young]


def test_history_when_beat_runs_then_it_is_forgotten_by_itself(settings):
    assert forget.name in {job["task"] for job in settings.CELERY_BEAT_SCHEDULE.values()}


def test_history_when_the_address_is_nobodys_then_nothing_is_kept_but_a_line_in_the_log(caplog):
    with caplog.at_level(logging.INFO, logger="people.web.door"):
        knocks(Client(), "a-secret-typed@into.the.wrong.field.example.org", "wrong", address=ELSEWHERE)

    assert not SignIn.objects.exists()
    assert "account unknown" in caplog.text
    assert ELSEWHERE in caplog.text


def test_log_when_a_sign_in_fails_then_a_line_with_account_and_address_and_no_secret(caplog):
    ada = a_user("Ada")

    with caplog.at_level(logging.INFO, logger="people.web.door"):
        knocks(Client(), ada, "my-real-password-of-another-site", address=ELSEWHERE)
        for _ in range(6):
            knocks(Client(), ada, "wrong", address=ELSEWHERE)

    assert f"account {ada.pk}, from {ELSEWHERE}" in caplog.text
    assert "too many tries" in caplog.text
    assert "my-real-password" not in caplog.text
    assert ada.email not in caplog.text


# --- sessions (M9) ---


def test_sessions_when_ended_everywhere_else_then_this_one_goes_on():
    ada, here, there, older = a_user("Ada"), Client(), Client(), Client()
    older.force_login(ada)  # from before there was a list
    knocks(there, ada, address=ELSEWHERE)
    knocks(here, ada)
    assert ELSEWHERE in here.get(reverse("usersessions_list")).content.decode()

    answer = here.post(reverse("usersessions_list"), {"others": "yes"}, follow=True)

    assert [is_in(client) for client in (here, there, older)] == [True, False, False]
    assert [row["current"] for row in answer.context["sessions"]] == [True]


def test_sessions_when_ended_everywhere_then_nobody_is_in():
    ada, eve, here, there, stranger = a_user("Ada"), a_user("Eve"), Client(), Client(), Client()
    for client, user in ((there, ada), (here, ada), (stranger, eve)):
        knocks(client, user)

    here.post(reverse("usersessions_list"), {"everywhere": "yes"})

    assert [is_in(client) for client in (here, there, stranger)] == [False, False, True]
    knocks(here, ada)
    assert is_in(here)


def test_sessions_when_the_password_is_changed_then_all_are_over_and_gone_from_the_list():
    ada, here, there = a_user("Ada"), Client(), Client()
    knocks(there, ada, address=ELSEWHERE)
    knocks(here, ada)
    new = "another-long-password"

    here.post(
        reverse("account_change_password"), {"oldpassword": PASSWORD, "password1": new, "password2": new}
    )

    assert not is_in(here)
    assert not is_in(there)
    knocks(here, ada, new)
    rows = here.get(reverse("usersessions_list")).context["sessions"]
    assert [row["row"].ip for row in rows] == [HOME]


def test_session_when_it_began_before_sessions_were_counted_then_it_goes_on(client):
    from django.contrib.auth.base_user import AbstractBaseUser

    ada = a_user("Ada")

    assert ada.get_session_auth_hash() == AbstractBaseUser.get_session_auth_hash(ada)
    assert ada.get_session_auth_hash() == AbstractBaseUser._get_session_auth_hash(ada)


def test_new_password_when_asked_for_too_often_then_a_page_of_ours_says_so(client):
    sent = [client.post("/account/password/reset/", {"email": "often@example.org"}) for _ in range(6)]
    assert [answer.status_code for answer in sent] == [302] * 5 + [429]
    assert "Wait a few minutes" in sent[-1].content.decode()
