"""A log of erasures outside of the database, so that they can be repeated after a backup is restored.

Each erasure is one line of JSON, with ids and times but no name, written once the erasure is committed.
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
    """The erasure of ``players``, or of the account with the id ``user``.

    ``players``: public ids, with those of duplicates merged into the player. ``joined``: when the account was
    created, because after a restored backup its id may be given to another account.
    """

    at: str
    players: tuple[str, ...] = ()
    user: int = 0
    joined: str = ""


def log_player_erasures(players: Iterable[Player]) -> None:
    """Log that these players are erased, once the present transaction is committed."""
    _log_on_commit(Erasure(_now_text(), players=tuple(player.public_id for player in players)))


def log_account_erasure(user: User) -> None:
    """Log that the account is deleted, once the present transaction is committed."""
    _log_on_commit(Erasure(_now_text(), user=user.pk, joined=_format_time(user.date_joined)))


def is_erased_account(user: User, erasure: Erasure) -> bool:
    """Return whether ``user`` is the erased account, and not a later one with its id."""
    return user.pk == erasure.user and _format_time(user.date_joined) == erasure.joined


def logged_erasures(file: Path | None = None) -> Iterator[Erasure]:
    """Yield all logged erasures of ``file`` (default: the site's log), the oldest first.

    Unreadable lines, such as incomplete ones, are skipped.
    """
    path = file or _log_path()
    for line in path.read_text().splitlines() if path.exists() else ():
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
    path = _log_path()
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    try:
        os.write(
            descriptor, f"{line}\n".encode()
        )  # a single write, so that lines of two processes do not mix
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _log_path() -> Path:
    return Path(settings.ERASURES_FILE)


def _now_text() -> str:
    return _format_time(timezone.now())


def _format_time(at: datetime) -> str:
    return at.isoformat()
