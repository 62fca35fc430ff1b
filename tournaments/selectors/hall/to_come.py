"""Matches that the forecast expects but that are not stored yet: of undrawn stages and unpublished rounds."""

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

SIMULATED_RUNS: Final = 300  # ways in which a Swiss with lives goes on; as many as the forecast has plays
# The matches of each future round, by stage and round number.
MatchesByRound = dict[tuple[int, int], list[MatchNo]]


class StoredMatch(Protocol):
    """A match that is stored; ``entries``: ids of the entries that are known to play in it."""

    @property
    def round(self) -> int: ...
    @property
    def status(self) -> MatchStatus: ...
    @property
    def entries(self) -> Sequence[int]: ...


@dataclass(frozen=True, slots=True)
class PlannedBracket:
    """The bracket of a stage if it were drawn now.

    ``names``: match number in the bracket to match number in the forecast.
    """

    bracket: Bracket
    names: Mapping[MatchNo, MatchNo]


def expected_entries(stage: Stage, entries: int) -> int:
    """Return how many entries take part in the stage, or would if it were drawn now.

    ``entries``: number of active entries of its division.
    """
    return expected_entry_count(stage, entries)


def planned_matches(
    stage: Stage,
    stored_matches: Sequence[StoredMatch],
    stage_matches: Sequence[ForecastMatch],
    entry_count: int,
    feed_matches: tuple[MatchNo, ...],
    helper_numbers: Iterator[int],
    starts_by_round: MatchesByRound,
    planned_brackets: dict[int, PlannedBracket],
) -> list[ForecastMatch]:
    """Return the expected matches of a stage that are not stored yet.

    ``feed_matches``: matches that have to be over before the stage begins. Adds their rounds to
    ``starts_by_round`` and the bracket of an undrawn stage to ``planned_brackets``.
    """
    if is_swiss(stage) and rounds_settings(stage).lives:
        return _planned_lives_rounds(
            stage, stored_matches, stage_matches, entry_count, feed_matches, helper_numbers, starts_by_round
        )
    if stage.system in Stage.IN_ROUNDS:
        return _planned_rounds(
            stage, stored_matches, stage_matches, entry_count, feed_matches, helper_numbers, starts_by_round
        )
    if stored_matches or not 2 <= entry_count <= MAX_ENTRIES:
        return []
    settings = stage.settings.bracket
    seeded = seeded_draw([EntryId(number) for number in range(1, entry_count + 1)])
    try:
        lines = with_held_lines(seeded, settings.open_lines)
        bracket = bracket_with_flights(stage.system, stage.lengths, settings, lines)
        lengths = bracket_lengths(stage.system, stage.lengths, settings, bracket)
    except BadInput:
        return []
    state, playable = opening_state(bracket), playable_matches(bracket)
    number_by_match = {match.number: MatchNo(next(helper_numbers)) for match in bracket.matches}
    starts_by_round[stage.pk, 1] = [number_by_match[number] for number in playable]
    planned_brackets[stage.pk] = PlannedBracket(bracket, number_by_match)
    return [
        ForecastMatch(
            number_by_match[match.number],
            lengths[match.round] if match.number in playable else 0,
            (
                *(number_by_match[source.match] for source in (match.a, match.b) if source.match is not None),
                *feed_matches,
            ),
            is_second_final=match.a.match is not None and match.a.match == match.b.match,
        )
        for match in bracket.matches
        if state.matches[match.number].outcome is None
    ]


def _planned_rounds(
    stage: Stage,
    stored_matches: Sequence[StoredMatch],
    stage_matches: Sequence[ForecastMatch],
    entry_count: int,
    feed_matches: tuple[MatchNo, ...],
    helper_numbers: Iterator[int],
    starts_by_round: MatchesByRound,
) -> list[ForecastMatch]:
    published_count = max((row.round for row in stored_matches), default=0)
    planned_count = planned_rounds(stage, entry_count)
    pair_count = max(1, entry_count // 2)
    if stored_matches and not is_swiss(stage):
        pair_count = sum(row.round == published_count for row in stored_matches)
    if entry_count < 2 or published_count >= planned_count:
        return []
    forecast_matches: list[ForecastMatch] = []
    previous_matches = tuple(match.number for match in stage_matches) or feed_matches
    for number in range(published_count, planned_count):
        round_begin = ForecastMatch(MatchNo(next(helper_numbers)), 0, previous_matches)
        matches = [
            ForecastMatch(
                MatchNo(next(helper_numbers)),
                round_length(stage, number + 1, planned_count),
                (round_begin.number,),
            )
            for _ in range(pair_count)
        ]
        forecast_matches += [round_begin, *matches]
        starts_by_round[stage.pk, number + 1] = [match.number for match in matches]
        previous_matches = tuple(match.number for match in matches)
    return forecast_matches


def _planned_lives_rounds(
    stage: Stage,
    stored_matches: Sequence[StoredMatch],
    stage_matches: Sequence[ForecastMatch],
    entry_count: int,
    feed_matches: tuple[MatchNo, ...],
    helper_numbers: Iterator[int],
    starts_by_round: MatchesByRound,
) -> list[ForecastMatch]:
    """Return the rounds of a Swiss with lives until one entry is left.

    Each match states in which simulated runs it takes place.
    """
    if stage.rounds_settled is not None:  # the director has ended it
        return []
    published_count = max((row.round for row in stored_matches), default=0)
    if stored_matches:
        active = {EntryId(entry.pk) for entry in stage_participants(stage)}
        lives_left = {
            entry: count
            for entry, count in lives_by_entry(load_draw(stage), active).items()
            if entry in active
        }
        index_by_entry = {int(entry): index for index, entry in enumerate(lives_left)}
        open_pairs = [row.entries for row in stored_matches if row.status not in OVER]
        pending = [
            (index_by_entry[a], index_by_entry[b])
            for a, b in (pair for pair in open_pairs if len(pair) == 2)
            if {a, b} <= index_by_entry.keys()
        ]
        lives = list(lives_left.values())
    else:
        lives, pending = [rounds_settings(stage).lives] * entry_count, []
    if not 2 <= len(lives) <= MAX_ENTRIES:
        return []
    rounds = future_rounds(
        lives,
        pending,
        lambda number: round_length(stage, published_count + number, 0),
        helper_numbers,
        predecessors=tuple(match.number for match in stage_matches) or feed_matches,
        seed=stage.pk,
        runs=SIMULATED_RUNS,
    )
    for number, matches in enumerate(rounds, published_count + 1):
        likely_matches = [match.number for match in matches if match.length and match.is_likely]
        if likely_matches:
            starts_by_round[stage.pk, number] = likely_matches
    return [match for matches in rounds for match in matches]
