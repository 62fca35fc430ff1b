"""Source keys of imported facts, unique in the ledger; a row is recognised by its content (``known``)."""

import hashlib
import unicodedata
from collections.abc import Sequence
from dataclasses import replace

from people.models import Club
from rating.models import RatingList
from rating.services.result_tables import PlaceRow, ResultRow
from rating.services.tables import OpeningRow, TablePerson


def result_keys(club: Club, row: ResultRow | PlaceRow) -> list[str]:
    """Return the source key for a row of a table, followed by keys from earlier ways of making them."""
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
    """Return the keys from releases that read times without a zone as UTC.

    Empty if that makes no difference.
    """
    if row.as_utc is None:
        return []
    return result_keys(club, replace(row, played_at=row.as_utc))


def opening_fact_keys(rating_list: RatingList, row: OpeningRow, as_of: object) -> list[str]:
    """Return the source key for an opening rating, followed by keys from earlier ways of making them."""
    if row.origin:
        return [_key("opening", rating_list.public_id, "ledger", row.origin)]
    shared_parts = (as_of, row.rating, *(() if row.deviation is None else (row.deviation,)))
    return _unique_keys(
        [
            _key("opening", rating_list.public_id, _file_label(row.person), *shared_parts),
            _key("opening", rating_list.public_id, _name_label(row.person), *shared_parts),
        ]
    )


def _file_label(person: TablePerson) -> str:
    """Return the player as the file names them: by id, or by the name in the file."""
    return f"#{person.player_id}" if person.is_named_by_id else normalize_key_name(person.word)


def _name_label(person: TablePerson) -> str:
    """Return the player as in older keys: by the name that they had at the time of the import."""
    return normalize_key_name(person.name)


def normalize_key_name(name: str) -> str:
    """Return ``name`` as in keys of the first release. A change here would duplicate results."""
    base_letters = "".join(c for c in unicodedata.normalize("NFKD", name) if not unicodedata.combining(c))
    words = "".join(c if c.isalnum() else " " for c in base_letters.casefold()).split()
    return " ".join(sorted(words))


def _unique_keys(keys: Sequence[str]) -> list[str]:
    return list(dict.fromkeys(keys))


def _key(prefix: str, *parts: object) -> str:
    digest = hashlib.sha256("\x1f".join(map(str, parts)).encode()).hexdigest()
    return f"{prefix}:{digest[:32]}"
