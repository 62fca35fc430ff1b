"""Gauges of `/metrics`, read when it is requested, each within a bounded time."""

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

from config.watch.metrics import AllProcessesCollector
from config.watch.probes import Probe
from config.watch.ready import BROKER_PROBE, MAX_SECONDS, RATINGS_PROBE, Level, run_checks
from people.services.outbox import outbox_status
from tournaments.selectors.soundness import integrity_status

MAIL_PROBE: Final = Probe("mail", outbox_status, holds=5)
INTEGRITY_PROBE: Final = Probe("soundness", integrity_status, holds=5)
MEDIA_TYPE: Final = CONTENT_TYPE_LATEST
_LEVEL_VALUES: Final = {Level.OK: 1.0, Level.IMPAIRED: 0.5, Level.FAILS: 0.0}


class StateCollector:
    """Collector of the current state.

    A value that is not found in time is left out; `crawford_check` shows why.
    """

    def collect(self) -> Iterator[Any]:
        ends = time.monotonic() + MAX_SECONDS
        for probe in (MAIL_PROBE, INTEGRITY_PROBE):
            probe.start()
        release = InfoMetricFamily("crawford_release", "What is installed.")
        release.add_metric([], {"release": settings.RELEASE})
        yield release
        checked = GaugeMetricFamily(
            "crawford_check", "The checks of /readyz: 1 well, 0.5 impaired, 0 not ready.", labels=["check"]
        )
        for check in run_checks():
            checked.add_metric([check.name], _LEVEL_VALUES[check.level])
        yield checked
        for probe, shape in (
            (BROKER_PROBE, _queue_metrics),
            (RATINGS_PROBE, _rating_metrics),
            (MAIL_PROBE, _mail_metrics),
            (INTEGRITY_PROBE, _integrity_metrics),
        ):
            yield from _probe_metrics(probe, shape, ends - time.monotonic())
        with suppress(OSError):
            yield GaugeMetricFamily(
                "crawford_disk_free_bytes", "Room where the program writes.", shutil.disk_usage(settings.VAR).free
            )  # fmt: skip


def exposition() -> bytes:
    """Return all figures in Prometheus' text format."""
    registry = CollectorRegistry()
    for collector in (AllProcessesCollector(), StateCollector()):
        registry.register(collector)
    return generate_latest(registry)


def _probe_metrics(probe: Probe, shape: Callable[[Any], Iterator[Any]], within: float) -> Iterator[Any]:
    try:
        found = probe.answer(max(0.0, within))
    except Exception:  # noqa: BLE001 (whatever keeps it away; `crawford_check` tells of it)
        return
    yield from shape(found)


def _queue_metrics(found: Any) -> Iterator[Any]:
    count = GaugeMetricFamily("crawford_queue_messages", "Messages no worker has taken.", labels=["queue"])
    oldest = GaugeMetricFamily(
        "crawford_queue_oldest_seconds", "Seconds since the oldest of them was sent.", labels=["queue"]
    )
    for name, queue in found.items():
        count.add_metric([name], queue.count)
        oldest.add_metric([name], queue.age)
    yield from (count, oldest)


def _rating_metrics(behind: Any) -> Iterator[Any]:
    yield GaugeMetricFamily("crawford_ratings_pending", "Results that wait to be rated.", behind.count)
    yield GaugeMetricFamily(
        "crawford_ratings_oldest_seconds",
        "Seconds since the first of them was recorded.",
        _age_seconds(behind.since),
    )


def _mail_metrics(found: Any) -> Iterator[Any]:
    mail = GaugeMetricFamily("crawford_mail", "Mails by what became of them.", labels=["state"])
    for state, count in found.counts.items():
        mail.add_metric([state], count)
    yield mail
    yield GaugeMetricFamily(
        "crawford_mail_oldest_seconds", "Seconds since the oldest mail that waits was written.", _age_seconds(found.since)
    )  # fmt: skip


def _integrity_metrics(found: Any) -> Iterator[Any]:
    yield GaugeMetricFamily(
        "crawford_unsound_events", "Events in which something does not fit.", found.inconsistent
    )
    yield GaugeMetricFamily(
        "crawford_unchecked_events", "Events never asked, or changed since.", found.unchecked
    )
    yield GaugeMetricFamily(
        "crawford_soundness_last_seconds", "Seconds since an event was last asked for its soundness.", _age_seconds(found.last)
    )  # fmt: skip


def _age_seconds(moment: Any) -> float:
    return max(0.0, (timezone.now() - moment).total_seconds()) if moment else 0.0
