"""Create a notice of any kind in the caller's transaction; it is visible after the commit."""

from datetime import datetime

from django.utils import timezone

from tournaments.engine.notices import NoticeContent
from tournaments.models import Division, Event, Notice


def post_notice(
    event: Event, news: NoticeContent, *, division: Division | None = None, until: datetime | None = None
) -> Notice:
    """Save ``news`` as a notice for everyone in ``event``, or for one division, shown until ``until``.

    The caller has locked the event, and records the change in the audit log afterwards.
    """
    notice = Notice(event=event, division=division, made_at=timezone.now(), until=until)
    notice.news = news
    notice.save()
    return notice
