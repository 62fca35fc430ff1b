"""What the API tells of the draw of a stage: rounds and their matches, places, tables."""

from datetime import date
from typing import Annotated

from people.api.answers import Answer, says
from tournaments.engine.pairing.history import WIN
from tournaments.engine.standings.tie_breaks import tie_break
from tournaments.selectors.draws import Draw, DrawnRound
from tournaments.selectors.events.detail import DivisionView, StageView
from tournaments.selectors.standings.tables import in_rounds, tables_of
from tournaments.shared.api.values import Match
from tournaments.shared.fragments.cards import addresses
from tournaments.shared.words.names import round_name_of


class Round(Answer, frozen=True):
    """A round; `deadline` is the last day for its matches in a league."""

    number: int
    code: str
    name: str
    length: int
    deadline: date | None
    matches: list[Match]

    @classmethod
    def of(cls, drawn: DrawnRound) -> "Round":
        path = addresses("public:match")
        return cls(
            number=drawn.number,
            code=drawn.code,
            name=round_name_of(drawn.code),
            length=drawn.length,
            deadline=drawn.deadline,
            matches=[Match.of(match, path(match.public_id)) for match in drawn.matches],
        )


class Place(Answer, frozen=True):
    """From `first` to `last`; settled once the entry has no match left to play."""

    entry: str
    name: str
    first: int
    last: int
    settled: bool


class TableRow(Answer, frozen=True):
    """Points in whole units: half a point is 0.5."""

    entry: str
    name: str
    first: int
    last: int
    points: float
    lives: Annotated[int | None, says("How many are left, where entries go out.")]
    values: Annotated[
        dict[str, float],
        says(
            "What each tie-break said, by code, as the page shows it: of `match_points_lost` fewer are better, of all others"
            " more; one that had nothing to say is not there."
        ),
    ]


class Table(Answer, frozen=True):
    """One table of a Swiss or round robin; `group` counts from 1, null where there are no groups."""

    group: int | None
    tie_breaks: list[str]
    rows: list[TableRow]


class StageBracket(Answer, frozen=True):
    """The draw of one stage, with the places so far. A stage that ends in a table has tables."""

    division: str
    stage: str
    rounds: list[Round]
    places: list[Place]
    tables: list[Table]

    @classmethod
    def of(cls, division: DivisionView, view: StageView, draw: Draw) -> "StageBracket":
        return cls(
            division=division.division.name,
            stage=view.stage.name,
            rounds=[Round.of(drawn) for drawn in (*draw.rounds, *draw.play_offs)],
            places=_places(division, view),
            tables=_tables(division, draw) if in_rounds(view.stage) else [],
        )


def _places(division: DivisionView, view: StageView) -> list[Place]:
    entries = {entry.pk: entry for entry in division.entries}
    return [
        Place(entries[pk].public_id, entries[pk].name, place.first, place.last, place.settled)
        for pk, place in view.places.items()
        if pk in entries
    ]


def _tables(division: DivisionView, draw: Draw) -> list[Table]:
    entries = {entry.pk: entry for entry in division.entries}
    return [
        Table(
            group=table.group or None,
            tie_breaks=list(table.codes),
            rows=[
                TableRow(
                    entry=entries[row.entry].public_id,
                    name=entries[row.entry].name,
                    first=row.first,
                    last=row.last,
                    points=table.points[row.entry] / WIN,
                    lives=table.lives.get(row.entry),
                    values={
                        code: float(tie_break(code).counted(value)) for code, value in row.values.items()
                    },
                )
                for row in table.rows
            ],
        )
        for table in tables_of(draw)
    ]
