"""Keys of imported facts, unique in the ledger; the identity of a row is its content (``known``)."""

import hashlib
import unicodedata
from collections.abc import Sequence
from dataclasses import replace

from people.models import Club
from rating.models import RatingList
from rating.services.result_tables import PlaceRow, ResultRow
from rating.services.tables import OpeningRow, Person


def result_keys(club: Club, row: ResultRow | PlaceRow) -> list[str]:
    """Return the key for a row, followed by those it may have been given before."""
    if row.origin:
        return [_key("csv", club.public_id, "ledger", row.origin)]
    assert isinstance(row, ResultRow)
    shared_parts = (row.length, f"{row.winner_score}-{row.loser_score}", row.played_at, row.event)
    sides = (row.winner, row.loser)
    return _unique_keys(
        [
            _key("csv", club.public_id, *map(_file_label, sides), *shared_parts),
            _key("csv", club.public_id, *map(_name_label, sides), *shared_parts),
        ]
    )


def former_keys(club: Club, row: ResultRow) -> list[str]:
    """Return keys of releases that read times without a zone as UTC; empty where it is the same."""
    if row.as_utc is None:
        return []
    return result_keys(club, replace(row, played_at=row.as_utc))


def opening_fact_keys(rating_list: RatingList, row: OpeningRow, as_of: object) -> list[str]:
    """Return the key for an opening rating, followed by those it may have been given before."""
    if row.origin:
        return [_key("opening", rating_list.public_id, "ledger", row.origin)]
    shared_parts = (as_of, row.rating, *(() if row.deviation is None else (row.deviation,)))
    return _unique_keys(
        [
            _key("opening", rating_list.public_id, _file_label(row.person), *shared_parts),
            _key("opening", rating_list.public_id, _name_label(row.person), *shared_parts),
        ]
    )


def _file_label(person: Person) -> str:
    """Return a player as in the file: an id, or the name at the time of its writing."""
    return f"#{person.player_id}" if person.by_id else normalize_key_name(person.word)


def _name_label(person: Person) -> str:
    """Return a player as in older keys: by the name at the time of the import."""
    return normalize_key_name(person.name)


def normalize_key_name(name: str) -> str:
    """Normalise ``name`` as in keys of the first release; never change this: results would be duplicated."""
    base_letters = "".join(c for c in unicodedata.normalize("NFKD", name) if not unicodedata.combining(c))
    words = "".join(c if c.isalnum() else " " for c in base_letters.casefold()).split()
    return " ".join(sorted(words))


def _unique_keys(keys: Sequence[str]) -> list[str]:
    return list(dict.fromkeys(keys))


def _key(prefix: str, *parts: object) -> str:
    digest = hashlib.sha256("\x1f".join(map(str, parts)).encode()).hexdigest()
    return f"{prefix}:{digest[:32]}"
