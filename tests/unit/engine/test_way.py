"""What lies ahead of an entry in a bracket, told from the matches alone."""

import pytest

from config.sample_draws import sample_draw
from tournaments.engine.brackets.structure import SourceKind
from tournaments.engine.brackets.way import BracketPaths, PathNode, PathSide
from tournaments.engine.stages.elimination import Flight, FlightKind
from tournaments.engine.statuses import OVER

FIRST_MATCH = (Flight(FlightKind.FIRST_MATCH, (3,)),)


def ways(draw):
    def line(side):
        return PathSide(SourceKind(side.source_kind), side.source_number, side.entry_id, side.vacant)

    return BracketPaths(
        PathNode(m.number, m.section, m.round_code, (line(m.sides[0]), line(m.sides[1])), m.status in OVER)
        for m in draw.matches
    )


def codes(steps):
    return [step.node.code for step in steps]


def test_way_leads_from_the_next_match_to_the_final_with_everybody_who_could_stand_opposite():
    ahead = ways(sample_draw(8, rounds=0)).onward(1)
    assert (ahead.now.node.code, ahead.now.against.entry) == ("quarterfinal", 8)
    assert codes(ahead.wins) == ["semifinal", "final"]
    assert [sorted(step.candidates) for step in ahead.wins] == [[4, 5], [2, 3, 6, 7]]
    assert ahead.loss is None


def test_matches_with_nobody_opposite_are_passed():
    draw = sample_draw(5, rounds=0)  # seeds 1, 2 and 3 have byes, 4 meets 5
    ahead = ways(draw).onward(4)
    assert (ahead.now.against.entry, codes(ahead.wins)) == (5, ["semifinal", "final"])
    first = ways(draw).onward(1)
    assert (first.now.node.code, first.now.against.entry, sorted(first.now.candidates)) == (
        "semifinal",
        None,
        [4, 5],
    )


def test_whoever_is_out_has_no_way_and_after_a_loss_the_consolation_goes_on():
    draw = sample_draw(8, rounds=1, flights=FIRST_MATCH)
    played = next(match for match in draw.matches if match.section == "main" and match.status in OVER)
    loser = played.sides[1 if played.winner is played.sides[0].side else 0].entry_id
    assert ways(sample_draw(8, rounds=1)).onward(loser) is None
    assert ways(draw).onward(loser).now.node.section == "consolation"


def test_loss_leads_to_the_consolation_unless_it_is_closed_to_who_has_won():
    draw = sample_draw(16, rounds=0, flights=FIRST_MATCH)
    lost = ways(draw).onward(1).loss
    assert lost.node.section == "consolation"
    assert len(lost.candidates) == 2
    ahead = ways(sample_draw(16, rounds=1, flights=FIRST_MATCH))
    winner = next(
        side.entry_id
        for match in sample_draw(16, rounds=1, flights=FIRST_MATCH).matches
        for side in match.sides
        if match.round_code == "quarterfinal" and match.section == "main" and side.entry_id
    )
    assert ahead.onward(winner, has_won=True, closed_sections=frozenset({"consolation"})).loss is None


@pytest.mark.parametrize(("rounds", "entry"), [(0, 1), (0, 8)])
def test_double_elimination_leads_to_the_lower_bracket_and_never_beyond_the_first_final(rounds, entry):
    ahead = ways(sample_draw(8, rounds=rounds, system="double_elimination")).onward(entry)
    assert ahead.wins[-1].node.code == "grand_final"
    assert ahead.loss.node.section == "lower"


def test_only_the_winner_of_the_upper_bracket_has_a_second_final():
    draw = sample_draw(4, rounds=0, system="double_elimination")
    final = next(match for match in draw.matches if match.round_code == "grand_final")
    assert [side.source_kind for side in final.sides] == ["winner_of", "winner_of"]
    for played in range(1, 8):
        draw = sample_draw(4, rounds=played, system="double_elimination")
        final = next(match for match in draw.matches if match.round_code == "grand_final")
        if all(side.entry_id for side in final.sides) and final.status not in OVER:
            upper, lower = (side.entry_id for side in final.sides)
            assert ways(draw).onward(upper).loss.node.code == "recharge"
            assert ways(draw).onward(lower).loss is None
            return
    raise AssertionError("no final was ready")
