"""What is kept for a time only, and how it is forgotten when that is over: the table of `docs/running.md`, and of the privacy page.

Each rule forgets in transactions of its own, and in the same one a row of the trail says how many rows that were: who is killed
half-way has done a part of it, whole and told, and the next run does the rest. A second run finds nothing.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from django.db.models import QuerySet
from django.utils import timezone

from games.models import KEPT_FOR
from people.actors import Actor
from people.models import AuditEntry
from people.services import audit, repeats
from people.services.sign_ins import KEPT
from people.transactions import durable
from tournaments.engine.trail.entries import ContactsForgotten
from tournaments.models import EntryDetail
from tournaments.selectors import retention as due
from tournaments.store.lock import changed, lock_event
from tournaments.store.push_browsers import forget_woken

ACTION: Final = "retention.forget"
CONTACTS: Final[Mapping[str, Any]] = {"email": "", "phone": "", "note": "", "extra": {}, "undo": {}}


@dataclass(frozen=True, slots=True)
class Rule:
    """``kept``: for how long after it ended. ``due``: the rows that ended before a moment; ``forget``: how they go, and how many that were.

    ``parts``: what is done in a transaction each. ``audited``: whether the site's trail says each time that some went.
    """

    code: str
    kept: timedelta
    due: Callable[[datetime], QuerySet[Any]]
    forget: Callable[[QuerySet[Any]], int]
    parts: Callable[[QuerySet[Any]], Iterable[QuerySet[Any]]] = lambda rows: (rows,)
    audited: bool = True


def _delete(rows: QuerySet[Any]) -> int:
    return rows.delete()[1].get(rows.model._meta.label, 0)  # noqa: SLF001 (public API of Django models)


def _end_sessions(rows: QuerySet[Any]) -> int:
    count = _delete(rows)
    due.lost_sessions().delete()
    return count


def _by_event(rows: QuerySet[Any]) -> Iterator[QuerySet[Any]]:
    events = rows.order_by().values_list("entry__division__event", flat=True).distinct()
    for pk in sorted(events):
        yield rows.filter(entry__division__event=pk)


def _contacts(rows: QuerySet[EntryDetail]) -> int:
    """Of one event, told in its trail. What a list said besides (rating, club, paid) stays."""
    first = rows.select_related("entry__division").first()
    if first is None:
        return 0
    event = lock_event(first.entry.division.event_id)
    count = EntryDetail.objects.filter(pk__in=list(rows.values_list("pk", flat=True))).update(**CONTACTS)
    if count:
        changed(event, actor=Actor.program(), action=ContactsForgotten(players=count))
    return count


RULES: Final = (
    Rule("sign_ins", KEPT, due.sign_ins, _delete),
    Rule("sessions", timedelta(0), due.sessions, _end_sessions, audited=False),
    Rule("files", KEPT_FOR, due.held_files, _delete, audited=False),
    Rule("kept_answers", repeats.KEPT, due.kept_answers, _delete, audited=False),
    Rule("presences", timedelta(days=2), due.presences, _delete, audited=False),
    Rule("mail", timedelta(days=30), due.mail, _delete),
    Rule("invitations", timedelta(days=30), due.invitations, _delete),
    Rule("claims", timedelta(days=30), due.claims, _delete),
    Rule("merge_requests", timedelta(days=90), due.merge_requests, _delete),
    Rule("contacts", timedelta(days=90), due.contacts, _contacts, _by_event, audited=False),
    Rule("devices", timedelta(days=90), due.devices, lambda rows: rows.update(device="")),
    Rule("phones", timedelta(days=90), due.phones, _delete),
    Rule("notifications", timedelta(days=30), due.notifications, _delete, audited=False),
    Rule("woken", timedelta(days=30), due.woken, forget_woken),
    Rule("notification_choices", timedelta(days=90), due.notification_choices, _delete),
    Rule("answers", timedelta(days=7), due.answers, _delete),
    Rule("call_words", timedelta(days=7), due.call_words, _delete),
    Rule("arrangements", timedelta(days=90), due.arrangements, _delete),
    Rule("desk_notes", timedelta(days=90), due.desk_notes, _delete),
    Rule("helpers", timedelta(days=90), due.assistances, _delete),
    Rule("page_reports", timedelta(days=90), due.page_reports, _delete),
    Rule("guests", timedelta(days=90), due.guests, _delete),
)


def waiting(now: datetime | None = None) -> Mapping[str, int]:
    """How many rows each rule would forget. Nothing is changed."""
    return {rule.code: rule.due((now or timezone.now()) - rule.kept).count() for rule in RULES}


def forget_by(rule: Rule, now: datetime | None = None) -> int:
    """Forget what is due by one rule; how many rows that were."""
    rows = rule.due((now or timezone.now()) - rule.kept)
    return sum(_forget(rule, part) for part in rule.parts(rows))


@durable
def _forget(rule: Rule, rows: QuerySet[Any]) -> int:
    count = rule.forget(rows)
    if count and rule.audited:
        data = {"what": rule.code, "count": count}
        audit.record(actor=Actor.program(), action=ACTION, subject=AuditEntry(), data=data)
    return count


def forget(now: datetime | None = None) -> Mapping[str, int]:
    """Forget what is due by every rule; how many rows that were."""
    return {rule.code: forget_by(rule, now) for rule in RULES}
