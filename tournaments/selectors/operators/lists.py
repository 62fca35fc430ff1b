"""Lists for operators: restricted subjects, page reports, operators' actions, counts before an action."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Q, QuerySet

from faults import Missing
from people.models import AuditEntry, Membership, Moderation, PageReport, Player, User
from people.rows import one_or_none
from people.services.operators import OPERATORS_SCOPE
from rating.models import RatingList, Standing
from tournaments.engine.statuses import EventStatus
from tournaments.models import Entry, Event
from tournaments.selectors.operators.subjects import Subject, find_subject_by_pk
from tournaments.selectors.seats import events_with_players

_EARLIER_ACTIONS = (
    "account.suspend",
    "account.let_in",
)  # what was written before there was a trail of operators


def operator_audit_rows() -> QuerySet[AuditEntry]:
    """Return the audit rows of all actions of operators, newest first."""
    rows = AuditEntry.objects.filter(Q(scope=OPERATORS_SCOPE) | Q(scope="", action__in=_EARLIER_ACTIONS))
    return rows.select_related("actor").order_by("-pk")


def audit_rows_about(subject: Subject) -> list[AuditEntry]:
    """Return the last 20 audit rows of operators' actions on one subject, newest first."""
    if subject.kind == "account":
        return list(operator_audit_rows().filter(subject_type="people.user", subject_id=subject.pk)[:20])
    return list(operator_audit_rows().filter(subject_id=subject.pk, data__kind=subject.kind)[:20])


def page_reports(*, handled: bool) -> QuerySet[PageReport]:
    """Return the visitors' reports about pages, newest first: the handled or the unhandled reports."""
    rows = PageReport.objects.select_related("handled_by").filter(handled_at__isnull=not handled)
    return rows.order_by("-pk")


def open_page_report_count() -> int:
    """Return the number of visitors' reports about pages that are not handled yet."""
    return page_reports(handled=False).count()


def get_page_report(public_id: str) -> PageReport:
    """Return the visitor's report with this public id; raise ``Missing`` if there is none."""
    page_report = one_or_none(PageReport.objects.select_related("handled_by").filter(public_id=public_id))
    if page_report is None:
        raise Missing("operator.report_unknown")
    return page_report


@dataclass(frozen=True, slots=True)
class ModeratedSubject:
    """A club, event or other subject that an operator has hidden or removed, with the row that states why."""

    about: Subject
    moderation: Moderation


def active_moderations() -> QuerySet[Moderation]:
    """Return the rows of all subjects that are hidden or removed now, newest first."""
    return Moderation.objects.filter(ended_at=None).order_by("-pk")


def attach_subjects(rows: Iterable[Moderation]) -> list[ModeratedSubject]:
    """Return the rows with the subjects that they are about; rows whose subject was deleted are left out."""
    row_subjects = [(row, find_subject_by_pk(row.kind, row.subject_id)) for row in rows]
    return [ModeratedSubject(subject, row) for row, subject in row_subjects if subject is not None]


def moderations_for(user: User) -> list[ModeratedSubject]:
    """Return what is hidden or removed now in the clubs of ``user``; one query if there is nothing."""
    return attach_subjects(active_moderations().filter(club__memberships__user=user))


def subject_counts(subject: Subject) -> dict[str, int]:
    """Return how many objects depend on the subject, shown before an action; count by name."""
    if subject.kind == "club":
        return {
            "events": Event.objects.filter(club=subject.pk).count(),
            "running": Event.objects.filter(club=subject.pk, status=EventStatus.RUNNING).count(),
            "lists": RatingList.objects.filter(club=subject.pk).count(),
            "members": Membership.objects.filter(club=subject.pk).count(),
            "players": Player.objects.filter(home_club=subject.pk).count(),
        }
    if subject.kind == "event":
        return {
            "entries": Entry.objects.filter(division__event=subject.pk).count(),
            "running": Event.objects.filter(pk=subject.pk, status=EventStatus.RUNNING).count(),
        }
    if subject.kind == "list":
        generations = RatingList.objects.filter(pk=subject.pk).values("generation_id")
        return {"players": Standing.objects.filter(generation_id__in=generations).count()}
    if subject.kind == "player":
        entries = Entry.objects.filter(entry_players__player=subject.pk)
        return {
            "entries": entries.count(),
            "events": events_with_players([subject.pk]).count(),
        }
    return {}
