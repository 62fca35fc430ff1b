"""Take tables in: opening ratings and old results. All or nothing; the same file twice is the same as once."""

import hashlib
import unicodedata
from collections import Counter
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction

from faults import Fault, Invalid
from people.actors import Actor
from people.models import Club
from people.permissions import require_director
from people.services import audit
from people.services.players import NewPlayer, create_players, link_to_club
from rating.models import Fact, FactKind, RatingList
from rating.services.known import BATCH, Compared, against_ledger
from rating.services.lists import FIRST_YEAR, LAST_YEAR
from rating.services.locks import lock_list, mark_for_rebuild
from rating.services.result_tables import PlaceRow, ResultRow, Weight, read_results
from rating.services.tables import OpeningRow, Person, Table, read_openings
from rating.store.reading import hold_club, lists_counting, moment_of

Row = OpeningRow | ResultRow | PlaceRow
AnyTable = Table[OpeningRow] | Table[ResultRow | PlaceRow]


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
    weights: tuple[
        tuple[Weight, int], ...
    ] = ()  # of results and places, heaviest first, and how many rows have each
    places: int = 0  # how many rows are final places

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
    return _summary(table, [_fact(club, row) for row in table.rows], create_unknown=create_unknown)


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
    # The club before the list, as everywhere: who is new is counted at the club.
    clubs = Club.objects.select_for_update(of=("self",), no_key=True).filter(rating_lists=list_id)
    list(clubs.values_list("pk"))
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
    hold_club(club.pk)  # a list that is made meanwhile waits for these facts
    mark_for_rebuild(list_ids=lists_counting(club.pk))  # lists before facts, as everywhere
    facts = [_fact(club, row, made) for row in table.rows]
    imported = _write(facts, table, again=again)
    _trace(actor, "ledger.import_results", club, club, imported)
    return imported


def _check_day(as_of: datetime) -> None:
    if not FIRST_YEAR <= as_of.year <= LAST_YEAR:
        raise Invalid("rating.year", field="as_of", first=FIRST_YEAR, last=LAST_YEAR)


def _refuse(table: AnyTable, *, create_unknown: bool) -> None:
    faults = _faults(table, create_unknown=create_unknown)
    if faults:
        raise Invalid(faults=faults)


def _faults(table: AnyTable, *, create_unknown: bool) -> list[Fault]:
    faults = list(table.faults)
    if not create_unknown:
        faults += [
            Fault("rating.csv.player_unknown", None, {"line": line, "value": name})
            for line, name in _unknown_lines(table)
        ]
    return sorted(faults, key=lambda fault: int(fault.params.get("line", 0)))


def _unknown_lines(table: AnyTable) -> list[tuple[int, str]]:
    found = []
    for row in table.rows:
        found += [(row.line, person.name) for person in _people(row) if person.player_id is None]
    return found


def _people(row: Row) -> list[Person]:
    match row:
        case OpeningRow():
            return [row.person]
        case PlaceRow():
            return [row.player]
        case ResultRow():
            return [row.winner, row.loser]


def _summary(table: AnyTable, facts: list[Fact], *, create_unknown: bool) -> Imported:
    found = _compare(facts, table)
    rows = [row for row in table.rows if not isinstance(row, OpeningRow)]
    weights = Counter(row.weight for row in rows)
    return Imported(
        rows=len(table.rows),
        new=len(found.fresh),
        known=found.known,
        players=tuple(table.unknown) if create_unknown else (),
        faults=tuple(_faults(table, create_unknown=create_unknown)),
        notes=tuple(_notes(found, table)),
        taken_back=len(found.taken_back),
        weights=tuple(sorted(weights.items(), key=lambda item: (-item[0].event, item[0].division_rank))),
        places=sum(isinstance(row, PlaceRow) for row in rows),
    )


def _compare(facts: list[Fact], table: AnyTable) -> Compared:
    origins = [getattr(row, "origin", "") for row in table.rows]
    return against_ledger(facts, [row.line for row in table.rows], origins if any(origins) else None)


def _notes(found: Compared, table: AnyTable) -> list[Fault]:
    return sorted([*table.notes, *found.notes], key=lambda note: int(note.params["line"]))


def _make_players(actor: Actor, club: Club, table: AnyTable) -> dict[str, int]:
    if not table.unknown:
        return {}
    players = create_players(actor=actor, club=club, players=[NewPlayer(name) for name in table.unknown])
    # By the names as they are in the file: those of the players are cleaned of signs that nobody sees.
    return {name: player.pk for name, player in zip(table.unknown, players, strict=True)}


def _player_id(person: Person, made: dict[str, int] | None) -> int | None:
    return person.player_id if person.player_id is not None else (made or {}).get(person.name)


def _opening(
    rating_list: RatingList, row: OpeningRow, as_of: datetime, made: dict[str, int] | None = None
) -> Fact:
    return Fact(
        kind=FactKind.OPENING,
        source_key=_key(
            *("opening", rating_list.public_id, _name_in_key(row.person.name), as_of, row.rating),
            *(() if row.deviation is None else (row.deviation,)),
        ),
        club=rating_list.club,
        rating_list=rating_list,
        winner_id=_player_id(row.person, made),
        opening_rating=row.rating,
        opening_deviation=row.deviation,
        opening_experience=row.experience,
        played_at=as_of,
        moment=moment_of(as_of),
    )


def _fact(club: Club, row: ResultRow | PlaceRow, made: dict[str, int] | None = None) -> Fact:
    """What a row says. Its weight is no part of its key: a table that gets weights later holds the same results."""
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
        fact.winner_id = _player_id(row.player, made)
        fact.place, fact.tied, fact.field = row.place, row.tied, row.field
    else:
        fact.winner_id, fact.loser_id = _player_id(row.winner, made), _player_id(row.loser, made)
        fact.length = row.length
        fact.winner_score, fact.loser_score = row.winner_score, row.loser_score
        fact.result_kind, fact.discipline = row.kind, row.discipline
    fact.source_key = _key_of(club, row)
    return fact


def _key_of(club: Club, row: ResultRow | PlaceRow) -> str:
    if row.origin:
        return _key("csv", club.public_id, "ledger", row.origin)
    assert isinstance(row, ResultRow)
    return _key(
        "csv",
        club.public_id,
        _name_in_key(row.winner.name),
        _name_in_key(row.loser.name),
        row.length,
        f"{row.winner_score}-{row.loser_score}",
        row.played_at,
        row.event,
    )


def _name_in_key(name: str) -> str:
    """``name`` as the keys of the first release hold it; never folded otherwise, or results would be taken in twice."""
    plain = "".join(c for c in unicodedata.normalize("NFKD", name) if not unicodedata.combining(c))
    words = "".join(c if c.isalnum() else " " for c in plain.casefold()).split()
    return " ".join(sorted(words))


def _key(what: str, *parts: object) -> str:
    digest = hashlib.sha256("\x1f".join(map(str, parts)).encode()).hexdigest()
    return f"{what}:{digest[:32]}"


def _write(facts: list[Fact], table: AnyTable, *, again: bool) -> Imported:
    found = _compare(facts, table)
    fresh = found.fresh + (found.taken_back if again else [])
    Fact.objects.bulk_create(fresh, batch_size=BATCH)
    return Imported(
        rows=len(facts),
        new=len(fresh),
        known=found.known,
        players=tuple(table.unknown),
        faults=(),
        notes=tuple(_notes(found, table)),
        taken_back=0 if again else len(found.taken_back),
    )


def _trace(actor: Actor, action: str, club: Club, subject: Club | RatingList, imported: Imported) -> None:
    data = {"new": imported.new, "known": imported.known, "players": len(imported.players)}
    audit.record(actor=actor, action=action, subject=subject, club=club, data=data)
