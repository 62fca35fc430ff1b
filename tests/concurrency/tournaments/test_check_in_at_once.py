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
def night():
    night = an_event(entries=4, lengths=[3])
    open_check_in(**at(night), division_id=night.division.pk)
    return night


def at(night):
    return {"actor": night.actor, "event_id": night.event.pk}


def codes(outcomes):
    return [outcome.error and outcome.error.code for outcome in outcomes]


def test_mark_by_two_desks_at_once_is_one_row_and_the_second_says_so(night):
    ann = night.entry("Ann").pk
    found = race(
        lambda: check_in_entries(**at(night), entry_ids=[ann]),
        lambda: check_in_entries(**at(night), entry_ids=[ann]),
        meet_after=EVENT_READ,
    )
    assert sorted(len(one.value.new) for one in found) == [0, 1]
    assert Here.objects.count() == 1
    assert not integrity_faults(night.fresh())


def test_unmarked_while_the_draw_is_published_then_the_draw_knew_or_was_refused(night):
    check_in_others(**at(night), division_id=night.division.pk)
    night.draw()
    ann = night.entry("Ann").pk
    published, gone = codes(
        race(
            lambda: publish_draw(**at(night), stage_id=night.stage.pk),
            lambda: uncheck_entries(**at(night), entry_ids=[ann]),
            meet_after=EVENT_READ,
        )
    )
    assert gone is None
    assert (published, night.stage.status) in {
        (None, StageStatus.PUBLISHED),
        ("check_in.missing", StageStatus.DRAWN),
    }
    assert not integrity_faults(night.fresh())
