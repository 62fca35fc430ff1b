"""Two write the trail of one event at once on PostgreSQL: no two rows follow the same one, and a secret is used once."""

import pytest

from tests.factories import an_event
from tests.support.races import race
from tournaments.checks.chained import ChainSummary, broken_links
from tournaments.draws.services.draws import draw_stage
from tournaments.entries.services.entries import NewEntry, add_entry
from tournaments.models import Event, Lot

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]

EVENT_READ = 'FROM "tournaments_event" INNER JOIN "people_club"'


def enter_at_once(tournament, *, locks):
    def enter(name):
        return lambda: add_entry(
            actor=tournament.actor,
            event_id=tournament.event.pk,
            division_id=tournament.division.pk,
            entry=NewEntry(name=name),
        )

    race(enter("Zoe"), enter("Zac"), enter("Zed"), meet_after=EVENT_READ, locks=locks)
    return list(broken_links(Event.objects.get(pk=tournament.event.pk), ChainSummary()))


def test_rows_when_written_at_once_without_the_lock_then_the_chain_breaks():
    assert enter_at_once(an_event(entries=4), locks=False)


def test_rows_when_written_at_once_then_each_follows_another_one():
    tournament = an_event(entries=4)
    assert enter_at_once(tournament, locks=True) == []
    assert tournament.division.entries.count() == 7


def test_draws_when_made_at_once_then_each_has_a_promise_of_its_own():
    tournament = an_event(entries=4)

    def draw():
        return draw_stage(actor=tournament.actor, event_id=tournament.event.pk, stage_id=tournament.stage.pk)

    outcomes = race(draw, draw, meet_after=EVENT_READ)
    assert [one.error for one in outcomes] == [None, None]
    assert len(set(Lot.objects.values_list("promise", flat=True))) == 2
