"""One small record for each oddity of real files, made by us, with names nobody has. The file says what is odd in its name.

Read, replayed and judged as the table says; written in every format and read again without a change.
"""

from pathlib import Path

import pytest

from games.records.canonical import canonical
from games.records.checking import check_record
from games.records.registry import WRITABLE, read_record, write_record

FOLDER = Path(__file__).parent
ODDITIES = [
    ("and_the_match_missing.mat", "accept", True, (1, 0), []),
    ("automatic_double.sgf", "accept", True, (2, 0), []),
    ("automatic_double_without_a_mark.mat", "accept", True, (2, 0), []),
    ("bar_and_off_as_numbers.mat", "accept", True, (0, 1), []),
    ("bar_and_off_as_words.mat", "accept", True, (0, 1), []),
    ("beaver.mat", "accept", True, (4, 0), []),
    ("beaver_and_raccoon.sgf", "accept", True, (8, 0), []),
    (
        "beaver_in_a_match.mat",
        "accept_with_notes",
        False,
        (4, 0),
        ["match.unfinished", "cube.impossible_stands:cube.no_beavers"],
    ),
    ("bgammon_replay.match", "accept", True, (0, 2), []),
    ("bom_and_crlf.txt", "accept", True, (2, 0), []),
    ("cannot_move.mat", "accept_with_notes", True, (1, 0), ["start.set_up"]),
    ("cannot_move_and_set_up.sgf", "accept_with_notes", True, (1, 0), ["start.set_up"]),
    ("chain_with_a_hit.mat", "accept", True, (0, 1), []),
    ("closed_out_turn_missing.mat", "accept_with_notes", True, (1, 0), ["start.set_up"]),
    ("concedes_before_wins.mat", "accept", True, (1, 0), []),
    ("condoned_illegal_play.mat", "accept_with_notes", True, (1, 0), ["play.condoned"]),
    ("counted_from_one_keys_in_any_order.sgf", "accept", True, (1, 0), []),
    ("counted_from_zero.sgf", "accept", True, (2, 0), []),
    (
        "crawford_double_counted.mat",
        "accept_with_notes",
        True,
        (3, 1),
        ["cube.crawford_stands:cube.crawford"],
    ),
    (
        "crawford_double_unanswered.mat",
        "reject",
        False,
        (2, 0),
        ["cube.impossible:cube.crawford", "game.unfinished"],
    ),
    ("cut_off.sgf", "accept_with_notes", False, (1, 0), ["match.unfinished"]),
    ("dice_and_groups_in_any_order.mat", "accept", True, (0, 1), []),
    ("dice_in_any_order.sgf", "accept_with_notes", True, (1, 0), ["cube.crawford_stands:cube.crawford"]),
    (
        "double_before_the_opening_roll.mat",
        "reject",
        False,
        (1, 0),
        ["match.unfinished", "cube.impossible:cube.before_opening_roll"],
    ),
    ("double_not_answered.mat", "accept_with_notes", False, (2, 0), ["match.unfinished", "cube.unanswered"]),
    (
        "doubled_without_owning_and_played_on.mat",
        "accept_with_notes",
        False,
        (4, 0),
        ["match.unfinished", "cube.impossible_stands:cube.not_owner"],
    ),
    (
        "doubled_without_owning_the_cube.mat",
        "reject",
        False,
        (2, 0),
        ["match.unfinished", "cube.impossible:cube.not_owner"],
    ),
    ("drops_without_a_double.txt", "accept", True, (1, 0), []),
    ("empty.txt", "unreadable", False, None, ["file.empty"]),
    ("empty_names.mat", "accept", True, (1, 0), []),
    ("empty_roll.mat", "accept_with_notes", True, (1, 0), ["start.set_up"]),
    ("empty_roll_with_a_legal_play.mat", "accept_with_notes", True, (1, 0), ["play.unplayed"]),
    ("escapes_variations_and_notes.sgf", "accept", True, (1, 0), []),
    (
        "first_game_missing.mat",
        "accept_with_notes",
        False,
        (3, 0),
        ["match.starting_score", "match.games_missing"],
    ),
    ("fibs_oldmoves.txt", "accept_with_notes", False, (2, 0), ["game.unfinished"]),
    ("fixed_numbering.mat", "accept_with_notes", True, (1, 0), ["play.illegal_stands:play.backwards"]),
    ("galaxy_money_as_16_points.txt", "accept_with_notes", True, (0, 2), ["match.galaxy_money"]),
    (
        "galaxy_money_above_16_points.txt",
        "accept_with_notes",
        True,
        (16, 0),
        ["match.galaxy_money", "start.set_up"],
    ),
    ("games_after_the_end.mat", "reject", True, (1, 0), ["match.games_after_end"]),
    ("gammon_from_a_set_position.mat", "accept_with_notes", True, (2, 0), ["start.set_up"]),
    ("header_of_galaxy.txt", "accept_with_notes", False, (0, 1), ["match.unfinished"]),
    ("header_of_ppnards.txt", "accept", True, (1, 0), []),
    ("hit_without_its_star.mat", "accept_with_notes", True, (0, 3), ["star.missing"]),
    ("hits_without_star.txt", "accept", True, (0, 1), []),
    ("illegal_last_play.mat", "reject", True, (1, 0), ["start.set_up", "play.illegal:play.not_rolled"]),
    (
        "illegal_play_played_on.mat",
        "accept_with_notes",
        True,
        (1, 0),
        ["play.illegal_stands:play.not_rolled"],
    ),
    ("jacoby_gammon.mat", "accept_with_notes", True, (1, 0), ["start.set_up"]),
    ("joined_step.mat", "accept", True, (1, 0), []),
    ("joined_step_over_a_blot.mat", "accept", True, (1, 0), []),
    (
        "last_checker_with_one_die.mat",
        "accept_with_notes",
        True,
        (1, 0),
        ["start.set_up", "play.last_checker"],
    ),
    ("losses_on_a_line_alone.txt", "accept", True, (1, 0), []),
    ("match_claimed_too_soon.mat", "reject", False, (1, 0), ["match.unfinished", "match.claimed_over"]),
    ("money_session.mat", "accept", True, (2, 0), []),
    ("nackgammon.mat", "reject", False, None, ["record.variation"]),
    ("name_changes.mat", "accept_with_notes", True, (3, 0), ["match.name_changes"]),
    (
        "name_changes_with_the_score.mat",
        "reject",
        False,
        (1, 0),
        ["match.unfinished", "match.players_change", "score.carried", "match.claimed_over"],
    ),
    ("names_with_blanks_and_slashes.mat", "accept", True, (1, 0), []),
    ("narrow_columns.txt", "accept", True, (1, 0), []),
    ("nick_and_rating.mat", "accept", True, (1, 0), []),
    ("no_length_line.mat", "accept_with_notes", False, (1, 0), ["match.length_missing"]),
    ("one_wrong_pip.mat", "doubtful", True, (0, 1), ["play.slip:play.not_rolled"]),
    ("opening_double.mat", "accept_with_notes", True, (1, 0), ["dice.opening_double"]),
    ("other_game.sgf", "unreadable", False, None, ["sgf.not_backgammon"]),
    ("other_start_position.mat", "reject", False, None, ["record.variation"]),
    ("pass_for_no_play.mat", "accept_with_notes", True, (1, 0), ["start.set_up"]),
    ("play_left_out.mat", "doubtful", True, (0, 1), ["play.lost"]),
    ("points_above_the_need.mat", "accept_with_notes", True, (1, 0), ["start.set_up", "points.uncapped"]),
    ("points_capped_to_the_length.mat", "accept", True, (3, 0), []),
    ("points_capped_to_the_need.mat", "accept_with_notes", True, (1, 0), ["start.set_up"]),
    ("points_contradict_the_cube.mat", "reject", False, (2, 0), ["match.unfinished", "points.contradict"]),
    ("prose.txt", "unreadable", False, None, ["file.unknown_format"]),
    ("raccoon.mat", "accept", True, (8, 0), []),
    ("repeated_groups.mat", "accept", True, (0, 1), []),
    ("resigned_after_rolling.mat", "accept", True, (1, 0), []),
    ("resigned_and_accepted.sgf", "accept", True, (2, 0), []),
    ("resigned_and_accepted_without_a_result.sgf", "accept", True, (2, 0), []),
    ("resigned_before_rolling.mat", "accept", True, (1, 0), []),
    ("resigned_by_an_empty_roll.mat", "accept", True, (1, 0), []),
    ("result_alone_on_the_right.mat", "accept", True, (0, 1), []),
    ("result_in_the_right_column.mat", "accept", True, (0, 1), []),
    ("result_missing_in_the_middle.mat", "accept_with_notes", True, (2, 0), ["result.missing"]),
    ("right_player_opens.mat", "accept", True, (0, 1), []),
    ("row_number_twice.txt", "accept", True, (1, 0), []),
    ("score_carried_wrong.mat", "reject", False, (4, 0), ["match.unfinished", "score.carried"]),
    ("set_position.mat", "accept_with_notes", True, (1, 0), ["start.set_up"]),
    ("singular_for_plural.mat", "accept_with_notes", False, (0, 2), ["match.unfinished"]),
    ("star_without_a_hit.mat", "accept_with_notes", True, (0, 3), ["star.false"]),
    ("starting_score.mat", "accept_with_notes", True, (3, 0), ["match.starting_score"]),
    ("time_out_code.mat", "accept_with_notes", True, (0, 7), ["points.oversized"]),
    ("turn_missing.mat", "accept_with_notes", True, (1, 0), ["turn.missing"]),
    (
        "two_matches_in_one_file.mat",
        "accept_with_notes",
        False,
        (1, 0),
        ["file.second_match", "match.unfinished"],
    ),
    ("unfinished_game.mat", "accept_with_notes", False, (1, 0), ["game.unfinished"]),
    ("unfinished_match.mat", "accept_with_notes", False, (1, 0), ["match.unfinished"]),
    ("utf_8_names.mat", "accept", True, (1, 0), []),
    ("whole_match_forfeited.txt", "accept_with_notes", True, (0, 5), ["game.forfeit"]),
    ("wide_columns.txt", "accept", True, (1, 0), []),
    ("windows_1252.mat", "accept", True, (1, 0), []),
    ("winner_contradicts_play.mat", "reject", False, (1, 0), ["match.unfinished", "result.winner"]),
    (
        "words_nobody_understands.mat",
        "reject",
        False,
        (1, 0),
        ["match.unfinished", "cell.unreadable", "turn.missing"],
    ),
]
IN_ORDER = [name for name, decision, _, _, _ in ODDITIES if decision.startswith("accept")]


def codes_of(checked):
    if checked.unreadable is not None:
        return [checked.unreadable.code]
    return [
        found.code + (f":{found.params['reason']}" if found.params.get("reason") else "")
        for found in checked.verdict.findings
    ]


@pytest.mark.parametrize(
    ("name", "decision", "complete", "score", "codes"), ODDITIES, ids=[row[0] for row in ODDITIES]
)
def test_odd_record_when_checked_then_judged_as_told(name, decision, complete, score, codes):
    checked = check_record((FOLDER / name).read_bytes(), name)

    assert codes_of(checked) == codes
    assert checked.verdict.decision == decision
    assert checked.verdict.complete is complete
    assert checked.verdict.score == score


def test_folder_when_listed_then_every_file_is_in_the_table():
    files = {
        file.name
        for file in FOLDER.iterdir()
        if file.is_file() and file.suffix in {".mat", ".txt", ".sgf", ".match"}
    }

    assert files == {row[0] for row in ODDITIES}


@pytest.mark.parametrize("name", IN_ORDER)
@pytest.mark.parametrize("code", WRITABLE)
def test_odd_record_when_written_then_reads_back_but_for_the_losses(name, code):
    plain = canonical(read_record((FOLDER / name).read_bytes(), name).record)

    written = write_record(plain, code)
    back = canonical(read_record(written.data).record)

    if not written.losses:
        assert back == plain
    if code == "json":
        assert not written.losses


def test_findings_when_made_then_point_at_line_and_column():
    checked = check_record((FOLDER / "illegal_play_played_on.mat").read_bytes())

    (found,) = [found for found in checked.verdict.findings if found.code == "play.illegal_stands"]

    assert (found.game, found.turn, found.line, found.column, found.rule) == (1, 1, 5, 6, "R12")
