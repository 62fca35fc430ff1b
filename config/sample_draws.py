"""Bracket draws of invented people for the style guide and for tests of drawings, without a database."""

from collections.abc import Iterator

from tournaments.engine.brackets.progression import BracketState, MatchState, Slot, advance
from tournaments.engine.brackets.seeding import seeded_draw
from tournaments.engine.brackets.structure import Bracket, Source
from tournaments.engine.stages.elimination import (
    BracketSettings,
    Flight,
    bracket_lengths,
    bracket_with_flights,
)
from tournaments.engine.stages.settings import StageSettings
from tournaments.engine.statuses import OVER, PLAYERS_BUSY, UNSETTLED, MatchStatus
from tournaments.engine.types import EntryId, MatchNo, Outcome, ResultKind, Side
from tournaments.models import Stage
from tournaments.selectors.draws import Draw, DrawnMatch, DrawnRound, DrawnSide

_FIRST_NAMES = (
    "Ada Bruno Clara Dario Elif Farid Greta Hugo Ines Jonas Kaya Lars Mira Nadim Olga Pavel".split()
)
_LAST_NAMES = (
    "Abell Brandt Castellanos Dahl Ekström Fischer Grønbæk Haddad Ivanov Jensen Köroğlu Lindqvist".split()
)
_STATUSES = (*reversed(PLAYERS_BUSY), MatchStatus.READY, *UNSETTLED)


def sample_names(count: int) -> Iterator[str]:
    """Yield ``count`` invented names; the first 192 are all different."""
    for number in range(count):
        yield f"{_FIRST_NAMES[number * 7 % len(_FIRST_NAMES)]} {_LAST_NAMES[(number + number // 16) * 5 % len(_LAST_NAMES)]}"


def sample_draw(
    entries: int,
    *,
    rounds: int = 2,
    system: str = Stage.System.SINGLE_ELIMINATION,
    flights: tuple[Flight, ...] = (),
    third_place: bool = False,
    lengths: tuple[int, ...] = (5, 7, 9),
    stage: int = 1,
) -> Draw:
    """Return a seeded bracket in which all ready matches were played ``rounds`` times; some are in play."""
    settings = BracketSettings(third_place=third_place, flights=flights)
    lines = seeded_draw([EntryId(number) for number in range(1, entries + 1)])
    bracket = bracket_with_flights(system, lengths, settings, lines)
    results: dict[MatchNo, Outcome] = {}
    for _round in range(rounds):
        ready = [m for m in advance(bracket, results).matches.values() if m.status is MatchStatus.READY]
        if not ready:
            break
        results |= {match.number: _outcome(match) for match in ready}
    row = Stage(pk=stage, system=system, lengths=list(lengths), draw_method="seeded")
    row.settings = StageSettings(settings)
    return Draw(
        row,
        _drawn_rounds(
            bracket, advance(bracket, results), bracket_lengths(system, lengths, settings, bracket)
        ),
    )


def _outcome(match: MatchState) -> Outcome:
    """Return a result: the better seed wins four matches of five, and some results are walkovers."""
    better_side = Side.A if (match.a.entry or 0) < (match.b.entry or 0) else Side.B
    kind = ResultKind.WALKOVER if match.number % 23 == 7 else ResultKind.PLAYED
    return Outcome(better_side.other if match.number % 5 == 0 else better_side, kind)


def _drawn_rounds(bracket: Bracket, state: BracketState, lengths: dict[int, int]) -> tuple[DrawnRound, ...]:
    names = list(sample_names(len(bracket.entries)))
    drawn_rounds = []
    for round_ in bracket.rounds:
        matches = []
        for number in round_.matches:
            planned_match, match_state = bracket.match(number), state.matches[number]
            status = match_state.status
            if status is MatchStatus.READY:
                status = _STATUSES[number % len(_STATUSES)]
            sides = (
                _drawn_side(Side.A, planned_match.a, match_state.a, state, names),
                _drawn_side(Side.B, planned_match.b, match_state.b, state, names),
            )
            winner = match_state.outcome.winner if match_state.outcome else None
            kind = match_state.outcome.kind if match_state.outcome else None
            points = (lengths[round_.number], number * 3 % lengths[round_.number])
            matches.append(
                DrawnMatch(
                    pk=number,
                    public_id=f"m{number}",
                    number=number,
                    round_number=round_.number,
                    round_code=round_.code,
                    section=round_.section,
                    position=planned_match.position,
                    status=status,
                    length=lengths[round_.number],
                    table=number if status in PLAYERS_BUSY else None,
                    result_kind=kind or "",
                    winner=winner,
                    scores=(None, None)
                    if kind is not ResultKind.PLAYED
                    else points
                    if winner is Side.A
                    else points[::-1],
                    version=1,
                    sides=sides,
                )
            )
        drawn_rounds.append(
            DrawnRound(
                round_.number, round_.code, lengths[round_.number], round_.of, tuple(matches), round_.section
            )
        )
    return tuple(drawn_rounds)


def _drawn_side(side: Side, source: Source, slot: Slot, state: BracketState, names: list[str]) -> DrawnSide:
    is_source_over = source.match is not None and state.matches[source.match].status in OVER
    return DrawnSide(
        side=side,
        source_kind=source.kind,
        source_number=source.match,
        entry_id=slot.entry,
        entry_public_id=f"e{slot.entry}" if slot.entry else "",
        name=names[slot.entry - 1] if slot.entry else "",
        seed=slot.entry,
        vacant=slot.entry is None and (is_source_over or source.match is None),
        has_won=slot.has_won,
    )
