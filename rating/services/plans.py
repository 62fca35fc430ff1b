"""Plan an import: turn the rows of a table into facts and compare these with the ledger. Writes nothing.

Rows are compared in parts. A part has all rows of its times, so only the used keys have to be known of
earlier parts; what is to be written is kept as tuples. So a table of 100,000 rows takes a few times its own
size in memory.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from faults import Fault
from names.public_page import PublicPage
from people.models import Club
from rating.models import Fact, FactKind, RatingList
from rating.services.keys import former_keys, opening_fact_keys, result_keys
from rating.services.known import ComparisonResult, ComparisonState, FactCandidate, compare_with_ledger
from rating.services.result_tables import LedgerRow, PlaceRow, ResultRow, Weight, read_results
from rating.services.tables import (
    AmbiguousName,
    LimitedFaults,
    OpeningRow,
    ProgressCallback,
    Table,
    TablePerson,
    ignore_progress,
    read_openings,
)
from rating.store.facts import FactValues, fact_values
from rating.store.moments import to_moment

AnyTable = Table[OpeningRow] | Table[LedgerRow]
PART_ROWS: Final = 2_000  # compared at a time

PlayerRefs = tuple[int | str | None, ...]
PlannedRow = tuple[
    int, FactValues, PlayerRefs | None
]  # line, fact, and its players where some of them are not made yet


@dataclass(frozen=True, slots=True)
class ImportSummary:
    """What an import would do, or has done."""

    rows: int
    new: int
    known: int  # in the ledger already
    players: tuple[str, ...]  # created for it
    faults: tuple[Fault, ...]  # the first thousand
    notes: tuple[Fault, ...]  # rows left out because they were voided or corrected since
    taken_back: int  # how many of these can be entered again
    filled: int  # matches that were known without a score, and get it
    weights: tuple[tuple[Weight, int], ...]  # of results and places, heaviest first, with their rows
    places: int  # how many rows are final places
    openings: int  # how many are opening ratings in a ledger
    matches: tuple[AmbiguousName, ...]  # names that a player of another club has, or several of the club
    unknown: tuple[tuple[str, int], ...]  # unknown names and their numbers of lines, unless created
    more_faults: int
    more_notes: int

    @property
    def anything(self) -> bool:
        """Return whether the table has rows to be imported, without those that were removed before."""
        return bool(self.new or self.filled)

    @property
    def has_no_faults(self) -> bool:
        return not self.faults


@dataclass(frozen=True, slots=True)
class ImportRequest:
    """A table and how to import it.

    With ``as_of``, the table has opening ratings of the list ``openings_to`` at that time. Without, it has
    results of the club and perhaps opening ratings, which are left out without a list. ``again``: True also
    imports rows that were removed before. ``same``: public ids of players confirmed for their names, who are
    of another club or one of several. ``public_page``: from when players who are created are public.
    """

    club: Club
    text: str
    openings_to: RatingList | None = None
    as_of: datetime | None = None
    create_unknown: bool = False
    again: bool = False
    same: Collection[str] = ()
    public_page: PublicPage = PublicPage.WITH_DRAW


@dataclass(slots=True)
class ImportPlan:
    """What an import has to write, in line order.

    ``fresh``: new facts; ``filled``: facts that get a score. ``names``: the names of new players, keyed by
    their reference in the table; ``opening_player_ids``: the ids of players with an opening rating.
    """

    request: ImportRequest
    summary: ImportSummary
    fresh: list[PlannedRow]
    filled: list[PlannedRow]
    names: dict[str, str]
    opening_player_ids: set[int]


def build_plan(
    import_request: ImportRequest, *, on_progress: ProgressCallback = ignore_progress, keep_rows: bool = False
) -> ImportPlan:
    """Read a table and compare it with the ledger.

    ``keep_rows``: True keeps what is to be written, not only its counts. Raises ``Unreadable`` for other
    files.
    """
    table = _read_table(import_request, on_progress)
    total = len(table.rows)
    builder = _PlanBuilder(import_request, table, keep_rows=keep_rows)
    ledger = ComparisonState()
    for part in _parts_by_time(table.rows, import_request):
        on_progress("comparing", builder.rows, total)
        builder.add(part, compare_with_ledger(list(_candidates(import_request, part)), ledger))
    return builder.plan()


def _read_table(import_request: ImportRequest, on_progress: ProgressCallback) -> AnyTable:
    if import_request.as_of is not None:
        return read_openings(import_request.club, import_request.text, on_progress, import_request.same)
    return read_results(
        import_request.club,
        import_request.text,
        openings=import_request.openings_to is not None,
        on_progress=on_progress,
        same=import_request.same,
    )


def _parts_by_time(
    rows: list[LedgerRow] | list[OpeningRow], import_request: ImportRequest
) -> Iterator[list[LedgerRow]]:
    """Yield all rows in parts, sorted by time; memory of yielded rows is released."""
    remaining: list[LedgerRow] = list(rows)
    rows.clear()
    remaining.sort(key=lambda row: (_row_time(row, import_request), row.line), reverse=True)
    while remaining:
        part = [remaining.pop()]
        while remaining and (
            len(part) < PART_ROWS
            or _row_time(remaining[-1], import_request) == _row_time(part[-1], import_request)
        ):
            part.append(remaining.pop())
        yield part


def _row_time(row: LedgerRow, import_request: ImportRequest) -> datetime:
    moment = row.at or import_request.as_of if isinstance(row, OpeningRow) else row.played_at
    assert moment is not None  # openings of a file without times of their own all have that one
    return moment


class _PlanBuilder:
    """Adds up what was found in a table, part by part."""

    def __init__(self, import_request: ImportRequest, table: AnyTable, *, keep_rows: bool) -> None:
        self._wanted, self._table, self._keep = import_request, table, keep_rows
        self.rows = 0
        self._new = self._known = self._filled = self._taken_back = self._places = self._openings = 0
        self._weights: Counter[Weight] = Counter()
        self._unknown: Counter[str] = Counter()
        self._notes = LimitedFaults(table.notes)
        self._notes.more = table.notes.more
        self._fresh: list[PlannedRow] = []
        self._filled_lines: list[PlannedRow] = []
        self._named: set[str] = set()
        self._opened: set[int] = set()

    def add(self, part: Sequence[LedgerRow], comparison: ComparisonResult) -> None:
        again = self._wanted.again
        row_by_line = {row.line: row for row in part}
        new_candidates = comparison.fresh + (comparison.taken_back if again else [])
        self.rows += len(part)
        self._new += len(new_candidates)
        self._known += comparison.known
        self._filled += len(comparison.filled)
        self._taken_back += 0 if again else len(comparison.taken_back)
        self._places += sum(isinstance(row, PlaceRow) for row in part)
        self._openings += sum(isinstance(row, OpeningRow) and row.at is not None for row in part)
        self._weights.update(row.weight for row in part if not isinstance(row, OpeningRow))
        self._notes.add(comparison.notes)
        if self._wanted.create_unknown:
            for candidate in new_candidates:
                if candidate.has_unknown_player:
                    self._note_new_players(row_by_line[candidate.line])
        else:
            for candidate in [*comparison.fresh, *comparison.taken_back]:
                if candidate.has_unknown_player:
                    self._reject_unknown_players(row_by_line[candidate.line])
        if self._keep:
            self._filled_lines += [
                (candidate.line, fact_values(candidate.fact), None) for candidate in comparison.filled
            ]
            self._fresh += [
                (
                    candidate.line,
                    fact_values(candidate.fact),
                    _row_refs(row_by_line[candidate.line]) if candidate.has_unknown_player else None,
                )
                for candidate in new_candidates
            ]
            self._opened.update(
                candidate.fact.winner_id
                for candidate in [*new_candidates, *comparison.filled]
                if candidate.fact.rating_list_id is not None and candidate.fact.winner_id is not None
            )

    def _note_new_players(self, row: LedgerRow) -> None:
        for person in row_people(row):
            if person.player_id is None:
                self._named.add(person.ref)

    def _reject_unknown_players(self, row: LedgerRow) -> None:
        for person in row_people(row):
            if person.player_id is None:
                self._unknown[self._table.unknown[person.ref]] += 1
                fault = Fault("rating.csv.player_unknown", None, {"line": row.line, "value": person.name})
                self._table.faults.add([fault])

    def plan(self) -> ImportPlan:
        """Return everything that was added up, as a plan in line order."""
        names = {ref: name for ref, name in self._table.unknown.items() if ref in self._named}
        weights = sorted(self._weights.items(), key=lambda item: (-item[0].event, item[0].division_rank))
        imported = ImportSummary(
            rows=self.rows,
            new=self._new,
            known=self._known,
            players=tuple(names.values()),
            faults=_sorted_by_line(self._table.faults),
            notes=_sorted_by_line(self._notes),
            taken_back=self._taken_back,
            filled=self._filled,
            weights=tuple(weights),
            places=self._places,
            openings=self._openings,
            matches=self._table.matches,
            unknown=tuple(self._unknown.most_common()),
            more_faults=self._table.faults.more,
            more_notes=self._notes.more,
        )
        return ImportPlan(
            self._wanted,
            imported,
            fresh=sorted(self._fresh, key=_line_number),
            filled=sorted(self._filled_lines, key=_line_number),
            names=names,
            opening_player_ids=self._opened,
        )


def _line_number(planned_row: PlannedRow) -> int:
    return planned_row[0]


def _sorted_by_line(faults: LimitedFaults) -> tuple[Fault, ...]:
    return tuple(sorted(faults, key=lambda fault: int(fault.params["line"])))


def row_people(row: LedgerRow) -> list[TablePerson]:
    """Return the players of a row: winner and loser, or the one player."""
    match row:
        case OpeningRow():
            return [row.person]
        case PlaceRow():
            return [row.player]
        case ResultRow():
            return [row.winner, row.loser]


def _row_refs(row: LedgerRow) -> PlayerRefs:
    """Return (winner, loser) of a row as ids.

    A new player is a reference in the table instead, and a missing loser None.
    """
    ids = [person.player_id or person.ref for person in row_people(row)]
    return ids[0], ids[1] if len(ids) > 1 else None


def _candidates(import_request: ImportRequest, rows: Sequence[LedgerRow]) -> Iterator[FactCandidate]:
    for row in rows:
        if not isinstance(row, OpeningRow):
            candidate = _build_candidate(
                _build_fact(import_request.club, row), row, result_keys(import_request.club, row)
            )
            candidate.former_keys = (
                former_keys(import_request.club, row) if isinstance(row, ResultRow) else ()
            )
            yield candidate
        else:
            assert (
                import_request.openings_to is not None
            )  # without a list they were left out when the table was read
            yield _opening_candidate(import_request.openings_to, row, _row_time(row, import_request))


def _build_candidate(fact: Fact, row: LedgerRow, keys: Sequence[str]) -> FactCandidate:
    fact.source_key = keys[0]
    return FactCandidate(
        fact=fact,
        line=row.line,
        keys=keys,
        has_score=not isinstance(row, ResultRow) or row.scored,
        origin=row.origin,
        has_unknown_player=any(person.player_id is None for person in row_people(row)),
    )


def _opening_candidate(rating_list: RatingList, row: OpeningRow, played_at: datetime) -> FactCandidate:
    fact = Fact(
        kind=FactKind.OPENING,
        club=rating_list.club,
        rating_list=rating_list,
        winner_id=row.person.player_id,
        opening_rating=row.rating,
        opening_deviation=row.deviation,
        opening_experience=row.experience,
        played_at=played_at,
        moment=to_moment(played_at),
    )
    return _build_candidate(fact, row, opening_fact_keys(rating_list, row, played_at))


def _build_fact(club: Club, row: ResultRow | PlaceRow) -> Fact:
    """Build the fact of a row, without a source key."""
    fact = Fact(
        kind=FactKind.RESULT,
        club=club,
        event_name=row.event,
        event_weight=row.weight.event,
        division_rank=row.weight.division_rank,
        played_at=row.played_at,
        moment=to_moment(row.played_at),
    )
    if isinstance(row, PlaceRow):
        fact.kind = FactKind.PLACE
        fact.winner_id = row.player.player_id
        fact.place, fact.tied, fact.field = row.place, row.tied, row.field
    else:
        fact.winner_id, fact.loser_id = row.winner.player_id, row.loser.player_id
        fact.length = row.length
        fact.winner_score, fact.loser_score = row.winner_score, row.loser_score
        fact.result_kind, fact.discipline = row.kind, row.discipline
        fact.winner_pr, fact.loser_pr = row.winner_pr, row.loser_pr
    return fact
