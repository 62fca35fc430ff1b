"""What an import would enter: the lines of a table as facts, part by part, against what the ledger has. Writes nothing.

A part has all lines of the times that it holds, so nothing but the keys that are taken has to be known of the parts before it; what
is to be entered is kept as tuples. A table of 100,000 lines so takes a few times its own size in memory.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from faults import Fault
from people.models import Club
from rating.models import Fact, FactKind, RatingList
from rating.services.keys import former_keys, opening_keys, result_keys
from rating.services.known import Candidate, Compared, Ledger, against_ledger
from rating.services.result_tables import LedgerRow, PlaceRow, ResultRow, Weight, read_results
from rating.services.tables import Few, Match, OpeningRow, Person, Table, Tell, read_openings, silent
from rating.store.facts import Values, values_of
from rating.store.moments import moment_of

AnyTable = Table[OpeningRow] | Table[LedgerRow]
PART: Final = 2_000  # lines that are compared at a time

Refs = tuple[int | str | None, ...]
Kept = tuple[int, Values, Refs | None]  # line, fact, and its players where some of them are not made yet


@dataclass(frozen=True, slots=True)
class Imported:
    """What an import would do, or has done."""

    rows: int
    new: int
    known: int  # in the ledger already
    players: tuple[str, ...]  # made for it
    faults: tuple[Fault, ...]  # the first thousand
    notes: tuple[Fault, ...]  # rows that are left out because they were taken back or corrected since
    taken_back: int  # how many of these can be taken in again
    filled: int  # matches that were known without a score, and get it
    weights: tuple[tuple[Weight, int], ...]  # of results and places, heaviest first, with their rows
    places: int  # how many rows are final places
    openings: int  # how many are opening ratings in a ledger
    matches: tuple[Match, ...]  # names that a player of another club has, or several of the club
    unknown: tuple[tuple[str, int], ...]  # who is not known and in how many lines, where nobody is made
    more_faults: int
    more_notes: int

    @property
    def anything(self) -> bool:
        """Whether there is something to take in without being asked for it."""
        return bool(self.new or self.filled)

    @property
    def clean(self) -> bool:
        return not self.faults


@dataclass(frozen=True, slots=True)
class Wanted:
    """A table and what to do with it: opening ratings of the list ``openings_to`` as of a time, or, without one, results of the club and the
    opening ratings among them, which stay out without a list. ``same``: public ids of players who are meant by their names, though they are of
    another club or one of several.
    """

    club: Club
    text: str
    openings_to: RatingList | None = None
    as_of: datetime | None = None
    create_unknown: bool = False
    again: bool = False
    same: Collection[str] = ()


@dataclass(slots=True)
class Plan:
    """What is to be written, in the order of the lines. ``names``: of new players by ``ref``; ``opened``: whose ratings are opened."""

    wanted: Wanted
    imported: Imported
    fresh: list[Kept]
    filled: list[Kept]
    names: dict[str, str]
    opened: set[int]


def plan_of(wanted: Wanted, *, tell: Tell = silent, keep: bool = False) -> Plan:
    """Read the table and compare it; ``keep`` what is to be written. ``Unreadable`` if it is no such table."""
    table = _table(wanted, tell)
    total = len(table.rows)
    sums = _Sums(wanted, table, keep=keep)
    ledger = Ledger()
    for part in _parts(table.rows, wanted):
        tell("comparing", sums.rows, total)
        sums.add(part, against_ledger(list(_candidates(wanted, part)), ledger))
    return sums.plan()


def _table(wanted: Wanted, tell: Tell) -> AnyTable:
    if wanted.as_of is not None:
        return read_openings(wanted.club, wanted.text, tell, wanted.same)
    return read_results(
        wanted.club, wanted.text, openings=wanted.openings_to is not None, tell=tell, same=wanted.same
    )


def _parts(rows: list[LedgerRow] | list[OpeningRow], wanted: Wanted) -> Iterator[list[LedgerRow]]:
    """All rows in the order of their times; what was given away is held no longer."""
    left: list[LedgerRow] = list(rows)
    rows.clear()
    left.sort(key=lambda row: (_when(row, wanted), row.line), reverse=True)
    while left:
        part = [left.pop()]
        while left and (len(part) < PART or _when(left[-1], wanted) == _when(part[-1], wanted)):
            part.append(left.pop())
        yield part


def _when(row: LedgerRow, wanted: Wanted) -> datetime:
    at = row.at or wanted.as_of if isinstance(row, OpeningRow) else row.played_at
    assert at is not None  # where a file's openings have no time of their own, all have that one
    return at


class _Sums:
    """Adds up what is found, part by part."""

    def __init__(self, wanted: Wanted, table: AnyTable, *, keep: bool) -> None:
        self._wanted, self._table, self._keep = wanted, table, keep
        self.rows = 0
        self._new = self._known = self._filled = self._taken_back = self._places = self._openings = 0
        self._weights: Counter[Weight] = Counter()
        self._unknown: Counter[str] = Counter()
        self._notes = Few(table.notes)
        self._notes.more = table.notes.more
        self._fresh: list[Kept] = []
        self._filled_lines: list[Kept] = []
        self._named: set[str] = set()
        self._opened: set[int] = set()

    def add(self, part: Sequence[LedgerRow], found: Compared) -> None:
        again = self._wanted.again
        lines = {row.line: row for row in part}
        fresh = found.fresh + (found.taken_back if again else [])
        self.rows += len(part)
        self._new += len(fresh)
        self._known += found.known
        self._filled += len(found.filled)
        self._taken_back += 0 if again else len(found.taken_back)
        self._places += sum(isinstance(row, PlaceRow) for row in part)
        self._openings += sum(isinstance(row, OpeningRow) and row.at is not None for row in part)
        self._weights.update(row.weight for row in part if not isinstance(row, OpeningRow))
        self._notes.add(found.notes)
        if self._wanted.create_unknown:
            for one in fresh:
                if one.nameless:
                    self._name(lines[one.line])
        else:
            for one in [*found.fresh, *found.taken_back]:
                if one.nameless:
                    self._miss(lines[one.line])
        if self._keep:
            self._filled_lines += [(one.line, values_of(one.fact), None) for one in found.filled]
            self._fresh += [
                (one.line, values_of(one.fact), _refs(lines[one.line]) if one.nameless else None)
                for one in fresh
            ]
            self._opened.update(
                one.fact.winner_id
                for one in [*fresh, *found.filled]
                if one.fact.rating_list_id is not None and one.fact.winner_id is not None
            )

    def _name(self, row: LedgerRow) -> None:
        for person in people_of(row):
            if person.player_id is None:
                self._named.add(person.ref)

    def _miss(self, row: LedgerRow) -> None:
        for person in people_of(row):
            if person.player_id is None:
                self._unknown[self._table.unknown[person.ref]] += 1
                fault = Fault("rating.csv.player_unknown", None, {"line": row.line, "value": person.name})
                self._table.faults.add([fault])

    def plan(self) -> Plan:
        """All of it together."""
        names = {ref: name for ref, name in self._table.unknown.items() if ref in self._named}
        weights = sorted(self._weights.items(), key=lambda item: (-item[0].event, item[0].division_rank))
        imported = Imported(
            rows=self.rows,
            new=self._new,
            known=self._known,
            players=tuple(names.values()),
            faults=_by_line(self._table.faults),
            notes=_by_line(self._notes),
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
        return Plan(
            self._wanted,
            imported,
            fresh=sorted(self._fresh, key=_line_of),
            filled=sorted(self._filled_lines, key=_line_of),
            names=names,
            opened=self._opened,
        )


def _line_of(kept: Kept) -> int:
    return kept[0]


def _by_line(faults: Few) -> tuple[Fault, ...]:
    return tuple(sorted(faults, key=lambda fault: int(fault.params["line"])))


def people_of(row: LedgerRow) -> list[Person]:
    """Who a line is about: the winner and the loser, or the one player."""
    match row:
        case OpeningRow():
            return [row.person]
        case PlaceRow():
            return [row.player]
        case ResultRow():
            return [row.winner, row.loser]


def _refs(row: LedgerRow) -> Refs:
    """The players of a line in their columns; by ``ref`` those who are to be made."""
    ids = [person.player_id or person.ref for person in people_of(row)]
    return ids[0], ids[1] if len(ids) > 1 else None


def _candidates(wanted: Wanted, rows: Sequence[LedgerRow]) -> Iterator[Candidate]:
    for row in rows:
        if not isinstance(row, OpeningRow):
            one = _candidate(_fact(wanted.club, row), row, result_keys(wanted.club, row))
            one.former = former_keys(wanted.club, row) if isinstance(row, ResultRow) else ()
            yield one
        else:
            assert wanted.openings_to is not None  # without a list they were left out when the table was read
            yield _opening(wanted.openings_to, row, _when(row, wanted))


def _candidate(fact: Fact, row: LedgerRow, keys: Sequence[str]) -> Candidate:
    fact.source_key = keys[0]
    return Candidate(
        fact=fact,
        line=row.line,
        keys=keys,
        scored=not isinstance(row, ResultRow) or row.scored,
        origin=row.origin,
        nameless=any(person.player_id is None for person in people_of(row)),
    )


def _opening(rating_list: RatingList, row: OpeningRow, at: datetime) -> Candidate:
    fact = Fact(
        kind=FactKind.OPENING,
        club=rating_list.club,
        rating_list=rating_list,
        winner_id=row.person.player_id,
        opening_rating=row.rating,
        opening_deviation=row.deviation,
        opening_experience=row.experience,
        played_at=at,
        moment=moment_of(at),
    )
    return _candidate(fact, row, opening_keys(rating_list, row, at))


def _fact(club: Club, row: ResultRow | PlaceRow) -> Fact:
    """What a row says. Its weight is no part of what it is: a table that gets weights later holds the same results."""
    fact = Fact(
        kind=FactKind.RESULT,
        club=club,
        event_name=row.event,
        event_weight=row.weight.event,
        division_rank=row.weight.division_rank,
        played_at=row.played_at,
        moment=moment_of(row.played_at),
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
