"""Prizes are set at any time, whole and with a trace, and taken back; nothing else depends on them."""

from dataclasses import replace
from decimal import Decimal

import pytest

from faults import Conflict, Invalid, Missing, NotAllowed
from people.actors import Actor
from people.models import AuditEntry
from rating.models import Fact
from tests.factories import a_user, an_event
from tests.support.rounds import play_to_the_end, then
from tournaments.engine.brackets.consolation import FlightKind
from tournaments.engine.stages.elimination import BracketSettings, Flight
from tournaments.engine.stages.swiss import SwissSettings
from tournaments.engine.standings.prizes import (
    Prize,
    PrizePlan,
    PrizeUnit,
    SectionPrizes,
    prizes_from_amounts,
)
from tournaments.engine.statuses import EventAction
from tournaments.events.services.events import change_event_status
from tournaments.events.services.stages import details_of_stage, update_stage
from tournaments.models import Event, Match
from tournaments.models.trail import parse_row
from tournaments.prizes.services.setting import set_prizes, undo_prizes_change
from tournaments.selectors.draws import load_draw
from tournaments.selectors.events.detail import division_views
from tournaments.selectors.events.director import linked_stages
from tournaments.selectors.payouts import event_payouts
from tournaments.selectors.prizes import prize_plan, prizes_version

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock")]

WEEKEND = BracketSettings(
    flights=(Flight(FlightKind.PROGRESSIVE, (3,)), Flight(FlightKind.LAST_CHANCE, (3,)))
)


def per_cent(section, *shares, **more):
    return SectionPrizes(
        section, PrizeUnit.PER_CENT, tuple(Prize(Decimal(share)) for share in shares), **more
    )


def plan_for(tournament, *sections, currency="EUR", pool=None):
    pools = {} if pool is None else {tournament.division.pk: Decimal(pool)}
    return PrizePlan(currency=currency, pools=pools, stages={tournament.stage.pk: sections})


def save(tournament, plan, **more):
    return set_prizes(actor=tournament.actor, event_id=tournament.event.pk, plan=plan, **more)


def now(tournament):
    return prize_plan(tournament.fresh(), linked_stages(tournament.event))


def paid(tournament):
    """Amounts by section and name, with what all of it comes to."""
    event = Event.objects.select_related("club").get(pk=tournament.event.pk)
    payouts = event_payouts(event, division_views(event))
    found = {(part.paid.section, won.entry.name): won.coins for part in payouts.parts for won in part.won}
    return found, payouts.coins


def test_prizes_when_set_before_the_draw_while_it_runs_and_after_the_end_then_they_are_paid_to_the_coin():
    tournament = an_event(entries=8, lengths=[5], bracket=WEEKEND)
    whole = per_cent("main", 50, 30, 20, part=Decimal(70), unit=Decimal(5))
    rest = per_cent("consolation", 60, 40, part=Decimal(30))
    assert save(tournament, plan_for(tournament, whole, rest)) is not None
    tournament.publish(seed=3)
    assert save(tournament, plan_for(tournament, whole, rest, pool=600)) is not None
    tournament.play_out()
    assert tournament.fresh().status == "finished"
    before = (
        Fact.objects.count(),
        list(Match.objects.order_by("pk").values()),
        load_draw(tournament.stage).lines(),
    )
    save(tournament, plan_for(tournament, whole, rest, pool="2140.01"))
    found, total = paid(tournament)
    assert total == 214_001
    assert sum(coins for (section, _name), coins in found.items() if section == "main") == 150_001
    assert before == (
        Fact.objects.count(),
        list(Match.objects.order_by("pk").values()),
        load_draw(tournament.stage).lines(),
    )


def test_prizes_when_nothing_changes_then_there_is_no_row_and_no_new_version():
    tournament = an_event(entries=2, lengths=[5])
    plan = plan_for(tournament, *prizes_from_amounts((300, 150)))
    save(tournament, plan)
    version = tournament.fresh().version
    assert save(tournament, plan_for(tournament, *prizes_from_amounts((300, 150, 0)))) is None
    assert tournament.fresh().version == version
    assert AuditEntry.objects.filter(action="prizes.set").count() == 1


def test_prizes_when_two_directors_set_them_then_the_second_is_a_conflict_and_nothing_is_lost():
    tournament = an_event(entries=2, lengths=[5])
    stages = linked_stages(tournament.event)
    seen = prizes_version(prize_plan(tournament.event, stages), stages)
    save(tournament, plan_for(tournament, *prizes_from_amounts((300,))), seen=seen)
    with pytest.raises(Conflict) as refused:
        save(tournament, plan_for(tournament, *prizes_from_amounts((200,))), seen=seen)
    assert refused.value.code == "settings.changed"
    assert now(tournament).stages[tournament.stage.pk] == prizes_from_amounts((300,))


def test_prizes_when_a_result_comes_in_between_then_they_are_saved_all_the_same():
    tournament = an_event(entries=4, lengths=[5]).publish()
    stages = linked_stages(tournament.event)
    seen = prizes_version(prize_plan(tournament.event, stages), stages)
    tournament.settle(tournament.playable()[0], "a", 2)
    assert save(tournament, plan_for(tournament, *prizes_from_amounts((300,))), seen=seen) is not None


def test_prizes_when_everything_is_wrong_then_all_faults_are_told_and_nothing_is_kept():
    tournament = an_event(entries=2, lengths=[5])
    wrong = PrizePlan(
        currency="DEM",
        stages={
            tournament.stage.pk: (per_cent("main", 60, 50), per_cent("last_chance", 5), per_cent("main", 5))
        },
    )
    with pytest.raises(Invalid) as refused:
        save(tournament, wrong)
    assert {fault.code for fault in refused.value.faults} == {
        "prizes.currency_unknown",
        "prizes.section_unknown",
        "prizes.shares_over",
    }
    with pytest.raises(Missing):
        save(tournament, PrizePlan(stages={tournament.stage.pk + 999: ()}))
    with pytest.raises(Missing):
        save(tournament, PrizePlan(pools={tournament.division.pk + 999: Decimal(1)}))
    assert replace(now(tournament), withdrawn={}) == PrizePlan()


def test_prizes_when_the_currency_has_no_cents_then_cents_are_refused():
    tournament = an_event(entries=2, lengths=[5])
    half = SectionPrizes(places=(Prize(Decimal("10.50")),))
    with pytest.raises(Invalid) as refused:
        save(tournament, plan_for(tournament, half, currency="jpy"))
    assert [fault.code for fault in refused.value.faults] == ["prizes.amount_fine"]
    save(tournament, plan_for(tournament, half, currency="kwd"))
    assert tournament.fresh().currency == "KWD"


def test_prizes_when_somebody_else_sets_them_or_the_event_is_called_off_then_refused():
    tournament = an_event(entries=2, lengths=[5])
    plan = plan_for(tournament, *prizes_from_amounts((300,)))
    with pytest.raises(NotAllowed):
        set_prizes(actor=Actor.of(a_user()), event_id=tournament.event.pk, plan=plan)
    change_event_status(actor=tournament.actor, event_id=tournament.event.pk, action=EventAction.CANCEL)
    with pytest.raises(Conflict) as refused:
        save(tournament, plan)
    assert refused.value.code == "event.called_off"


def test_changes_when_taken_back_then_in_the_order_of_a_stack_and_each_once():
    tournament = an_event(entries=2, lengths=[5])
    gift = SectionPrizes(places=(Prize(Decimal("300.50"), " a \n cup "), Prize(gift="book")))
    first = save(tournament, plan_for(tournament, gift, pool=500))
    second = save(tournament, plan_for(tournament, *prizes_from_amounts((100,)), currency="USD"))
    action = parse_row(second)
    assert action.before.stages[tournament.stage.pk][0].places[0] == Prize(Decimal("300.50"), "a cup")
    assert (action.before.currency, action.after.currency) == ("EUR", "USD")

    def back(row):
        return undo_prizes_change(actor=tournament.actor, event_id=tournament.event.pk, audit_id=row.pk)

    with pytest.raises(Conflict) as refused:
        back(first)
    assert refused.value.code == "prizes.changed_since"
    back(second)
    assert now(tournament) == parse_row(first).after
    with pytest.raises(Conflict) as refused:
        back(second)
    assert refused.value.code == "prizes.back_already"
    back(first)
    assert replace(now(tournament), withdrawn={}) == PrizePlan()
    with pytest.raises(Missing):
        undo_prizes_change(actor=tournament.actor, event_id=tournament.event.pk, audit_id=first.pk + 10_000)


def test_stage_when_its_settings_are_changed_then_its_prizes_stay():
    tournament = an_event(entries=2, lengths=[5])
    plan = plan_for(tournament, *prizes_from_amounts((300,)))
    save(tournament, plan)
    other = replace(details_of_stage(tournament.stage), lengths=[9], prizes=())
    update_stage(
        actor=tournament.actor, event_id=tournament.event.pk, stage_id=tournament.stage.pk, stage=other
    )
    assert tournament.stage.lengths == [9]
    assert now(tournament).stages == plan.stages


def test_group_stage_when_it_is_over_then_each_group_is_paid_and_the_knock_out_by_itself():
    tournament = an_event(8, system="round_robin", lengths=[3], swiss=SwissSettings(group_count=2))
    then(tournament, name="Finals", system="single_elimination", fed_by=1, takes=2)
    groups, finals = linked_stages(tournament.event)
    set_prizes(
        actor=tournament.actor,
        event_id=tournament.event.pk,
        plan=PrizePlan(
            stages={groups.pk: prizes_from_amounts((30, 10)), finals.pk: prizes_from_amounts((100,))}
        ),
    )
    play_to_the_end(tournament)
    event = Event.objects.get(pk=tournament.event.pk)
    parts = event_payouts(event, division_views(event)).parts
    assert [(part.view.stage.pk, part.paid.group) for part in parts][:2] == [(groups.pk, 1), (groups.pk, 2)]
    assert [part.coins for part in parts if part.view.stage.pk == groups.pk] == [4_000, 4_000]
