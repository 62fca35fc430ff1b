"""Two directors announce or change at the same moment, on PostgreSQL: nothing stands twice, and nothing is written over unseen."""

import pytest

from faults import Conflict
from tests.factories import an_event
from tests.support.races import race
from tournaments.models import Notice
from tournaments.notices.services.announcing import announce, change_announcement, withdraw_notice

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]
READ = 'FROM "tournaments_notice"'
LAST_READ = '"made_at" >'  # how many there were in a while: both have looked for the same words by then


@pytest.fixture
def tournament():
    return an_event(entries=2)


def code(outcomes) -> list[str]:
    assert all(isinstance(one.error, Conflict) for one in outcomes if one.error is not None)
    return [one.error.code for one in outcomes if one.error is not None]


@pytest.mark.parametrize(("locks", "stand", "told"), [(False, 2, []), (True, 1, ["notice.said"])])
def test_same_words_when_at_the_same_moment_then_once(tournament, locks, stand, told):
    known = {"actor": tournament.actor, "event_id": tournament.event.pk, "text": "Coffee"}
    outcomes = race(lambda: announce(**known), lambda: announce(**known), meet_after=LAST_READ, locks=locks)
    assert (Notice.objects.count(), code(outcomes)) == (stand, told)


@pytest.mark.parametrize(("locks", "told"), [(False, []), (True, ["notice.changed"])])
def test_change_and_withdrawal_when_at_the_same_moment_then_the_second_is_told(tournament, locks, told):
    at = {"actor": tournament.actor, "event_id": tournament.event.pk}
    notice = announce(**at, text="Coffee")
    known = {**at, "notice_id": notice.pk, "seen": 1}
    outcomes = race(
        lambda: change_announcement(**known, text="Tea", division_id=None, until=None),
        lambda: withdraw_notice(**known),
        meet_after=READ,
        locks=locks,
    )
    assert code(outcomes) == told
