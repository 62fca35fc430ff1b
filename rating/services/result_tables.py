"""Read tables of old results: one that somebody keeps by hand, or a ledger that this program wrote.

The ledger's own file has further columns and names some of them otherwise; what it holds comes in as it went out, so that
a list that counts the same has the same ratings. Reads and judges, writes nothing.
"""

import math
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime, tzinfo
from functools import lru_cache
from sys import intern

from faults import Fault
from people.models import Club
from people.zones import zone_of
from rating.formulas.base import MOST_EXPERIENCE
from rating.formulas.glicko2 import WIDEST
from rating.formulas.master import HEAVIEST_EVENT
from rating.formulas.rateable import LONGEST, Discipline, ResultKind, is_rateable
from rating.services.ledger import HEAVIEST, WORST_PR
from rating.services.tables import (
    QUOTED,
    Line,
    Lines,
    OpeningRow,
    People,
    Person,
    Table,
    Tell,
    columns_of,
    number_in,
    read_lines,
    time_in,
    whole_in,
    with_progress,
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
LOWEST_DIVISION = 20
LARGEST_FIELD = 100_000
MOST_POINTS = 999  # more are a slip of the pen
LONGEST_EVENT_NAME = 160


@dataclass(frozen=True, slots=True)
class Weight:
    """What master points are multiplied by: the event's weight, and the division's, which follows its rank."""

    event: float = 1.0
    division_rank: int = 1


@dataclass(frozen=True, slots=True)
class ResultRow:
    """A match. ``origin``: the key that the ledger had for it which the file was written from; ``scored``: it says a score."""

    line: int
    winner: Person
    loser: Person
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
    as_utc: datetime | None = (
        None  # what earlier releases took a time without a zone for, where that is another one
    )


@dataclass(frozen=True, slots=True)
class PlaceRow:
    """A final place, which only a ledger's own file holds."""

    line: int
    player: Person
    place: int
    tied: int
    field: int
    played_at: datetime
    event: str
    weight: Weight
    origin: str


LedgerRow = ResultRow | PlaceRow | OpeningRow


def read_results(
    club: Club, text: str, *, openings: bool, tell: Tell, same: Collection[str] = ()
) -> Table[LedgerRow]:
    """Columns: date, winner, loser, length; optional winner_score, loser_score, kind, event, event_weight,
    division_rank, discipline, winner_pr, loser_pr. Or a ledger as it is exported: what was taken back stays out, and opening
    ratings without ``openings``; players merged there come in as whom they are now.
    """
    if set(LEDGER_COLUMNS) <= set(columns_of(text)):
        return _read_ledger(club, text, openings=openings, tell=tell, same=same)
    lines = read_lines(text, COLUMNS)
    zone = zone_of(club.pk, club.timezone)
    people = People(club, lines, ["winner", "loser"], same)
    table: Table[LedgerRow] = Table()
    for line in with_progress(lines, len(lines), tell):
        _take(table, line, _result(line, people, zone))
    table.take_people(people)
    return table


def _read_ledger(
    club: Club, text: str, *, openings: bool, tell: Tell, same: Collection[str]
) -> Table[LedgerRow]:
    table: Table[LedgerRow] = Table()
    lines = read_lines(text, LEDGER_COLUMNS)
    merges = {
        line["loser_id"]: line
        for line in lines
        if line["kind"].casefold() == "merge" and line["loser_id"] and line["winner_id"]
    }
    people = People(club, _of_ledger(lines, merges, openings=openings), ["winner", "loser"], same)
    left = len(lines)
    for line in with_progress(_of_ledger(lines, merges, openings=openings, table=table), left, tell):
        if line["winner_id"] and line["winner_id"] == line["loser_id"]:
            table.notes.add([Fault("rating.csv.merged_since", "loser", {"line": line.number})])
            continue
        if not line["source_key"]:
            line.fault("rating.csv.empty_cell", "source_key")
        _take(table, line, _ledger_row(line, people))
    table.take_people(people)
    return table


def _of_ledger(
    lines: Lines,
    merges: Mapping[str, Line],
    *,
    openings: bool,
    table: Table[LedgerRow] | None = None,
) -> Iterator[Line]:
    """Lines of what stands, with their players as whom they are now; ``table`` hears of those that stay out."""
    for line in lines:
        kind = line["kind"].casefold()
        if kind in {"merge", "void"} or line["taken_back"].casefold() == "yes":
            continue
        if kind == "opening" and not openings:
            if table is not None:
                table.notes.add([Fault("rating.csv.opening_here", "kind", {"line": line.number})])
            continue
        if kind not in {"result", "replacement", "place", "opening"}:
            line.fault("rating.csv.kind", "kind", value=line["kind"][:QUOTED])
        elif _is_hidden(line, kind):
            if table is not None:
                table.notes.add([Fault("rating.csv.hidden", "winner", {"line": line.number})])
            continue
        yield _as_now(line, merges)


def _is_hidden(line: Line, kind: str) -> bool:
    """Whether somebody of it has neither name nor id: a federation's file says nothing of private players of member clubs."""
    sides = ("winner", "loser") if kind in {"result", "replacement"} else ("winner",)
    return any(not line[side] and not line[f"{side}_id"] for side in sides)


def _as_now(line: Line, merges: Mapping[str, Line]) -> Line:
    """The line with its players as whom they are since they were merged."""
    cells = dict(line.cells)
    for column in ("winner", "loser"):
        merge = merges.get(line[f"{column}_id"])
        if merge is not None:
            cells |= {f"{column}_id": merge["winner_id"], column: merge["winner"]}
    return replace(line, cells=cells)


def _ledger_row(line: Line, people: People) -> LedgerRow | None:
    match line["kind"].casefold():
        case "place":
            return _place(line, people)
        case "opening":
            return _opening(line, people)
        case _:
            return _result(line, people, ours=True)


def _opening(line: Line, people: People) -> OpeningRow | None:
    player = people.find(line, "winner")
    at = time_in(line, "played_at")
    rating = number_in(line, "opening_rating", low=0.0, high=10_000.0)
    deviation = (
        number_in(line, "opening_deviation", low=1.0, high=WIDEST) if line["opening_deviation"] else None
    )
    experience = whole_in(line, "opening_experience", low=0, high=MOST_EXPERIENCE, default=0)
    if line.faults:
        return None
    assert player is not None  # its cell would be a fault
    return OpeningRow(line.number, player, rating, experience, deviation, at, line["source_key"])


def _take(table: Table[LedgerRow], line: Line, row: LedgerRow | None) -> None:
    if row is None:
        table.faults.add(line.faults)
    else:
        table.rows.append(row)


def _result(line: Line, people: People, zone: tzinfo = UTC, *, ours: bool = False) -> ResultRow | None:
    """``ours``: of a ledger that this program wrote, where two columns have other names."""
    date, kind_column = ("played_at", "result_kind") if ours else ("date", "kind")
    winner = people.find(line, "winner")
    loser = people.find(line, "loser")
    played_at = time_in(line, date, zone)
    as_utc = played_at if line.faults else time_in(line, date, UTC)
    length = whole_in(line, "length", low=1, high=LONGEST)
    winner_score = whole_in(line, "winner_score", low=0, high=MOST_POINTS, default=length)
    loser_score = whole_in(line, "loser_score", low=0, high=MOST_POINTS, default=0)
    kind = _kind(line, kind_column)
    weight = _weight(line, ours=ours)
    discipline = _discipline(line)
    winner_pr, loser_pr = _pr(line, "winner_pr"), _pr(line, "loser_pr")
    if not line.faults and (loser_score >= length or (kind is ResultKind.PLAYED and winner_score < length)):
        line.fault("rating.csv.score", "winner_score", value=f"{winner_score}-{loser_score}", length=length)
    if winner is not None and winner == loser:
        line.fault("rating.csv.same_player", "loser")
    if line.faults:
        return None
    assert winner is not None  # its cell would be a fault
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
        event=intern(line["event"][:LONGEST_EVENT_NAME]),
        weight=weight,
        discipline=discipline,
        origin=line["source_key"] if ours else "",
        scored=bool(line["winner_score"] or line["loser_score"]),
        winner_pr=winner_pr,
        loser_pr=loser_pr,
        as_utc=as_utc if as_utc != played_at else None,
    )


def _pr(line: Line, column: str) -> float | None:
    """Errors of play, where an analysis has told them."""
    return number_in(line, column, low=0.0, high=WORST_PR) if line[column] else None


def _place(line: Line, people: People) -> PlaceRow | None:
    player = people.find(line, "winner")
    played_at = time_in(line, "played_at")
    field = whole_in(line, "field", low=2, high=LARGEST_FIELD)
    place = whole_in(line, "place", low=1, high=LARGEST_FIELD)
    tied = whole_in(line, "tied", low=1, high=LARGEST_FIELD)
    weight = _weight(line, ours=True)
    if not line.faults and place + tied - 1 > field:
        line.fault("rating.csv.place", "place", value=line["place"])
    if line.faults:
        return None
    assert player is not None  # its cell would be a fault
    return PlaceRow(
        line=line.number,
        player=player,
        place=place,
        tied=tied,
        field=field,
        played_at=played_at,
        event=intern(line["event"][:LONGEST_EVENT_NAME]),
        weight=weight,
        origin=line["source_key"],
    )


def _weight(line: Line, *, ours: bool) -> Weight:
    """Weight of the event, 1 if nothing is said, and rank of its division, the first if nothing is said.

    Nothing is what a director gives an event that shall earn nothing: a ledger holds it, a table kept by hand hardly means
    it. A comma is no decimal point here, because 1,000 may be one or a thousand.
    """
    text = line["event_weight"]
    try:
        weight = float(text) if text else 1.0
    except ValueError:
        weight = math.nan
    fits = 0.0 <= weight <= HEAVIEST if ours else 0.0 < weight <= HEAVIEST_EVENT
    if not fits:
        line.fault("rating.csv.weight", "event_weight", value=text[:QUOTED], limit=HEAVIEST_EVENT)
    rank = whole_in(line, "division_rank", low=1, high=LOWEST_DIVISION, default=1)
    return _weights(weight, rank)


@lru_cache(maxsize=256)
def _weights(weight: float, rank: int) -> Weight:
    """One for all lines that have the same."""
    return Weight(weight, rank)


def _discipline(line: Line) -> Discipline:
    try:
        return Discipline(line["discipline"].casefold() or Discipline.STANDARD)
    except ValueError:
        line.fault("rating.csv.discipline", "discipline", value=line["discipline"][:QUOTED])
        return Discipline.STANDARD


def _kind(line: Line, column: str) -> ResultKind:
    text = line[column].casefold().replace(" ", "_") or ResultKind.PLAYED
    try:
        kind = ResultKind(text)
    except ValueError:
        kind = ResultKind.BYE
    if not is_rateable(kind):  # F12
        line.fault("rating.csv.kind", column, value=line[column][:QUOTED])
    return kind
