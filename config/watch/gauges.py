"""What `/metrics` tells that nobody counts while it happens: how things stand now, each in a bounded time."""

import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any, Final

from django.conf import settings
from django.utils import timezone
from prometheus_client import CollectorRegistry
from prometheus_client.core import GaugeMetricFamily, InfoMetricFamily
from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest

from config.watch.metrics import OfAll
from config.watch.probes import Probe
from config.watch.ready import BEHIND, BROKER, WITHIN, Level, checks
from people.services.outbox import mail_now
from tournaments.selectors.soundness import soundness_now

MAIL: Final = Probe("mail", mail_now, holds=5)
SOUNDNESS: Final = Probe("soundness", soundness_now, holds=5)
MEDIA_TYPE: Final = CONTENT_TYPE_LATEST
_LEVELS: Final = {Level.OK: 1.0, Level.IMPAIRED: 0.5, Level.FAILS: 0.0}


class Now:
    """A collector. What cannot be found out in time is not there, and `crawford_check` says what hangs."""

    def collect(self) -> Iterator[Any]:
        ends = time.monotonic() + WITHIN
        for probe in (MAIL, SOUNDNESS):
            probe.begin()
        release = InfoMetricFamily("crawford_release", "What is installed.")
        release.add_metric([], {"release": settings.RELEASE})
        yield release
        checked = GaugeMetricFamily(
            "crawford_check", "The checks of /readyz: 1 well, 0.5 impaired, 0 not ready.", labels=["check"]
        )
        for check in checks():
            checked.add_metric([check.name], _LEVELS[check.level])
        yield checked
        for probe, shape in ((BROKER, _queues), (BEHIND, _ratings), (MAIL, _mail), (SOUNDNESS, _soundness)):
            yield from _given(probe, shape, ends - time.monotonic())
        with suppress(OSError):
            yield GaugeMetricFamily(
                "crawford_disk_free_bytes", "Room where the program writes.", shutil.disk_usage(settings.VAR).free
            )  # fmt: skip


def exposition() -> bytes:
    """All figures as Prometheus reads them."""
    registry = CollectorRegistry()
    for collector in (OfAll(), Now()):
        registry.register(collector)
    return generate_latest(registry)


def _given(probe: Probe, shape: Callable[[Any], Iterator[Any]], within: float) -> Iterator[Any]:
    try:
        found = probe.answer(max(0.0, within))
    except Exception:  # noqa: BLE001 (whatever keeps it away; `crawford_check` tells of it)
        return
    yield from shape(found)


def _queues(found: Any) -> Iterator[Any]:
    count = GaugeMetricFamily("crawford_queue_messages", "Messages no worker has taken.", labels=["queue"])
    oldest = GaugeMetricFamily(
        "crawford_queue_oldest_seconds", "Seconds since the oldest of them was sent.", labels=["queue"]
    )
    for name, queue in found.items():
        count.add_metric([name], queue.count)
        oldest.add_metric([name], queue.age)
    yield from (count, oldest)


def _ratings(behind: Any) -> Iterator[Any]:
    yield GaugeMetricFamily("crawford_ratings_pending", "Results that wait to be rated.", behind.count)
    yield GaugeMetricFamily(
        "crawford_ratings_oldest_seconds",
        "Seconds since the first of them was recorded.",
        _since(behind.since),
    )


def _mail(found: Any) -> Iterator[Any]:
    mail = GaugeMetricFamily("crawford_mail", "Mails by what became of them.", labels=["state"])
    for state, count in found.counts.items():
        mail.add_metric([state], count)
    yield mail
    yield GaugeMetricFamily(
        "crawford_mail_oldest_seconds", "Seconds since the oldest mail that waits was written.", _since(found.since)
    )  # fmt: skip


def _soundness(found: Any) -> Iterator[Any]:
    yield GaugeMetricFamily(
        "crawford_unsound_events", "Events in which something does not fit.", found.unsound
    )
    yield GaugeMetricFamily(
        "crawford_unchecked_events", "Events never asked, or changed since.", found.unchecked
    )
    yield GaugeMetricFamily(
        "crawford_soundness_last_seconds", "Seconds since an event was last asked for its soundness.", _since(found.last)
    )  # fmt: skip


def _since(moment: Any) -> float:
    return max(0.0, (timezone.now() - moment).total_seconds()) if moment else 0.0
