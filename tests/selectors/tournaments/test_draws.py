"""Draws as values: the same as the engine's own, whatever has been played."""

import pytest

from tests.factories import an_event, names
from tests.support.tournaments import first_match
from tournaments.engine.brackets.seeding import blind_draw
from tournaments.engine.stages.elimination import BracketSettings, Flight, FlightKind
from tournaments.engine.types import EntryId, Side
from tournaments.models import Match, Stage
from tournaments.selectors.draws import load_draw
from tournaments.selectors.events.detail import division_views, places_by_stage

pytestmark = pytest.mark.django_db


def test_draw_when_thirteen_entries_then_three_byes_stand_in_the_first_round():
    tournament = an_event(entries=13).publish()
    draw = load_draw(tournament.stage)
    assert [len(r.matches) for r in draw.rounds] == [8, 4, 2, 1]
    assert sum(match.is_bye for match in draw.rounds[0].matches) == 3
    assert draw.played() == (0, 12)


def test_draw_counts_the_matches_that_will_be_played_in_all_its_parts():
    flights = (Flight(FlightKind.PROGRESSIVE, (5,), rounds=2), Flight(FlightKind.LAST_CHANCE, (3,)))
    tournament = an_event(entries=19, bracket=BracketSettings(flights=flights)).publish()
    done, to_play = load_draw(tournament.stage).played()
    assert done == 0
    tournament.play_out()
    assert load_draw(tournament.stage).played() == (to_play, to_play)


def test_draw_expects_nobody_out_of_a_match_that_only_one_can_come_to():
    flights = (Flight(FlightKind.PROGRESSIVE, (5,), rounds=1), Flight(FlightKind.LAST_CHANCE, (3,)))
    tournament = an_event(entries=6, bracket=BracketSettings(flights=flights)).publish()
    draw = load_draw(tournament.stage)
    last_chance = [match for match in draw.matches if match.section == "last_chance"]
    assert last_chance[0].status == "void"  # known before anybody has lost
    assert not any(draw.can_have_entry(side) for side in last_chance[0].sides)
    assert not any(draw.needs_play(match) for match in last_chance)


def test_draw_rebuilds_the_bracket_that_the_seed_drew():
    tournament = an_event(entries=11).publish(seed=99)
    entries = [EntryId(pk) for pk in tournament.division.entries.values_list("pk", flat=True)]
    lines = [side.entry_id for match in load_draw(tournament.stage).rounds[0].matches for side in match.sides]
    assert tuple(lines) == blind_draw(entries, 99)


def test_draw_when_a_match_is_won_then_the_winner_stands_in_the_next_round_and_the_score_beside():
    tournament = an_event(entries=4).publish()
    tournament.settle(first_match(tournament), "b", 2)
    draw = load_draw(tournament.stage)
    played = draw.rounds[0].matches[0]
    assert (played.winner, played.scores) == (Side.B, (2, played.length))
    assert draw.rounds[1].matches[0].sides[0].name == played.sides[1].name


def test_draw_when_both_lost_by_double_walkover_then_nobody_stands_in_the_next_slot():
    tournament = an_event(entries=4).publish()
    tournament.says(first_match(tournament), None, 0, 0, kind="double_walkover")
    final = load_draw(tournament.stage).rounds[1].matches[0]
    assert final.sides[0].vacant
    assert not final.sides[1].vacant


def test_places_when_finished_then_one_winner_and_shared_places_below():
    tournament = an_event(entries=8).publish().play_out()
    (division,) = division_views(tournament.event)
    (view,) = division.stages
    assert sorted(str(place) for place in view.places.values()) == ["1", "2"] + ["3–4"] * 2 + ["5–8"] * 4
    assert view.draw.champion.entry_id == next(iter(view.places))


def test_places_when_running_then_those_still_in_are_not_settled():
    tournament = an_event(entries=4).publish()
    loser = tournament.entry_at(first_match(tournament), "a").pk
    tournament.settle(first_match(tournament), "b")
    (view,) = division_views(tournament.event)[0].stages
    assert [place.settled for entry, place in view.places.items() if entry != loser] == [False] * 3
    assert (str(view.places[loser]), view.places[loser].settled) == ("3–4", True)


def test_places_in_when_asked_again_after_a_result_then_they_are_not_the_old_ones():
    tournament = an_event(entries=2).publish()
    stage = Stage.objects.select_related("division__event").get(pk=tournament.stage.pk)
    assert not any(place.settled for place in places_by_stage([stage])[stage.pk].values())
    tournament.play_out()
    stage = Stage.objects.select_related("division__event").get(pk=tournament.stage.pk)
    assert all(place.settled for place in places_by_stage([stage])[stage.pk].values())


def test_divisions_when_the_draw_is_not_published_then_it_is_not_shown():
    tournament = an_event(entries=4).draw()
    assert Match.objects.filter(stage=tournament.stage).exists()
    (view,) = division_views(tournament.event)[0].stages
    assert view.draw is None
    assert not view.places


def test_entries_are_numbered_in_the_order_of_entering():
    tournament = an_event(entries=5)
    (division,) = division_views(tournament.event)
    assert [(entry.number, entry.name) for entry in division.entries] == list(enumerate(names(5), start=1))
