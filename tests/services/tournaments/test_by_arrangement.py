"""Where a stage is played: a league by arrangement, without table numbers and without a queue; everything else at the tables."""

from datetime import timedelta

import pytest
from django.core.cache import cache
from django.utils import timezone

from faults import Conflict
from tests.factories import an_event
from tests.support.lanes import in_full, on_one, on_postgres
from tests.support.rounds import draw_at, pair_next_round, publish_next, stage_at, then, where
from tournaments.checks.simulation.kinds import FORMAT_NAMES
from tournaments.checks.simulation.whole_event import RandomEvent
from tournaments.checks.soundness import integrity_faults
from tournaments.draws.services.draws import draw_stage, publish_draw
from tournaments.engine.matches.adjourning import Adjournment
from tournaments.engine.matches.rulings import LatenessRule
from tournaments.engine.stages.swiss import SwissSettings
from tournaments.engine.statuses import MatchAction
from tournaments.engine.types import Score
from tournaments.entries.services.entries import NewEntry, add_entries
from tournaments.events.services.divisions import DivisionDetails, add_division, open_next_division
from tournaments.events.services.stage_rules import conduct_version, set_conduct
from tournaments.events.services.stages import (
    StageDetails,
    details_of_stage,
    stage_settings_version,
    update_stage,
)
from tournaments.events.services.templates import event_template, event_templates
from tournaments.hall.services.calling import call_next, move_match, set_table
from tournaments.hall.services.forecasts import update_forecast
from tournaments.matches.services.rulings import adjourn_match, resume_match
from tournaments.models import Division, EntryPlayer, Match, Round, Stage
from tournaments.rounds.services.play_offs import start_play_off
from tournaments.selectors.event_dates import event_today
from tournaments.selectors.hall.board import load_board
from tournaments.selectors.hall.calling import ready_matches
from tournaments.selectors.hall.forecast import load_forecast
from tournaments.selectors.hall.holdups import find_delays

pytestmark = pytest.mark.django_db
AT_ONCE = SwissSettings(all_at_once=True, tie_breaks=())


@pytest.fixture(autouse=True)
def _nothing_kept():
    cache.clear()


def a_league(entries=4, **changes):
    today = timezone.localdate()
    return an_event(
        entries,
        **{
            "system": "round_robin",
            "lengths": [5],
            "swiss": AT_ONCE,
            "starts_on": today,
            "ends_on": today,
            **changes,
        },
    )


def set_where(tournament, *, by_arrangement, place=1, **more):
    return set_conduct(
        **where(tournament, place),
        lateness=LatenessRule(),
        clocks=None,
        rated=True,
        by_arrangement=by_arrangement,
        **more,
    )


def tables(tournament):
    return sorted(table for table in Match.objects.values_list("table", flat=True) if table is not None)


def held_up(tournament):
    return find_delays(load_board(tournament.fresh()), timezone.now())


def test_templates_when_created_then_the_league_alone_is_played_by_arrangement():
    arranged = {
        template.code
        for template in event_templates()
        for division in template.divisions
        if any(stage.is_arranged for stage in division.stages)
    }
    assert arranged == {"league"}


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({}, True),
        ({"system": "double_round_robin"}, True),
        ({"swiss": SwissSettings()}, False),
        ({"swiss": SwissSettings(all_at_once=True, group_count=2)}, False),
        ({"system": "swiss"}, False),
        ({"by_arrangement": False}, False),
        ({"system": "single_elimination", "by_arrangement": True}, True),
        ({"system": "money", "by_arrangement": True, "lengths": []}, False),
    ],
)
def test_stage_when_nothing_is_said_then_a_league_is_by_arrangement_and_nothing_else(changes, expected):
    tournament = an_event(
        4, **{"system": "round_robin", "swiss": AT_ONCE, "lengths": [5], "format_preset": "match", **changes}
    )
    assert tournament.stage.by_arrangement is expected
    assert details_of_stage(tournament.stage).by_arrangement is expected


def test_league_when_published_then_no_table_nobody_to_call_and_nothing_holds_it_up():
    tournament = a_league()
    publish_next(tournament)
    assert len(tournament.playable()) == 6
    assert tables(tournament) == []
    assert ready_matches(tournament.event) == []
    found = held_up(tournament)
    assert (
        found.matches_without_table,
        found.players_with_several_ready_matches,
        found.overdue,
        found.count,
    ) == ((), (), (), 0)
    assert load_forecast(tournament.fresh()) is None
    with pytest.raises(Conflict) as refused:
        call_next(actor=tournament.actor, event_id=tournament.event.pk, everything=True)
    assert refused.value.code == "call.nothing_ready"
    tournament.settle(tournament.playable()[0], "a")
    assert tables(tournament) == []


def test_league_when_it_shares_an_evening_then_its_matches_take_no_table_from_the_others():
    tournament = a_league(tables=2)
    publish_next(tournament)
    side = add_division(
        actor=tournament.actor,
        event_id=tournament.event.pk,
        division=DivisionDetails(name="Jackpot", stages=event_template("side_events").divisions[0].stages),
        first_name="League",
    )
    players = [EntryPlayer.objects.get(entry=tournament.entry(name)).player_id for name in ("Ann", "Bob")]
    entries = [
        *(NewEntry(player_id=player) for player in players),
        NewEntry(name="Zoe"),
        NewEntry(name="Yan"),
    ]
    add_entries(actor=tournament.actor, event_id=tournament.event.pk, division_id=side.pk, entries=entries)
    stage = side.stages.get()
    draw_stage(actor=tournament.actor, event_id=tournament.event.pk, stage_id=stage.pk, seed=1)
    publish_draw(actor=tournament.actor, event_id=tournament.event.pk, stage_id=stage.pk)
    assert tables(tournament) == [1, 2]
    assert set(Match.objects.filter(table__gt=0).values_list("stage", flat=True)) == {stage.pk}
    update_forecast(event_id=tournament.event.pk)
    hall = load_board(tournament.fresh())
    assert {match.stage_id for match in hall.ready} == {stage.pk}
    assert hall.has_matches_at_tables is True
    assert list(hall.forecast.stages) == [stage.pk]
    assert find_delays(hall, timezone.now()).players_with_several_ready_matches == ()


def test_match_by_arrangement_when_given_a_table_then_played_in_the_hall_like_any_other():
    tournament = a_league()
    publish_next(tournament)
    first, second = tournament.playable()[:2]
    given = {"actor": tournament.actor, "event_id": tournament.event.pk}
    set_table(**given, match_id=first.pk, table=3)
    assert [match.pk for match in ready_matches(tournament.event)] == [first.pk]
    assert [(match.pk, match.table) for match in call_next(**given)] == [(first.pk, 3)]
    move_match(**given, match_id=first.pk, action=MatchAction.SEND_BACK)
    assert ready_matches(tournament.event) == []
    move_match(**given, match_id=second.pk, action=MatchAction.START)
    assert tables(tournament) == []
    assert integrity_faults(tournament.fresh()) == []


def test_match_by_arrangement_when_it_goes_on_after_a_break_then_it_waits_for_no_table():
    tournament = a_league()
    publish_next(tournament)
    match = tournament.playable()[0]
    given = {"actor": tournament.actor, "event_id": tournament.event.pk, "match_id": match.pk}
    made = adjourn_match(**given, adjourned=Adjournment(Score(1, 0)), seen=match.version)
    resume_match(**given, seen=made.version)
    assert (tables(tournament), ready_matches(tournament.event)) == ([], [])


def test_play_off_of_a_league_when_started_then_by_arrangement_too():
    tournament = a_league(3)
    publish_next(tournament)
    beats = {("Ann", "Bob"): "Ann", ("Bob", "Cleo"): "Bob", ("Ann", "Cleo"): "Cleo"}
    for match in tournament.playable():
        names = {slot.entry.name: slot.side for slot in match.slots.all()}
        tournament.settle(match, names[beats[tuple(sorted(names))]])
    tournament.fresh()
    start_play_off(
        **where(tournament), entries=[tournament.entry(name).pk for name in ("Ann", "Bob", "Cleo")]
    )
    assert len(tournament.playable()) == 3
    assert tables(tournament) == []


def test_overdue_when_the_last_day_has_passed_then_it_holds_the_event_up_and_counts():
    tournament = a_league()
    publish_next(tournament)
    today = event_today(tournament.event)
    Round.objects.filter(number=1).update(deadline=today - timedelta(days=1))
    Round.objects.filter(number=2).update(deadline=today - timedelta(days=8))
    Round.objects.filter(number=3).update(deadline=today)
    tournament.settle(tournament.playable()[0], "a")
    found = held_up(tournament)
    assert [late.match.round_number for late in found.overdue] == [2, 2, 1]
    assert found.count == 3
    hall = load_board(tournament.fresh())
    assert {hall.deadlines[match.pk] for match in hall.matches if hall.is_overdue(match)} == {
        today - timedelta(days=1),
        today - timedelta(days=8),
    }


def test_report_when_nobody_answers_then_remarkable_after_a_quarter_of_an_hour_or_by_arrangement_a_day():
    for tournament, minutes in ((a_league(), 24 * 60), (a_league(by_arrangement=False), 15)):
        publish_next(tournament)
        match = tournament.playable()[0]
        tournament.says(match, "a", 5, 0)
        since = match.reports.get().created_at
        hall = load_board(tournament.fresh())
        assert find_delays(hall, since + timedelta(minutes=minutes - 1)).unanswered_reports == ()
        assert len(find_delays(hall, since + timedelta(minutes=minutes)).unanswered_reports) == 1


def test_where_when_changed_while_it_is_played_then_tables_are_given_or_free_again():
    tournament = a_league(8, tables=3)
    publish_next(tournament)
    set_where(tournament, by_arrangement=False)
    assert tables(tournament) == [1, 2, 3]
    called = call_next(actor=tournament.actor, event_id=tournament.event.pk)[0]
    set_where(tournament, by_arrangement=None)
    assert stage_at(tournament).by_arrangement is False
    set_where(tournament, by_arrangement=True)
    assert tables(tournament) == [called.table]  # who has been called plays there
    assert stage_at(tournament).by_arrangement is True
    assert integrity_faults(tournament.fresh()) == []


def test_where_when_another_director_changed_it_meanwhile_then_a_conflict():
    tournament = a_league()
    seen = conduct_version(tournament.stage)
    set_where(tournament, by_arrangement=False)
    with pytest.raises(Conflict) as refused:
        set_where(tournament, by_arrangement=True, seen=seen)
    assert refused.value.code == "settings.changed"
    assert tournament.stage.by_arrangement is False


def test_where_when_settings_are_changed_before_the_draw_then_kept_with_them():
    tournament = a_league()
    before = stage_settings_version(tournament.stage)
    changed = StageDetails(lengths=[7], system="swiss", by_arrangement=True)
    update_stage(**where(tournament), stage=changed, seen=before)
    assert tournament.stage.by_arrangement is True
    assert stage_settings_version(tournament.stage) != before


def test_where_when_another_division_like_it_is_opened_then_by_arrangement_too():
    tournament = a_league()
    publish_next(tournament)
    made = open_next_division(
        actor=tournament.actor, event_id=tournament.event.pk, division_id=Division.objects.get().pk
    )
    assert made.stages.get().by_arrangement is True


def test_cup_by_arrangement_when_played_then_no_table_at_any_round():
    tournament = an_event(8, lengths=[5], by_arrangement=True).publish()
    while tournament.playable():
        assert tables(tournament) == []
        tournament.settle(tournament.playable()[0], "a")
    assert tournament.fresh().status == "finished"
    assert integrity_faults(tournament.event) == []


def test_forecast_when_what_comes_follows_an_arranged_stage_then_there_is_none():
    tournament = a_league()
    then(tournament, name="Final", system="single_elimination", fed_by=1, takes=2)
    pair_next_round(**where(tournament), seed=1)
    publish_next(tournament)
    assert draw_at(tournament).rounds
    assert load_forecast(tournament.fresh()) is None


@on_one  # `test_random_events` plays leagues on both
def test_random_league_when_played_then_it_stays_sound_without_a_table():
    tournament = a_league(2)
    seeds = range(
        FORMAT_NAMES.index("round robin"), 200, len(FORMAT_NAMES)
    )  # half of them are played by arrangement
    arranged = 0
    for seed in seeds[1:] if on_postgres() else seeds:
        simulated = RandomEvent(seed=seed, club=tournament.club, director=tournament.actor, max_entries=8)
        simulated.run()
        arranged += Stage.objects.filter(division__event=simulated.event, by_arrangement=True).count()
        if arranged >= (4 if in_full() else 1):
            return
    pytest.fail("none played by arrangement")
