"""Take tables in: opening ratings and old results. All or nothing; the same file twice is the same as once."""

import hashlib
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction

from people.actors import Actor
from people.errors import Fault, Invalid
from people.models import Club, search_key
from people.permissions import require_director
from people.services import audit
from people.services.players import create_players, link_to_club
from rating.formulas.rateable import Discipline
from rating.models import Fact, FactKind, RatingList
from rating.services.known import BATCH, against_ledger
from rating.services.lists import FIRST_YEAR, LAST_YEAR, lock_list, mark_for_rebuild
from rating.services.tables import OpeningRow, Person, ResultRow, Table, read_openings, read_results
from rating.store.reading import lists_counting, moment_of


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

    @property
    def clean(self) -> bool:
        return not self.faults


def check_openings(
    *, rating_list: RatingList, text: str, as_of: datetime, create_unknown: bool = False
) -> Imported:
    """A dry run."""
    _check_day(as_of)
    table = read_openings(rating_list.club, text)
    facts = [_opening(rating_list, row, as_of) for row in table.rows]
    return _summary(table, facts, create_unknown=create_unknown)


def check_results(*, club: Club, text: str, create_unknown: bool = False) -> Imported:
    """A dry run."""
    table = read_results(club, text)
    return _summary(table, [_result(club, row) for row in table.rows], create_unknown=create_unknown)


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
    rating_list = lock_list(list_id)
    require_director(actor, rating_list.club)
    _check_day(as_of)
    table = read_openings(rating_list.club, text)
    _refuse(table, create_unknown=create_unknown)
    made = _make_players(actor, rating_list.club, table)
    facts = [_opening(rating_list, row, as_of, made) for row in table.rows]
    imported = _write(facts, table, again=again)
    link_to_club(players=[fact.winner for fact in facts if fact.winner], club=rating_list.club)
    mark_for_rebuild(list_ids=[rating_list.pk])
    _trace(actor, "rating_list.import_openings", rating_list.club, rating_list, imported)
    return imported


@transaction.atomic
def import_results(
    *, actor: Actor, club_id: int, text: str, create_unknown: bool = False, again: bool = False
) -> Imported:
    """Enter a club's old results in the ledger; every list that counts the club follows.

    A row that was taken back before stays out unless ``again`` asks for it: then it is a new fact under a new key.
    """
    club = Club.objects.get(pk=club_id)
    require_director(actor, club)
    table = read_results(club, text)
    _refuse(table, create_unknown=create_unknown)
    made = _make_players(actor, club, table)
    mark_for_rebuild(list_ids=lists_counting(club.pk))  # lists before facts, as everywhere
    facts = [_result(club, row, made) for row in table.rows]
    imported = _write(facts, table, again=again)
    _trace(actor, "ledger.import_results", club, club, imported)
    return imported


def _check_day(as_of: datetime) -> None:
    if not FIRST_YEAR <= as_of.year <= LAST_YEAR:
        raise Invalid("rating.year", field="as_of", first=FIRST_YEAR, last=LAST_YEAR)


def _refuse(table: Table[OpeningRow] | Table[ResultRow], *, create_unknown: bool) -> None:
    faults = _faults(table, create_unknown=create_unknown)
    if faults:
        raise Invalid(faults=faults)


def _faults(table: Table[OpeningRow] | Table[ResultRow], *, create_unknown: bool) -> list[Fault]:
    faults = list(table.faults)
    if not create_unknown:
        faults += [
            Fault("rating.csv.player_unknown", None, {"line": line, "value": name})
            for line, name in _unknown_lines(table)
        ]
    return sorted(faults, key=lambda fault: int(fault.params.get("line", 0)))


def _unknown_lines(table: Table[OpeningRow] | Table[ResultRow]) -> list[tuple[int, str]]:
    found = []
    for row in table.rows:
        people = [row.person] if isinstance(row, OpeningRow) else [row.winner, row.loser]
        found += [(row.line, person.name) for person in people if person.player_id is None]
    return found


def _summary(
    table: Table[OpeningRow] | Table[ResultRow], facts: list[Fact], *, create_unknown: bool
) -> Imported:
    found = against_ledger(facts, [row.line for row in table.rows])
    return Imported(
        rows=len(table.rows),
        new=len(found.fresh),
        known=found.known,
        players=tuple(table.unknown) if create_unknown else (),
        faults=tuple(_faults(table, create_unknown=create_unknown)),
        notes=tuple(found.notes),
        taken_back=len(found.taken_back),
    )


def _make_players(actor: Actor, club: Club, table: Table[OpeningRow] | Table[ResultRow]) -> dict[str, int]:
    if not table.unknown:
        return {}
    players = create_players(actor=actor, club=club, names=table.unknown)
    return {player.name: player.pk for player in players}


def _who(person: Person, made: dict[str, int] | None) -> int | None:
    return person.player_id if person.player_id is not None else (made or {}).get(person.name)


def _opening(
    rating_list: RatingList, row: OpeningRow, as_of: datetime, made: dict[str, int] | None = None
) -> Fact:
    return Fact(
        kind=FactKind.OPENING,
        source_key=_key(
            *("opening", rating_list.public_id, search_key(row.person.name), as_of, row.rating),
            *(() if row.deviation is None else (row.deviation,)),
        ),
        club=rating_list.club,
        rating_list=rating_list,
        winner_id=_who(row.person, made),
        opening_rating=row.rating,
        opening_deviation=row.deviation,
        opening_experience=row.experience,
        played_at=as_of,
        moment=moment_of(as_of),
    )


def _result(club: Club, row: ResultRow, made: dict[str, int] | None = None) -> Fact:
    return Fact(
        kind=FactKind.RESULT,
        source_key=_key(
            "csv",
            club.public_id,
            search_key(row.winner.name),
            search_key(row.loser.name),
            row.length,
            f"{row.winner_score}-{row.loser_score}",
            row.played_at,
            row.event,
        ),
        club=club,
        winner_id=_who(row.winner, made),
        loser_id=_who(row.loser, made),
        length=row.length,
        winner_score=row.winner_score,
        loser_score=row.loser_score,
        result_kind=row.kind,
        discipline=Discipline.STANDARD,
        event_name=row.event,
        played_at=row.played_at,
        moment=moment_of(row.played_at),
    )


def _key(what: str, *parts: object) -> str:
    digest = hashlib.sha256("\x1f".join(map(str, parts)).encode()).hexdigest()
    return f"{what}:{digest[:32]}"


def _write(facts: list[Fact], table: Table[OpeningRow] | Table[ResultRow], *, again: bool) -> Imported:
    found = against_ledger(facts, [row.line for row in table.rows])
    fresh = found.fresh + (found.taken_back if again else [])
    Fact.objects.bulk_create(fresh, batch_size=BATCH)
    return Imported(
        rows=len(facts),
        new=len(fresh),
        known=found.known,
        players=tuple(table.unknown),
        faults=(),
        notes=tuple(found.notes),
        taken_back=0 if again else len(found.taken_back),
    )


def _trace(actor: Actor, action: str, club: Club, subject: Club | RatingList, imported: Imported) -> None:
    data = {"new": imported.new, "known": imported.known, "players": len(imported.players)}
    audit.record(actor=actor, action=action, subject=subject, club=club, data=data)
