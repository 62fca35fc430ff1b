"""Metrics of the current state for `/metrics`, read when it is requested, each within a bounded time."""

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

MAIL_PROBE: Final = Probe("mail", outbox_status, result_seconds=5)
INTEGRITY_PROBE: Final = Probe("soundness", integrity_status, result_seconds=5)
MEDIA_TYPE: Final = CONTENT_TYPE_LATEST
_LEVEL_VALUES: Final = {Level.OK: 1.0, Level.IMPAIRED: 0.5, Level.FAILS: 0.0}


class StateCollector:
    """Prometheus collector of the current state.

    A value that is not available in time is left out; `crawford_check` shows why.
    """

    def collect(self) -> Iterator[Any]:
        deadline = time.monotonic() + MAX_SECONDS
        for probe in (MAIL_PROBE, INTEGRITY_PROBE):
            probe.start()
        release = InfoMetricFamily("crawford_release", "What is installed.")
        release.add_metric([], {"release": settings.RELEASE})
        yield release
        check_gauge = GaugeMetricFamily(
            "crawford_check", "The checks of /readyz: 1 well, 0.5 impaired, 0 not ready.", labels=["check"]
        )
        for check in run_checks():
            check_gauge.add_metric([check.name], _LEVEL_VALUES[check.level])
        yield check_gauge
        for probe, build_metrics in (
            (BROKER_PROBE, _queue_metrics),
            (RATINGS_PROBE, _rating_metrics),
            (MAIL_PROBE, _mail_metrics),
            (INTEGRITY_PROBE, _integrity_metrics),
        ):
            yield from _probe_metrics(probe, build_metrics, deadline - time.monotonic())
        with suppress(OSError):
            yield GaugeMetricFamily(
                "crawford_disk_free_bytes", "Room where the program writes.", shutil.disk_usage(settings.VAR).free
            )  # fmt: skip


def exposition() -> bytes:
    """Return all metrics in Prometheus' text format."""
    registry = CollectorRegistry()
    for collector in (AllProcessesCollector(), StateCollector()):
        registry.register(collector)
    return generate_latest(registry)


def _probe_metrics(
    probe: Probe, build_metrics: Callable[[Any], Iterator[Any]], timeout: float
) -> Iterator[Any]:
    try:
        result = probe.answer(max(0.0, timeout))
    except Exception:  # noqa: BLE001 (whatever keeps it away; `crawford_check` tells of it)
        return
    yield from build_metrics(result)


def _queue_metrics(queue_states: Any) -> Iterator[Any]:
    count_gauge = GaugeMetricFamily(
        "crawford_queue_messages", "Messages no worker has taken.", labels=["queue"]
    )
    age_gauge = GaugeMetricFamily(
        "crawford_queue_oldest_seconds", "Seconds since the oldest of them was sent.", labels=["queue"]
    )
    for name, queue in queue_states.items():
        count_gauge.add_metric([name], queue.count)
        age_gauge.add_metric([name], queue.age)
    yield from (count_gauge, age_gauge)


def _rating_metrics(backlog: Any) -> Iterator[Any]:
    yield GaugeMetricFamily("crawford_ratings_pending", "Results that wait to be rated.", backlog.count)
    yield GaugeMetricFamily(
        "crawford_ratings_oldest_seconds",
        "Seconds since the first of them was recorded.",
        _age_seconds(backlog.since),
    )


def _mail_metrics(outbox_state: Any) -> Iterator[Any]:
    mail_gauge = GaugeMetricFamily("crawford_mail", "Mails by what became of them.", labels=["state"])
    for state, count in outbox_state.counts.items():
        mail_gauge.add_metric([state], count)
    yield mail_gauge
    yield GaugeMetricFamily(
        "crawford_mail_oldest_seconds", "Seconds since the oldest mail that waits was written.", _age_seconds(outbox_state.since)
    )  # fmt: skip


def _integrity_metrics(integrity_state: Any) -> Iterator[Any]:
    yield GaugeMetricFamily(
        "crawford_unsound_events",
        "Events in which something does not fit.",
        integrity_state.inconsistent_count,
    )
    yield GaugeMetricFamily(
        "crawford_unchecked_events", "Events never asked, or changed since.", integrity_state.unchecked_count
    )
    yield GaugeMetricFamily(
        "crawford_soundness_last_seconds", "Seconds since an event was last asked for its soundness.", _age_seconds(integrity_state.last)
    )  # fmt: skip


def _age_seconds(moment: Any) -> float:
    return max(0.0, (timezone.now() - moment).total_seconds()) if moment else 0.0
