"""Two operators at once on PostgreSQL, and one beside a hall that plays: one is told, nothing is half done."""

import pytest

from people.actors import Actor
from people.models import Moderation
from tests.factories import an_event
from tests.support.races import race
from tournaments.models import Event
from tournaments.operators.services.moderating import moderate

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]


def shut(event, state: str):
    given = {"kind": "event", "key": event.public_id, "state": state, "reason": "insults"}
    return lambda: moderate(actor=Actor.with_label("an operator"), **given)


def test_event_when_two_operators_hide_it_at_once_then_one_is_told():
    event = an_event(entries=0).event
    outcomes = race(shut(event, "hidden"), shut(event, "hidden"), meet_after="FOR UPDATE")
    told = [outcome.error.code for outcome in outcomes if outcome.error is not None]
    assert told == ["operator.stands"]
    assert Moderation.objects.get().ended_at is None


def test_event_when_removed_while_a_result_is_given_then_either_counts_or_is_refused():
    tournament = an_event(entries=2).publish()
    match = tournament.playable()[0]
    outcomes = race(
        shut(tournament.event, "removed"), lambda: tournament.settle(match, "a"), meet_after="FOR UPDATE"
    )
    assert outcomes[0].error is None
    match.refresh_from_db()
    refused = outcomes[1].error
    assert (match.status == "confirmed") is (refused is None)
    assert refused is None or refused.code == "event.unknown"
    assert Event.objects.get(pk=tournament.event.pk).shut == "removed"
