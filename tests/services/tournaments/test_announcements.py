"""Announcements: said once, bounded, changed by who saw them as they are, and gone when their time is over."""

from datetime import timedelta

import pytest
from django.utils import timezone

from faults import Conflict, CrawfordError, Invalid, Missing, NotAllowed
from people.actors import Actor
from people.models import AuditEntry
from tests.factories import a_user, an_event
from tournaments.engine.notices import (
    MAX_NOTICES_PER_WINDOW,
    MAX_TEXT_LENGTH,
    MAX_VISIBLE_NOTICES,
    Announcement,
)
from tournaments.engine.statuses import EventAction
from tournaments.events.services.divisions import DivisionDetails, add_division
from tournaments.events.services.events import change_event_status
from tournaments.events.services.stages import StageDetails
from tournaments.models import Notice
from tournaments.models.trail import parse_row
from tournaments.notices.services.announcing import (
    announce,
    change_announcement,
    restore_announcement,
    withdraw_notice,
)
from tournaments.selectors.access.visibility import visible_event
from tournaments.selectors.notices import current_notices, get_notice, past_announcements

pytestmark = [pytest.mark.django_db]


@pytest.fixture
def tournament():
    return an_event(4).publish()


def at(tournament) -> dict:
    return {"actor": tournament.actor, "event_id": tournament.event.pk}


def texts(tournament, divisions=None) -> list[str]:
    return [news.text for _row, news in current_notices(tournament.event, divisions)]


def refused(error: type[CrawfordError], code: str, does, **known) -> None:
    with pytest.raises(error) as found:
        does(**known)
    assert [fault.code for fault in found.value.faults] == [code]


def test_announcement_when_said_then_stands_in_one_clean_line_and_in_the_trail(tournament):
    before = tournament.fresh().version
    notice = announce(**at(tournament), text=" Coffee\n is \u202eready\0 ")
    assert notice.news == Announcement(text="Coffee is ready")
    assert texts(tournament) == ["Coffee is ready"]
    assert tournament.fresh().version == before + 1
    row = AuditEntry.objects.latest("pk")
    assert (row.action, parse_row(row).text) == ("notice.announce", "Coffee is ready")


def test_text_when_empty_or_too_long_then_refused_and_nothing_said(tournament):
    for text in ("", "  \n", "\u200f\0"):
        refused(Invalid, "notice.empty", announce, **at(tournament), text=text)
    refused(Invalid, "notice.too_long", announce, **at(tournament), text="x" * (MAX_TEXT_LENGTH + 1))
    announce(**at(tournament), text="x" * MAX_TEXT_LENGTH)
    assert Notice.objects.count() == 1


def test_same_words_when_they_stand_already_then_refused_and_after_they_are_gone_not(tournament):
    notice = announce(**at(tournament), text="Coffee")
    refused(Conflict, "notice.said", announce, **at(tournament), text="Coffee ")
    announce(**at(tournament), text="Coffee", division_id=tournament.division.pk)
    withdraw_notice(**at(tournament), notice_id=notice.pk)
    announce(**at(tournament), text="Coffee")
    refused(Conflict, "notice.said", restore_announcement, **at(tournament), notice_id=notice.pk)


def test_many_when_nobody_could_read_them_then_refused(tournament, clock):
    for number in range(MAX_VISIBLE_NOTICES):
        announce(**at(tournament), text=f"Number {number}")
    refused(Conflict, "notice.too_many", announce, **at(tournament), text="Add player")
    Notice.objects.update(withdrawn_at=timezone.now())
    for number in range(MAX_NOTICES_PER_WINDOW - MAX_VISIBLE_NOTICES):
        withdraw_notice(**at(tournament), notice_id=announce(**at(tournament), text=f"Number {number}").pk)
    refused(Conflict, "notice.too_often", announce, **at(tournament), text="Add player")
    clock.moves(minutes=11)
    announce(**at(tournament), text="Add player")


def test_until_when_it_is_over_then_gone_and_the_version_of_pages_is_another(tournament, clock):
    now = timezone.now()
    announce(**at(tournament), text="Short", until=now + timedelta(minutes=15))
    announce(**at(tournament), text="Long")
    seen = visible_event(None, tournament.event.public_id).notice_ends
    assert (texts(tournament), seen) == (["Long", "Short"], now + timedelta(minutes=15))
    clock.moves(minutes=15)
    assert texts(tournament) == ["Long"]
    assert visible_event(None, tournament.event.public_id).notice_ends is None
    assert [news.text for _row, news in past_announcements(tournament.event)] == ["Short"]


@pytest.mark.parametrize("minutes", [0, -5, 7 * 24 * 60 + 1])
def test_until_when_past_or_too_far_then_refused(tournament, clock, minutes):
    until = timezone.now() + timedelta(minutes=minutes)
    refused(Invalid, "notice.until_odd", announce, **at(tournament), text="Odd", until=until)


def test_division_when_named_then_told_to_it_alone_and_another_events_is_missing(tournament):
    main = tournament.division
    side = add_division(
        **at(tournament),
        division=DivisionDetails(name="Side", stages=(StageDetails(lengths=[3]),)),
        first_name="Main",
    )
    announce(**at(tournament), text="To all")
    announce(**at(tournament), text="To the side", division_id=side.pk)
    assert texts(tournament) == ["To the side", "To all"]
    assert texts(tournament, [main.pk]) == ["To all"]
    other = an_event(2).division.pk
    refused(Missing, "division.unknown", announce, **at(tournament), text="Lost", division_id=other)


def test_change_when_somebody_was_quicker_then_told_and_nothing_lost(tournament):
    notice = announce(**at(tournament), text="Round 2 at two")
    known = {**at(tournament), "notice_id": notice.pk, "division_id": None, "until": None}
    changed = change_announcement(**known, text="Round 2 at half past two", seen=1)
    assert changed.version == 2
    refused(Conflict, "notice.changed", change_announcement, **known, text="Round 2 at three", seen=1)
    refused(Conflict, "notice.changed", withdraw_notice, **at(tournament), notice_id=notice.pk, seen=1)
    assert texts(tournament) == ["Round 2 at half past two"]
    row = parse_row(AuditEntry.objects.latest("pk"))
    assert (row.before, row.after) == (
        {"text": "Round 2 at two"},
        {"text": "Round 2 at half past two"},
    )
    version = tournament.fresh().version
    change_announcement(**known, text="Round 2 at half past two", seen=2)
    assert tournament.fresh().version == version


def test_withdrawn_when_shown_again_then_stands_without_an_end(tournament, clock):
    notice = announce(**at(tournament), text="Coffee", until=timezone.now() + timedelta(minutes=15))
    refused(Conflict, "notice.stands", restore_announcement, **at(tournament), notice_id=notice.pk)
    withdraw_notice(**at(tournament), notice_id=notice.pk, seen=1)
    assert texts(tournament) == []
    refused(Conflict, "notice.gone", withdraw_notice, **at(tournament), notice_id=notice.pk)
    known = {**at(tournament), "notice_id": notice.pk, "division_id": None, "until": None, "seen": 2}
    refused(Conflict, "notice.gone", change_announcement, **known, text="Tea")
    restore_announcement(**at(tournament), notice_id=notice.pk, seen=2)
    clock.moves(days=2)
    assert texts(tournament) == ["Coffee"]


def test_announcement_when_the_event_is_called_off_then_still_possible(tournament):
    change_event_status(**at(tournament), action=EventAction.CANCEL)
    announce(**at(tournament), text="Snow: your fee comes back")
    assert texts(tournament) == ["Snow: your fee comes back"]


def test_announcement_when_a_stranger_or_another_club_asks_then_refused(tournament):
    notice = announce(**at(tournament), text="Coffee")
    stranger = {"actor": Actor.of(a_user()), "event_id": tournament.event.pk}
    other = an_event(2)
    refused(NotAllowed, "people.not_director", announce, **stranger, text="Ha")
    refused(NotAllowed, "people.not_director", withdraw_notice, **stranger, notice_id=notice.pk)
    refused(Missing, "notice.unknown", withdraw_notice, **at(other), notice_id=notice.pk)
    assert get_notice(other.event, notice.public_id) is None


def test_notice_when_a_later_release_wrote_it_then_passed_over_and_no_directors_to_change(tournament):
    notice = announce(**at(tournament), text="Coffee")
    Notice.objects.filter(pk=notice.pk).update(kind="of_tomorrow")
    assert current_notices(tournament.event) == []
    refused(Missing, "notice.unknown", withdraw_notice, **at(tournament), notice_id=notice.pk)
    Notice.objects.filter(pk=notice.pk).update(kind="announcement", facts={"text": 7})
    assert current_notices(tournament.event) == []
