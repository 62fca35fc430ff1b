"""Celery tasks. Each may run twice without harm, and nothing is lost if one does not run."""

from celery import shared_task
from django.conf import settings
from django.utils import timezone

from games.services.analyses import request_analyses
from people.services.clubs import list_events_of_new_clubs
from people.services.hints import enqueue_task
from tournaments.draws.services.randomness import fetch_due_rounds
from tournaments.draws.services.starting import start_full_divisions
from tournaments.hall.services.forecasts import update_forecast
from tournaments.hall.services.near import send_up_next_notices
from tournaments.notices.services.deadlines import notify_deadlines, notify_meetings
from tournaments.notices.services.sending import send_due_deliveries
from tournaments.notices.services.writing import drop_outdated_mail
from tournaments.repairs.services.open_lines import close_due_lines
from tournaments.selectors.hall.due import events_due_for_forecast
from tournaments.selectors.hall.near import events_to_notify
from tournaments.selectors.matches.analyses import records_to_analyse
from tournaments.site.services import claim_mail
from tournaments.site.services.retention import apply_rules as forget_what_is_due

EXPIRY_SECONDS = 60.0  # seconds: the periodic task requests it again after them
MAX_ANALYSES_PER_RUN = 50  # records requested per minute


@shared_task(ignore_result=True)
def forget() -> None:
    """Delete data whose retention period is over, and list events of new clubs after their waiting time."""
    forget_what_is_due()
    list_events_of_new_clubs(until=timezone.now())


@shared_task(ignore_result=True)
def start_full() -> None:
    """Start full divisions that start automatically, and close reserved bracket places whose time is over."""
    start_full_divisions()
    close_due_lines()


@shared_task(ignore_result=True)
def mail_claims(address: str, language: str) -> None:
    """Mail links for claiming a player to the address, if it is stored for a player."""
    claim_mail.mail_claim_links(address=address, language=language)


@shared_task(ignore_result=True)
def forecasts() -> None:
    """Enqueue a forecast for each event whose last forecast is outdated.

    Each event has its own task, so that rating tasks can run in between.
    """
    for pk in events_due_for_forecast(timezone.now()):
        enqueue_task("tournaments.tasks.forecast", pk, expires=EXPIRY_SECONDS)


@shared_task(ignore_result=True)
def analyse_all() -> None:
    """Request analyses of game records that were sent with results, if ``ANALYSE_ALL`` is set."""
    if settings.ANALYSE_ALL:
        request_analyses(record_ids=records_to_analyse(MAX_ANALYSES_PER_RUN))


@shared_task(ignore_result=True)
def forecast(event_id: int) -> None:
    """Calculate the forecast of one event."""
    update_forecast(event_id=event_id)


@shared_task(ignore_result=True)
def deadlines() -> None:
    """Notify players of matches whose last day is near or whose agreed time is within a day."""
    notify_deadlines()
    notify_meetings()


@shared_task(ignore_result=True, time_limit=180)
def send_notices() -> None:
    """Send the notifications that are due.

    Runs when a service asks for it and periodically; a run handles everything that is due in the database.
    """
    drop_outdated_mail(now=timezone.now())
    send_due_deliveries()


@shared_task(ignore_result=True, time_limit=60)
def fetch_randomness() -> None:
    """Fetch the public random numbers whose publication time has come."""
    fetch_due_rounds()


@shared_task(ignore_result=True)
def near() -> None:
    """Enqueue a task for each event with a match that begins soon.

    The task sends the up-next notifications.
    """
    for pk in events_to_notify(timezone.now()):
        enqueue_task("tournaments.tasks.near_in", pk, expires=EXPIRY_SECONDS)


@shared_task(ignore_result=True)
def near_in(event_id: int) -> None:
    """Send the up-next notifications of one event to the players of matches that begin soon."""
    send_up_next_notices(event_id=event_id)
