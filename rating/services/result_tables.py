"""Read tables of old results: kept by hand, or exported from the ledger of a Crawford site.

An exported ledger has further columns and some other names; importing it reproduces the ledger, so that a
list with the same settings has the same ratings. Reads and checks, writes nothing.
"""

import math
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime, tzinfo
from functools import lru_cache
from sys import intern

from faults import Fault
from people.models import Club
from people.zones import club_zone
from rating.formulas.base import MAX_EXPERIENCE
from rating.formulas.glicko2 import MAX_DEVIATION
from rating.formulas.master import MAX_EVENT_WEIGHT
from rating.formulas.rateable import MAX_MATCH_LENGTH, Discipline, ResultKind, is_rateable
from rating.services.ledger import MAX_PR, MAX_WEIGHT
from rating.services.tables import (
    MAX_QUOTED_CHARS,
    Line,
    Lines,
    OpeningRow,
    PeopleLookup,
    ProgressCallback,
    Table,
    TablePerson,
    column_names,
    parse_number,
    parse_time,
    parse_whole_number,
    read_lines,
    report_while_reading,
)

COLUMNS = ("date", "winner", "loser", "length")
LEDGER_COLUMNS = (
    *(
        "kind",
        "played_at",
        "winner_id",
        "winner",
        "loser_id",
        "loser",
        "length",
        "winner_score",
        "loser_score",
    ),
    *("result_kind", "discipline", "event_weight", "division_rank", "place", "tied", "field"),
    *("taken_back", "source_key"),
)
MAX_DIVISION_RANK = 20
MAX_FIELD_SIZE = 100_000
MAX_SCORE = 999  # more are a typing error
MAX_EVENT_NAME_LENGTH = 160


@dataclass(frozen=True, slots=True)
class Weight:
    """The factors of master points: the event's weight, and the rank of the division."""

    event: float = 1.0
    division_rank: int = 1


@dataclass(frozen=True, slots=True)
class ResultRow:
    """A row with the result of a match.

    ``origin``: its source key in the exported ledger; ``scored``: whether the table has its score.
    """

    line: int
    winner: TablePerson
    loser: TablePerson
    length: int
    winner_score: int
    loser_score: int
    kind: ResultKind
    played_at: datetime
    event: str
    weight: Weight
    discipline: Discipline
    origin: str
    scored: bool
    winner_pr: float | None = None
    loser_pr: float | None = None
    as_utc: datetime | None = None  # other reading of a time without a zone by earlier releases


@dataclass(frozen=True, slots=True)
class PlaceRow:
    """A row with a final place, which occurs only in an exported ledger.

    ``origin``: its source key in that ledger.
    """

    line: int
    player: TablePerson
    place: int
    tied: int
    field: int
    played_at: datetime
    event: str
    weight: Weight
    origin: str


LedgerRow = ResultRow | PlaceRow | OpeningRow


def read_results(
    club: Club, text: str, *, openings: bool, on_progress: ProgressCallback, same: Collection[str] = ()
) -> Table[LedgerRow]:
    """Read a table of results, or an exported ledger.

    Columns: date, winner, loser, length; optional winner_score, loser_score, kind, event, event_weight,
    division_rank, discipline, winner_pr, loser_pr. Of a ledger, superseded facts are left out, and opening
    ratings if ``openings`` is False; players merged there are read as the remaining ones. ``same``: public
    ids of players confirmed for their names.
    """
    if set(LEDGER_COLUMNS) <= set(column_names(text)):
        return _read_ledger(club, text, openings=openings, on_progress=on_progress, same=same)
    lines = read_lines(text, COLUMNS)
    zone = club_zone(club.pk, club.timezone)
    people = PeopleLookup(club, lines, ["winner", "loser"], same)
    table: Table[LedgerRow] = Table()
    for line in report_while_reading(lines, len(lines), on_progress):
        _add_row(table, line, _parse_result(line, people, zone))
    table.set_people(people)
    return table


def _read_ledger(
    club: Club, text: str, *, openings: bool, on_progress: ProgressCallback, same: Collection[str]
) -> Table[LedgerRow]:
    table: Table[LedgerRow] = Table()
    lines = read_lines(text, LEDGER_COLUMNS)
    merges = {
        line["loser_id"]: line
        for line in lines
        if line["kind"].casefold() == "merge" and line["loser_id"] and line["winner_id"]
    }
    people = PeopleLookup(club, _effective_lines(lines, merges, openings=openings), ["winner", "loser"], same)
    total = len(lines)
    for line in report_while_reading(
        _effective_lines(lines, merges, openings=openings, table=table), total, on_progress
    ):
        if line["winner_id"] and line["winner_id"] == line["loser_id"]:
            table.notes.add([Fault("rating.csv.merged_since", "loser", {"line": line.number})])
            continue
        if not line["source_key"]:
            line.fault("rating.csv.empty_cell", "source_key")
        _add_row(table, line, _parse_ledger_row(line, people))
    table.set_people(people)
    return table


def _effective_lines(
    lines: Lines,
    merges: Mapping[str, Line],
    *,
    openings: bool,
    table: Table[LedgerRow] | None = None,
) -> Iterator[Line]:
    """Yield the lines of a ledger that are not superseded, with merges applied.

    ``table``: gets notes on lines that are left out.
    """
    for line in lines:
        kind = line["kind"].casefold()
        if kind in {"merge", "void"} or line["taken_back"].casefold() == "yes":
            continue
        if kind == "opening" and not openings:
            if table is not None:
                table.notes.add([Fault("rating.csv.opening_here", "kind", {"line": line.number})])
            continue
        if kind not in {"result", "replacement", "place", "opening"}:
            line.fault("rating.csv.kind", "kind", value=line["kind"][:MAX_QUOTED_CHARS])
        elif _is_hidden(line, kind):
            if table is not None:
                table.notes.add([Fault("rating.csv.hidden", "winner", {"line": line.number})])
            continue
        yield _apply_merges(line, merges)


def _is_hidden(line: Line, kind: str) -> bool:
    """Return whether a player has neither name nor id.

    So a federation's file has private players of member clubs.
    """
    sides = ("winner", "loser") if kind in {"result", "replacement"} else ("winner",)
    return any(not line[side] and not line[f"{side}_id"] for side in sides)


def _apply_merges(line: Line, merges: Mapping[str, Line]) -> Line:
    """Return the line with merged players replaced by the remaining ones.

    ``merges``: the lines that state a merge, keyed by the merged player's id.
    """
    cells = dict(line.cells)
    for column in ("winner", "loser"):
        merge = merges.get(line[f"{column}_id"])
        if merge is not None:
            cells |= {f"{column}_id": merge["winner_id"], column: merge["winner"]}
    return replace(line, cells=cells)


def _parse_ledger_row(line: Line, people: PeopleLookup) -> LedgerRow | None:
    match line["kind"].casefold():
        case "place":
            return _parse_place(line, people)
        case "opening":
            return _parse_opening(line, people)
        case _:
            return _parse_result(line, people, is_ledger=True)


def _parse_opening(line: Line, people: PeopleLookup) -> OpeningRow | None:
    player = people.find(line, "winner")
    played_at = parse_time(line, "played_at")
    rating = parse_number(line, "opening_rating", low=0.0, high=10_000.0)
    deviation = (
        parse_number(line, "opening_deviation", low=1.0, high=MAX_DEVIATION)
        if line["opening_deviation"]
        else None
    )
    experience = parse_whole_number(line, "opening_experience", low=0, high=MAX_EXPERIENCE, default=0)
    if line.faults:
        return None
    assert player is not None  # an empty cell would be a fault
    return OpeningRow(line.number, player, rating, experience, deviation, played_at, line["source_key"])


def _add_row(table: Table[LedgerRow], line: Line, row: LedgerRow | None) -> None:
    if row is None:
        table.faults.add(line.faults)
    else:
        table.rows.append(row)


def _parse_result(
    line: Line, people: PeopleLookup, zone: tzinfo = UTC, *, is_ledger: bool = False
) -> ResultRow | None:
    """Parse a result; None if the line has errors, which it then holds.

    ``is_ledger``: True for an exported ledger, where two columns have other names.
    """
    date_column, kind_column = ("played_at", "result_kind") if is_ledger else ("date", "kind")
    winner = people.find(line, "winner")
    loser = people.find(line, "loser")
    played_at = parse_time(line, date_column, zone)
    as_utc = played_at if line.faults else parse_time(line, date_column, UTC)
    length = parse_whole_number(line, "length", low=1, high=MAX_MATCH_LENGTH)
    winner_score = parse_whole_number(line, "winner_score", low=0, high=MAX_SCORE, default=length)
    loser_score = parse_whole_number(line, "loser_score", low=0, high=MAX_SCORE, default=0)
    kind = _parse_kind(line, kind_column)
    weight = _parse_weight(line, is_ledger=is_ledger)
    discipline = _parse_discipline(line)
    winner_pr, loser_pr = _parse_pr(line, "winner_pr"), _parse_pr(line, "loser_pr")
    if not line.faults and (loser_score >= length or (kind is ResultKind.PLAYED and winner_score < length)):
        line.fault("rating.csv.score", "winner_score", value=f"{winner_score}-{loser_score}", length=length)
    if winner is not None and winner == loser:
        line.fault("rating.csv.same_player", "loser")
    if line.faults:
        return None
    assert winner is not None  # an empty cell would be a fault
    assert loser is not None
    return ResultRow(
        line=line.number,
        winner=winner,
        loser=loser,
        length=length,
        winner_score=winner_score,
        loser_score=loser_score,
        kind=kind,
        played_at=played_at,
        event=intern(line["event"][:MAX_EVENT_NAME_LENGTH]),
        weight=weight,
        discipline=discipline,
        origin=line["source_key"] if is_ledger else "",
        scored=bool(line["winner_score"] or line["loser_score"]),
        winner_pr=winner_pr,
        loser_pr=loser_pr,
        as_utc=as_utc if as_utc != played_at else None,
    )


def _parse_pr(line: Line, column: str) -> float | None:
    """Parse the error rate (PR) in a column; None if empty."""
    return parse_number(line, column, low=0.0, high=MAX_PR) if line[column] else None


def _parse_place(line: Line, people: PeopleLookup) -> PlaceRow | None:
    player = people.find(line, "winner")
    played_at = parse_time(line, "played_at")
    field = parse_whole_number(line, "field", low=2, high=MAX_FIELD_SIZE)
    place = parse_whole_number(line, "place", low=1, high=MAX_FIELD_SIZE)
    tied = parse_whole_number(line, "tied", low=1, high=MAX_FIELD_SIZE)
    weight = _parse_weight(line, is_ledger=True)
    if not line.faults and place + tied - 1 > field:
        line.fault("rating.csv.place", "place", value=line["place"])
    if line.faults:
        return None
    assert player is not None  # an empty cell would be a fault
    return PlaceRow(
        line=line.number,
        player=player,
        place=place,
        tied=tied,
        field=field,
        played_at=played_at,
        event=intern(line["event"][:MAX_EVENT_NAME_LENGTH]),
        weight=weight,
        origin=line["source_key"],
    )


def _parse_weight(line: Line, *, is_ledger: bool) -> Weight:
    """Parse the event's weight (by default 1) and the rank of its division (by default the first).

    A weight of 0 occurs in an exported ledger, for events that earn nothing; in a table kept by hand it is a
    typing error. A comma is not accepted as decimal point, because 1,000 may be one or a thousand.
    """
    text = line["event_weight"]
    try:
        weight = float(text) if text else 1.0
    except ValueError:
        weight = math.nan
    is_in_range = 0.0 <= weight <= MAX_WEIGHT if is_ledger else 0.0 < weight <= MAX_EVENT_WEIGHT
    if not is_in_range:
        line.fault("rating.csv.weight", "event_weight", value=text[:MAX_QUOTED_CHARS], limit=MAX_EVENT_WEIGHT)
    rank = parse_whole_number(line, "division_rank", low=1, high=MAX_DIVISION_RANK, default=1)
    return _shared_weight(weight, rank)


@lru_cache(maxsize=256)
def _shared_weight(weight: float, rank: int) -> Weight:
    """Return a weight; equal ones are the same object, to save memory."""
    return Weight(weight, rank)


def _parse_discipline(line: Line) -> Discipline:
    try:
        return Discipline(line["discipline"].casefold() or Discipline.STANDARD)
    except ValueError:
        line.fault("rating.csv.discipline", "discipline", value=line["discipline"][:MAX_QUOTED_CHARS])
        return Discipline.STANDARD


def _parse_kind(line: Line, column: str) -> ResultKind:
    text = line[column].casefold().replace(" ", "_") or ResultKind.PLAYED
    try:
        kind = ResultKind(text)
    except ValueError:
        kind = ResultKind.BYE
    if not is_rateable(kind):  # F12
        line.fault("rating.csv.kind", column, value=line[column][:MAX_QUOTED_CHARS])
    return kind
