"""The table of a Swiss or round robin from its published rounds, and the places of any stage.

Everything is counted anew from the draw: a corrected result changes the table and leaves the later pairings as they
were. A match that is not over counts for nothing yet.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from tournaments.engine.lifecycle import MatchStatus, StageStatus
from tournaments.engine.pairing.history import NOTHING, Meeting, Rest, SwissRound
from tournaments.engine.pairing.settings import SwissSettings, points_of
from tournaments.engine.results import RESULT_RULES
from tournaments.engine.standings.order import Row, standings
from tournaments.engine.standings.ranking import Place
from tournaments.engine.standings.table import Book
from tournaments.engine.types import EntryId, Outcome, ResultKind
from tournaments.models import Stage
from tournaments.selectors.draws import Draw, DrawnMatch, DrawnRound


@dataclass(frozen=True, slots=True)
class Table:
    """The standings in order; ``codes`` are the columns, points first."""

    codes: tuple[str, ...]
    rows: tuple[Row, ...]


def is_swiss(stage: Stage) -> bool:
    return stage.system == Stage.System.SWISS


def in_rounds(stage: Stage) -> bool:
    """Swiss and round robin: rounds, and a table in the place of a bracket."""
    return stage.system in Stage.IN_ROUNDS


def settings_of(stage: Stage) -> SwissSettings:
    """What the director has set for a Swiss."""
    return SwissSettings.of(stage.options)


def history_of(draw: Draw, joining: Collection[EntryId] = ()) -> tuple[SwissRound, ...]:
    """The published rounds as the engine reads them. In a Swiss whoever has come late or stayed away rests.

    ``joining``: entries that may play their first round next, and have missed all of these.
    """
    settings = settings_of(draw.stage)
    seated = [_seated(round_) for round_ in draw.rounds]
    joined: dict[EntryId, int] = {}
    for number, entries in enumerate(seated):
        for entry in entries:
            joined.setdefault(entry, number)
    for entry in joining:
        joined.setdefault(entry, len(draw.rounds))
    rounds = []
    for number, round_ in enumerate(draw.rounds):
        meetings, rests = [], []
        for match in round_.matches:
            first, second = (side.entry_id for side in match.sides)
            if match.result_kind == ResultKind.BYE and first is not None:
                rests.append(Rest(first, settings.bye_points, allotted=True))
            elif first is not None and second is not None and match.status is MatchStatus.CONFIRMED:
                meetings.append(_meeting(match, first, second))
        rests += [Rest(EntryId(int(entry)), points) for entry, points in round_.rests.items()]
        for entry, since in joined.items() if is_swiss(draw.stage) else ():
            if entry not in seated[number]:
                rests.append(Rest(entry, settings.late_points if since > number else NOTHING))
        rounds.append(SwissRound(tuple(meetings), tuple(rests)))
    return tuple(rounds)


def entries_in(draw: Draw) -> tuple[EntryId, ...]:
    """Everybody who has a place in a published round, or in the schedule of a round robin."""
    if draw.rounds and not is_swiss(draw.stage):
        return tuple(sorted(EntryId(entry) for entry in draw.stage.options["order"]))
    return tuple(sorted({entry for round_ in draw.rounds for entry in _seated(round_)}))


def table_of(draw: Draw) -> Table:
    """The standings after what is confirmed. The lot, if it is on the list, is drawn by the first round's seed."""
    codes = settings_of(draw.stage).order
    seed = int(draw.rounds[0].seed or 0) if draw.rounds else 0
    book = Book(entries_in(draw), history_of(draw), seed=seed)
    return Table(codes, standings(book, codes))


def places_of(draw: Draw) -> Mapping[EntryId, Place]:
    """The place of every entry; in a table they are settled when the stage is."""
    if not in_rounds(draw.stage):
        return draw.places()
    settled = draw.stage.status == StageStatus.FINISHED
    return {row.entry: Place(row.first, row.last, settled) for row in table_of(draw).rows}


def _seated(round_: DrawnRound) -> set[EntryId]:
    placed = {side.entry_id for match in round_.matches for side in match.sides if side.entry_id is not None}
    return placed | {EntryId(int(entry)) for entry in round_.rests}


def _meeting(match: DrawnMatch, first: EntryId, second: EntryId) -> Meeting:
    kind = ResultKind(match.result_kind)
    points_a, points_b = points_of(Outcome(match.winner, kind))
    return Meeting(
        first,
        second,
        points_a,
        points_b,
        played=RESULT_RULES[kind].played,
        score_a=match.scores[0] or 0,
        score_b=match.scores[1] or 0,
        length=match.length,
    )
