"""Response schemas for the bracket draw or rounds of a stage: rounds with matches, places and tables."""

from datetime import date
from typing import Annotated

from people.api.answers import Answer, field_description
from tournaments.engine.pairing.history import FULL_POINT
from tournaments.engine.standings.order import StandingsRow
from tournaments.engine.standings.table import Value
from tournaments.engine.standings.tie_breaks import get_tie_break
from tournaments.selectors.draws import Draw, DrawnRound
from tournaments.selectors.entries import EntryRow
from tournaments.selectors.events.detail import DivisionView, StageView
from tournaments.selectors.standings.tables import StandingsTable as DrawnTable
from tournaments.selectors.standings.tables import is_round_based, standings_tables
from tournaments.shared.api.values import Match, PlayersBySide, match_list
from tournaments.shared.words.names import round_name_from_code
from tournaments.shared.words.tie_breaks import tie_break_name, tie_break_source


class Round(Answer, frozen=True):
    """A round with its matches; `deadline` is the last date for playing these in a league, otherwise null."""

    number: int
    code: str
    name: str
    length: int
    deadline: date | None
    matches: list[Match]

    @classmethod
    def of(cls, drawn: DrawnRound, players: PlayersBySide) -> "Round":
        return cls(
            number=drawn.number,
            code=drawn.code,
            name=round_name_from_code(drawn.code),
            length=drawn.length,
            deadline=drawn.deadline,
            matches=match_list(drawn.matches, players),
        )


class Place(Answer, frozen=True):
    """The place of an entry in the stage; `first` and `last` differ if the place is shared or not settled.

    `settled`: the entry has no match left to play.
    """

    entry: str
    name: str
    first: int
    last: int
    settled: bool
    before: Annotated[
        list[str],
        field_description("Previous players of the entry, if another player took it over, earliest first."),
    ]
    withdrawn: Annotated[bool, field_description("Whether the entry withdrew.")]


class TieBreakUsed(Answer, frozen=True):
    """A tie-break that orders a standings table, with the regulation or other source that defines it."""

    code: str
    name: str
    edition: Annotated[
        str | None, field_description("The edition that defines it; null for our own definition.")
    ]
    source: str
    version: Annotated[
        str,
        field_description(
            "Version of the source; for a regulation, the date since which the edition is in force."
        ),
    ]
    article: Annotated[str, field_description("Article number in the regulation; empty if it has none.")]


class TieBreakValue(Answer, frozen=True):
    """The value of one tie-break for one entry, as shown on the page of the table."""

    code: str
    edition: str | None
    value: float
    again: Annotated[
        float | None, field_description("Whether it was applied again, to those it had left equal.")
    ]


class TableRow(Answer, frozen=True):
    """The row of one entry in a standings table, at places `first` to `last`.

    Half a point is 0.5 in `points`.
    """

    entry: str
    name: str
    first: int
    last: int
    points: float
    lives: Annotated[int | None, field_description("Lives left, in formats with lives.")]
    values: Annotated[
        dict[str, float],
        field_description(
            "The value of each tie-break, by code, as shown on the page. For `match_points_lost` lower is better, for"
            " all others higher; a tie-break without a value is left out."
        ),
    ]
    tie_breaks: Annotated[
        list[TieBreakValue], field_description("The same in order, each with the edition it is based on.")
    ]
    before: Annotated[
        list[str],
        field_description("Previous players of the entry, if another player took it over, earliest first."),
    ]
    withdrawn: Annotated[bool, field_description("Whether the entry withdrew.")]


class Table(Answer, frozen=True):
    """One standings table of a Swiss or round robin.

    `group` is its number, from 1, or null without groups.
    """

    group: int | None
    edition: Annotated[str, field_description("Edition of the regulation for the tie-breaks.")]
    tie_breaks: list[str]
    order: list[TieBreakUsed]
    rows: list[TableRow]


class StageBracket(Answer, frozen=True):
    """The bracket draw or rounds of one stage, with the places so far.

    `tables` are the standings tables of a Swiss or round robin; the list is empty for other systems.
    """

    division: str
    stage: str
    rounds: list[Round]
    places: list[Place]
    tables: list[Table]

    @classmethod
    def of(
        cls, division: DivisionView, view: StageView, draw: Draw, players: PlayersBySide
    ) -> "StageBracket":
        """Return the response for one stage.

        ``players``: the players of each match and side from `players_of_matches`, at least for the matches of
        ``draw``.
        """
        return cls(
            division=division.division.name,
            stage=view.stage.name,
            rounds=[Round.of(drawn, players) for drawn in (*draw.rounds, *draw.play_offs)],
            places=_places(division, view),
            tables=_tables(division, draw) if is_round_based(view.stage) else [],
        )


def _places(division: DivisionView, view: StageView) -> list[Place]:
    entries = {entry.pk: entry for entry in division.entries}
    return [
        Place(
            entry=entries[pk].public_id,
            name=entries[pk].name,
            first=place.first,
            last=place.last,
            settled=place.settled,
            before=_previous_players(entries[pk]),
            withdrawn=entries[pk].withdrawn,
        )
        for pk, place in view.places.items()
        if pk in entries
    ]


def _previous_players(entry: EntryRow) -> list[str]:
    return list(entry.before.names) if entry.before is not None else []


def _tables(division: DivisionView, draw: Draw) -> list[Table]:
    entries = {entry.pk: entry for entry in division.entries}
    return [
        Table(
            group=table.group or None,
            edition=table.edition.value,
            tie_breaks=list(table.criteria),
            order=[_applied_tie_break(code, table) for code in table.criteria],
            rows=[
                TableRow(
                    entry=entries[row.entry].public_id,
                    name=entries[row.entry].name,
                    first=row.first,
                    last=row.last,
                    points=table.points[row.entry] / FULL_POINT,
                    lives=table.lives_by_entry.get(row.entry),
                    values={code: _numeric_value(code, value) for code, value in row.values.items()},
                    tie_breaks=_tie_break_values(table, row),
                    before=_previous_players(entries[row.entry]),
                    withdrawn=entries[row.entry].withdrawn,
                )
                for row in table.rows
            ],
        )
        for table in standings_tables(draw)
    ]


def _applied_tie_break(code: str, table: DrawnTable) -> TieBreakUsed:
    breaker = get_tie_break(code)
    return TieBreakUsed(
        code=code,
        name=tie_break_name(code),
        edition=_edition(code, table),
        source=tie_break_source(code, table.edition),
        version=breaker.version(table.edition),
        article=breaker.articles.get(table.edition, ""),
    )


def _tie_break_values(table: DrawnTable, row: StandingsRow) -> list[TieBreakValue]:
    return [
        TieBreakValue(
            code=code,
            edition=_edition(code, table),
            value=_numeric_value(code, row.values[code]),
            again=_numeric_value(code, row.repeated_values[code]) if code in row.repeated_values else None,
        )
        for code in table.criteria
        if code in row.values
    ]


def _edition(code: str, table: DrawnTable) -> str | None:
    return table.edition.value if get_tie_break(code).articles else None


def _numeric_value(code: str, value: Value) -> float:
    return float(get_tie_break(code).counted(value))
