"""The desk line never raises, never guesses, and reads what it prints."""

from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from faults import Fault
from tournaments.engine.desk.reading import format_command, parse_command
from tournaments.engine.desk.values import (
    AdjournCommand,
    CommandEntry,
    CommandMatch,
    CommandRefusal,
    CommandTargets,
    ParsedCommands,
    ResultCommand,
    SideReport,
)
from tournaments.engine.desk.vocabulary import WORDS, vocabulary_for
from tournaments.engine.matches.reporting import check_score, claim_winner
from tournaments.engine.matches.rulings import ClockStart
from tournaments.engine.statuses import AWAITING_RESULT
from tournaments.engine.types import Claim, MatchNo, ResultKind, Score, Side

NAMES = st.sampled_from(
    "Ann,Anna Berg,Ann Lind,Bob Smith,Bobby Fix,Søren Žižka,Þóra Guðmundsdóttir,Jean-Luc O'Brien,Wo Chan,Call Me,Lions 2,Lions 12,"
    "2 Fast,Müller Łódź,Outi Undo,Swap Three,De La Cruz Y Vega Del Río Alto,w/o Nobody,Ann,A A,李 小龙,?? Q,X 7-3".split(
        ","
    )
) | st.text(min_size=1, max_size=24)
TYPED = st.sampled_from([
    *(text for table in WORDS.values() for words in table.values() for text in words),
    *"# #1 #2 1 2 3 5 7 12 7-3 3–7 0-7 - – / , ann bob b s smith soren sören thora o'brien obrien luc lions lions2 wo chan 2fast x".split(),
])  # fmt: skip
LINES = st.lists(TYPED, max_size=7).map(" ".join) | st.text(max_size=100)
CLAIMS = st.builds(
    SideReport,
    st.none() | st.sampled_from(Side),
    st.builds(
        Claim,
        st.integers(0, 7),
        st.integers(0, 7),
        st.sampled_from([ResultKind.PLAYED, ResultKind.RETIRED]),
        st.none() | st.sampled_from(Side),
    ),
)
CLOCKS = st.builds(
    ClockStart, st.just(datetime(2026, 11, 23, 20, tzinfo=UTC)), st.none() | st.just(Score(1, 0))
)
LANGUAGES = st.sampled_from(sorted(WORDS)).map(vocabulary_for)


@st.composite
def desks(draw) -> CommandTargets:
    """A hall of a few matches at different tables, numbered in one or two stages."""
    tables = draw(st.lists(st.none() | st.integers(1, 6), max_size=5, unique_by=lambda t: t or object()))
    matches = [
        CommandMatch(
            pk=place,
            public_id=f"m{place}",
            number=MatchNo(draw(st.integers(1, 4))),
            version=draw(st.integers(0, 3)),
            status=draw(st.sampled_from(AWAITING_RESULT)),
            length=draw(st.sampled_from([1, 5, 7])),
            table=table,
            names=(draw(NAMES), draw(NAMES)),
            minimum_score=Score(0, draw(st.sampled_from([0, 0, 0]))),
            open_reports=tuple(draw(st.lists(CLAIMS, max_size=2))),
            clock=draw(st.none() | st.none() | CLOCKS),
        )
        for place, table in enumerate(tables)
    ]
    entries = draw(st.lists(NAMES, max_size=4))
    return CommandTargets(
        tuple(matches), 6, frozenset(), tuple(CommandEntry(f"e{n}", name) for n, name in enumerate(entries))
    )


@st.composite
def spoken(draw):
    """A desk, the words of a language, and a line that speaks of it: most of them can be understood."""
    desk, words = draw(desks()), draw(LANGUAGES)
    names = [name for match in desk.matches for name in match.names] + [one.name for one in desk.entries]
    name = " ".join(
        word[: draw(st.integers(1, 8))]
        for word in draw(st.sampled_from([*names, "Ann"])).split()[: draw(st.integers(1, 3))]
    )
    where = draw(st.sampled_from(["", *(f"#{m.number}" for m in desk.matches), *map(str, range(1, 7))]))
    score = draw(st.sampled_from(["", "0", "3", "7-3", "3 7", "5-0", "0-1", "1 0", "0-0", "3-2"]))
    word = draw(st.sampled_from([*sorted(words.known), "", "", ""]))
    parts = draw(st.permutations([name, score])) if word in {"", "w/o", "wo"} else [name, score]
    behind = word in {"", "w/o"} or draw(st.booleans())
    line = " ".join([where, *parts[:1], word, *parts[1:]] if behind else [word, where, *parts])
    return desk, words, line if draw(st.booleans()) else f"{word} {where} {score}"


@given(LINES, LANGUAGES, desks())
def test_line_when_anything_is_typed_then_it_is_read_or_refused_with_reasons(line, words, desk):
    reading = parse_command(line, words, desk)
    if isinstance(reading, CommandRefusal):
        assert reading.faults
        assert all(isinstance(fault, Fault) for fault in reading.faults)
        return
    meanings = reading.commands
    assert meanings
    assert len({meaning.mark for meaning in meanings}) == len(meanings)
    for meaning in meanings:
        if isinstance(meaning, ResultCommand):
            match, claim = meaning.match, meaning.claim
            assert match in desk.matches
            assert check_score(match.length, claim, start=match.minimum_score) == ()
            assert claim_winner(match.length, claim) is meaning.winner
        elif isinstance(meaning, AdjournCommand):
            broken_off = Claim(meaning.score.a, meaning.score.b, ResultKind.ADJOURNED)
            assert check_score(meaning.match.length, broken_off, start=meaning.match.minimum_score) == ()


@given(spoken())
def test_line_when_the_desk_lies_otherwise_then_its_marks_mean_the_same(found):
    """The mark names match, version and deed: whoever sends it back gets this and nothing else."""
    desk, words, line = found
    other = CommandTargets(desk.matches[::-1], desk.tables, desk.closed, desk.entries[::-1])
    first, again = parse_command(line, words, desk), parse_command(line, words, other)
    assert isinstance(first, ParsedCommands) == isinstance(again, ParsedCommands)
    if isinstance(first, ParsedCommands):
        assert {m.mark: m for m in first.commands} == {m.mark: m for m in again.commands}


@given(spoken())
def test_line_when_printed_then_it_means_the_same_again(found):
    """Only names or numbers that are alike leave a choice."""
    desk, words, line = found
    reading = parse_command(line, words, desk)
    names = [name for match in desk.matches for name in match.names] + [one.name for one in desk.entries]
    if isinstance(reading, CommandRefusal) or not all(any(c.isalpha() for c in name) for name in names):
        return
    for meaning in reading.commands:
        again = parse_command(format_command(meaning, words), words, desk)
        assert isinstance(again, ParsedCommands), (format_command(meaning, words), again)
        assert meaning.mark in {one.mark for one in again.commands}


@given(st.integers(1, 40), st.integers(1, 99), st.sampled_from([1, 3, 5, 7, 9, 11]), st.data())
def test_result_when_typed_in_each_way_then_the_same(table, number, length, data):
    lost = data.draw(st.integers(0, length - 1))
    side = data.draw(st.sampled_from(list(Side)))
    names = ("Bob Smith", "Ann Lind")
    own = names[0 if side is Side.A else 1].split()[0].lower()
    match = CommandMatch(1, "m1", MatchNo(number), 0, AWAITING_RESULT[0], length, table, names)
    a, b = (length, lost) if side is Side.A else (lost, length)
    lines = [f"{table} {own} {lost}", f"#{number} {own} {lost}", f"{own} {length} {lost}", f"{table} {a}-{b}"]
    readings = [parse_command(line, vocabulary_for("en"), CommandTargets((match,), 40)) for line in lines]
    assert len(set(readings)) == 1
    assert readings[0].commands[0].claim.score == Score(a, b)
