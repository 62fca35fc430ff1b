"""Who was erased, noted outside of the database: a backup that is restored does not know, and has to be told.

A line of JSON for each, with ids and times and no name, written once the erasure is committed.
"""

import json
import os
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from people.models import Player, User


@dataclass(frozen=True, slots=True)
class Erasure:
    """One of the two: ``players``, by public ids (with those that had been merged into one), or the account ``user``, made at ``joined``:
    after a backup is restored its number may be given out anew.
    """

    at: str
    players: tuple[str, ...] = ()
    user: int = 0
    joined: str = ""


def note_players(players: Iterable[Player]) -> None:
    """Note that they are erased, once this transaction is committed."""
    _note(Erasure(_now(), players=tuple(one.public_id for one in players)))


def note_account(user: User) -> None:
    """Note that the account is deleted, once this transaction is committed."""
    _note(Erasure(_now(), user=user.pk, joined=_moment(user.date_joined)))


def is_meant(user: User, erasure: Erasure) -> bool:
    """Whether it is this account, and not a later one with its number."""
    return user.pk == erasure.user and _moment(user.date_joined) == erasure.joined


def noted(file: Path | None = None) -> Iterator[Erasure]:
    """All that is noted, the oldest first. A line that cannot be read, as one cut off by a power cut, is passed over."""
    place = file or _file()
    for line in place.read_text().splitlines() if place.exists() else ():
        try:
            data = json.loads(line)
            yield Erasure(
                str(data["at"]), tuple(map(str, data["players"])), int(data["user"]), str(data["joined"])
            )
        except (ValueError, TypeError, KeyError):
            continue


def _note(erasure: Erasure) -> None:
    transaction.on_commit(lambda: _append(json.dumps(asdict(erasure))))


def _append(line: str) -> None:
    place = _file()
    place.parent.mkdir(parents=True, exist_ok=True)
    handle = os.open(place, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    try:
        os.write(handle, f"{line}\n".encode())  # one write: two processes do not mix their lines
        os.fsync(handle)
    finally:
        os.close(handle)


def _file() -> Path:
    return Path(settings.ERASURES_FILE)


def _now() -> str:
    return _moment(timezone.now())


def _moment(at: datetime) -> str:
    return at.isoformat()
