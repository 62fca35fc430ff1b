"""The desk line's grammar: what a director types, read against a small hall."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from tournaments.engine.desk.reading import format_command, needs_entries, parse_command
from tournaments.engine.desk.values import (
    AdjournCommand,
    CallMatchCommand,
    CallNextCommand,
    ClockOffCommand,
    ClockOnCommand,
    CommandEntry,
    CommandMatch,
    CommandRefusal,
    CommandTargets,
    HelpCommand,
    LatenessCommand,
    MatchActionCommand,
    ParsedCommands,
    ResultCommand,
    SideReport,
    SwapTablesCommand,
    UndoCommand,
    WithdrawCommand,
    make_refusal,
)
from tournaments.engine.desk.vocabulary import vocabulary_for
from tournaments.engine.matches.rulings import ClockStart
from tournaments.engine.statuses import MatchAction, MatchStatus
from tournaments.engine.types import Claim, MatchNo, ResultKind, Score, Side

EN, DE = vocabulary_for("en"), vocabulary_for("de")


def a_match(number, left, right, *, table=None, status=MatchStatus.PLAYING, length=7, **more) -> CommandMatch:
    return CommandMatch(
        pk=number + 1000 * more.get("stage", 0),
        public_id=f"m{number + 1000 * more.get('stage', 0)}",
        number=MatchNo(number),
        version=3,
        status=status,
        length=length,
        table=table,
        names=(left, right),
        **more,
    )


BOB = a_match(74, "Bob Smith", "Ann Lind", table=12)
SOREN = a_match(75, "Søren Žižka", "Þóra Müller", table=3)
HALL = CommandTargets(
    matches=(
        BOB,
        SOREN,
        a_match(9, "Łukasz Ødegård", "Jean-Luc O'Brien", table=9, status=MatchStatus.READY, length=5),
        a_match(12, "Carl Ek", "Dan Falk"),
        a_match(80, "Bobby Fix", "Eva Gil", table=5),
        a_match(81, "Wolf Ann", "Wanda Hill", table=6),
    ),
    tables=14,
    closed=frozenset({14}),
    entries=(
        CommandEntry("e1", "Bob Smith"),
        CommandEntry("e2", "Bobby Fix"),
        CommandEntry("e3", "Ann Lind"),
    ),
)


def meant(line, words=EN, desk=HALL):
    reading = parse_command(line, words, desk)
    assert isinstance(reading, ParsedCommands), reading
    return reading.commands


def one(line, words=EN, desk=HALL):
    found = meant(line, words, desk)
    assert len(found) == 1, found
    return found[0]


def why(line, words=EN, desk=HALL):
    reading = parse_command(line, words, desk)
    assert isinstance(reading, CommandRefusal), reading
    return reading.faults[0].code


@pytest.mark.parametrize(
    ("line", "number", "a", "b"),
    [
        ("12 bob", 74, 7, 0),
        ("  12   BOB ", 74, 7, 0),
        ("12 bob 3", 74, 7, 3),
        ("12 7-3", 74, 7, 3),
        ("12 3-7", 74, 3, 7),
        ("12 3 – 7", 74, 3, 7),
        ("12 7:3", 74, 7, 3),
        ("12 7 3", 74, 7, 3),
        ("12 ann", 74, 0, 7),
        ("12 ann 6", 74, 6, 7),
        ("12 ann 7-6", 74, 6, 7),
        ("bob smith 7 3", 74, 7, 3),
        ("smith 7-3", 74, 7, 3),
        ("smi bo 3", 74, 7, 3),
        ("bs 3", 74, 7, 3),
        ("b s 3", 74, 7, 3),
        ("bob ann 3", 74, 7, 3),  # Bob beats Ann
        ("ann bob 3", 74, 3, 7),
        ("bob smith - ann lind 7-3", 74, 7, 3),
        ("#74 bob", 74, 7, 0),
        ("# 74 bob 5", 74, 7, 5),
        ("#74 7-5", 74, 7, 5),
        ("3 soren", 75, 7, 0),
        ("3 søren", 75, 7, 0),
        ("3 zizka 2", 75, 7, 2),
        ("3 thora", 75, 0, 7),
        ("3 mueller 4", 75, 4, 7),
        ("3 müller 4", 75, 4, 7),
        ("3 muller 4", 75, 4, 7),
        ("lukasz 3", 9, 5, 3),
        ("oedegaard 3", 9, 5, 3),
        ("obrien 3", 9, 3, 5),
        ("o'brien 3", 9, 3, 5),
        ("jeanluc 3", 9, 3, 5),
        ("luc 3", 9, 3, 5),
        ("12 dan", 12, 0, 7),  # nobody called Dan at table 12, but match 12 is his
    ],
)
def test_result_when_typed_then_understood_as_one(line, number, a, b):
    found = one(line)
    assert isinstance(found, ResultCommand)
    assert (found.match.number, found.claim.score_a, found.claim.score_b) == (number, a, b)
    assert found.winner is (Side.A if a > b else Side.B)
    assert found.claim.kind is ResultKind.PLAYED


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("", "desk.empty"),
        ("12", "desk.who_won"),
        ("12 7", "desk.who_won"),
        ("7-3", "desk.which_match"),
        ("bob smith", "desk.which_result"),
        ("bob", "desk.several_of_that_name"),
        ("12 bob 7", "desk.loser_points"),
        ("12 bob 99", "desk.loser_points"),
        ("12 6-3", "score.none_at_length"),
        ("12 7-7", "score.both_at_length"),
        ("12 8-3", "score.winner_not_at_length"),
        ("12 7 3 2", "desk.too_many_numbers"),
        ("12 7-3 2", "desk.too_many_numbers"),
        ("12 #74 bob", "desk.too_many_numbers"),
        ("12 carla", "desk.not_in_this_match"),
        ("2 7-3", "desk.table_free"),
        ("74 7-3", "desk.table_free_but_match"),  # without a name a bare number is never a match
        ("#700 bob", "desk.no_such_match"),
        ("zoe 3", "desk.nobody"),
        ("12 bob ???", "desk.unreadable"),
        ("call 3", "desk.not_to_call"),
        ("call 4", "desk.table_free"),
        ("late bob smith", "desk.how_late"),
        ("late 12", "desk.usage"),
        ("late bob smith 900", "award.minutes_odd"),
        ("out", "desk.usage"),
        ("out zoe", "desk.no_entry"),
        ("swap 3", "desk.usage"),
        ("swap 3 3", "desk.usage"),
        ("swap 3 15", "match.table_odd"),
        ("swap 3 14", "table.closed"),
        ("swap 1 2", "desk.both_free"),
        ("undo 3", "desk.usage"),
        ("12 retired bob", "desk.how_it_stood"),
        ("12 retired bob 3", "desk.how_it_stood"),
        ("12 retired bob 7-3", "score.loser_at_length"),
        ("12 unfinished", "desk.how_it_stood"),
        ("12 unfinished 7-3", "score.must_be_below_length"),
        ("12 forfeit bob 3-7", "desk.walkover_score"),
        ("12 nobody 1-0", "desk.walkover_score"),
        ("retired bob 3-2 1", "desk.too_many_numbers"),
        ("ok", "desk.nothing_reported"),
        ("12 ok", "desk.not_reported"),
        ("ok 12 3", "desk.usage"),
        ("start 12", "match.start_refused"),
        ("back 9", "match.send_back_refused"),
        ("resume 12", "match.resume_refused"),
        ("resume", "desk.usage"),
        ("adjourn 12", "desk.how_it_stood"),
        ("adjourn 12 7-3", "score.must_be_below_length"),
        ("clock", "desk.usage"),
        ("clock 2", "desk.table_free"),
        ("clock 12 5", "desk.how_it_stood"),
        ("clock 12 7-3", "clock.score_odd"),
        ("clock 12 off", "clock.not_on"),
        ("off", "desk.usage"),
        ("off 12 5-3", "desk.usage"),
        ("9" * 70, "desk.who_won"),
    ],
)
def test_line_when_it_means_nothing_then_says_why(line, code):
    if line == "9" * 70:
        assert why(line) in {"desk.who_won", "desk.table_free"}
    else:
        assert why(line) == code


def test_call_when_the_match_is_under_way_then_the_refusal_says_which():
    reading = parse_command("call 3", EN, HALL)
    assert isinstance(reading, CommandRefusal)
    assert reading == make_refusal("desk.not_to_call", SOREN)


def test_name_when_two_matches_fit_then_both_are_meant():
    assert {m.match.number for m in meant("bob 7 3")} == {74, 80}
    assert {m.match.number for m in meant("bo 3")} == {74, 80}


def test_name_when_both_sides_fit_then_both_are_meant():
    hall = CommandTargets((a_match(1, "Ann Lind", "Anna Berg", table=1),), tables=1)
    assert {m.winner for m in meant("1 ann 3", desk=hall)} == {Side.A, Side.B}
    assert one("1 ann l 3", desk=hall).winner is Side.A


@pytest.mark.parametrize("line", ["12 ann 3 7", "12 ann 3-7", "lind 3-7"])
def test_points_when_the_smaller_stand_first_beside_a_name_then_asked_who_won(line):
    """Her own points first, or written as on the slip."""
    assert [(m.claim.score_a, m.claim.score_b) for m in meant(line)] == [(7, 3), (3, 7)]


def test_words_when_somebody_is_called_so_then_not_two_names():
    hall = CommandTargets((a_match(1, "Wolf Ann", "Zed"), a_match(2, "Wolfgang Oz", "Ann Lind")), tables=0)
    assert one("wolf ann 3", desk=hall).match.number == 1
    assert one("oz ann 3", desk=hall).match.number == 2


def test_number_when_two_stages_have_such_a_match_then_both_are_meant():
    hall = CommandTargets((a_match(4, "Ann", "Bob", stage=1), a_match(4, "Carl", "Dan", stage=2)), tables=0)
    assert {m.match.names[0] for m in meant("#4 7-3", desk=hall)} == {"Ann", "Carl"}
    assert one("#4 bob", desk=hall).match.names[1] == "Bob"


def test_score_when_it_fits_one_of_two_then_that_one_is_meant():
    hall = CommandTargets((a_match(1, "Ann A", "Bob"), a_match(2, "Ann B", "Carl", length=5)), tables=0)
    assert one("ann 7 6", desk=hall).match.number == 1


def test_walkover_when_a_name_stands_beside_it_then_that_one_goes_on():
    for line in (
        "#74 w/o ann",
        "#74 ann w/o",
        "12 walkover ann",
        "w/o ann lind",
        "12 w/o ann 7-0",
        "12 w/o 0-7",
    ):
        found = one(line)
        assert found.claim == Claim(0, 7, ResultKind.WALKOVER, Side.B), line
    assert why("12 w/o ann 7-3") == "desk.walkover_score"


def test_walkover_when_nobody_is_named_then_both_are_meant():
    assert {m.winner for m in meant("12 w/o")} == {Side.A, Side.B}


def test_word_when_it_begins_a_name_as_well_then_both_are_meant():
    """“wo” is a walk-over, and the beginning of Wolf."""
    kinds = {m.claim.kind for m in meant("6 wo")}
    assert kinds == {ResultKind.PLAYED, ResultKind.WALKOVER}
    hall = CommandTargets((a_match(1, "Callum Oz", "Bob", table=3, status=MatchStatus.READY),), tables=4)
    assert {type(m) for m in meant("call 3", desk=hall)} == {CallMatchCommand, ResultCommand}
    assert one("call", desk=hall) == CallNextCommand()


@pytest.mark.parametrize(
    ("line", "claim"),
    [
        ("12 retired bob 3-2", Claim(3, 2, ResultKind.RETIRED, Side.B)),
        ("ret 12 ann 4 1", Claim(1, 4, ResultKind.RETIRED, Side.A)),
        ("12 time bob 6-5", Claim(6, 5, ResultKind.LOST_ON_TIME, Side.B)),
        ("12 forfeit ann", Claim(7, 0, ResultKind.FORFEIT, Side.A)),
        ("12 forfeits ann 0-7", Claim(7, 0, ResultKind.FORFEIT, Side.A)),
        ("12 dsq ann", Claim(7, 0, ResultKind.DISQUALIFIED, Side.A)),
        ("#74 dsq ann 5-2", Claim(2, 5, ResultKind.DISQUALIFIED, Side.A)),
        ("12 settled ann 5-3", Claim(3, 5, ResultKind.SETTLED, Side.B)),
        ("12 ann 5-3 agreed", Claim(3, 5, ResultKind.SETTLED, Side.B)),
        ("12 nobody", Claim(0, 0, ResultKind.DOUBLE_WALKOVER)),
        ("nobody smith", Claim(0, 0, ResultKind.DOUBLE_WALKOVER)),
        ("12 unfinished 5-3", Claim(5, 3, ResultKind.UNFINISHED)),
        ("12 ann unfinished 5-3", Claim(3, 5, ResultKind.UNFINISHED)),
    ],
)
def test_other_endings_when_typed_then_the_kind_the_winner_and_the_score(line, claim):
    """Who did something is named behind the word; who goes on, beside it."""
    found = one(line)
    assert (found.claim, found.winner) == (claim, claim.winner)


def test_endings_when_the_word_stands_behind_the_name_then_asked_who_it_was():
    """“ann 5-3 ret”: as newspapers write it Ann has won; as others do, she has given up."""
    for line in ("12 ann 5-3 ret", "12 5-3 ret"):
        assert {m.winner for m in meant(line)} == {Side.A, Side.B}, line


CLAIMS = (SideReport(Side.A, Claim(7, 3)), SideReport(Side.B, Claim(2, 7)))
DISPUTED = a_match(74, "Bob Smith", "Ann Lind", table=12, status=MatchStatus.DISPUTED, open_reports=CLAIMS)
AGREED = a_match(
    75,
    "Carl Ek",
    "Dan Falk",
    table=3,
    status=MatchStatus.REPORTED,
    open_reports=(SideReport(Side.A, Claim(7, 3)), SideReport(Side.B, Claim(7, 3, winner=Side.A))),
)
TALK = CommandTargets((DISPUTED, AGREED), tables=14)


def test_confirm_when_one_thing_was_said_then_that():
    found = one("3 ok", desk=TALK)
    assert (found.claim, found.claimed_by) == (Claim(7, 3, winner=Side.A), (Side.A, Side.B))
    assert one("ok carl", desk=TALK) == found
    assert one("3 carl 3", desk=TALK).mark == found.mark  # the same result, typed


def test_confirm_when_two_things_were_said_then_asked_or_the_word_of_whom_it_names():
    assert [m.claim.score for m in meant("12 ok", desk=TALK)] == [Score(7, 3), Score(2, 7)]
    assert one("12 ok bob", desk=TALK).winner is Side.A
    assert one("ok 12 ann", desk=TALK).claim.score == Score(2, 7)
    assert len(meant("ok", desk=TALK)) == 3


def test_confirm_when_a_penalty_has_come_in_between_then_refused():
    penalised = a_match(
        74,
        "Bob",
        "Ann",
        table=1,
        status=MatchStatus.REPORTED,
        open_reports=CLAIMS[1:],
        minimum_score=Score(3, 0),
    )
    assert why("1 ok", desk=CommandTargets((penalised,), tables=14)) == "score.below_start"


def test_steps_when_typed_then_of_that_match():
    assert one("start 9") == one("9 start") == one("start luk")
    assert one("start 9").mark == "start:m9:3"
    assert one("back 12") == MatchActionCommand(BOB, MatchAction.SEND_BACK)
    adjourned = a_match(74, "Bob Smith", "Ann Lind", status=MatchStatus.ADJOURNED)
    hall = CommandTargets((adjourned,), tables=14)
    for line in ("resume #74", "#74 resume", "bob resume"):
        assert one(line, desk=hall) == MatchActionCommand(adjourned, MatchAction.RESUME), line
    assert why("adjourn #74 5-3", desk=hall) == "desk.adjourned_already"


def test_adjournment_when_typed_then_at_the_score_with_the_named_side_first():
    assert one("adjourn 12 5-3") == one("12 adjourned 5 3") == AdjournCommand(BOB, Score(5, 3))
    assert one("adjourn ann lind 5-3") == AdjournCommand(BOB, Score(3, 5))


def test_word_when_somebody_is_called_so_then_the_match_of_that_name_as_well():
    hall = CommandTargets((a_match(1, "Johann Back", "Zed", table=2),), tables=14)
    assert one("back 7 3", desk=hall).claim == Claim(7, 3, winner=Side.A)
    assert [type(m) for m in meant("2 back", desk=hall)] == [MatchActionCommand, ResultCommand]


def test_points_when_given_before_the_first_game_then_counted():
    hall = CommandTargets((a_match(1, "Ann", "Bob", table=1, minimum_score=Score(0, 2)),), tables=14)
    assert one("1 ann", desk=hall).claim.score_b == 2
    assert why("1 ann 1", desk=hall) == "desk.loser_points"
    assert why("1 7-1", desk=hall) == "score.below_start"


def test_calls_when_typed_then_the_next_or_the_one():
    assert one("call") == CallNextCommand()
    assert one("call 9").match.number == 9
    assert one("call #9").match.number == 9
    assert one("call luk").match.number == 9


def test_lateness_when_typed_then_what_the_schedule_says():
    late = one("late bob smith 12")
    assert isinstance(late, LatenessCommand)
    assert (late.match, late.side, late.penalty.points) == (BOB, Side.A, 1)
    assert one("late 12 bob 12") == late
    assert one("late 12 bob 3").penalty.points == 0


def test_clock_when_typed_then_put_on_and_with_a_score_the_named_side_s_points_first():
    assert (
        one("clock 12")
        == one("12 clock")
        == one("clock #74")
        == one("clock bob smith")
        == ClockOnCommand(BOB)
    )
    assert one("clock 12 5-3") == one("12 clock 5 3") == ClockOnCommand(BOB, Score(5, 3))
    assert one("clock lind 5-3").mark == "clock:m74:3:3-5"


def test_clock_when_one_is_on_then_taken_off_or_its_score_written_down():
    on = replace(BOB, clock=ClockStart(datetime(2026, 11, 23, 20, tzinfo=UTC)))
    hall = CommandTargets((on,), tables=14)
    for line in ("clock 12 off", "12 clock off", "clock off 12", "off 12", "12 off", "off bob", "off #74"):
        assert one(line, desk=hall) == ClockOffCommand(on), line
        for words in (EN, DE):
            assert meant(format_command(ClockOffCommand(on), words), words, hall) == (ClockOffCommand(on),)
    assert one("uhr 12 weg", DE, hall) == ClockOffCommand(on)
    assert why("clock 12", desk=hall) == "clock.on_already"
    assert one("clock 12 5-3", desk=hall) == ClockOnCommand(on, Score(5, 3))
    assert (
        why("clock 12", desk=CommandTargets((replace(BOB, has_clock=True),), tables=14)) == "clock.from_start"
    )


def test_off_when_it_begins_a_name_then_the_one_that_can_be_done():
    """Without a clock to take off it is Offermann’s match that gets one, or Offermann who has won."""
    hall = CommandTargets((a_match(1, "Gerd Offermann", "Bob", table=3),), tables=4)
    assert [type(m) for m in meant("clock 3 off", desk=hall)] == [ClockOnCommand]
    assert one("3 off", desk=hall).winner is Side.A


def test_lateness_when_the_match_is_lost_by_it_then_that_result():
    lost = one("late 12 bob 40")
    assert lost.claim == Claim(0, 7, ResultKind.WALKOVER, Side.B)
    assert lost.late == 40


def test_other_deeds_when_typed_then_understood():
    assert [m.entry.name for m in meant("out bob")] == ["Bob Smith", "Bobby Fix"]
    assert one("out smith") == WithdrawCommand(HALL.entries[0])
    assert one("swap 3 12") == SwapTablesCommand((3, 12), (SOREN, BOB))
    assert one("swap 12 1").matches == (BOB, None)
    assert one("undo") == UndoCommand()
    assert one("?") == one("help") == HelpCommand()


@pytest.mark.parametrize(
    ("line", "english"),
    [
        ("ruf", "call"),
        ("ruf 9", "call 9"),
        ("spät 12 bob 12", "late 12 bob 12"),
        ("spaet 12 bob 12", "late 12 bob 12"),
        ("verspätet 12 bob 12", "late 12 bob 12"),
        ("raus smith", "out smith"),
        ("tausch 3 12", "swap 3 12"),
        ("zurück", "undo"),
        ("zurueck", "undo"),
        ("#74 kampflos ann", "#74 w/o ann"),
        ("12 aufgabe bob 3-2", "12 retired bob 3-2"),
        ("12 zeit bob 3-2", "12 time bob 3-2"),
        ("12 verzicht bob", "12 forfeit bob"),
        ("12 keiner", "12 nobody"),
        ("vertagen 12 5-3", "adjourn 12 5-3"),
        ("los 9", "start 9"),
        ("wartet 12", "back 12"),
        ("12 bob 3", "12 bob 3"),
        ("undo", "undo"),
        ("hilfe", "?"),
        ("uhr 12", "clock 12"),
        ("12 uhr 5-3", "clock 12 5-3"),
    ],
)
def test_german_when_typed_then_the_same(line, english):
    assert meant(line, DE) == meant(english)


def test_marks_when_the_match_has_changed_then_differ():
    later = a_match(74, "Bob Smith", "Ann Lind", table=12)
    later = CommandMatch(**{**{f: getattr(later, f) for f in later.__slots__}, "version": 4})
    assert one("12 bob").mark != one("12 bob", desk=CommandTargets((later,), tables=14)).mark
    assert one("12 bob").mark != one("12 ann").mark
    assert one("12 bob").mark == "result:m74:3:played:7-0:a"


def test_entries_when_nobody_leaves_then_not_asked_for():
    assert needs_entries("out bob", EN)
    assert not needs_entries("12 bob", EN)


@pytest.mark.parametrize(
    "line",
    [
        "12 bob 3",
        "3 thora",
        "#74 w/o ann",
        "call 9",
        "late 12 bob 12",
        "late 12 bob 40",
        "12 retired bob 3-2",
        "12 time ann 3-2",
        "12 forfeit ann",
        "12 dsq ann 5-2",
        "12 settled ann 5-3",
        "12 nobody",
        "12 unfinished 5-3",
        "start 9",
        "back 12",
        "adjourn 12 5-3",
        "swap 3 12",
        "out smith",
        "call",
        "undo",
        "?",
        "clock 12",
        "clock 12 5-3",
    ],
)
def test_printed_when_read_again_then_the_same(line):
    for words in (EN, DE):
        meaning = one(line)
        assert one(format_command(meaning, words), words) == meaning
