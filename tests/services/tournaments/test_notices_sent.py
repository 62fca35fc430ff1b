"""Notices go to whom they concern, by the ways that were chosen, once where that can be known, and not at all when they are true no more."""

from datetime import datetime, time, timedelta
from email import message_from_bytes
from email.policy import default

import pytest
from django.utils import timezone

from people.models import OutgoingMail, User
from people.services.outbox import BACKEND_PATH, store_mail
from people.services.pushing import PushOutcome, PushResult
from tests.factories import an_event
from tests.support.notices import a_phone, an_account
from tests.support.push import PushService
from tests.support.rounds import publish_next, where
from tournaments.engine.alerts import MatchUpNext
from tournaments.engine.stages.swiss import SwissSettings
from tournaments.engine.statuses import EventAction, MatchAction
from tournaments.entries.services.links import renew_entry_link
from tournaments.events.services.events import change_event_status
from tournaments.hall.services.calling import call_next, move_match, set_table
from tournaments.models import (
    CallWord,
    Delivery,
    Entry,
    MatchSlot,
    Notification,
    NotificationChoice,
    Subscription,
)
from tournaments.notices.services.announcing import announce
from tournaments.notices.services.notifying import notify
from tournaments.notices.services.sending import (
    CLAIM_PERIOD,
    claim_deliveries,
    create_deliveries,
    send_due_deliveries,
)
from tournaments.notices.services.writing import MAX_TOPIC_LENGTH, drop_outdated_mail, push_topic
from tournaments.rounds.services.requests import sit_out
from tournaments.selectors.deliveries import NotificationStatus, notification_deliveries

pytestmark = pytest.mark.django_db
State = Delivery.State


@pytest.fixture(autouse=True)
def _noon(clock):
    """Nobody's quiet hours."""
    clock.shows(clock.at.replace(hour=12, minute=0, second=0, microsecond=0))


@pytest.fixture
def tournament(settings):
    settings.MAIL_WORKS = True
    settings.EMAIL_BACKEND = BACKEND_PATH
    made = an_event(4, tables=2).publish()
    Notification.objects.all().delete()
    User.objects.all().update(language="en")
    return made


@pytest.fixture
def service() -> PushService:
    return PushService()


def call(tournament, everything: bool = False):
    return call_next(actor=tournament.actor, event_id=tournament.event.pk, everything=everything)


def test_call_when_made_then_the_phones_of_both_sides_read_it_each_in_their_language(tournament, service):
    first = tournament.playable()[0]
    phones = [
        a_phone(tournament.entry_at(first, side), language=code) for side, code in (("a", "en"), ("b", "de"))
    ]
    stranger = a_phone(tournament.entry_at(tournament.playable()[1], "a"))
    call(tournament)
    assert (send_due_deliveries(push_sender=service), send_due_deliveries(push_sender=service)) == (2, 0)
    english, german = (service.read_by(phone) for phone in phones)
    assert service.read_by(stranger) == []
    assert [(one["title"], one["lang"], one["kind"]) for one in english] == [
        ("Table 1: your match is called", "en", "called")
    ]
    assert tournament.entry_at(first, "b").name in english[0]["body"]
    assert "to 7 points" in english[0]["body"] or "points" in english[0]["body"]
    assert german[0]["title"] == "Tisch 1: Dein Match ist aufgerufen"
    assert english[0]["tag"] != german[0]["tag"]
    assert "/my/" in english[0]["url"]
    (_endpoint, _body, headers), *_others = service.taken
    assert headers["Urgency"] == "high"
    assert 0 < int(headers["TTL"]) <= 15 * 60
    assert len(headers["Topic"]) <= 32


def test_notice_when_true_no_more_before_it_goes_out_then_dropped(tournament, service):
    first, second = tournament.playable()
    phone = a_phone(tournament.entry_at(first, "a"))
    at = {"actor": tournament.actor, "event_id": tournament.event.pk}
    call(tournament)
    move_match(**at, match_id=first.pk, action=MatchAction.SEND_BACK)
    call_next(**at, everything=True)
    set_table(**at, match_id=first.pk, table=None)
    send_due_deliveries(push_sender=service)
    # Called to a table, sent back, called again, the table taken away: only how it stands now is told.
    assert [one["title"] for one in service.read_by(phone)] == ["Your match is called"]
    assert Delivery.objects.filter(state=State.DROPPED).count() == 3
    tournament.says(first, "b", 3, 7)
    tournament.settle(first, "a")
    assert send_due_deliveries(push_sender=service) == 0
    assert second.pk != first.pk


def test_message_when_the_service_is_away_then_again_after_pauses_and_given_up_when_worth_nothing(
    tournament, service, clock
):
    phone = a_phone(tournament.entry_at(tournament.playable()[0], "a"))
    call(tournament)
    service.says[phone.endpoint] = [PushResult(PushOutcome.LATER, "503")] * 2
    tried = []
    for _ in range(60):
        tried.append(send_due_deliveries(push_sender=service))
        clock.moves(seconds=5)
    assert sum(tried) == 1
    assert tried.index(1) * 5 >= 40  # 10 seconds, and 30 after them
    (row,) = Delivery.objects.all()
    assert (row.state, row.tries) == (State.SENT, 3)
    call(tournament)
    other = a_phone(tournament.entry_at(tournament.playable()[1], "a"))
    service.says[other.endpoint] = [PushResult(PushOutcome.LATER, "OSError")] * 99
    Notification.objects.update(spread_at=None)
    for _ in range(20):
        send_due_deliveries(push_sender=service)
        clock.moves(minutes=1)
    last = Delivery.objects.latest("pk")
    assert (last.state, last.reason) == (State.FAILED, "OSError")


def test_phone_when_it_is_gone_or_its_link_is_renewed_then_not_woken_any_more(tournament, service):
    first, second = tournament.playable()
    gone, revoked = a_phone(tournament.entry_at(first, "a")), a_phone(tournament.entry_at(second, "a"))
    service.says[gone.endpoint] = [PushResult(PushOutcome.GONE, "410")]
    renew_entry_link(
        actor=tournament.actor, event_id=tournament.event.pk, entry_id=tournament.entry_at(second, "a").pk
    )
    call(tournament, everything=True)
    assert send_due_deliveries(push_sender=service) == 0
    assert not Subscription.objects.filter(digest=Subscription.hash_endpoint(gone.endpoint)).exists()
    assert Delivery.objects.get().state == State.FAILED
    assert service.read_by(revoked) == []


def test_quiet_hours_when_they_are_then_a_call_comes_and_other_things_wait_for_the_morning(
    tournament, service, clock
):
    first = tournament.playable()[0]
    entry = tournament.entry_at(first, "a")
    phone = a_phone(entry)
    NotificationChoice.objects.create(entry=entry, quiet_from=time(22), quiet_until=time(8), ways={})
    day = timezone.now().date() + timedelta(days=1)
    clock.shows(datetime(day.year, day.month, day.day, 23, tzinfo=timezone.get_default_timezone()))
    call(tournament)
    tournament.says(first, "b", 3, 7)  # and is gone before the morning
    assert send_due_deliveries(push_sender=service) == 0  # the call is true no more, the other waits
    clock.moves(hours=8, minutes=59)
    assert send_due_deliveries(push_sender=service) == 0
    clock.moves(minutes=2)
    assert send_due_deliveries(push_sender=service) == 1
    assert [one["kind"] for one in service.read_by(phone)] == ["to_confirm"]


def test_whoever_plays_when_something_else_happens_then_hears_it_after_the_match(tournament, service, clock):
    first = tournament.playable()[0]
    phone = a_phone(tournament.entry_at(first, "a"))
    call(tournament)
    send_due_deliveries(push_sender=service)
    announce(actor=tournament.actor, event_id=tournament.event.pk, text="Dinner is ready")
    assert send_due_deliveries(push_sender=service) == 0
    tournament.settle(first, "a")
    clock.moves(minutes=2)
    send_due_deliveries(push_sender=service)
    assert [one["kind"] for one in service.read_by(phone)] == ["called", "announced"]
    assert service.read_by(phone)[1]["body"] == "Dinner is ready"


def test_mail_when_an_event_is_called_off_then_to_verified_addresses_with_a_way_out_and_once(
    tournament, service
):
    entries = list(Entry.objects.order_by("pk"))
    known = an_account(entries[0], name="Known")
    an_account(entries[1], verified=False)
    silent = an_account(entries[2])
    NotificationChoice.objects.create(user=silent, ways={"called_off": []})
    change_event_status(actor=tournament.actor, event_id=tournament.event.pk, action=EventAction.CANCEL)
    assert (send_due_deliveries(push_sender=service), send_due_deliveries(push_sender=service)) == (1, 0)
    (mail,) = OutgoingMail.objects.all()
    text = message_from_bytes(bytes(mail.content), policy=default)
    assert mail.recipient == known.email
    assert text["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert text["List-Unsubscribe"].strip().startswith("<http://testserver/notices/off/")
    assert f"{tournament.event.name} is cancelled" in mail.subject
    change_event_status(actor=tournament.actor, event_id=tournament.event.pk, action=EventAction.RESTORE)
    assert drop_outdated_mail(now=timezone.now()) == 1  # the mail server had not taken it yet
    assert not OutgoingMail.objects.exists()
    assert Delivery.objects.get(way="mail", notification__kind="called_off").state == State.DROPPED


def test_worker_when_killed_at_each_step_then_nothing_is_lost_and_no_mail_is_there_twice(
    tournament, service, clock
):
    first = tournament.playable()[0]
    entry = tournament.entry_at(first, "a")
    a_phone(entry)
    an_account(entry)
    NotificationChoice.objects.create(user=entry.players.get().user, ways={"called": ["mail"]})
    call(tournament)
    now = timezone.now()
    # Killed after spreading; after taking; and once more after the message went out and before that was written.
    create_deliveries(now=now)
    assert create_deliveries(now=now) == 0
    taken = claim_deliveries(now=now)
    assert [one.way for one in taken] == ["push", "mail"]
    assert claim_deliveries(now=now) == []  # another worker meanwhile
    assert send_due_deliveries(push_sender=service) == 0
    clock.moves(seconds=CLAIM_PERIOD.total_seconds() + 1)
    assert send_due_deliveries(push_sender=service) == 2
    Delivery.objects.filter(way="push").update(state=State.TAKEN, taken_at=timezone.now())
    clock.moves(seconds=CLAIM_PERIOD.total_seconds() + 1)
    assert send_due_deliveries(push_sender=service) == 1
    topics = [headers["Topic"] for _to, _body, headers in service.taken]
    assert len(topics) == 2
    assert len(set(topics)) == 1  # the second takes the place of the first
    assert len(topics[0]) <= MAX_TOPIC_LENGTH
    after = Delivery.objects.select_related("notification").first()
    other = push_topic(after.notification.alert, after.entry_id + 1)
    assert other not in topics  # of another entry, also where numbers are long
    assert OutgoingMail.objects.count() == 1


def test_state_of_notices_when_asked_by_the_board_then_for_many_matches_in_one_query(
    tournament, service, django_assert_num_queries
):
    first, second = tournament.playable()
    one, other = tournament.entry_at(first, "a"), tournament.entry_at(first, "b")
    a_phone(one)
    call(tournament, everything=True)
    pks = [first.pk, second.pk]
    assert {row.status for rows in notification_deliveries(pks).values() for row in rows} == {
        NotificationStatus.WAITING
    }
    send_due_deliveries(push_sender=service)
    with django_assert_num_queries(1):
        states = notification_deliveries(pks)
    assert {row.entry_id: row.status for row in states[first.pk]} == {
        one.pk: NotificationStatus.SENT,
        other.pk: NotificationStatus.UNREACHABLE,
    }
    assert {row.status for row in states[second.pk]} == {NotificationStatus.UNREACHABLE}
    assert notification_deliveries([]) == {}
    Delivery.objects.update(opened_at=timezone.now())
    assert {row.status for row in notification_deliveries([first.pk])[first.pk]} == {
        NotificationStatus.OPENED,
        NotificationStatus.UNREACHABLE,
    }
    assert store_mail([]) == []


def test_word_before_the_call_when_given_then_to_that_side_with_the_time_and_the_last_one_alone(
    tournament, service, clock
):
    second = tournament.playable()[1]
    entry = tournament.entry_at(second, "a")
    phone, other = a_phone(entry), a_phone(tournament.entry_at(second, "b"))
    word = CallWord(match=second, entry=entry, at=clock.at, times=1)
    for minutes in (12, 25):
        word.begins_at = clock.at + timedelta(minutes=minutes)
        word.save()
        notify(tournament.event, MatchUpNext(match=second.pk, begins=word.begins_at.isoformat()), [entry.pk])
    assert send_due_deliveries(push_sender=service) == 1
    (shown,) = service.read_by(phone)
    assert shown["title"] == "Your match starts at about 12:25"
    assert service.read_by(other) == []


def test_mail_when_the_site_shows_it_and_sends_none_then_nothing_waits_for_a_mail_server(
    tournament, service, settings, mailoutbox
):
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    an_account(tournament.entry_at(tournament.playable()[0], "a"))
    change_event_status(actor=tournament.actor, event_id=tournament.event.pk, action=EventAction.CANCEL)
    assert send_due_deliveries(push_sender=service) == 1
    assert [mail.subject for mail in mailoutbox] == [f"[Crawford] {tournament.event.name} is cancelled"]
    assert not OutgoingMail.objects.exists()


def test_round_when_it_is_paired_then_also_who_has_its_bye_is_told_and_who_rests_is_not(service):
    tournament = an_event(6, system="swiss", swiss=SwissSettings(rounds=3))
    publish_next(tournament)
    tournament.play_out()
    resting = tournament.entry("Ann")
    sit_out(**where(tournament), entry_id=resting.pk, points=0)
    Notification.objects.all().delete()
    phones = {entry.pk: a_phone(entry) for entry in tournament.division.entries.all()}
    publish_next(tournament)
    bye = (
        MatchSlot.objects.get(match__round__number=2, source_kind="bye").match.slots.exclude(entry=None).get()
    )
    assert send_due_deliveries(push_sender=service) == 5
    assert "You are sitting out this round." in service.read_by(phones[bye.entry_id])[0]["body"]
    assert service.read_by(phones[resting.pk]) == []
