"""Check-in by two at once on PostgreSQL: one mark for one entry, and nobody is unmarked between the question and the draw."""

import pytest

from tests.factories import an_event
from tests.support.races import race
from tournaments.check_in.services.marking import check_in_entries, check_in_others, uncheck_entries
from tournaments.check_in.services.windows import open_check_in
from tournaments.checks.soundness import integrity_faults
from tournaments.draws.services.draws import publish_draw
from tournaments.engine.statuses import StageStatus
from tournaments.models import Here

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]

EVENT_READ = 'FROM "tournaments_event" INNER JOIN "people_club"'


@pytest.fixture
def tournament():
    tournament = an_event(entries=4, lengths=[3])
    open_check_in(**at(tournament), division_id=tournament.division.pk)
    return tournament


def at(tournament):
    return {"actor": tournament.actor, "event_id": tournament.event.pk}


def codes(outcomes):
    return [outcome.error and outcome.error.code for outcome in outcomes]


def test_mark_by_two_desks_at_once_is_one_row_and_the_second_says_so(tournament):
    ann = tournament.entry("Ann").pk
    found = race(
        lambda: check_in_entries(**at(tournament), entry_ids=[ann]),
        lambda: check_in_entries(**at(tournament), entry_ids=[ann]),
        meet_after=EVENT_READ,
    )
    assert sorted(len(one.value.new) for one in found) == [0, 1]
    assert Here.objects.count() == 1
    assert not integrity_faults(tournament.fresh())


def test_unmarked_while_the_draw_is_published_then_the_draw_knew_or_was_refused(tournament):
    check_in_others(**at(tournament), division_id=tournament.division.pk)
    tournament.draw()
    ann = tournament.entry("Ann").pk
    published, gone = codes(
        race(
            lambda: publish_draw(**at(tournament), stage_id=tournament.stage.pk),
            lambda: uncheck_entries(**at(tournament), entry_ids=[ann]),
            meet_after=EVENT_READ,
        )
    )
    assert gone is None
    assert (published, tournament.stage.status) in {
        (None, StageStatus.PUBLISHED),
        ("check_in.missing", StageStatus.DRAWN),
    }
    assert not integrity_faults(tournament.fresh())
