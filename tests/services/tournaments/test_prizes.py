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


def plan_for(night, *sections, currency="EUR", pool=None):
    pools = {} if pool is None else {night.division.pk: Decimal(pool)}
    return PrizePlan(currency=currency, pools=pools, stages={night.stage.pk: sections})


def save(night, plan, **more):
    return set_prizes(actor=night.actor, event_id=night.event.pk, plan=plan, **more)


def now(night):
    return prize_plan(night.fresh(), linked_stages(night.event))


def paid(night):
    """Amounts by section and name, with what all of it comes to."""
    event = Event.objects.select_related("club").get(pk=night.event.pk)
    payouts = event_payouts(event, division_views(event))
    found = {(part.paid.section, won.entry.name): won.coins for part in payouts.parts for won in part.won}
    return found, payouts.coins


def test_prizes_when_set_before_the_draw_while_it_runs_and_after_the_end_then_they_are_paid_to_the_coin():
    night = an_event(entries=8, lengths=[5], bracket=WEEKEND)
    whole = per_cent("main", 50, 30, 20, part=Decimal(70), unit=Decimal(5))
    rest = per_cent("consolation", 60, 40, part=Decimal(30))
    assert save(night, plan_for(night, whole, rest)) is not None
    night.publish(seed=3)
    assert save(night, plan_for(night, whole, rest, pool=600)) is not None
    night.play_out()
    assert night.fresh().status == "finished"
    before = (
        Fact.objects.count(),
        list(Match.objects.order_by("pk").values()),
        load_draw(night.stage).lines(),
    )
    save(night, plan_for(night, whole, rest, pool="2140.01"))
    found, total = paid(night)
    assert total == 214_001
    assert sum(coins for (section, _name), coins in found.items() if section == "main") == 150_001
    assert before == (
        Fact.objects.count(),
        list(Match.objects.order_by("pk").values()),
        load_draw(night.stage).lines(),
    )


def test_prizes_when_nothing_changes_then_there_is_no_row_and_no_new_version():
    night = an_event(entries=2, lengths=[5])
    plan = plan_for(night, *prizes_from_amounts((300, 150)))
    save(night, plan)
    version = night.fresh().version
    assert save(night, plan_for(night, *prizes_from_amounts((300, 150, 0)))) is None
    assert night.fresh().version == version
    assert AuditEntry.objects.filter(action="prizes.set").count() == 1


def test_prizes_when_two_directors_set_them_then_the_second_is_a_conflict_and_nothing_is_lost():
    night = an_event(entries=2, lengths=[5])
    stages = linked_stages(night.event)
    seen = prizes_version(prize_plan(night.event, stages), stages)
    save(night, plan_for(night, *prizes_from_amounts((300,))), seen=seen)
    with pytest.raises(Conflict) as refused:
        save(night, plan_for(night, *prizes_from_amounts((200,))), seen=seen)
    assert refused.value.code == "settings.changed"
    assert now(night).stages[night.stage.pk] == prizes_from_amounts((300,))


def test_prizes_when_a_result_comes_in_between_then_they_are_saved_all_the_same():
    night = an_event(entries=4, lengths=[5]).publish()
    stages = linked_stages(night.event)
    seen = prizes_version(prize_plan(night.event, stages), stages)
    night.settle(night.playable()[0], "a", 2)
    assert save(night, plan_for(night, *prizes_from_amounts((300,))), seen=seen) is not None


def test_prizes_when_everything_is_wrong_then_all_faults_are_told_and_nothing_is_kept():
    night = an_event(entries=2, lengths=[5])
    wrong = PrizePlan(
        currency="DEM",
        stages={night.stage.pk: (per_cent("main", 60, 50), per_cent("last_chance", 5), per_cent("main", 5))},
    )
    with pytest.raises(Invalid) as refused:
        save(night, wrong)
    assert {fault.code for fault in refused.value.faults} == {
        "prizes.currency_unknown",
        "prizes.section_unknown",
        "prizes.shares_over",
    }
    with pytest.raises(Missing):
        save(night, PrizePlan(stages={night.stage.pk + 999: ()}))
    with pytest.raises(Missing):
        save(night, PrizePlan(pools={night.division.pk + 999: Decimal(1)}))
    assert replace(now(night), withdrawn={}) == PrizePlan()


def test_prizes_when_the_currency_has_no_cents_then_cents_are_refused():
    night = an_event(entries=2, lengths=[5])
    half = SectionPrizes(places=(Prize(Decimal("10.50")),))
    with pytest.raises(Invalid) as refused:
        save(night, plan_for(night, half, currency="jpy"))
    assert [fault.code for fault in refused.value.faults] == ["prizes.amount_fine"]
    save(night, plan_for(night, half, currency="kwd"))
    assert night.fresh().currency == "KWD"


def test_prizes_when_somebody_else_sets_them_or_the_event_is_called_off_then_refused():
    night = an_event(entries=2, lengths=[5])
    plan = plan_for(night, *prizes_from_amounts((300,)))
    with pytest.raises(NotAllowed):
        set_prizes(actor=Actor.of(a_user()), event_id=night.event.pk, plan=plan)
    change_event_status(actor=night.actor, event_id=night.event.pk, action=EventAction.CANCEL)
    with pytest.raises(Conflict) as refused:
        save(night, plan)
    assert refused.value.code == "event.called_off"


def test_changes_when_taken_back_then_in_the_order_of_a_stack_and_each_once():
    night = an_event(entries=2, lengths=[5])
    gift = SectionPrizes(places=(Prize(Decimal("300.50"), " a \n cup "), Prize(gift="book")))
    first = save(night, plan_for(night, gift, pool=500))
    second = save(night, plan_for(night, *prizes_from_amounts((100,)), currency="USD"))
    action = parse_row(second)
    assert action.before.stages[night.stage.pk][0].places[0] == Prize(Decimal("300.50"), "a cup")
    assert (action.before.currency, action.after.currency) == ("EUR", "USD")

    def back(row):
        return undo_prizes_change(actor=night.actor, event_id=night.event.pk, audit_id=row.pk)

    with pytest.raises(Conflict) as refused:
        back(first)
    assert refused.value.code == "prizes.changed_since"
    back(second)
    assert now(night) == parse_row(first).after
    with pytest.raises(Conflict) as refused:
        back(second)
    assert refused.value.code == "prizes.back_already"
    back(first)
    assert replace(now(night), withdrawn={}) == PrizePlan()
    with pytest.raises(Missing):
        undo_prizes_change(actor=night.actor, event_id=night.event.pk, audit_id=first.pk + 10_000)


def test_stage_when_its_settings_are_changed_then_its_prizes_stay():
    night = an_event(entries=2, lengths=[5])
    plan = plan_for(night, *prizes_from_amounts((300,)))
    save(night, plan)
    other = replace(details_of_stage(night.stage), lengths=[9], prizes=())
    update_stage(actor=night.actor, event_id=night.event.pk, stage_id=night.stage.pk, stage=other)
    assert night.stage.lengths == [9]
    assert now(night).stages == plan.stages


def test_group_stage_when_it_is_over_then_each_group_is_paid_and_the_knock_out_by_itself():
    night = an_event(8, system="round_robin", lengths=[3], swiss=SwissSettings(group_count=2))
    then(night, name="Finals", system="single_elimination", fed_by=1, takes=2)
    groups, finals = linked_stages(night.event)
    set_prizes(
        actor=night.actor,
        event_id=night.event.pk,
        plan=PrizePlan(
            stages={groups.pk: prizes_from_amounts((30, 10)), finals.pk: prizes_from_amounts((100,))}
        ),
    )
    play_to_the_end(night)
    event = Event.objects.get(pk=night.event.pk)
    parts = event_payouts(event, division_views(event)).parts
    assert [(part.view.stage.pk, part.paid.group) for part in parts][:2] == [(groups.pk, 1), (groups.pk, 2)]
    assert [part.coins for part in parts if part.view.stage.pk == groups.pk] == [4_000, 4_000]
