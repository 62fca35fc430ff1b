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


def log_player_erasures(players: Iterable[Player]) -> None:
    """Note that they are erased, once this transaction is committed."""
    _log_on_commit(Erasure(_now_text(), players=tuple(one.public_id for one in players)))


def log_account_erasure(user: User) -> None:
    """Note that the account is deleted, once this transaction is committed."""
    _log_on_commit(Erasure(_now_text(), user=user.pk, joined=_format_time(user.date_joined)))


def is_erased_account(user: User, erasure: Erasure) -> bool:
    """Whether it is this account, and not a later one with its number."""
    return user.pk == erasure.user and _format_time(user.date_joined) == erasure.joined


def logged_erasures(file: Path | None = None) -> Iterator[Erasure]:
    """All that is noted, the oldest first. A line that cannot be read, as one cut off by a power cut, is passed over."""
    place = file or _log_path()
    for line in place.read_text().splitlines() if place.exists() else ():
        try:
            data = json.loads(line)
            yield Erasure(
                str(data["at"]), tuple(map(str, data["players"])), int(data["user"]), str(data["joined"])
            )
        except (ValueError, TypeError, KeyError):
            continue


def _log_on_commit(erasure: Erasure) -> None:
    transaction.on_commit(lambda: _append_line(json.dumps(asdict(erasure))))


def _append_line(line: str) -> None:
    place = _log_path()
    place.parent.mkdir(parents=True, exist_ok=True)
    handle = os.open(place, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    try:
        os.write(handle, f"{line}\n".encode())  # one write: two processes do not mix their lines
        os.fsync(handle)
    finally:
        os.close(handle)


def _log_path() -> Path:
    return Path(settings.ERASURES_FILE)


def _now_text() -> str:
    return _format_time(timezone.now())


def _format_time(at: datetime) -> str:
    return at.isoformat()
