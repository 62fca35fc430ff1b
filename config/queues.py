"""The queues of the workers, the tasks in each, and the schedule of periodic tasks."""

from datetime import datetime, timedelta
from typing import Any

from celery.schedules import schedstate, schedule

from people.services.hints import SWEEP_QUEUE, SWEEP_SECONDS

# Tasks that must not wait for each other have separate queues; a worker without `--queues` serves all of them.
# `analysis` is for tasks of minutes per match, `celery` for periodic tasks.
QUEUES = ("live", "notices", "mail", "import", "rebuild", "analysis", "celery")
TASK_QUEUES = {name: {"exchange": name, "routing_key": name} for name in QUEUES}
ROUTES = {
    "games.tasks.analyse": {"queue": "analysis"},
    "games.tasks.sweep_folders": {"queue": "analysis"},  # on the machine that runs engines
    "tournaments.tasks.analyse_all": {"queue": "analysis"},
    "games.tasks.import_records": {"queue": "import"},
    "people.tasks.send_mail": {"queue": "mail"},
    "tournaments.tasks.mail_claims": {"queue": "mail"},
    "rating.tasks.import_table": {"queue": "import"},
    "tournaments.tasks.send_notices": {"queue": "notices"},
    "tournaments.tasks.fetch_randomness": {"queue": "notices"},  # waits for the network as well
    "rating.tasks.make_requested": {"queue": "rebuild"},
    "rating.tasks.rebuild": {"queue": "rebuild"},
    "rating.tasks.sweep": {"queue": SWEEP_QUEUE},
    "games.tasks.sweep": {"queue": SWEEP_QUEUE},
    "tournaments.tasks.start_full": {"queue": SWEEP_QUEUE},
    "tournaments.checks.tasks.soundness": {"queue": "rebuild"},
}
# Tasks that find work without a message, every `SWEEP_SECONDS` seconds and when a worker starts.
SWEEP_TASKS = (
    "rating.tasks.sweep",
    "games.tasks.sweep",
    "people.tasks.send_mail",
    "tournaments.tasks.start_full",
    "tournaments.tasks.send_notices",
)
# Deletes leftovers of killed engines, when a worker that serves them starts and when an engine begins.
SWEEP_FOLDERS_TASK = "games.tasks.sweep_folders"
# Seconds between forecasts, which are only calculated for changed events.
FORECAST_SECONDS = 60
# Seconds between checks for up-next notices.
UP_NEXT_SECONDS = 60
# Longest delay of an official list after its midnight, in seconds.
OFFICIAL_LIST_SECONDS = 600


class SteadySchedule(schedule):
    """Schedule of a fixed interval that still works after a clock was set back.

    Celery's own waits until then.
    """

    def is_due(self, last_run_at: datetime) -> schedstate:
        now = self.maybe_make_aware(self.now())
        last = self.maybe_make_aware(last_run_at)
        return super().is_due(last if last <= now else now - timedelta(seconds=self.seconds))


def _periodic_task(task: str, seconds: int) -> dict[str, Any]:
    """Return the entry of a periodic task in Celery's schedule; its message expires when the next is due."""
    return {"task": task, "schedule": SteadySchedule(seconds), "options": {"expires": seconds}}


SCHEDULE = {
    **{task: _periodic_task(task, SWEEP_SECONDS) for task in SWEEP_TASKS},
    "forecasts": _periodic_task("tournaments.tasks.forecasts", FORECAST_SECONDS),
    "near": _periodic_task("tournaments.tasks.near", UP_NEXT_SECONDS),
    "official": _periodic_task("rating.tasks.official", OFFICIAL_LIST_SECONDS),
    "forget": _periodic_task("tournaments.tasks.forget", 3600),
    "deadlines": _periodic_task("tournaments.tasks.deadlines", 3600),
    "soundness": _periodic_task("tournaments.checks.tasks.soundness", 3600),
}


def beat_schedule(*, analyse_all: bool, drand: bool) -> dict[str, Any]:
    """Return Celery's schedule.

    ``analyse_all``: analyse every record; ``drand``: fetch public random numbers.

    Without ``analyse_all`` no worker has to serve the queue of analyses.
    """
    beat_entries = dict(SCHEDULE)
    if analyse_all:
        beat_entries["analyse_all"] = _periodic_task("tournaments.tasks.analyse_all", FORECAST_SECONDS)
    if drand:
        beat_entries["drand"] = _periodic_task("tournaments.tasks.fetch_randomness", SWEEP_SECONDS)
    return beat_entries
