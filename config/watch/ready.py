"""`/readyz`: what this installation needs, and how each of it is, in two seconds at most whatever hangs.

Each check has a code for programs and a sentence for people. Without its database, or with tables of another release, a process cannot serve: *not
ready*, 503. Everything else the site does without for a while (`docs/running.md`, *When something is away*), so it is *impaired* and goes on
being asked: who took all web processes out because Redis is away would take the whole site out.
"""

import logging
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import Any, Final

from django.apps import apps
from django.conf import settings
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from django.utils import timezone

from config import catalogues
from config.watch import messages
from config.watch.messages import Waiting
from config.watch.probes import Hangs, Probe
from rating.selectors.behind import Behind, facts_behind

log = logging.getLogger(__name__)
WITHIN: Final = 2.0  # seconds for all of it
# Seconds after which a message should have been taken: what somebody waits for, and what takes minutes anyway, or is many matches.
LATE: Final = 120
_LATE: Final = {"import": 3 * 3600, "rebuild": 3 * 3600, "analysis": 24 * 3600}
RATED_WITHIN: Final = 600  # seconds
_NAMED: Final = 5


class Level(StrEnum):
    """How bad it is. Only ``FAILS`` keeps a process from serving."""

    OK = "ok"
    IMPAIRED = "impaired"
    FAILS = "fails"


@dataclass(frozen=True, slots=True)
class Check:
    """``code``: what is the matter, for programs; ``detail``: the same for people; ``value``: the number that it was judged by."""

    name: str
    level: Level
    code: str
    detail: str
    value: float | None = None


def _database() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")


@cache
def _of_this_release() -> frozenset[tuple[str, str]]:
    """Every migration that lies beside the code, by its name alone: none is imported."""
    found = set()
    for app in apps.get_app_configs():
        try:
            folder = import_module(f"{app.name}.migrations").__path__
        except ModuleNotFoundError:
            continue
        found |= {(app.label, module.name) for module in iter_modules(folder) if module.name[0] not in "_~"}
    return frozenset(found)


def _missing() -> list[str]:
    applied = MigrationRecorder(connection).applied_migrations()
    return sorted(f"{app}.{name}" for app, name in _of_this_release() - applied.keys())


def _queues() -> dict[str, Waiting]:
    """Raises when the broker or the shared cache is away."""
    found = dict(messages.waiting())
    if str(settings.CACHES["default"]["BACKEND"]).startswith("config.caches."):
        from config.caches import ping  # noqa: PLC0415 (a tenth of a second, where there is no Redis to ask)

        ping()
    return found


DATABASE: Final = Probe("database", _database)
MIGRATIONS: Final = Probe("migrations", _missing, holds=5)
BROKER: Final = Probe("redis", _queues)
BEHIND: Final = Probe("ratings", facts_behind, holds=5)


def checks(within: float = WITHIN) -> list[Check]:
    """All of them, side by side; what has no answer by then says so."""
    ends = time.monotonic() + within
    probes = (DATABASE, MIGRATIONS, BROKER, BEHIND)
    for probe in probes:
        probe.begin()

    def left() -> float:
        return max(0.0, ends - time.monotonic())

    found = [_judged(DATABASE, left(), lambda _: _ok("database", "The database answers."), Level.FAILS)]
    found.append(_judged(MIGRATIONS, left(), _of_migrations, Level.FAILS))
    found += _of_redis(left())
    found.append(_judged(BEHIND, left(), _of_ratings, Level.IMPAIRED))
    found.append(_of_texts())
    return found


def state_of(found: Iterable[Check]) -> str:
    """All of it in a word: `ready`, `impaired` or `not ready`."""
    levels = {check.level for check in found}
    if Level.FAILS in levels:
        return "not ready"
    return "impaired" if Level.IMPAIRED in levels else "ready"


def _ok(name: str, detail: str, value: float | None = None, code: str = "ok") -> Check:
    return Check(name, Level.OK, f"{name}.{code}", detail, value)


def _judged(probe: Probe, within: float, judge: Callable[[Any], Check], level: Level) -> Check:
    """What ``judge`` makes of the answer; of none, that it hangs or is away, which is as bad as ``level`` says."""
    try:
        return judge(probe.answer(within))
    except Hangs as hangs:
        detail = f"No answer for {hangs.seconds:.0f} seconds."
        return Check(probe.name, level, f"{probe.name}.hangs", detail, round(hangs.seconds, 1))
    except Exception as error:  # noqa: BLE001 (whatever its client raises, it is away)
        log.warning("%s cannot be asked: %s", probe.name, error)
        return Check(probe.name, level, f"{probe.name}.away", "It cannot be reached; the log says why.")


def _of_migrations(missing: list[str]) -> Check:
    if not missing:
        return _ok("migrations", "The tables are those of this release.", 0)
    named = ", ".join(missing[:_NAMED]) + (" …" if len(missing) > _NAMED else "")
    detail = f"Not yet applied: {named}. Run manage.py migrate."
    return Check("migrations", Level.FAILS, "migrations.missing", detail, len(missing))


def _of_texts() -> Check:
    missing, _outdated = catalogues.of_this_site()
    if missing:
        detail = f"The translations are not compiled: {', '.join(missing)}. {catalogues.HINT}."
        return Check("texts", Level.IMPAIRED, "texts.missing", detail, len(missing))
    return _ok("texts", "The translations of every language are compiled.", 0)


def _of_redis(within: float) -> list[Check]:
    """Redis itself, and the messages that lie in it or in the folder that stands for it."""
    used = not str(settings.CELERY_BROKER_URL).startswith("filesystem:")
    found: dict[str, Waiting] = {}

    def judge(queues: dict[str, Waiting]) -> Check:
        found.update(queues)
        return _ok("redis", "Redis answers.") if used else _ok("redis", "Not used here.", code="unused")

    redis = _judged(BROKER, within, judge, Level.IMPAIRED)
    if redis.level is not Level.OK:
        return [redis, Check("messages", Level.IMPAIRED, "messages.unknown", "The queues cannot be seen.")]
    late = [name for name, queue in found.items() if queue.age > _LATE.get(name, LATE)]
    oldest = round(max((queue.age for queue in found.values()), default=0.0), 1)
    if late:
        detail = f"Nobody takes what waits in {', '.join(late)}: is a worker running that serves them?"
        return [redis, Check("messages", Level.IMPAIRED, "messages.late", detail, oldest)]
    return [redis, _ok("messages", "Workers take what is sent to them.", oldest)]


def _of_ratings(behind: Behind) -> Check:
    age = (timezone.now() - behind.since).total_seconds() if behind.since else 0.0
    if age > RATED_WITHIN:
        detail = f"{behind.count} results wait to be rated, the first for {age / 60:.0f} minutes."
        return Check("ratings", Level.IMPAIRED, "ratings.late", detail, behind.count)
    return _ok("ratings", "Ratings follow results.", behind.count)
