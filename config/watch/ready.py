"""`/readyz`: the state of everything that this installation needs, within two seconds.

Each check has a code for programs and a sentence for people. Without its database, or with tables of another
release, a process cannot serve: *not ready*, 503. Without anything else the site can work for a while
(`docs/running.md`, *When something is away*), so it is *impaired* and still gets requests: removing all web
processes because Redis is away would take the whole site down.
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
from config.watch.messages import QueueState
from config.watch.probes import Probe, ProbeTimeout
from rating.selectors.behind import RatingBacklog, rating_backlog

log = logging.getLogger(__name__)
MAX_SECONDS: Final = 2.0  # for all checks together
# Seconds after which a message should have been taken: short tasks, and tasks of minutes or many matches.
LATE_SECONDS: Final = 120
_LATE_SECONDS_BY_QUEUE: Final = {"import": 3 * 3600, "rebuild": 3 * 3600, "analysis": 24 * 3600}
RATING_LATE_SECONDS: Final = 600  # seconds
_MAX_NAMED: Final = 5


class Level(StrEnum):
    """Severity of a check's result. Only ``FAILS`` means that a process cannot serve."""

    OK = "ok"
    IMPAIRED = "impaired"
    FAILS = "fails"


@dataclass(frozen=True, slots=True)
class Check:
    """The result of a check. ``code``: for programs; ``detail``: for people; ``value``: what was measured."""

    name: str
    level: Level
    code: str
    detail: str
    value: float | None = None


def _query_database() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")


@cache
def _release_migrations() -> frozenset[tuple[str, str]]:
    """Return all migrations of the code as pairs of app and name, without importing them."""
    migrations = set()
    for app in apps.get_app_configs():
        try:
            folder = import_module(f"{app.name}.migrations").__path__
        except ModuleNotFoundError:
            continue
        migrations |= {
            (app.label, module.name) for module in iter_modules(folder) if module.name[0] not in "_~"
        }
    return frozenset(migrations)


def _missing_migrations() -> list[str]:
    applied = MigrationRecorder(connection).applied_migrations()
    return sorted(f"{app}.{name}" for app, name in _release_migrations() - applied.keys())


def _read_queues() -> dict[str, QueueState]:
    """Return the state of the queues. Raises if the broker or the shared cache cannot be reached."""
    states = dict(messages.queue_states())
    if str(settings.CACHES["default"]["BACKEND"]).startswith("config.caches."):
        from config.caches import ping  # noqa: PLC0415 (a tenth of a second, where there is no Redis to ask)

        ping()
    return states


DATABASE_PROBE: Final = Probe("database", _query_database)
MIGRATIONS_PROBE: Final = Probe("migrations", _missing_migrations, result_seconds=5)
BROKER_PROBE: Final = Probe("redis", _read_queues)
RATINGS_PROBE: Final = Probe("ratings", rating_backlog, result_seconds=5)


def run_checks(timeout: float = MAX_SECONDS) -> list[Check]:
    """Run all checks in parallel; return their results. A check without a result in time says so."""
    deadline = time.monotonic() + timeout
    probes = (DATABASE_PROBE, MIGRATIONS_PROBE, BROKER_PROBE, RATINGS_PROBE)
    for probe in probes:
        probe.start()

    def left() -> float:
        return max(0.0, deadline - time.monotonic())

    checks = [
        _judge_probe(
            DATABASE_PROBE, left(), lambda _: _ok_check("database", "The database answers."), Level.FAILS
        )
    ]
    checks.append(_judge_probe(MIGRATIONS_PROBE, left(), _migrations_check, Level.FAILS))
    checks += _redis_checks(left())
    checks.append(_judge_probe(RATINGS_PROBE, left(), _ratings_check, Level.IMPAIRED))
    checks.append(_translations_check())
    return checks


def overall_state(checks: Iterable[Check]) -> str:
    """Return the worst state of these checks: `ready`, `impaired` or `not ready`."""
    levels = {check.level for check in checks}
    if Level.FAILS in levels:
        return "not ready"
    return "impaired" if Level.IMPAIRED in levels else "ready"


def _ok_check(name: str, detail: str, value: float | None = None, code: str = "ok") -> Check:
    return Check(name, Level.OK, f"{name}.{code}", detail, value)


def _judge_probe(probe: Probe, timeout: float, judge: Callable[[Any], Check], level: Level) -> Check:
    """Return the check that ``judge`` makes of the probe's result; an error has the severity ``level``."""
    try:
        return judge(probe.answer(timeout))
    except ProbeTimeout as timeout_error:
        detail = f"No answer for {timeout_error.seconds:.0f} seconds."
        return Check(probe.name, level, f"{probe.name}.hangs", detail, round(timeout_error.seconds, 1))
    except Exception as error:  # noqa: BLE001 (whatever its client raises, it is away)
        log.warning("%s cannot be asked: %s", probe.name, error)
        return Check(probe.name, level, f"{probe.name}.away", "It cannot be reached; the log says why.")


def _migrations_check(missing: list[str]) -> Check:
    if not missing:
        return _ok_check("migrations", "The tables are those of this release.", 0)
    migration_names = ", ".join(missing[:_MAX_NAMED]) + (" …" if len(missing) > _MAX_NAMED else "")
    detail = f"Not yet applied: {migration_names}. Run manage.py migrate."
    return Check("migrations", Level.FAILS, "migrations.missing", detail, len(missing))


def _translations_check() -> Check:
    missing, _outdated = catalogues.check_site_catalogues()
    if missing:
        detail = f"The translations are not compiled: {', '.join(missing)}. {catalogues.COMPILE_HINT}."
        return Check("texts", Level.IMPAIRED, "texts.missing", detail, len(missing))
    return _ok_check("texts", "The translations of every language are compiled.", 0)


def _redis_checks(timeout: float) -> list[Check]:
    """Return checks of Redis and of the messages in it, or in the folder used instead."""
    is_used = not str(settings.CELERY_BROKER_URL).startswith("filesystem:")
    queue_states: dict[str, QueueState] = {}

    def judge(queues: dict[str, QueueState]) -> Check:
        queue_states.update(queues)
        return (
            _ok_check("redis", "Redis answers.")
            if is_used
            else _ok_check("redis", "Not used here.", code="unused")
        )

    redis_check = _judge_probe(BROKER_PROBE, timeout, judge, Level.IMPAIRED)
    if redis_check.level is not Level.OK:
        return [
            redis_check,
            Check("messages", Level.IMPAIRED, "messages.unknown", "The queues cannot be seen."),
        ]
    late_queues = [
        name
        for name, queue in queue_states.items()
        if queue.age > _LATE_SECONDS_BY_QUEUE.get(name, LATE_SECONDS)
    ]
    oldest_seconds = round(max((queue.age for queue in queue_states.values()), default=0.0), 1)
    if late_queues:
        detail = f"Nobody takes what waits in {', '.join(late_queues)}: is a worker running that serves them?"
        return [redis_check, Check("messages", Level.IMPAIRED, "messages.late", detail, oldest_seconds)]
    return [redis_check, _ok_check("messages", "Workers take what is sent to them.", oldest_seconds)]


def _ratings_check(backlog: RatingBacklog) -> Check:
    age = (timezone.now() - backlog.since).total_seconds() if backlog.since else 0.0
    if age > RATING_LATE_SECONDS:
        detail = f"{backlog.count} results wait to be rated, the first for {age / 60:.0f} minutes."
        return Check("ratings", Level.IMPAIRED, "ratings.late", detail, backlog.count)
    return _ok_check("ratings", "Ratings follow results.", backlog.count)
