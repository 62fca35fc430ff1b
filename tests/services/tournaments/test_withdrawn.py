"""Who withdrew from a Swiss keeps place and prize, the place alone, or neither, as the division says."""

import re
from decimal import Decimal

import pytest
from django.core.cache import cache
from django.test import Client

from tests.factories import an_event
from tests.support.rounds import publish_next
from tournaments.engine.stages.swiss import SwissSettings
from tournaments.engine.standings.leaving import WithdrawnRights
from tournaments.engine.standings.prizes import Prize, PrizePlan, SectionPrizes
from tournaments.entries.services.entries import withdraw_entry
from tournaments.models import Division
from tournaments.prizes.services.setting import set_prizes, undo_prizes_change
from tournaments.selectors.draws import load_draw
from tournaments.selectors.events.detail import division_views
from tournaments.selectors.payouts import event_payouts
from tournaments.selectors.prizes import prize_plan
from tournaments.selectors.standings.tables import standings_table

pytestmark = pytest.mark.django_db


@pytest.fixture
def tournament():
    """Ann leads with two of two and leaves; Bob is behind her at the end of three rounds."""
    tournament = an_event(entries=6, system="swiss", swiss=SwissSettings(rounds=3), lengths=[3])
    prizes = SectionPrizes(places=(Prize(Decimal(100)), Prize(Decimal(50))))
    set_prizes(
        actor=tournament.actor,
        event_id=tournament.event.pk,
        plan=PrizePlan(currency="EUR", stages={tournament.stage.pk: (prizes,)}),
    )
    for number in (1, 2, 3):
        publish_next(tournament, seed=number)
        for match in tournament.playable():
            first, second = (tournament.entry_at(match, side).name for side in "ab")
            tournament.settle(match, "a" if first < second else "b", 0)
        if number == 2:
            withdraw_entry(
                actor=tournament.actor, event_id=tournament.event.pk, entry_id=tournament.entry("Ann").pk
            )
    tournament.fresh()
    assert tournament.event.status == "finished"
    return tournament


def keep(tournament, what):
    stages = {tournament.stage.pk: tournament.stage.settings.prizes}
    plan = PrizePlan(currency="EUR", stages=stages, withdrawn={tournament.division.pk: what})
    return set_prizes(actor=tournament.actor, event_id=tournament.event.pk, plan=plan)


def outcome(tournament):
    """First names of the table, and who gets what."""
    cache.clear()
    stage, names = tournament.stage, dict(tournament.division.entries.values_list("pk", "name"))
    table = [names[row.entry] for row in standings_table(load_draw(stage)).rows]
    (part,) = event_payouts(tournament.fresh(), division_views(tournament.event)).parts
    return table, [(won.entry.name, won.coins // 100) for won in part.won]


def winner_on(tournament):
    """Who stands as the winner on the event's page."""
    cache.clear()
    page = Client().get(f"/en/e/{tournament.event.public_id}/").content.decode()
    return re.findall(r"<strong>(?:<a[^>]*>)?([^<]+)", page)


def test_withdrawn_when_nothing_was_chosen_then_the_place_stays_and_the_prize_goes_to_the_next(tournament):
    table, won = outcome(tournament)
    first, second, third = table[:3]
    assert Division.objects.get().withdrawn == WithdrawnRights.PLACE
    assert "Ann" in table[:2]
    stayed = [name for name in table if name != "Ann"]
    assert [name for name, _coins in won] == stayed[:2]
    assert {first, second, third} >= set(stayed[:2])
    assert "Ann" not in winner_on(tournament)


def test_withdrawn_when_they_keep_all_or_nothing_then_table_and_prizes_say_so_and_it_can_be_undone(
    tournament,
):
    usual = outcome(tournament)
    row = keep(tournament, WithdrawnRights.NOTHING)
    table, won = outcome(tournament)
    assert table[-1] == "Ann"
    assert "Ann" not in dict(won)
    undo_prizes_change(actor=tournament.actor, event_id=tournament.event.pk, audit_id=row.pk)
    assert outcome(tournament) == usual
    keep(tournament, WithdrawnRights.KEEP)
    table, won = outcome(tournament)
    assert table == usual[0]
    assert [name for name, _coins in won] == table[:2]
    assert winner_on(tournament) in ([table[0]], [])
    plan = prize_plan(tournament.event, [tournament.stage])
    assert plan.withdrawn == {tournament.division.pk: WithdrawnRights.KEEP}
    set_prizes(actor=tournament.actor, event_id=tournament.event.pk, plan=PrizePlan(currency="EUR"))
    assert Division.objects.get().withdrawn == WithdrawnRights.KEEP  # what is not said stays
