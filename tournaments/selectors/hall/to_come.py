"""Matches that the forecast plans before they are stored: undrawn stages, unpublished rounds."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from tournaments.engine.brackets.progression import opening_state
from tournaments.engine.brackets.seeding import MAX_ENTRIES, seeded_draw, with_held_lines
from tournaments.engine.brackets.structure import Bracket, playable_matches
from tournaments.engine.errors import BadInput
from tournaments.engine.hall.forecast import ForecastMatch
from tournaments.engine.hall.lives import future_rounds
from tournaments.engine.stages.elimination import bracket_lengths, bracket_with_flights
from tournaments.engine.statuses import OVER, MatchStatus
from tournaments.engine.types import EntryId, MatchNo
from tournaments.models import Stage
from tournaments.selectors.draws import load_draw
from tournaments.selectors.rounds.next import planned_rounds, round_length, stage_participants
from tournaments.selectors.standings.feeds import expected_entry_count
from tournaments.selectors.standings.tables import is_swiss, lives_by_entry, rounds_settings

PLAYS: Final = 300  # ways in which a Swiss with lives goes on; as many as the forecast has plays
# The matches of each future round, by stage and round number.
MatchesByRound = dict[tuple[int, int], list[MatchNo]]


class StoredMatch(Protocol):
    """A stored match; ``entries``: ids of the entries that are known to play it."""

    @property
    def round(self) -> int: ...
    @property
    def status(self) -> MatchStatus: ...
    @property
    def entries(self) -> Sequence[int]: ...


@dataclass(frozen=True, slots=True)
class PlannedBracket:
    """The bracket of a stage if it were drawn now, and the forecast's numbers of its matches."""

    bracket: Bracket
    names: Mapping[MatchNo, MatchNo]


def expected_entries(stage: Stage, entries: int) -> int:
    """The number of entries that take part, or would."""
    return expected_entry_count(stage, entries)


def planned_matches(
    stage: Stage,
    drawn: Sequence[StoredMatch],
    own: Sequence[ForecastMatch],
    size: int,
    after: tuple[MatchNo, ...],
    moments: Iterator[int],
    starts: MatchesByRound,
    planned: dict[int, PlannedBracket],
) -> list[ForecastMatch]:
    """Matches that are not stored yet; the bracket of an undrawn stage is added to ``planned``."""
    if is_swiss(stage) and rounds_settings(stage).lives:
        return _planned_lives_rounds(stage, drawn, own, size, after, moments, starts)
    if stage.system in Stage.IN_ROUNDS:
        return _planned_rounds(stage, drawn, own, size, after, moments, starts)
    if drawn or not 2 <= size <= MAX_ENTRIES:
        return []
    settings = stage.settings.bracket
    seeded = seeded_draw([EntryId(number) for number in range(1, size + 1)])
    try:
        lines = with_held_lines(seeded, settings.open_lines)
        bracket = bracket_with_flights(stage.system, stage.lengths, settings, lines)
        lengths = bracket_lengths(stage.system, stage.lengths, settings, bracket)
    except BadInput:
        return []
    state, played = opening_state(bracket), playable_matches(bracket)
    names = {match.number: MatchNo(next(moments)) for match in bracket.matches}
    starts[stage.pk, 1] = [names[number] for number in played]
    planned[stage.pk] = PlannedBracket(bracket, names)
    return [
        ForecastMatch(
            names[match.number],
            lengths[match.round] if match.number in played else 0,
            (*(names[source.match] for source in (match.a, match.b) if source.match is not None), *after),
            maybe=match.a.match is not None and match.a.match == match.b.match,
        )
        for match in bracket.matches
        if state.matches[match.number].outcome is None
    ]


def _planned_rounds(
    stage: Stage,
    drawn: Sequence[StoredMatch],
    own: Sequence[ForecastMatch],
    size: int,
    after: tuple[MatchNo, ...],
    moments: Iterator[int],
    starts: MatchesByRound,
) -> list[ForecastMatch]:
    published = max((row.round for row in drawn), default=0)
    planned = planned_rounds(stage, size)
    pairs = max(1, size // 2)
    if drawn and not is_swiss(stage):
        pairs = sum(row.round == published for row in drawn)
    if size < 2 or published >= planned:
        return []
    found: list[ForecastMatch] = []
    before = tuple(match.number for match in own) or after
    for number in range(published, planned):
        begin = ForecastMatch(MatchNo(next(moments)), 0, before)
        matches = [
            ForecastMatch(MatchNo(next(moments)), round_length(stage, number + 1, planned), (begin.number,))
            for _ in range(pairs)
        ]
        found += [begin, *matches]
        starts[stage.pk, number + 1] = [match.number for match in matches]
        before = tuple(match.number for match in matches)
    return found


def _planned_lives_rounds(
    stage: Stage,
    drawn: Sequence[StoredMatch],
    own: Sequence[ForecastMatch],
    size: int,
    after: tuple[MatchNo, ...],
    moments: Iterator[int],
    starts: MatchesByRound,
) -> list[ForecastMatch]:
    """Rounds until one entry is left: each match states in which plays it exists."""
    if stage.rounds_settled is not None:  # the director has ended it
        return []
    published = max((row.round for row in drawn), default=0)
    if drawn:
        active = {EntryId(entry.pk) for entry in stage_participants(stage)}
        left = {
            entry: count
            for entry, count in lives_by_entry(load_draw(stage), active).items()
            if entry in active
        }
        place = {int(entry): index for index, entry in enumerate(left)}
        open_ = [row.entries for row in drawn if row.status not in OVER]
        pending = [
            (place[a], place[b])
            for a, b in (pair for pair in open_ if len(pair) == 2)
            if {a, b} <= place.keys()
        ]
        lives = list(left.values())
    else:
        lives, pending = [rounds_settings(stage).lives] * size, []
    if not 2 <= len(lives) <= MAX_ENTRIES:
        return []
    rounds = future_rounds(
        lives,
        pending,
        lambda number: round_length(stage, published + number, 0),
        moments,
        after=tuple(match.number for match in own) or after,
        seed=stage.pk,
        plays=PLAYS,
    )
    for number, matches in enumerate(rounds, published + 1):
        likely = [match.number for match in matches if match.length and match.is_likely]
        if likely:
            starts[stage.pk, number] = likely
    return [match for matches in rounds for match in matches]
