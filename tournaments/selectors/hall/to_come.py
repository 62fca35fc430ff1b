"""What the forecast plays out in mind although no database has it: stages that are not drawn, rounds that are not published."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from tournaments.engine.brackets.progression import opening_state
from tournaments.engine.brackets.seeding import MAX_ENTRIES, seeded_draw, with_open_lines
from tournaments.engine.brackets.structure import Bracket, playable
from tournaments.engine.errors import BadInput
from tournaments.engine.hall.forecast import ToPlay
from tournaments.engine.hall.lives import rounds_of_lives
from tournaments.engine.stages.elimination import family_bracket, family_lengths
from tournaments.engine.statuses import OVER, MatchStatus
from tournaments.engine.types import EntryId, MatchNo
from tournaments.models import Stage
from tournaments.selectors.draws import draw_of
from tournaments.selectors.rounds.next import length_of, planned_rounds, taking_part
from tournaments.selectors.standings.feeds import expected_in
from tournaments.selectors.standings.tables import is_swiss, lives_of, settings_of

PLAYS: Final = 300  # ways in which a Swiss with lives goes on; as many as the forecast has plays
# The matches of each round to come, by stage and by the number of the round.
Starts = dict[tuple[int, int], list[MatchNo]]


class Drawn(Protocol):
    """A match that is in the database; ``entries``: ids of those who are known to play it."""

    @property
    def round(self) -> int: ...
    @property
    def status(self) -> MatchStatus: ...
    @property
    def entries(self) -> Sequence[int]: ...


@dataclass(frozen=True, slots=True)
class Planned:
    """The bracket that a stage would have if it were drawn now, and what the forecast calls its matches."""

    bracket: Bracket
    names: Mapping[MatchNo, MatchNo]


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
    planned: dict[int, Planned],
) -> list[ToPlay]:
    """Matches that are not in the database yet; the bracket of a stage that is not drawn is left in ``planned``."""
    if is_swiss(stage) and settings_of(stage).lives:
        return _lives_to_come(stage, drawn, own, size, after, moments, starts)
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
    planned[stage.pk] = Planned(bracket, names)
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


def _lives_to_come(
    stage: Stage,
    drawn: Sequence[Drawn],
    own: Sequence[ToPlay],
    size: int,
    after: tuple[MatchNo, ...],
    moments: Iterator[int],
    starts: Starts,
) -> list[ToPlay]:
    """Rounds until one is left, however many that takes: each match says in which plays there is one."""
    if stage.rounds_settled is not None:  # the director has ended it
        return []
    published = max((row.round for row in drawn), default=0)
    if drawn:
        active = {EntryId(entry.pk) for entry in taking_part(stage)}
        left = {entry: count for entry, count in lives_of(draw_of(stage), active).items() if entry in active}
        place = {int(entry): index for index, entry in enumerate(left)}
        open_ = [row.entries for row in drawn if row.status not in OVER]
        pending = [
            (place[a], place[b])
            for a, b in (pair for pair in open_ if len(pair) == 2)
            if {a, b} <= place.keys()
        ]
        lives = list(left.values())
    else:
        lives, pending = [settings_of(stage).lives] * size, []
    if not 2 <= len(lives) <= MAX_ENTRIES:
        return []
    rounds = rounds_of_lives(
        lives,
        pending,
        lambda number: length_of(stage, published + number, 0),
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
