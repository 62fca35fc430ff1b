"""Take tables in: opening ratings and old results. All or nothing; the same file twice is the same as once."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import IntegrityError, transaction
from django.db.models import QuerySet

from faults import Conflict, Fault, Invalid, Missing
from people.actors import Actor
from people.models import Club, Player
from people.permissions import require_director
from people.services import audit
from people.services.players import NewPlayer, create_players, link_to_club
from people.zones import FIRST_YEAR, LAST_YEAR
from rating.models import Fact, FactKind, RatingList
from rating.services.keys import former_keys, opening_keys, result_keys
from rating.services.known import BATCH, Candidate, Compared, against_ledger
from rating.services.locks import lock_list, mark_for_rebuild
from rating.services.result_tables import LedgerRow, PlaceRow, ResultRow, Weight, read_results
from rating.services.tables import OpeningRow, Person, Table, read_openings
from rating.store.moments import moment_of
from rating.store.reading import hold_club, lists_counting

Row = LedgerRow
AnyTable = Table[OpeningRow] | Table[LedgerRow]


@dataclass(frozen=True, slots=True)
class Imported:
    """What an import would do, or has done."""

    rows: int
    new: int
    known: int  # in the ledger already
    players: tuple[str, ...]  # made for it
    faults: tuple[Fault, ...]
    notes: tuple[Fault, ...] = ()  # rows that are left out because they were taken back or corrected since
    taken_back: int = 0  # how many of these can be taken in again
    filled: int = 0  # matches that were known without a score, and get it
    weights: tuple[
        tuple[Weight, int], ...
    ] = ()  # of results and places, heaviest first, and how many rows have each
    places: int = 0  # how many rows are final places
    openings: int = 0  # how many are opening ratings in a ledger

    @property
    def anything(self) -> bool:
        """Whether there is something to take in without being asked for it."""
        return bool(self.new or self.filled)

    @property
    def clean(self) -> bool:
        return not self.faults


def check_openings(
    *, rating_list: RatingList, text: str, as_of: datetime, create_unknown: bool = False
) -> Imported:
    """A dry run."""
    _check_day(as_of)
    table = read_openings(rating_list.club, text)
    return _summary(table, _openings(rating_list, table, as_of), create_unknown=create_unknown)


def check_results(
    *, club: Club, text: str, create_unknown: bool = False, openings_to: RatingList | None = None
) -> Imported:
    """A dry run."""
    table = read_results(club, text, openings=openings_to is not None)
    return _summary(table, _facts(club, table, openings_to), create_unknown=create_unknown)


@transaction.atomic
def import_openings(
    *,
    actor: Actor,
    list_id: int,
    text: str,
    as_of: datetime,
    create_unknown: bool = False,
    again: bool = False,
) -> Imported:
    """Set players' numbers on a list as they were at ``as_of``; with ``again`` also those that were taken back."""
    _hold_for_players(Club.objects.filter(rating_lists=list_id))
    rating_list = lock_list(list_id)
    require_director(actor, rating_list.club)
    _check_day(as_of)
    table = read_openings(rating_list.club, text)
    imported = _write(
        actor,
        rating_list.club,
        table,
        _openings(rating_list, table, as_of),
        create_unknown=create_unknown,
        again=again,
    )
    mark_for_rebuild(list_ids=[rating_list.pk])
    _trace(actor, "rating_list.import_openings", rating_list.club, rating_list, imported)
    return imported


@transaction.atomic
def import_results(
    *,
    actor: Actor,
    club_id: int,
    text: str,
    create_unknown: bool = False,
    again: bool = False,
    openings_to: int | None = None,
) -> Imported:
    """Enter a club's old results in the ledger; every list that counts the club follows.

    A row that was taken back before stays out unless ``again`` asks for it: then it is a new fact under a new key. Opening
    ratings that a ledger's own file holds are set on the club's list ``openings_to``, and stay out without one.
    """
    club = Club.objects.get(pk=club_id)
    require_director(actor, club)
    rating_list = None
    if openings_to is not None:
        rating_list = RatingList.objects.filter(pk=openings_to, club=club).first()
        if rating_list is None:
            raise Missing("rating.list_unknown")
    table = read_results(club, text, openings=rating_list is not None)
    _hold_for_players(Club.objects.filter(pk=club_id))
    hold_club(club.pk)  # a list that is made meanwhile waits for these facts
    mark_for_rebuild(list_ids=lists_counting(club.pk))  # lists before facts, as everywhere
    imported = _write(
        actor, club, table, _facts(club, table, rating_list), create_unknown=create_unknown, again=again
    )
    _trace(actor, "ledger.import_results", club, club, imported)
    return imported


def _hold_for_players(clubs: QuerySet[Club]) -> None:
    """The club before lists and players, as everywhere: who is new is counted at the club; of two imports one comes second."""
    list(clubs.select_for_update(of=("self",), no_key=True).values_list("pk"))


def _check_day(as_of: datetime) -> None:
    if not FIRST_YEAR <= as_of.year <= LAST_YEAR:
        raise Invalid("rating.year", field="as_of", first=FIRST_YEAR, last=LAST_YEAR)


def _faults(table: AnyTable, found: Compared, *, create_unknown: bool) -> list[Fault]:
    """What the lines have against them. What is in the ledger already needs nobody who is known by that name."""
    faults = list(table.faults)
    if not create_unknown:
        lines = {row.line: row for row in table.rows}
        faults += [
            Fault("rating.csv.player_unknown", None, {"line": one.line, "value": person.name})
            for one in [*found.fresh, *found.taken_back]
            if one.nameless
            for person in _people(lines[one.line])
            if person.player_id is None
        ]
    return sorted(faults, key=lambda fault: int(fault.params.get("line", 0)))


def _unknown_names(table: AnyTable, candidates: Sequence[Candidate]) -> dict[str, str]:
    """Whom these lines need and nobody is called so: names by ``ref``."""
    lines = {one.line for one in candidates if one.nameless}
    needed = {
        person.ref
        for row in table.rows
        if row.line in lines
        for person in _people(row)
        if person.player_id is None
    }
    return {ref: name for ref, name in table.unknown.items() if ref in needed}


def _people(row: Row) -> list[Person]:
    match row:
        case OpeningRow():
            return [row.person]
        case PlaceRow():
            return [row.player]
        case ResultRow():
            return [row.winner, row.loser]


def _summary(table: AnyTable, candidates: list[Candidate], *, create_unknown: bool) -> Imported:
    found = against_ledger(candidates)
    rows = [row for row in table.rows if not isinstance(row, OpeningRow)]
    weights = Counter(row.weight for row in rows)
    return Imported(
        rows=len(table.rows),
        new=len(found.fresh),
        known=found.known,
        players=tuple(_unknown_names(table, found.fresh).values()) if create_unknown else (),
        faults=tuple(_faults(table, found, create_unknown=create_unknown)),
        notes=tuple(_notes(found, table)),
        taken_back=len(found.taken_back),
        filled=len(found.filled),
        weights=tuple(sorted(weights.items(), key=lambda item: (-item[0].event, item[0].division_rank))),
        places=sum(isinstance(row, PlaceRow) for row in rows),
        openings=sum(isinstance(row, OpeningRow) and row.at is not None for row in table.rows),
    )


def _notes(found: Compared, table: AnyTable) -> list[Fault]:
    return sorted([*table.notes, *found.notes], key=lambda note: int(note.params["line"]))


def _make_players(actor: Actor, club: Club, names: Mapping[str, str]) -> dict[str, int]:
    """New players by ``ref``."""
    if not names:
        return {}
    players = create_players(actor=actor, club=club, players=[NewPlayer(name) for name in names.values()])
    return {ref: player.pk for ref, player in zip(names, players, strict=True)}


def _candidate(fact: Fact, row: Row, keys: Sequence[str]) -> Candidate:
    fact.source_key = keys[0]
    return Candidate(
        fact=fact,
        line=row.line,
        keys=keys,
        scored=not isinstance(row, ResultRow) or row.scored,
        origin=row.origin,
        nameless=any(person.player_id is None for person in _people(row)),
    )


def _openings(rating_list: RatingList, table: Table[OpeningRow], as_of: datetime) -> list[Candidate]:
    return [_opening(rating_list, row, as_of) for row in table.rows]


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


def _facts(club: Club, table: Table[LedgerRow], openings_to: RatingList | None) -> list[Candidate]:
    found = []
    for row in table.rows:
        if not isinstance(row, OpeningRow):
            one = _candidate(_fact(club, row), row, result_keys(club, row))
            one.former = former_keys(club, row) if isinstance(row, ResultRow) else ()
            found.append(one)
        elif openings_to is not None and row.at is not None:
            found.append(_opening(openings_to, row, row.at))
    return found


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


def _write(
    actor: Actor,
    club: Club,
    table: AnyTable,
    candidates: list[Candidate],
    *,
    create_unknown: bool,
    again: bool,
) -> Imported:
    """Enter what the ledger does not have. The caller holds the club, so that of two imports one sees the other's rows."""
    found = against_ledger(candidates)
    faults = _faults(table, found, create_unknown=create_unknown)
    if faults:
        raise Invalid(faults=faults)
    fresh = found.fresh + (found.taken_back if again else [])
    names = _unknown_names(table, fresh)
    made = _make_players(actor, club, names)
    rows = {row.line: row for row in table.rows}
    for one in fresh:
        if one.nameless:
            _name(one.fact, rows[one.line], made)
    facts = [one.fact for one in [*found.filled, *fresh]]
    try:
        with transaction.atomic():
            Fact.objects.bulk_create(facts, batch_size=BATCH)
    except IntegrityError as error:  # somebody corrected one of those that get their score now
        raise Conflict("rating.taken_back") from error
    ids = sorted({fact.winner_id for fact in facts if fact.rating_list_id and fact.winner_id})
    if ids:
        link_to_club(players=[Player(pk=pk) for pk in ids], club=club)
    return Imported(
        rows=len(candidates),
        new=len(fresh),
        known=found.known,
        players=tuple(names.values()),
        faults=(),
        notes=tuple(_notes(found, table)),
        taken_back=0 if again else len(found.taken_back),
        filled=len(found.filled),
    )


def _name(fact: Fact, row: Row, made: Mapping[str, int]) -> None:
    """Set the players that were made for a line."""
    ids = [person.player_id or made[person.ref] for person in _people(row)]
    fact.winner_id = ids[0]
    if len(ids) > 1:
        fact.loser_id = ids[1]


def _trace(actor: Actor, action: str, club: Club, subject: Club | RatingList, imported: Imported) -> None:
    data = {"new": imported.new, "known": imported.known, "players": len(imported.players)}
    audit.record(actor=actor, action=action, subject=subject, club=club, data=data)
