"""What every kind of result is worth in a table (F12): half points, opponents met, match points, and the rating ledger."""

import pytest

from rating.models import Fact
from tests.factories import an_event
from tests.support.rounds import draw_at, publish_next
from tournaments.engine.matches.adjourning import Adjournment
from tournaments.engine.matches.rulings import Award, AwardReason
from tournaments.engine.stages.swiss import SwissSettings
from tournaments.engine.types import ResultKind, Score, Side
from tournaments.matches.services.rulings import adjourn_match, award_points
from tournaments.models import Match
from tournaments.selectors.standings.tables import pairing_history, standings_table

pytestmark = [pytest.mark.django_db, pytest.mark.by_turns(2)]

BREAKS = ("match_points_won", "match_points_lost", "wins", "wins_played", "head_to_head")


def a_tournament(system="swiss"):
    tournament = an_event(2, system=system, lengths=[5], swiss=SwissSettings(rounds=1, tie_breaks=BREAKS))
    publish_next(tournament)
    return tournament, tournament.playable()[0]


def rows_of(tournament, match):
    rows = {row.entry: row.values for row in standings_table(draw_at(tournament)).rows}
    return [rows[tournament.entry_at(match, side).pk] for side in "ab"]


# kind, score, winner, half points, match points won, wins over the board, has met, rated
KINDS = [
    ("played", (5, 3), None, (2, 0), (5, 3), (1, 0), True, True),
    ("lost_on_time", (2, 4), "a", (2, 0), (2, 4), (1, 0), True, True),
    ("retired", (3, 1), "b", (0, 2), (3, 1), (0, 1), True, True),
    ("walkover", (5, 0), "a", (2, 0), (5, 0), (0, 0), False, False),
    ("walkover", (0, 0), "b", (0, 2), (0, 0), (0, 0), False, False),
    ("forfeit", (0, 5), "b", (0, 2), (0, 5), (0, 0), False, False),
    ("double_walkover", (0, 0), None, (0, 0), (0, 0), (0, 0), False, False),
    ("disqualified", (4, 1), "b", (0, 2), (4, 1), (0, 0), False, False),
    ("settled", (3, 3), "a", (2, 0), (3, 3), (1, 0), True, False),
    ("unfinished", (4, 2), None, (1, 1), (4, 2), (0, 0), True, False),
]


def test_every_kind_that_ends_a_match_is_tried_here():
    assert {kind for kind, *_rest in KINDS} == set(ResultKind) - {ResultKind.BYE, ResultKind.ADJOURNED}


@pytest.mark.parametrize("system", ["swiss", "round_robin"])
@pytest.mark.parametrize(("kind", "score", "winner", "half", "won", "played", "met", "rated"), KINDS)
def test_result_when_it_ends_a_match_then_counts_as_its_kind_says(
    system, kind, score, winner, half, won, played, met, rated
):
    tournament, match = a_tournament(system)
    tournament.says(match, None, *score, kind=kind, winner=winner)
    a, b = rows_of(tournament, match)
    assert (a["points"], b["points"]) == half
    assert (a["match_points_won"], b["match_points_won"]) == won
    assert (a["match_points_lost"], b["match_points_lost"]) == (-won[1], -won[0])
    if system == "round_robin" and not met:  # a match like others where pairings are fixed (C.07, 15.2)
        played = tuple(points // 2 for points in half)
    assert (a["wins_played"], b["wins_played"]) == played
    assert (a["wins"], b["wins"]) == tuple(points // 2 for points in half)
    (round_,) = pairing_history(draw_at(tournament))
    assert round_.meetings[0].played is met
    assert Fact.objects.count() == rated
    assert tournament.fresh().status == "finished"


@pytest.mark.parametrize(("points", "scored"), [(0, 0), (1, 0), (2, 0)])
def test_bye_when_had_then_worth_what_the_director_set_and_no_match_points(points, scored):
    swiss = SwissSettings(rounds=1, bye_points=points, tie_breaks=BREAKS)
    tournament = an_event(3, system="swiss", lengths=[5], swiss=swiss)
    publish_next(tournament)
    bye = tournament.entry_at(Match.objects.get(result_kind="bye"), "a").pk
    row = next(row for row in standings_table(draw_at(tournament)).rows if row.entry == bye)
    assert (row.values["points"], row.values["match_points_won"]) == (points, scored)
    assert row.values["wins_played"] == 0


def test_adjourned_match_when_broken_off_then_counts_for_nothing_and_the_round_is_not_over():
    tournament, match = a_tournament()
    where = {"actor": tournament.actor, "event_id": tournament.event.pk, "match_id": match.pk}
    adjourn_match(**where, adjourned=Adjournment(Score(4, 2)), seen=match.version)
    assert [row["points"] for row in rows_of(tournament, match)] == [0, 0]
    assert [row["match_points_won"] for row in rows_of(tournament, match)] == [0, 0]
    assert tournament.fresh().status == "running"
    match.refresh_from_db()
    tournament.settle(match, "a", 2)
    assert [row["points"] for row in rows_of(tournament, match)] == [2, 0]
    assert tournament.fresh().status == "finished"


def test_starting_score_when_awarded_then_part_of_the_match_points_and_capped_at_the_length():
    tournament, match = a_tournament()
    where = {"actor": tournament.actor, "event_id": tournament.event.pk, "match_id": match.pk}
    award_points(**where, award=Award(Side.A, 2, AwardReason.PENALTY, note="Shouted"), seen=match.version)
    tournament.says(match, None, 5, 1)
    a, b = rows_of(tournament, match)
    assert (a["match_points_won"], b["match_points_won"]) == (5, 1)
    assert Fact.objects.count() == 1  # a match with penalty points is rated (F12)


def test_double_walkover_when_somebody_was_awarded_points_before_then_they_stay_and_win_nothing():
    tournament, match = a_tournament("round_robin")
    where = {"actor": tournament.actor, "event_id": tournament.event.pk, "match_id": match.pk}
    award_points(**where, award=Award(Side.B, 1, AwardReason.START, note="Handicap"), seen=match.version)
    tournament.says(match, None, 0, 1, kind="double_walkover")
    assert [(row["points"], row["match_points_won"]) for row in rows_of(tournament, match)] == [
        (0, 0),
        (0, 1),
    ]
