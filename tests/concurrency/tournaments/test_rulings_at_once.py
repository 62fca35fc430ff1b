"""Two directors rule on one match at the same moment, on PostgreSQL: one ruling, and the other director is told."""

import pytest

from faults import Conflict
from tests.factories import an_event
from tests.support.races import race
from tournaments.engine.matches.adjourning import Adjournment
from tournaments.engine.matches.rulings import Award, AwardReason
from tournaments.engine.types import Score, Side
from tournaments.matches.services.rulings import adjourn_match, award_points

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]
MATCH_READ = 'FROM "tournaments_match" INNER JOIN "tournaments_stage"'


def both_rule(tournament, match, *, locks):
    known = {
        "actor": tournament.actor,
        "event_id": tournament.event.pk,
        "match_id": match.pk,
        "seen": match.version,
    }
    return race(
        lambda: award_points(**known, award=Award(Side.A, 2, AwardReason.START)),
        lambda: adjourn_match(**known, adjourned=Adjournment(Score(0, 0))),
        meet_after=MATCH_READ,
        locks=locks,
    )


@pytest.fixture
def tournament():
    return an_event(entries=4, lengths=[7]).publish()


def test_two_rulings_when_there_is_no_lock_then_both_write(tournament):
    match = tournament.playable()[0]
    assert [outcome.error for outcome in both_rule(tournament, match, locks=False)] == [None, None]


def test_two_rulings_when_at_the_same_moment_then_the_second_is_told(tournament):
    match = tournament.playable()[0]
    errors = [outcome.error for outcome in both_rule(tournament, match, locks=True)]
    (refused,) = [error for error in errors if error is not None]
    assert isinstance(refused, Conflict)
    assert refused.code == "match.changed_meanwhile"
    match.refresh_from_db()
    assert (match.version, (match.start_a > 0) is (match.status == "ready")) == (2, True)
