"""Post a notice of any kind, inside the transaction of whoever makes it happen: it stands when that is committed, and not before."""

from datetime import datetime

from django.utils import timezone

from tournaments.engine.notices import NoticeContent
from tournaments.models import Division, Event, Notice


def post_notice(
    event: Event, news: NoticeContent, *, division: Division | None = None, until: datetime | None = None
) -> Notice:
    """``news`` for everybody in ``event``, or in one division. The caller has locked the event, and tells it changed afterwards."""
    notice = Notice(event=event, division=division, made_at=timezone.now(), until=until)
    notice.news = news
    notice.save()
    return notice
