"""Divisions and stages: added, changed, put in order, taken away, and every fault told at once."""

from datetime import date

import pytest

from faults import Conflict, Invalid
from people.actors import Actor
from people.messages import describe_all
from people.models import AuditEntry
from tests.factories import a_club, a_user, an_event
from tests.support.rounds import publish_next
from tournaments.draws.services.draws import draw_stage, publish_draw
from tournaments.engine.new_entry import NewEntry
from tournaments.engine.stages.elimination import BracketSettings, Flight, FlightKind
from tournaments.engine.stages.swiss import SwissSettings
from tournaments.entries.services.entries import add_entry
from tournaments.events.services.divisions import (
    DivisionDetails,
    add_division,
    division_settings_version,
    move_division,
    next_division_name,
    open_next_division,
    remove_division,
    update_division,
)
from tournaments.events.services.events import (
    EventDetails,
    create_event,
    event_settings_version,
    set_registration,
    update_event,
)
from tournaments.events.services.stages import (
    StageDetails,
    add_stage,
    details_of_stage,
    remove_stage,
    stage_settings_version,
    update_stage,
)
from tournaments.events.services.templates import event_templates
from tournaments.models import Division, Event

pytestmark = pytest.mark.django_db
DAY = date(2026, 11, 20)
ROBIN = StageDetails(name="Groups", system="round_robin", lengths=[5], swiss=SwissSettings(group_count=4))
FINALS = StageDetails(name="Knockout", lengths=[7], fed_by=1, takes=2)


def created(*divisions):
    owner = a_user()
    club = a_club(owner)
    return create_event(
        actor=Actor.of(owner),
        club_id=club.pk,
        details=EventDetails(name="Weekend", starts_on=DAY, ends_on=DAY),
        divisions=divisions,
    )


@pytest.mark.parametrize(
    "divisions", [[DivisionDetails(stages=[ROBIN] * 5_000)], [DivisionDetails()] * 5_000]
)
def test_event_when_sent_with_thousands_of_parts_then_told_how_many_there_may_be_at_once(divisions) -> None:
    with pytest.raises(Invalid) as refused:
        created(*divisions)
    assert {"stage.too_many", "division.too_many"} & {fault.code for fault in refused.value.faults}
    assert len(refused.value.faults) < 100
    assert not Event.objects.exists()


def known(tournament):
    return {"actor": tournament.actor, "event_id": tournament.event.pk}


@pytest.mark.parametrize("template", event_templates(), ids=lambda one: one.code)
def test_template_when_created_as_it_is_then_the_event_is_there_as_described(template):
    event = created(*template.divisions)
    made = [
        [details_of_stage(stage).system for stage in division.stages.all()]
        for division in event.divisions.all()
    ]
    assert made == [[stage.system for stage in division.stages] for division in template.divisions]
    for division, planned in zip(event.divisions.all(), template.divisions, strict=True):
        assert (division.team_size, division.reentries) == (planned.team_size, planned.reentries)
        for stage, details in zip(division.stages.all(), planned.stages, strict=True):
            assert details_of_stage(stage).bracket == details.bracket
            assert details_of_stage(stage).swiss.group_count == details.swiss.group_count


def test_event_when_its_stages_feed_each_other_then_the_second_takes_from_the_first():
    groups, finals = created(DivisionDetails(stages=[ROBIN, FINALS])).divisions.get().stages.all()
    assert (finals.fed_by, finals.takes, groups.fed_by) == (groups, 2, None)
    assert details_of_stage(finals).fed_by == 1


def test_event_when_two_divisions_are_wrong_then_every_fault_stands_at_its_own_place():
    flights = (Flight(FlightKind.LAST_CHANCE, (5,)),)
    with pytest.raises(Invalid) as refused:
        created(
            DivisionDetails(name="Open", stages=[StageDetails(lengths=[0])]),
            DivisionDetails(
                name="open ",
                team_size=4,
                stages=[
                    StageDetails(lengths=[5], bracket=BracketSettings(flights=flights)),
                    StageDetails(lengths=[5], fed_by=1, takes=0),
                ],
            ),
        )
    assert {(fault.field, fault.code) for fault in refused.value.faults} == {
        ("division-1-stage-1-lengths", "length.too_short"),
        ("division-2-name", "division.name_twice"),
        ("division-2-team_size", "division.team_size_odd"),
        ("division-2-stage-1-flights", "flight.last_chance_alone"),
        ("division-2-stage-2-takes", "plan.feed_of_nothing"),
    }
    assert all(describe_all(refused.value))
    assert not Event.objects.exists()


def test_division_when_added_to_a_nameless_one_then_both_need_a_name():
    tournament = an_event()
    more = DivisionDetails(name="Doubles", team_size=2, stages=[StageDetails(lengths=[5])])
    with pytest.raises(Invalid) as refused:
        add_division(**known(tournament), division=more)
    assert [(fault.field, fault.code) for fault in refused.value.faults] == [
        ("first_name", "division.name_missing")
    ]
    add_division(**known(tournament), division=more, first_name="Open")
    assert [division.name for division in tournament.event.divisions.all()] == ["Open", "Doubles"]


def test_division_when_moved_up_then_the_order_changes_and_stops_at_the_end():
    tournament = an_event()
    more = DivisionDetails(name="Second", stages=[StageDetails(lengths=[5])])
    second = add_division(**known(tournament), division=more, first_name="First")
    for _again in range(2):
        move_division(**known(tournament), division_id=second.pk, places=-1)
    names = [
        division.name for division in Division.objects.filter(event=tournament.event).order_by("position")
    ]
    assert names == ["Second", "First"]


def test_division_when_it_has_results_then_nothing_gives_it_another_weight_for_master_points():
    tournament = an_event(4).publish()
    first, (match, *_rest) = tournament.division, tournament.playable()
    second, _third, fourth = [
        add_division(
            **known(tournament),
            division=DivisionDetails(name=name, stages=[StageDetails(lengths=[5])]),
            first_name="First",
        )
        for name in ("Second", "Third", "Fourth")
    ]
    move_division(**known(tournament), division_id=first.pk, places=1)  # nothing was played yet
    tournament.settle(match, "a", 2)
    for division, places in ((first, -1), (first, 1), (second, 1)):
        with pytest.raises(Conflict) as refused:
            move_division(**known(tournament), division_id=division.pk, places=places)
        assert refused.value.code == "division.weight_fixed"
    with pytest.raises(Conflict):
        remove_division(**known(tournament), division_id=second.pk)
    with pytest.raises(Conflict):
        update_division(
            **known(tournament), division_id=second.pk, division=DivisionDetails(name="Second", team_size=2)
        )
    move_division(
        **known(tournament), division_id=fourth.pk, places=-1
    )  # all from the third on weigh the same
    update_division(**known(tournament), division_id=second.pk, division=DivisionDetails(name="Masters"))
    order = Division.objects.filter(event=tournament.event).order_by("position")
    assert [division.name for division in order] == ["Masters", "First", "Fourth", "Third"]


def test_division_when_entered_or_drawn_then_it_stays_and_keeps_its_size():
    tournament = an_event(4)
    more = DivisionDetails(name="Second", stages=[StageDetails(lengths=[5])])
    second = add_division(**known(tournament), division=more, first_name="First")
    first = tournament.event.divisions.first()
    with pytest.raises(Conflict) as refused:
        remove_division(**known(tournament), division_id=first.pk)
    assert refused.value.code == "division.in_use"
    with pytest.raises(Invalid) as told:
        update_division(
            **known(tournament), division_id=first.pk, division=DivisionDetails(name="First", team_size=2)
        )
    assert told.value.code == "division.has_entries"
    remove_division(**known(tournament), division_id=second.pk)
    with pytest.raises(Conflict) as last:
        remove_division(**known(tournament), division_id=first.pk)
    assert last.value.code == "division.the_only_one"


def test_stage_when_added_then_it_is_fed_and_the_first_cannot_change_under_it():
    tournament = an_event(system="round_robin")
    finals = add_stage(**known(tournament), division_id=tournament.division.pk, stage=FINALS)
    first = finals.fed_by
    assert first is not None
    with pytest.raises(Invalid) as refused:
        update_stage(**known(tournament), stage_id=first.pk, stage=StageDetails(system="money"))
    assert [(fault.field, fault.code) for fault in refused.value.faults] == [
        ("system", "stage.feeds_another")
    ]
    with pytest.raises(Conflict):
        remove_stage(**known(tournament), stage_id=first.pk)
    remove_stage(**known(tournament), stage_id=finals.pk)
    with pytest.raises(Conflict) as last:
        remove_stage(**known(tournament), stage_id=first.pk)
    assert last.value.code == "stage.the_only_one"
    assert AuditEntry.objects.filter(action="stage.remove").count() == 1


def test_stage_to_come_when_taken_away_after_all_others_are_over_then_the_event_is_over():
    tournament = an_event(2, system="round_robin")
    finals = add_stage(**known(tournament), division_id=tournament.division.pk, stage=FINALS)
    publish_next(tournament)
    tournament.play_out()
    assert tournament.fresh().status == "running"
    remove_stage(**known(tournament), stage_id=finals.pk)
    assert tournament.fresh().status == "finished"
    assert tournament.event.finished_at is not None


def test_empty_division_when_taken_away_after_all_others_are_over_then_the_event_is_over():
    tournament = an_event(2)
    more = DivisionDetails(name="Second", stages=[StageDetails(lengths=[5])])
    second = add_division(**known(tournament), division=more, first_name="First")
    draw_stage(**known(tournament), stage_id=tournament.event.divisions.first().stages.get().pk)
    publish_draw(**known(tournament), stage_id=tournament.event.divisions.first().stages.get().pk)
    tournament.play_out()
    assert tournament.fresh().status == "running"
    remove_division(**known(tournament), division_id=second.pk)
    assert tournament.fresh().status == "finished"


def test_division_when_another_one_runs_then_it_can_still_be_entered_and_joined():
    tournament = an_event(4)
    more = DivisionDetails(name="Later", stages=[StageDetails(lengths=[5])])
    later = add_division(**known(tournament), division=more, first_name="Now")
    stage = tournament.event.divisions.first().stages.get()
    draw_stage(**known(tournament), stage_id=stage.pk)
    publish_draw(**known(tournament), stage_id=stage.pk)
    assert tournament.fresh().status == "running"
    add_entry(**known(tournament), division_id=later.pk, entry=NewEntry("Late Lea"))
    set_registration(**known(tournament), is_open=True)
    with pytest.raises(Conflict) as refused:
        add_entry(
            **known(tournament), division_id=tournament.event.divisions.first().pk, entry=NewEntry("Too Late")
        )
    assert refused.value.code == "entry.too_late"


def test_settings_when_somebody_else_saved_them_meanwhile_then_the_second_is_told_and_nothing_is_lost():
    tournament = an_event(2, lengths=[5])
    division, stage = tournament.division, tournament.stage
    details = EventDetails(name="Hers", starts_on=DAY, ends_on=DAY)
    saved = {
        event_settings_version: lambda **seen: update_event(**known(tournament), details=details, **seen),
        division_settings_version: lambda **seen: update_division(
            **known(tournament), division_id=division.pk, division=DivisionDetails(name="Hers"), **seen
        ),
        stage_settings_version: lambda **seen: update_stage(
            **known(tournament), stage_id=stage.pk, stage=StageDetails(lengths=[7]), **seen
        ),
    }
    before = [
        event_settings_version(tournament.event),
        division_settings_version(division),
        stage_settings_version(stage),
    ]
    for seen, save in zip(before, saved.values(), strict=True):
        save(seen=seen)
        version = tournament.fresh().version
        with pytest.raises(Conflict) as refused:
            save(seen=seen)
        assert refused.value.code == "settings.changed"
        assert tournament.fresh().version == version
    after = [
        event_settings_version(tournament.fresh()),
        division_settings_version(tournament.division),
        stage_settings_version(tournament.stage),
    ]
    assert not set(before) & set(after)


def test_mark_of_settings_when_anything_else_happens_in_the_event_then_it_stays():
    tournament = an_event(4)
    marks = [
        event_settings_version(tournament.event),
        division_settings_version(tournament.division),
        stage_settings_version(tournament.stage),
    ]
    tournament.publish().play_out()
    assert [
        event_settings_version(tournament.fresh()),
        division_settings_version(tournament.division),
        stage_settings_version(tournament.stage),
    ] == marks


@pytest.mark.parametrize(
    ("name", "taken", "after"),
    [
        ("Jackpot", ["Jackpot"], "Jackpot 2"),
        ("Jackpot 2", ["Jackpot", "Jackpot 2"], "Jackpot 3"),
        ("Jackpot", ["Jackpot", "jackpot 2", "Jackpot 3"], "Jackpot 4"),
        ("2", ["2"], "2 2"),
        ("Cup 2026", ["Cup 2026"], "Cup 2026 2"),
        ("x" * 80, ["x" * 80], "x" * 75 + " 2"),
    ],
)
def test_next_name_counts_on(name, taken, after):
    assert next_division_name(name, taken) == after


def test_next_one_when_a_side_event_is_drawn_then_it_takes_entries_and_is_played_alike():
    jackpot = next(one for one in event_templates() if one.code == "side_events").divisions[2]
    assert jackpot.name == "Speedgammon"
    tournament = an_event(4)
    add_division(**known(tournament), division=jackpot, first_name="Open")
    first = tournament.event.divisions.get(name="Speedgammon")
    with pytest.raises(Conflict) as refused:
        open_next_division(**known(tournament), division_id=first.pk)
    assert refused.value.code == "division.still_open"
    for name in ("Una", "Vic"):
        add_entry(**known(tournament), division_id=first.pk, entry=NewEntry(name))
    draw_stage(**known(tournament), stage_id=first.stages.get().pk, seed=1)
    made = open_next_division(**known(tournament), division_id=first.pk)
    assert (made.name, made.reentries, made.position) == ("Speedgammon 2", 2, 3)
    assert details_of_stage(made.stages.get()) == details_of_stage(first.stages.get())
    assert made.stages.get().settings.conduct.clocks.delay == 0
    assert not made.stages.get().settings.conduct.rated
    assert made.stages.get().status == "setup"
    assert not made.entries.exists()
    again = open_next_division(**known(tournament), division_id=first.pk)
    assert again.name == "Speedgammon 3"
    assert AuditEntry.objects.filter(action="division.next").count() == 2


def test_next_one_when_the_only_division_has_no_name_then_both_are_named_after_the_event():
    tournament = an_event(2).publish()
    made = open_next_division(**known(tournament), division_id=tournament.division.pk)
    first = tournament.event.divisions.first()
    assert (first.name, made.name) == (tournament.event.name, f"{tournament.event.name} 2")
    tournament.settle(tournament.playable()[0], "a")
    assert tournament.fresh().status == "running"
