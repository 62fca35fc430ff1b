"""Rounds of a Swiss by two at once on PostgreSQL, and beside what is reported: one outcome, and the event stays sound."""

import pytest

from tests.factories import an_event
from tests.support.races import race
from tournaments.checks.soundness import integrity_faults
from tournaments.models import Match, Round
from tournaments.rounds.services.requests import swap_entries
from tournaments.rounds.services.rounds import pair_next_round, publish_round, unpublish_round
from tournaments.selectors.draws import load_draw
from tournaments.selectors.rounds.next import next_round

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]

EVENT_READ = 'FROM "tournaments_event" INNER JOIN "people_club"'


@pytest.fixture
def tournament():
    tournament = an_event(entries=5, lengths=[3], system="swiss")
    pair_next_round(**at(tournament), seed=1)
    return tournament


def at(tournament):
    return {"actor": tournament.actor, "event_id": tournament.event.pk, "stage_id": tournament.stage.pk}


def paired(tournament):
    return next_round(tournament.stage, load_draw(tournament.stage))


def codes(outcomes):
    return [outcome.error and outcome.error.code for outcome in outcomes]


def test_round_when_taken_back_while_a_result_of_it_arrives_then_one_of_the_two(tournament):
    publish_round(**at(tournament), seen=paired(tournament).version)
    tournament.fresh()
    match = tournament.playable()[0]
    back, told = codes(
        race(
            lambda: unpublish_round(**at(tournament)),
            lambda: tournament.settle(match, "a"),
            meet_after=EVENT_READ,
        )
    )
    assert (back, told) in {(None, "match.unknown"), ("draw.begun", None)}
    assert Match.objects.filter(pk=match.pk, status="confirmed").exists() is (told is None)
    assert not integrity_faults(tournament.fresh())


def test_preview_when_changed_by_hand_and_published_at_once_then_what_is_published_was_seen(tournament):
    seen = paired(tournament)
    first, second = seen.pairs[0][0], seen.pairs[1][0]
    swapped, published = codes(
        race(
            lambda: swap_entries(**at(tournament), first_id=first, second_id=second, seen=seen.version),
            lambda: publish_round(**at(tournament), seen=seen.version),
            meet_after=EVENT_READ,
        )
    )
    assert (swapped is None) is (published == "round.changed")
    assert Round.objects.count() == (published is None)
    assert not integrity_faults(tournament.fresh())
