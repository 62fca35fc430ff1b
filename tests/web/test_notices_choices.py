"""What I am told: chosen by a personal link or with an account, ended by one tap from a mail; phones that ask to be woken."""

import pytest
from allauth.account.models import EmailAddress
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests.factories import an_event
from tests.support.push import Phone
from tournaments.engine.alerts import ALERT_KINDS, Channel
from tournaments.models import Delivery, Entry, Notification, NotificationChoice, SubscribedFor, Subscription
from tournaments.notices.services.phones import MAX_SUBSCRIPTIONS
from tournaments.selectors.access.links import entry_token
from tournaments.selectors.access.off_links import unsubscribe_token
from tournaments.selectors.recipients import preferences_from_row

pytestmark = pytest.mark.django_db


@pytest.fixture
def entry() -> Entry:
    return Entry.objects.get(division__event=an_event(4).publish().event, name="Ann")


def keys(phone: Phone) -> dict[str, str]:
    return {"endpoint": phone.endpoint, "p256dh": phone.browser.p256dh, "auth": phone.browser.auth}


def test_phone_when_it_asks_by_a_link_then_woken_for_that_entry_until_it_asks_no_more(entry, client):
    to = reverse("player:link-push", args=[entry_token(entry)])
    phone = Phone()
    for _ in range(2):
        assert client.post(to, keys(phone), HTTP_ACCEPT_LANGUAGE="de").json() == {"subscribed": True}
    row = SubscribedFor.objects.get()
    assert (row.entry, row.user, row.link_version, row.subscription.language) == (entry, None, 1, "de")
    refused = client.post(to, keys(Phone("https://10.0.0.1/admin")))
    assert refused.status_code == 422
    assert "does not support the push service" in refused.json()["detail"]
    assert client.post(to, {"endpoint": "\0", "p256dh": "ü", "auth": ""}).status_code == 422
    for number in range(MAX_SUBSCRIPTIONS - 1):
        assert client.post(to, keys(Phone(f"{phone.endpoint}{number}"))).status_code == 200
    assert client.post(to, keys(Phone(f"{phone.endpoint}-more"))).status_code == 409
    assert client.post(to, {"endpoint": phone.endpoint, "off": "1"}).json() == {"subscribed": False}
    assert Subscription.objects.count() == SubscribedFor.objects.count() == MAX_SUBSCRIPTIONS - 1
    entry.link_version += 1
    entry.save()
    assert client.post(to, keys(phone)).status_code == 404


def test_notice_when_opened_then_noted_once_and_for_its_own_link_alone(entry, client):
    now = timezone.now()
    event = entry.division.event
    row = Notification.objects.create(event=event, kind="called_off", made_at=now, until=now)
    sent = Delivery.objects.create(notification=row, entry=entry, way="push", next_at=now)
    to = reverse("player:link-opened", args=[entry_token(entry)])
    other = Entry.objects.exclude(pk=entry.pk).first()
    assert other is not None
    notice = {"notice": sent.public_id}
    assert client.post(reverse("player:link-opened", args=[entry_token(other)]), notice).status_code == 404
    assert client.post(to, notice).status_code == 200
    sent.refresh_from_db()
    first = sent.opened_at
    assert first is not None
    assert client.post(to, notice).status_code == 200
    sent.refresh_from_db()
    assert sent.opened_at == first


def test_choices_when_made_by_a_link_then_of_its_entry_and_bad_input_is_shown(entry, client):
    here = reverse("player:link-notices", args=[entry_token(entry)])
    page = client.get(here).content.decode()
    assert 'name="called-push"' in page
    assert 'name="called-mail"' not in page
    wrong = client.post(here, {"called-push": "on", "quiet_from": "25:00", "quiet_until": "07:00"})
    assert wrong.status_code == 422
    assert not NotificationChoice.objects.exists()
    sent = {"called-push": "on", "quiet_from": "21:30", "quiet_until": "06:00", "called-mail": "on"}
    assert client.post(here, sent).status_code == 302
    choice = preferences_from_row(NotificationChoice.objects.get(entry=entry))
    assert [kind for kind in ALERT_KINDS.values() if choice.wants(kind, Channel.PUSH)] == [
        ALERT_KINDS["called"]
    ]
    assert not any(choice.wants(kind, Channel.MAIL) for kind in ALERT_KINDS.values())
    assert f"{choice.quiet_hours[0]:%H:%M}" == "21:30"
    shown = client.get(here).content.decode()
    assert shown.count(" checked") == 1
    assert 'value="21:30"' in shown


def test_choices_when_made_with_an_account_then_in_general_and_for_one_event(entry, client):
    user = entry.players.get().user = entry.division.event.created_by
    entry.players.update(user=user)
    EmailAddress.objects.create(user=user, email=user.email, primary=True, verified=True)
    here, event = reverse("player:notices"), entry.division.event.public_id
    assert client.get(here).status_code == 302
    client.force_login(user)
    assert entry.division.event.name in client.get(here).content.decode()
    hours = {"quiet_from": "23:00", "quiet_until": "07:00"}
    assert client.post(here, {**hours, "drawn-mail": "on"}).status_code == 302
    for_event = reverse("player:event-notices", args=[event])
    assert client.post(for_event, {**hours, "drawn-push": "on", "drawn-mail": "on"}).status_code == 302
    rows = {row.event_id: row.ways["drawn"] for row in NotificationChoice.objects.filter(user=user)}
    assert rows == {None: ["mail"], entry.division.event_id: ["mail", "push"]}
    assert client.post(for_event, {"usual": "1"}).status_code == 302
    assert not NotificationChoice.objects.exclude(event=None).exists()
    assert client.get(reverse("player:event-notices", args=["nothing"])).status_code == 404
    phone = Phone()
    assert client.post(reverse("player:push"), keys(phone)).status_code == 200
    assert SubscribedFor.objects.get().user == user


def test_mail_when_ended_by_one_tap_then_without_a_cookie_by_post_alone(entry):
    user = entry.division.event.created_by
    NotificationChoice.objects.create(user=user, event=entry.division.event, ways={"drawn": ["push", "mail"]})
    here = reverse("player:notices-off", args=[unsubscribe_token(user.pk, "drawn")])
    program = Client(enforce_csrf_checks=True)
    assert program.get(here).status_code == 200
    assert NotificationChoice.objects.get().ways["drawn"] == ["push", "mail"]
    assert program.post(here, {"kind": "1"}).status_code == 200  # of this kind alone
    rows = {row.event_id: preferences_from_row(row) for row in NotificationChoice.objects.all()}
    drawn, off = ALERT_KINDS["drawn"], ALERT_KINDS["called_off"]
    for choice in rows.values():
        assert (choice.wants(drawn, Channel.MAIL), choice.wants(drawn, Channel.PUSH)) == (False, True)
        assert choice.wants(off, Channel.MAIL)
    assert program.post(here, {"List-Unsubscribe": "One-Click"}).status_code == 200
    for row in NotificationChoice.objects.all():
        assert not any(preferences_from_row(row).wants(kind, Channel.MAIL) for kind in ALERT_KINDS.values())
    assert program.post(f"{here[:-2]}x/").status_code == 404
    gone = reverse("player:notices-off", args=[unsubscribe_token(user.pk + 99, "drawn")])
    assert program.post(gone).status_code == 200


def test_browser_when_it_got_another_address_then_proves_the_old_one_by_its_secret_and_is_told_there(entry):
    worker = Client(enforce_csrf_checks=True)  # no page is open, so there is no token
    to = reverse("player:push-renewed")
    old, new = Phone(), Phone(f"{Phone.endpoint}-new", secret=b"another sixteen!")
    link = reverse("player:link-push", args=[entry_token(entry)])
    Client().post(link, keys(old))
    row = Subscription.objects.get()
    proof = {"old": old.endpoint, "old_auth": old.browser.auth}

    def facts() -> tuple[str, str, str]:
        row.refresh_from_db()
        return row.endpoint, row.p256dh, row.auth

    known = facts()
    for wrong in (
        {},
        {"old_auth": new.browser.auth},  # whoever knows the address alone
        {"old": new.endpoint},
        {"old_auth": "\0ü"},
    ):
        answer = worker.post(to, {**keys(new), **proof, **wrong} if wrong else {})
        assert answer.status_code == 404
        assert "no longer registered for notifications" in answer.json()["detail"]
    assert worker.post(to, {**keys(Phone("https://10.0.0.1/admin")), **proof}).status_code == 422
    assert worker.post(to, {**keys(new), **proof, "p256dh": "x"}).status_code == 422
    assert worker.get(to).status_code == 405
    assert facts() == known

    for _ in range(2):  # the answer of the first may have been lost
        assert worker.post(to, {**keys(new), **proof}).json() == {"subscribed": True}
        assert facts() == (new.endpoint, new.browser.p256dh, new.browser.auth)
    assert row.digest == Subscription.hash_endpoint(new.endpoint)
    assert SubscribedFor.objects.get().entry == entry

    other = Phone(f"{Phone.endpoint}-other", secret=b"somebody else's!")
    Client().post(link, keys(other))
    mine = {"old": new.endpoint, "old_auth": new.browser.auth}
    theirs = {**keys(other), "auth": new.browser.auth}  # the address of somebody else cannot be taken
    assert worker.post(to, {**theirs, **mine}).status_code == 404
    assert worker.post(to, {**keys(other), **mine}).status_code == 200  # their own, known by a page already
    assert Subscription.objects.get().endpoint == other.endpoint
    assert SubscribedFor.objects.get().entry == entry
