"""What the forecast plays out in mind although no database has it: stages that are not drawn, rounds that are not published."""

import math
from collections.abc import Iterator, Sequence
from typing import Protocol

from tournaments.engine.brackets.progression import opening_state
from tournaments.engine.brackets.seeding import MAX_ENTRIES, seeded_draw, with_open_lines
from tournaments.engine.brackets.structure import playable
from tournaments.engine.errors import BadInput
from tournaments.engine.hall.forecast import ToPlay
from tournaments.engine.stages.elimination import family_bracket, family_lengths
from tournaments.engine.types import EntryId, MatchNo
from tournaments.models import Stage
from tournaments.selectors.rounds.next import length_of, planned_rounds
from tournaments.selectors.standings.feeds import expected_in
from tournaments.selectors.standings.tables import is_swiss, settings_of

# The matches of each round to come, by stage and by the number of the round.
Starts = dict[tuple[int, int], list[MatchNo]]


class Drawn(Protocol):
    """A match that is in the database."""

    @property
    def round(self) -> int: ...


def size_of(stage: Stage, entries: int) -> int:
    """How many entries take part, or would."""
    return expected_in(stage, entries)


def to_come(
    stage: Stage,
    drawn: Sequence[Drawn],
    own: Sequence[ToPlay],
    size: int,
    after: tuple[MatchNo, ...],
    moments: Iterator[int],
    starts: Starts,
) -> list[ToPlay]:
    """Matches that are not in the database yet."""
    if stage.system in Stage.IN_ROUNDS:
        return _rounds_to_come(stage, drawn, own, size, after, moments, starts)
    if drawn or not 2 <= size <= MAX_ENTRIES:
        return []
    settings = stage.settings.bracket
    seeded = seeded_draw([EntryId(number) for number in range(1, size + 1)])
    try:
        lines = with_open_lines(seeded, settings.open_lines)
        bracket = family_bracket(stage.system, stage.lengths, settings, lines)
        lengths = family_lengths(stage.system, stage.lengths, settings, bracket)
    except BadInput:
        return []
    state, played = opening_state(bracket), playable(bracket)
    names = {match.number: MatchNo(next(moments)) for match in bracket.matches}
    starts[stage.pk, 1] = [names[number] for number in played]
    return [
        ToPlay(
            names[match.number],
            lengths[match.round] if match.number in played else 0,
            (*(names[source.match] for source in (match.a, match.b) if source.match is not None), *after),
            maybe=match.a.match is not None and match.a.match == match.b.match,
        )
        for match in bracket.matches
        if state.matches[match.number].outcome is None
    ]


def _rounds_to_come(
    stage: Stage,
    drawn: Sequence[Drawn],
    own: Sequence[ToPlay],
    size: int,
    after: tuple[MatchNo, ...],
    moments: Iterator[int],
    starts: Starts,
) -> list[ToPlay]:
    published = max((row.round for row in drawn), default=0)
    planned = planned_rounds(stage, size)
    if is_swiss(stage) and (lives := settings_of(stage).lives):
        planned = max(published, math.ceil(math.log2(max(size, 2))) + lives - 1)
    pairs = max(1, size // 2)
    if drawn and not is_swiss(stage):
        pairs = sum(row.round == published for row in drawn)
    if size < 2 or published >= planned:
        return []
    found: list[ToPlay] = []
    before = tuple(match.number for match in own) or after
    for number in range(published, planned):
        begin = ToPlay(MatchNo(next(moments)), 0, before)
        matches = [
            ToPlay(MatchNo(next(moments)), length_of(stage, number + 1, planned), (begin.number,))
            for _ in range(pairs)
        ]
        found += [begin, *matches]
        starts[stage.pk, number + 1] = [match.number for match in matches]
        before = tuple(match.number for match in matches)
    return found
