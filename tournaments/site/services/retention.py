"""Retention rules: which rows are stored for a limited time, and how they are deleted (`docs/running.md`).

Each rule deletes in transactions of its own, each with an audit row that states the number of rows: an
interrupted run has done complete, recorded parts, and the next run does the rest. A second run finds nothing.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from django.db.models import QuerySet
from django.utils import timezone

from games.models import HELD_RECORD_LIFETIME
from people.actors import Actor
from people.models import AuditEntry
from people.services import audit, repeats
from people.services.sign_ins import SIGN_IN_LIFETIME
from people.transactions import durable
from tournaments.engine.trail.entries import ContactsErased
from tournaments.models import EntryDetail
from tournaments.selectors import retention as due
from tournaments.store.lock import lock_event, record_action
from tournaments.store.push_browsers import delete_subscriptions

ACTION: Final = "retention.forget"
EMPTY_CONTACTS: Final[Mapping[str, Any]] = {"email": "", "phone": "", "note": "", "extra": {}, "undo": {}}


@dataclass(frozen=True, slots=True)
class RetentionRule:
    """How long rows of one kind are kept after their end, which rows are due, and how they are deleted.

    ``due``: returns the rows that ended before a time. ``delete_rows``: deletes rows (or clears fields) and
    returns their number. ``parts``: splits rows into batches, one transaction each. ``is_audited``: True
    records each deletion in the site's audit log.
    """

    code: str
    kept: timedelta
    due: Callable[[datetime], QuerySet[Any]]
    delete_rows: Callable[[QuerySet[Any]], int]
    parts: Callable[[QuerySet[Any]], Iterable[QuerySet[Any]]] = lambda rows: (rows,)
    is_audited: bool = True


def _delete(rows: QuerySet[Any]) -> int:
    return rows.delete()[1].get(rows.model._meta.label, 0)  # noqa: SLF001 (public API of Django models)


def _end_sessions(rows: QuerySet[Any]) -> int:
    count = _delete(rows)
    due.lost_sessions().delete()
    return count


def _split_by_event(rows: QuerySet[Any]) -> Iterator[QuerySet[Any]]:
    events = rows.order_by().values_list("entry__division__event", flat=True).distinct()
    for pk in sorted(events):
        yield rows.filter(entry__division__event=pk)


def _clear_contacts(rows: QuerySet[EntryDetail]) -> int:
    """Clear the contact details in ``rows``, which belong to one event; recorded in its audit log.

    Returns the number of rows. Other imported details (rating, club, paid) stay.
    """
    first = rows.select_related("entry__division").first()
    if first is None:
        return 0
    event = lock_event(first.entry.division.event_id)
    count = EntryDetail.objects.filter(pk__in=list(rows.values_list("pk", flat=True))).update(
        **EMPTY_CONTACTS
    )
    if count:
        record_action(event, actor=Actor.program(), action=ContactsErased(players=count))
    return count


RULES: Final = (
    RetentionRule("sign_ins", SIGN_IN_LIFETIME, due.deletable_sign_ins, _delete),
    RetentionRule("sessions", timedelta(0), due.deletable_sessions, _end_sessions, is_audited=False),
    RetentionRule("files", HELD_RECORD_LIFETIME, due.waiting_files, _delete, is_audited=False),
    RetentionRule(
        "kept_answers", repeats.RESPONSE_LIFETIME, due.deletable_stored_answers, _delete, is_audited=False
    ),
    RetentionRule("presences", timedelta(days=2), due.deletable_presences, _delete, is_audited=False),
    RetentionRule("mail", timedelta(days=30), due.abandoned_mail, _delete),
    RetentionRule("invitations", timedelta(days=30), due.deletable_invitations, _delete),
    RetentionRule("claims", timedelta(days=30), due.deletable_player_claims, _delete),
    RetentionRule("merge_requests", timedelta(days=90), due.deletable_merge_requests, _delete),
    RetentionRule(
        "contacts",
        timedelta(days=90),
        due.deletable_contact_details,
        _clear_contacts,
        _split_by_event,
        is_audited=False,
    ),
    RetentionRule(
        "devices", timedelta(days=90), due.reports_with_device, lambda rows: rows.update(device="")
    ),
    RetentionRule("phones", timedelta(days=90), due.deletable_link_phones, _delete),
    RetentionRule(
        "notifications", timedelta(days=30), due.deletable_notifications, _delete, is_audited=False
    ),
    RetentionRule("woken", timedelta(days=30), due.deletable_link_subscriptions, delete_subscriptions),
    RetentionRule("notification_choices", timedelta(days=90), due.deletable_notification_choices, _delete),
    RetentionRule("answers", timedelta(days=7), due.deletable_call_answers, _delete),
    RetentionRule("call_words", timedelta(days=7), due.deletable_up_next_notices, _delete),
    RetentionRule("arrangements", timedelta(days=90), due.deletable_arrangements, _delete),
    RetentionRule("desk_notes", timedelta(days=90), due.deletable_desk_notes, _delete),
    RetentionRule("helpers", timedelta(days=90), due.deletable_assistances, _delete),
    RetentionRule("page_reports", timedelta(days=90), due.deletable_page_reports, _delete),
    RetentionRule("guests", timedelta(days=90), due.deletable_guest_accounts, _delete),
)


def due_counts(now: datetime | None = None) -> Mapping[str, int]:
    """Return the number of rows that each rule would delete, keyed by the rule's code; nothing is deleted."""
    return {rule.code: rule.due((now or timezone.now()) - rule.kept).count() for rule in RULES}


def apply_rule(rule: RetentionRule, now: datetime | None = None) -> int:
    """Delete the rows that are due by one rule. Return their number."""
    rows = rule.due((now or timezone.now()) - rule.kept)
    return sum(_apply_to_batch(rule, part) for part in rule.parts(rows))


@durable
def _apply_to_batch(rule: RetentionRule, rows: QuerySet[Any]) -> int:
    count = rule.delete_rows(rows)
    if count and rule.is_audited:
        data = {"what": rule.code, "count": count}
        audit.record_action(actor=Actor.program(), action=ACTION, subject=AuditEntry(), data=data)
    return count


def apply_rules(now: datetime | None = None) -> Mapping[str, int]:
    """Delete the rows that are due by every rule. Return their numbers, keyed by the rule's code."""
    return {rule.code: apply_rule(rule, now) for rule in RULES}
