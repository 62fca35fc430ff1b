"""Two taps on the same proposal at the same moment, by the player and at the desk: one corrected copy, one row of the trail."""

import pytest

from people.models import AuditEntry
from tests.factories import an_event
from tests.support.races import race
from tests.support.records import BAD_OPENING, a_record
from tournaments.matches.services.corrected import correct_record
from tournaments.matches.services.records import Upload
from tournaments.models import RecordCopy
from tournaments.selectors.access.phones import link_actor

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.postgres]


def test_copy_when_two_ask_for_it_at_once_then_it_is_made_once():
    tournament = an_event(entries=4, lengths=[3]).publish()
    match = tournament.playable()[0]
    ann, bob = (tournament.entry_at(match, side) for side in "ab")
    record = a_record(ann.name, bob.name, 3, "lrll", opening=BAD_OPENING)
    tournament.says(match, "a", 3, 1, record=Upload(record, "evening.mat"))
    asked = {"match_id": match.pk, "version": 1, "key": "1.1=31:8/5-6/5"}
    outcomes = race(
        lambda: correct_record(actor=link_actor(ann), entry=ann, **asked),
        lambda: correct_record(actor=tournament.actor, entry=None, **asked),
        meet_after='FROM "tournaments_recordcopy"',
    )
    assert [outcome.error for outcome in outcomes] == [None, None]
    assert sorted(made for _copy, made in (outcome.value for outcome in outcomes)) == [False, True]
    assert RecordCopy.objects.count() == 1
    assert AuditEntry.objects.filter(action="match.correct_record").count() == 1
