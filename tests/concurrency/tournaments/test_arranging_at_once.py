"""Both sides say something about times at once, on PostgreSQL: one of them counts, and the other one reads how it stands."""

import pytest

from tests.support.arranged import Two, a_league_of_two
from tests.support.races import race
from tournaments.models import Arrangement, OfferedTime

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]

READ = 'FROM "tournaments_offeredtime"'
EVENT_READ = 'FROM "tournaments_event" INNER JOIN "people_club"'


@pytest.fixture
def two(clock) -> Two:
    made = Two(a_league_of_two(clock))
    made.offers("a", "2027-03-05T20:00", "2027-03-06T20:00")
    return made


def test_agreements_to_different_times_without_the_lock_then_both_count(two):
    outcomes = race(
        lambda: two.agrees("b", 1, 1), lambda: two.agrees("b", 2, 1), meet_after=READ, locks=False
    )
    assert [outcome.error for outcome in outcomes] == [None, None]


def test_agreements_to_different_times_at_once_then_one_counts(two):
    outcomes = race(lambda: two.agrees("b", 1, 1), lambda: two.agrees("b", 2, 1), meet_after=READ)
    refused = [outcome.error.code for outcome in outcomes if outcome.error is not None]
    assert refused == ["times.changed"]
    assert Arrangement.objects.get().version == 2


def test_agreement_and_other_times_at_once_then_one_counts_and_no_time_is_left_over(two):
    outcomes = race(
        lambda: two.agrees("b", 1, 1),
        lambda: two.offers("a", "2027-03-09T20:00", seen=1),
        meet_after=EVENT_READ,
    )
    refused = [outcome.error.code for outcome in outcomes if outcome.error is not None]
    assert refused == ["times.changed"]
    row = Arrangement.objects.get()
    assert row.is_agreed is (OfferedTime.objects.count() == 0)


def test_first_times_of_both_at_once_then_one_row(clock):
    two = Two(a_league_of_two(clock))
    outcomes = race(
        lambda: two.offers("a", "2027-03-05T20:00", seen=0),
        lambda: two.offers("b", "2027-03-06T20:00", seen=0),
        meet_after=EVENT_READ,
    )
    assert sorted(outcome.error is None for outcome in outcomes) == [False, True]
    assert OfferedTime.objects.values("entry").distinct().count() == 1
