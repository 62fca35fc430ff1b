"""Round trips and invariants over matches that `games.rules` made by chance, and over files that nobody wrote."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.messages import UNREADABLE, describe, known_codes
from games.records.canonical import canonical
from games.records.checking import check_record
from games.records.findings import SEVERITIES
from games.records.model import CubeKind, Roll
from games.records.registry import WRITABLE, read_record, write_record
from games.records.steps import read_steps, write_steps
from games.records.validation import ExpectedMatch, VerdictDecision, replay, validate
from games.rules.formats import MatchFormat
from games.rules.numbering import Numbering, label
from games.rules.sides import Side
from tests.support.fuzzed_records import exercise, inputs
from tests.support.random_matches import random_match
from tests.support.xg_files import xg_file

FORMATS = [
    MatchFormat(length=1),
    MatchFormat(length=2),
    MatchFormat(length=5),
    MatchFormat(length=9),
    MatchFormat(),
    MatchFormat(jacoby=True, beavers=True),
]
NAMES = st.text(st.characters(categories=("L", "N", "P", "S", "Zs"), max_codepoint=0x2FFF), max_size=30)

ANY_FORMAT = st.sampled_from(FORMATS)
TWO_NAMES = st.just(("Ada Point", "Bo Bar"))


@st.composite
def matches(draw, forms=ANY_FORMAT, names=TWO_NAMES):
    form = draw(forms)
    rng = Random(draw(st.integers(0, 2**32)))
    return form, random_match(rng, form, games=2, names=draw(names), quick=0.05)


@given(matches(), st.sampled_from(WRITABLE))
@settings(max_examples=40, deadline=None)
def test_legal_match_when_written_and_read_then_the_same_record(made, code):
    _, record = made

    written = write_record(record, code)

    assert written.losses == ()
    assert canonical(read_record(written.data).record) == record


@given(matches())
@settings(max_examples=15, deadline=None)
def test_legal_match_when_kept_by_xg_then_read_as_the_same_games(made):
    _, record = made

    assert canonical(read_record(xg_file(record)).record).games == record.games


def as_fibs(record):
    """Oldmoves as the server lists them: X counts down, O counts up, no result lines but resignations."""
    lines = []
    for game in record.games:
        kind = f"{record.length} point match" if record.length else "money game"
        lines += [
            f"Score is {game.score_before[0]}-{game.score_before[1]} in a {kind}.",
            "ann is X - bob is O",
        ]
        for action in game.actions:
            mark = "X" if action.side is Side.WHITE else "O"
            if isinstance(action, Roll):
                words = [fibs_step(step, up=mark == "O") for step in action.steps] or ["can't move"]
                lines.append(f"{mark}: ({action.dice[0]} {action.dice[1]}) {' '.join(words)}")
            else:
                words = {CubeKind.DOUBLE: "doubles", CubeKind.TAKE: "accepts", CubeKind.PASS: "rejects"}
                lines.append(f"{mark}: {words[action.kind]}")
        if game.result.resigned:
            loser = "O" if game.result.winner is Side.WHITE else "X"
            lines += [
                f"{loser}: resigns. {game.result.points} points",
                f"{'X' if loser == 'O' else 'O'}: accepts",
            ]
    return "\n".join(lines).encode()


def fibs_step(step, *, up):
    source, target = (25 - step.source, 25 - step.target) if up else (step.source, step.target)
    return f"{'bar' if step.source == 25 else source}-{'off' if step.target == 0 else target}"


@given(matches(forms=st.sampled_from(FORMATS[:5])))
@settings(max_examples=20, deadline=None)
def test_legal_match_when_listed_by_fibs_then_read_as_the_same_games(made):
    _, record = made

    back = canonical(read_record(as_fibs(record)).record)

    assert back.players == ("ann", "bob")
    assert back.games == record.games


def as_bgammon(record):
    """A replay of bgammon.org: a line for each game, then its events, all moves from player 1's view."""
    lines = ["bgammon-replay 00000000"]
    for game in record.games:
        winner = game.result.winner.column + 1
        before = f"{game.score_before[0]} {game.score_before[1]}"
        lines.append(f"i 1702738670 ann bob {record.length} {before} {winner} {game.result.points} 0")
        for action, answer in zip(game.actions, (*game.actions[1:], None), strict=True):
            number = action.side.column + 1
            if isinstance(action, Roll):
                up = number == 2
                words = "".join(" " + fibs_step(step, up=up).replace("-", "/") for step in action.steps)
                lines.append(f"{number} r {action.dice[0]}-{action.dice[1]}{words}")
            elif action.kind is CubeKind.DOUBLE:
                lines.append(f"{number} d {action.value} {int(answer.kind is CubeKind.TAKE)}")
        if game.result.resigned:
            lines.append(f"{3 - winner} t")
    return "\n".join(lines).encode()


@given(matches(forms=st.sampled_from(FORMATS[:4])))
@settings(max_examples=15, deadline=None)
def test_legal_match_when_replayed_by_bgammon_then_read_as_the_same_games(made):
    _, record = made

    back = canonical(read_record(as_bgammon(record)).record)

    assert back.tag("EventDate") == "2023.12.16"
    assert (back.players, back.length, back.games) == (("ann", "bob"), record.length, record.games)


@given(matches())
@settings(max_examples=30, deadline=None)
def test_legal_match_when_validated_then_accepted_with_its_score(made):
    form, record = made

    verdict = validate(
        record, form, ExpectedMatch(length=form.length or 0, players=(("ada point",), ("BO  BAR",)))
    )

    assert verdict.complete
    assert {found.code for found in verdict.findings} <= {"points.uncapped"}
    assert verdict.replay.score.points == tuple(
        record.games[-1].score_before[side.column]
        + (record.games[-1].result.points if record.games[-1].result.winner is side else 0)
        for side in Side
    )


@given(matches())
@settings(max_examples=15, deadline=None)
def test_canonical_when_repeated_then_changes_nothing(made):
    _, record = made

    assert canonical(canonical(record)) == canonical(record)


@given(
    matches(forms=st.just(MatchFormat(length=1)), names=st.tuples(NAMES, NAMES)), st.sampled_from(WRITABLE)
)
@settings(max_examples=60, deadline=None)
def test_any_names_when_written_then_read_back_or_told_as_a_loss(made, code):
    _, record = made

    written = write_record(record, code)
    back = read_record(written.data).record

    assert back.players == record.players or any(loss.code == "loss.name" for loss in written.losses)
    assert len(back.games) == len(record.games)


@given(matches(forms=st.just(MatchFormat(length=3))))
@settings(max_examples=15, deadline=None)
def test_replay_when_stepped_through_then_each_board_follows_from_the_last(made):
    _, record = made

    for game in replay(record).games:
        for earlier, later in zip(game.states, game.states[1:], strict=False):
            assert earlier.seen_by(Side.WHITE, after=True) == later.seen_by(Side.WHITE)


@given(
    st.lists(
        st.integers(1, 25).flatmap(
            lambda source: st.tuples(st.just(source), st.integers(0, min(source - 1, 24)))
        ),
        min_size=1,
        max_size=4,
    ),
    st.sampled_from(list(Numbering)),
    st.sampled_from(list(Side)),
)
def test_steps_when_written_in_any_numbering_then_read_as_own(steps, numbering, side):
    text = " ".join(
        f"{label(numbering, side, source)}/{label(numbering, side, target)}" for source, target in steps
    )

    read = read_steps(text, side, numbering)

    assert [(step.source, step.target) for step in read] == steps
    assert read_steps(write_steps(read)) == read


@given(st.binary(max_size=300))
@settings(max_examples=300)
def test_any_bytes_when_checked_then_a_verdict(data):
    checked = check_record(data)

    assert (checked.record is None) is (checked.verdict.decision is VerdictDecision.UNREADABLE)


@pytest.mark.slow
def test_broken_records_when_checked_then_nothing_crashes():
    """Three thousand here, `tools/fuzz_records.py` does a million."""
    verdicts = {exercise(data) for data in inputs(seed=20, count=3_000)}

    assert verdicts == set(VerdictDecision)


@pytest.mark.slow
def test_broken_records_when_described_then_every_finding_has_words():
    for data in inputs(seed=21, count=1_500):
        checked = check_record(data)
        players = checked.record.players if checked.record else None
        for found in checked.verdict.findings:
            assert describe(found, players)
        if checked.unreadable:
            assert describe(checked.unreadable)
    assert known_codes() >= SEVERITIES.keys() | UNREADABLE.keys()
