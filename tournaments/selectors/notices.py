"""Current and past notices of an event."""

from collections.abc import Collection
from datetime import datetime

from django.db.models import OuterRef, Q, QuerySet, Subquery
from django.utils import timezone

from people.rows import one_or_none
from tournaments.engine.notices import Announcement, NoticeContent
from tournaments.models import Event, Notice

MAX_PAST = 30


def current_notices_q(now: datetime | None = None) -> Q:
    """Return a filter for the notices that are displayed at ``now`` (None: at the current time)."""
    return Q(withdrawn_at=None) & (Q(until=None) | Q(until__gt=now or timezone.now()))


def next_notice_end(event: str) -> Subquery:
    """Subquery for an ETag: when the next displayed notice ends; ``event``: lookup path to the event.

    Together with the event's version, which rises with every other change, it determines the displayed
    notices.
    """
    return Subquery(
        Notice.objects.filter(event=OuterRef(event), withdrawn_at=None, until__gt=timezone.now())
        .order_by("until")
        .values("until")[:1]
    )


def current_notices(
    event: Event, divisions: Collection[int] | None = None
) -> list[tuple[Notice, NoticeContent]]:
    """Return the displayed notices with their content, newest first; one query.

    ``divisions``: ids; only notices for these divisions or for the whole event.
    """
    rows = Notice.objects.filter(current_notices_q(), event=event).select_related("division")
    if divisions is not None:
        rows = rows.filter(Q(division=None) | Q(division__in=divisions))
    return _with_contents(rows)


def past_announcements(event: Event) -> list[tuple[Notice, NoticeContent]]:
    """Return the announcements that are no longer displayed, with their content, latest first.

    At most ``MAX_PAST``.
    """
    rows = Notice.objects.filter(event=event, kind=Announcement.kind).exclude(current_notices_q())
    return _with_contents(rows.select_related("division")[:MAX_PAST])


def _with_contents(rows: QuerySet[Notice]) -> list[tuple[Notice, NoticeContent]]:
    return [(row, news) for row in rows if (news := row.news) is not None]


def get_notice(event: Event, public_id: str) -> tuple[Notice, NoticeContent] | None:
    """Return the event's notice with this public id and its content, or None."""
    row = one_or_none(Notice.objects.filter(event=event, public_id=public_id).select_related("division"))
    news = row.news if row is not None else None
    return (row, news) if row is not None and news is not None else None
