"""Two sides find a time: offered, agreed to, declined, called off; nothing that was not seen is answered, and no time is later than the last day."""

from datetime import UTC, date, datetime

import pytest

from faults import Conflict, Invalid, NotAllowed
from people.models import AuditEntry
from tests.factories import an_event
from tests.support.arranged import DAY, LAST_DAY, Two, a_league_of_two
from tests.support.notices import a_phone, an_account
from tests.support.push import PushService
from tests.support.rounds import where
from tournaments.checks.soundness import integrity_faults
from tournaments.engine import alerts
from tournaments.engine.matches.arranging import TimeProposal
from tournaments.entries.services.entries import NewEntry
from tournaments.leagues.services.arranging import offer_times
from tournaments.models import Arrangement, EntryPlayer, Notification, OfferedTime
from tournaments.notices.services.deadlines import notify_meetings
from tournaments.notices.services.sending import send_due_deliveries
from tournaments.repairs.services.substitute import change_player
from tournaments.repairs.services.undo import undo_repair
from tournaments.rounds.services.deadlines import set_deadlines
from tournaments.selectors.matches.arrangements import agreed_times, arrangement_of_match
from tournaments.selectors.repairs.undo import last_repair

pytestmark = pytest.mark.django_db


@pytest.fixture
def two(clock) -> Two:
    return Two(a_league_of_two(clock))


def codes(caught) -> list[tuple[str, str | None]]:
    return [(fault.code, fault.field) for fault in caught.value.faults]


def kinds() -> list[str]:
    found = Notification.objects.exclude(kind__in=["drawn", "paired"]).order_by("pk")
    return list(found.values_list("kind", flat=True))


def test_time_when_offered_and_agreed_to_then_it_stands_and_both_are_told(two):
    two.offers("a", "2027-03-07T11:00", "2027-03-05T20:00", place="  Café\nCentral ")
    found = arrangement_of_match(two.match)
    assert [(one.number, one.place) for one in found.offers] == [(1, "Café Central"), (2, "Café Central")]
    assert found.offers[0].at == datetime(2027, 3, 5, 19, tzinfo=UTC)  # 20:00 in Berlin, in winter
    assert (found.offered_by, found.agreed) == (two.entry("a").pk, None)
    two.agrees("b", 2)
    found = arrangement_of_match(two.match)
    assert (found.agreed, found.offers) == (datetime(2027, 3, 7, 10, tzinfo=UTC), ())
    assert agreed_times(two.tournament.event) == {two.match.pk: found.agreed}
    assert kinds() == ["times_offered", "times_answered"]
    told = [row.entries for row in Notification.objects.filter(kind__startswith="times_").order_by("pk")]
    assert told == [[two.entry("b").pk], [two.entry("a").pk]]
    rows = AuditEntry.objects.filter(action="match.agree_time")
    assert rows.get().data["at"] == "2027-03-07T10:00:00+00:00"
    assert "Café" not in str(list(AuditEntry.objects.values_list("data", flat=True)))
    assert integrity_faults(two.tournament.fresh()) == []


def test_times_when_not_what_was_seen_then_the_second_of_two_is_told_how_it_stands(two):
    two.offers("a", "2027-03-05T20:00")
    for late in (lambda: two.offers("b", "2027-03-06T20:00", seen=0), lambda: two.agrees("b", seen=0)):
        with pytest.raises(Conflict, match=r"times\.changed") as caught:
            late()
        assert caught.value.present == {"version": 1}
    # Both agree to different ones: b to a's, while a has offered another one in its place.
    two.offers("a", "2027-03-08T20:00", seen=1)
    with pytest.raises(Conflict, match=r"times\.changed"):
        two.agrees("b", seen=1)
    two.offers("b", "2027-03-09T20:00", seen=2)  # others instead
    with pytest.raises(Conflict, match=r"times\.none_offered"):
        two.agrees("b")  # one's own
    two.agrees("a")
    assert arrangement_of_match(two.match).agreed == datetime(2027, 3, 9, 19, tzinfo=UTC)
    with pytest.raises(Conflict, match=r"times\.none_offered"):
        two.agrees("a")


def test_agreed_time_when_another_is_agreed_to_then_that_and_when_called_off_then_none(two):
    two.agreed()
    two.offers("b", "2027-03-20T19:30")
    assert arrangement_of_match(two.match).agreed == datetime(
        2027, 3, 5, 19, tzinfo=UTC
    )  # until the new one is agreed to
    two.declines("b")  # taken back
    two.offers("b", "2027-03-20T19:30")
    two.declines("a")
    assert arrangement_of_match(two.match).offers == ()
    two.offers("b", "2027-03-20T19:30")
    two.agrees("a")
    assert (
        AuditEntry.objects.filter(action="match.agree_time")
        .latest("pk")
        .data["before"]
        .startswith("2027-03-05")
    )
    version = two.calls_off("b").version
    assert version == 9
    assert agreed_times(two.tournament.event) == {}
    for nothing in (two.calls_off, two.declines):
        with pytest.raises(Conflict):
            nothing("a")
    answered = Notification.objects.filter(kind="times_answered").order_by("pk")
    assert [row.facts["what"] for row in answered] == ["agreed", "declined", "agreed", "called_off"]


def test_times_when_they_cannot_be_then_each_is_refused_at_its_field_and_nothing_is_written(two):
    with pytest.raises(Invalid) as caught:
        two.offers("a", "2027-03-28T02:30", "2027-03-01T20:00", "2027-04-01T00:30", place="x" * 121)
    assert set(codes(caught)) == {
        ("times.left_out", "time_1"),  # the clocks go forward
        ("times.over", "time_2"),
        ("times.after_round", "time_3"),
        *(("times.place_long", f"place_{number}") for number in (1, 2, 3)),
    }
    for times, code in (
        ((), "times.none"),
        (["2027-03-05T20:00"] * 4, "times.many"),
        (["2027-03-05T20:00", "2027-03-05T20:00+01:00"], "times.twice"),
        (["0001-01-01T00:00"], "times.odd"),
    ):
        with pytest.raises(Invalid, match=code.replace(".", r"\.")):
            two.offers("a", *times)
    assert not Arrangement.objects.exists()
    two.offers("a", "2027-03-31T23:59")  # the last minute of the last day


def test_last_day_when_a_director_moves_it_then_it_counts_for_the_next_word_and_nothing_agreed_falls(two):
    with pytest.raises(Invalid, match=r"times\.after_round"):
        two.offers("a", "2027-04-02T20:00")
    set_deadlines(**where(two.tournament), deadlines={1: LAST_DAY + 5 * DAY})
    two.offers("a", "2027-04-02T20:00")
    set_deadlines(**where(two.tournament), deadlines={1: LAST_DAY})
    with pytest.raises(Conflict, match=r"times\.after_round"):
        two.agrees("b")
    two.agreed("2027-03-30T20:00")
    set_deadlines(**where(two.tournament), deadlines={1: date(2027, 3, 20)})
    assert arrangement_of_match(two.match).agreed is not None


def test_round_without_a_last_day_then_as_long_as_the_links_are_good(clock):
    two = Two(a_league_of_two(clock, deadline=None))
    with pytest.raises(Invalid, match=r"times\.after_event"):
        two.offers("a", "2027-05-31T20:00")
    two.offers("a", "2027-05-30T20:00")


def test_times_when_offered_too_often_in_a_day_then_refused_until_tomorrow(two, clock):
    for minute in range(10):
        two.offers("a", f"2027-03-05T20:{minute:02}")
    AuditEntry.objects.filter(action="match.offer_times").update(at=clock.at)  # its clock is not ours
    with pytest.raises(Invalid, match=r"times\.often"):
        two.offers("a", "2027-03-05T21:00")
    two.offers("b", "2027-03-05T21:00")
    clock.shows(datetime(2027, 3, 2, 23, 0, tzinfo=UTC))  # midnight in Berlin
    two.offers("a", "2027-03-05T22:00")


def test_times_when_over_or_no_side_or_at_the_tables_then_refused(two, clock):
    two.offers("a", "2027-03-05T20:00")
    clock.shows(datetime(2027, 3, 5, 19, 0, tzinfo=UTC))
    with pytest.raises(Conflict, match=r"times\.over"):
        two.agrees("b")
    other = an_event(2, name="Hall").publish()
    in_hall = other.playable()[0]
    asked = {**two.asked("a", 0), "times": [TimeProposal(datetime(2027, 3, 6, 20, tzinfo=UTC))]}
    stranger = {"entry": other.entry_at(in_hall, "a")}
    with pytest.raises(NotAllowed):
        offer_times(**{**asked, **stranger})
    with pytest.raises(Conflict, match=r"times\.at_tables"):
        offer_times(**{**asked, **stranger, "match_id": in_hall.pk})
    two.tournament.settle(two.match, "a", 3)
    with pytest.raises(Conflict, match=r"times\.match_over"):
        two.offers("a", "2027-03-06T20:00")


def test_result_when_taken_back_then_what_was_agreed_counts_again(two):
    two.agreed()
    two.tournament.settle(two.match, "a", 3)
    assert agreed_times(two.tournament.event) == {}
    assert integrity_faults(two.tournament.fresh()) == []


def test_another_player_when_put_in_then_has_agreed_to_nothing_and_reads_nothing(two):
    two.agreed()
    two.writes("a", "See you there")
    entry = two.entry("a")
    wrong = EntryPlayer.objects.get(entry=entry).player
    at = {"actor": two.tournament.actor, "event_id": two.tournament.event.pk}
    change_player(**at, entry_id=entry.pk, wrong_id=wrong.pk, right=NewEntry(name="Nora New"), from_now=True)
    assert not Arrangement.objects.exists()
    assert not OfferedTime.objects.exists()
    two.agreed()
    undo_repair(**at, audit_id=last_repair(two.tournament.fresh(), two.tournament.stage).pk)
    assert not Arrangement.objects.exists()


def test_reminder_when_the_day_before_then_once_for_each_time_and_not_when_agreed_late(two, clock):
    two.agreed("2027-03-05T20:00")
    assert notify_meetings() == 0
    clock.shows(datetime(2027, 3, 4, 19, 30, tzinfo=UTC))
    assert (notify_meetings(), notify_meetings()) == (1, 0)
    two.offers("b", "2027-03-05T21:00")
    two.agrees("a")
    assert notify_meetings() == 0  # both have just agreed to it
    assert [row.alert for row in Notification.objects.filter(kind="meeting_near")] == [
        alerts.AgreedTimeNear(match=two.match.pk, at="2027-03-05T19:00:00+00:00")
    ]


def test_notices_when_read_then_in_the_zone_of_the_event_and_dropped_when_true_no_more(two, settings, clock):
    service = PushService()
    phone = a_phone(two.entry("b"))
    two.offers("a", "2027-03-05T20:00")
    send_due_deliveries(push_sender=service)
    (offered,) = service.read_by(phone)
    assert two.entry("a").name in offered["title"]
    assert "5 March 2027, 20:00" in offered["body"]
    two.agrees("b")
    two.calls_off("a")
    two.offers("a", "2027-03-06T20:00", place="Café Central")
    two.agrees("b")
    clock.shows(datetime(2027, 3, 5, 19, 30, tzinfo=UTC))
    notify_meetings()
    send_due_deliveries(push_sender=service)
    titles = [one["title"] for one in service.read_by(phone)]
    assert len(titles) == 2  # what was called off and offered in between is told no more
    assert "Café Central" in service.read_by(phone)[-1]["body"]


def test_mail_when_a_time_is_offered_then_says_where_to_answer_and_shows_no_address(
    two, settings, mailoutbox
):
    settings.MAIL_WORKS = True
    user = an_account(two.entry("b"), name="Bella")
    sender = an_account(two.entry("a"), name="Alma")
    two.offers("a", "2027-03-05T20:00")
    two.writes("a", "Does that suit you? Call 0170 123")
    send_due_deliveries(push_sender=PushService())
    assert [mail.to for mail in mailoutbox] == [[user.email]] * 2
    for mail in mailoutbox:
        assert "/me/" in mail.body
        assert sender.email not in str(mail.message())
        assert "0170" not in str(mail.message())
