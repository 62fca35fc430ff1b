"""Two people at once on PostgreSQL: one outcome, nothing twice. Each race is first shown to be there without the lock."""

import pytest
from django.db import IntegrityError, OperationalError

from faults import Conflict
from people.actors import Actor
from rating.models import Fact
from tests.factories import an_event
from tests.support.races import race
from tournaments.entries.services.entries import NewEntry, add_entry
from tournaments.matches.services.reports import confirm_report
from tournaments.models import Entry, Match, MatchSlot, Report

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]

# Every service reads the event first: with FOR UPDATE that is the lock, without it both threads read on.
EVENT_READ = 'FROM "tournaments_event" INNER JOIN "people_club"'
# What was said so far gives the next report its version: the latest point at which two can still think the same.
REPORTS_READ = 'FROM "tournaments_report"'


@pytest.fixture
def tournament():
    return an_event(entries=4, lengths=[7], tables=1).publish()


def confirm_and_dispute(tournament, *, locks):
    """Side a said 7–4. At one moment b agrees, and a takes it back and says 4–7."""
    match = tournament.playable()[0]
    b = tournament.entry_at(match, "b")
    said = tournament.says(match, "a", 7, 4)
    return match, race(
        lambda: confirm_report(
            actor=Actor.with_label("b"),
            match_id=match.pk,
            entry=b,
            version=said.report.version,
            submission_key="yes",
        ),
        lambda: tournament.says(match, "a", 4, 7, key="no"),
        meet_after=REPORTS_READ,
        locks=locks,
    )


def test_confirm_and_dispute_when_there_is_no_lock_then_the_race_is_seen(tournament):
    match, outcomes = confirm_and_dispute(tournament, locks=False)
    # Both write version 2: one breaks the constraint, or each waits for the other until PostgreSQL ends one of them.
    broken = [
        outcome.error for outcome in outcomes if isinstance(outcome.error, IntegrityError | OperationalError)
    ]
    assert len(broken) == 1
    assert Report.objects.filter(match=match).count() == 2


def test_confirm_and_dispute_when_at_the_same_moment_then_one_outcome_and_nothing_twice(tournament):
    match, outcomes = confirm_and_dispute(tournament, locks=True)
    won = [outcome for outcome in outcomes if outcome.error is None]
    lost = [outcome for outcome in outcomes if outcome.error is not None]
    assert len(won) == len(lost) == 1
    assert isinstance(lost[0].error, Conflict)
    assert lost[0].error.present["match"] == match.public_id
    match.refresh_from_db()
    next_slot = MatchSlot.objects.get(source_match=match)
    if won[0].value.decision == "confirmed":
        assert (match.status, match.score_a, next_slot.entry) == (
            "confirmed",
            7,
            tournament.entry_at(match, "a"),
        )
        assert Fact.objects.count() == 1
    else:
        assert (match.status, next_slot.entry) == ("reported", None)
        assert Fact.objects.count() == 0
    assert Report.objects.filter(match=match, state="confirmed").count() <= 1


def test_two_directors_when_they_decide_differently_then_one_result_and_one_conflict(tournament):
    match = tournament.playable()[0]
    outcomes = race(
        lambda: tournament.says(match, None, 7, 4, key="one"),
        lambda: tournament.says(match, None, 2, 7, key="two"),
        meet_after=EVENT_READ,
    )
    assert sorted(type(outcome.error).__name__ for outcome in outcomes) == ["Conflict", "NoneType"]
    assert Report.objects.filter(match=match).count() == 1
    assert Fact.objects.count() == 1


def test_one_tap_sent_twice_when_both_arrive_together_then_one_report(tournament):
    match = tournament.playable()[0]
    outcomes = race(
        lambda: tournament.says(match, "a", 7, 4, key="tap"),
        lambda: tournament.says(match, "a", 7, 4, key="tap"),
        meet_after=EVENT_READ,
    )
    assert [outcome.error for outcome in outcomes] == [None, None]
    assert sorted(outcome.value.repeated for outcome in outcomes) == [False, True]
    assert Report.objects.filter(match=match).count() == 1


def test_both_semifinals_when_they_end_together_then_the_final_has_both_winners_and_a_table(tournament):
    first, second = tournament.playable()
    outcomes = race(
        lambda: tournament.says(first, None, 7, 4, key="one"),
        lambda: tournament.says(second, None, 7, 2, key="two"),
        meet_after=EVENT_READ,
    )
    assert [outcome.error for outcome in outcomes] == [None, None]
    final = Match.objects.get(round__code="final")
    assert (final.status, final.table) == ("ready", 1)
    assert {slot.entry_id for slot in final.slots.all()} == {
        tournament.entry_at(first, "a").pk,
        tournament.entry_at(second, "a").pk,
    }


def test_one_player_when_entered_twice_at_once_then_one_entry():
    tournament = an_event(entries=1)
    other = an_event(club=tournament.club, director=tournament.director)
    player = tournament.entry("Ann").players.get()

    def enter():
        return add_entry(
            actor=other.actor,
            event_id=other.event.pk,
            division_id=other.division.pk,
            entry=NewEntry(player_id=player.pk),
        )

    outcomes = race(enter, enter, meet_after=EVENT_READ)
    assert sorted(type(outcome.error).__name__ for outcome in outcomes) == ["Invalid", "NoneType"]
    assert Entry.objects.filter(division=other.division).count() == 1
