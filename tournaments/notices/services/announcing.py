"""Services for announcements of directors: publish, change, remove, show again.

An announcement is visible on displays, pages, players' devices and in the API once the transaction is
committed. Events that were cancelled accept announcements, too.
"""

from datetime import datetime
from zoneinfo import ZoneInfo

from django.utils import timezone

from faults import Conflict, Invalid, Missing, raise_faults
from people.actors import Actor
from people.rows import one_or_none
from people.text import clean_line
from people.transactions import durable
from tournaments.engine.notices import (
    MAX_DURATION,
    MAX_NOTICES_PER_WINDOW,
    MAX_VISIBLE_NOTICES,
    RATE_WINDOW,
    Announcement,
    check_announcement,
)
from tournaments.engine.trail.notices import (
    AnnouncementChanged,
    AnnouncementMade,
    NoticeRestored,
    NoticeWithdrawn,
)
from tournaments.models import Division, Event, Notice
from tournaments.notices.services.posting import post_notice
from tournaments.selectors.notices import current_notices_q
from tournaments.store.lock import lock_for_director, record_action


@durable
def announce(
    *,
    actor: Actor,
    event_id: int,
    text: str,
    division_id: int | None = None,
    until: datetime | None = None,
) -> Notice:
    """Publish an announcement for the event, or for one division, until ``until`` or until it is removed.

    Raises ``Conflict`` if the same text is already shown to the same people, or after too many announcements.
    """
    event = lock_for_director(actor, event_id, called_off=True)
    text = clean_line(text)
    raise_faults(check_announcement(text))
    division = _event_division(event, division_id)
    _check_until(until)
    news = Announcement(text=text)
    _check_limit(event)
    _check_duplicate(event, news, division)
    if (
        Notice.objects.filter(event=event, made_at__gt=timezone.now() - RATE_WINDOW).count()
        >= MAX_NOTICES_PER_WINDOW
    ):
        raise Conflict("notice.too_often", present=event, minutes=int(RATE_WINDOW.total_seconds() // 60))
    notice = post_notice(event, news, division=division, until=until)
    audit_values = _audit_values(event, notice)
    record_action(event, actor=actor, action=AnnouncementMade(notice=notice.pk, **audit_values))
    return notice


@durable
def change_announcement(
    *,
    actor: Actor,
    event_id: int,
    notice_id: int,
    text: str,
    division_id: int | None,
    until: datetime | None,
    seen: int,
) -> Notice:
    """Change the text, division or end of an announcement.

    ``seen``: the version that the user saw; raises ``Conflict`` if the announcement has changed.
    """
    event = lock_for_director(actor, event_id, called_off=True)
    notice = _notice_at_version(event, notice_id, seen)
    _check_is_current(notice)
    text = clean_line(text)
    raise_faults(check_announcement(text))
    division = _event_division(event, division_id)
    if until != notice.until:
        _check_until(until)
    news = Announcement(text=text)
    _check_duplicate(event, news, division, except_notice=notice)
    before = _audit_values(event, notice)
    notice.news, notice.division, notice.until = news, division, until
    after = _audit_values(event, notice)
    if before != after:
        _save(notice)
        changes = {name: (before[name], after[name]) for name in after if before[name] != after[name]}
        action = AnnouncementChanged(
            notice=notice.pk,
            before={name: pair[0] for name, pair in changes.items()},
            after={name: pair[1] for name, pair in changes.items()},
        )
        record_action(event, actor=actor, action=action)
    return notice


@durable
def withdraw_notice(*, actor: Actor, event_id: int, notice_id: int, seen: int | None = None) -> Notice:
    """Remove an announcement from every page.

    ``seen``: the version that the user saw, or None for any; raises ``Conflict`` if it has changed.
    """
    event = lock_for_director(actor, event_id, called_off=True)
    notice = _notice_at_version(event, notice_id, seen)
    _check_is_current(notice)
    notice.withdrawn_at = timezone.now()
    _save(notice)
    record_action(
        event, actor=actor, action=NoticeWithdrawn(notice=notice.pk, text=_announcement_text(notice))
    )
    return notice


@durable
def restore_announcement(*, actor: Actor, event_id: int, notice_id: int, seen: int | None = None) -> Notice:
    """Show a removed or expired announcement again, until it is removed.

    ``seen``: the version that the user saw, or None for any; raises ``Conflict`` if it has changed.
    """
    event = lock_for_director(actor, event_id, called_off=True)
    notice = _notice_at_version(event, notice_id, seen)
    if _is_current(notice):
        raise Conflict("notice.stands", present={"version": notice.version})
    _check_limit(event)
    _check_duplicate(event, Announcement(text=_announcement_text(notice)), notice.division)
    notice.withdrawn_at = notice.until = None
    notice.made_at = timezone.now()
    _save(notice)
    record_action(
        event, actor=actor, action=NoticeRestored(notice=notice.pk, text=_announcement_text(notice))
    )
    return notice


def _save(notice: Notice) -> None:
    notice.version += 1
    notice.save()


def _notice_at_version(event: Event, notice_id: int, expected_version: int | None) -> Notice:
    """Return an announcement of the locked event; raises ``Conflict`` if it has another version.

    ``expected_version`` None accepts any version. Raises ``Missing`` for other kinds of notices, which a
    director cannot change.
    """
    notice = one_or_none(
        Notice.objects.select_related("division").filter(pk=notice_id, event=event, kind=Announcement.kind)
    )
    if notice is None:
        raise Missing("notice.unknown")
    if expected_version not in {None, notice.version}:
        raise Conflict("notice.changed", present={"version": notice.version})
    return notice


def _is_current(notice: Notice) -> bool:
    return notice.withdrawn_at is None and (notice.until is None or notice.until > timezone.now())


def _check_is_current(notice: Notice) -> None:
    if not _is_current(notice):
        raise Conflict("notice.gone", present={"version": notice.version})


def _event_division(event: Event, division_id: int | None) -> Division | None:
    if division_id is None:
        return None
    division = one_or_none(event.divisions.filter(pk=division_id))
    if division is None:
        raise Missing("division.unknown")
    return division


def _check_until(until: datetime | None) -> None:
    now = timezone.now()
    if until is not None and not now < until <= now + MAX_DURATION:
        raise Invalid("notice.until_odd", field="until", days=MAX_DURATION.days)


def _check_limit(event: Event) -> None:
    if (
        Notice.objects.filter(current_notices_q(), event=event, kind=Announcement.kind).count()
        >= MAX_VISIBLE_NOTICES
    ):
        raise Conflict("notice.too_many", present=event, limit=MAX_VISIBLE_NOTICES)


def _check_duplicate(
    event: Event, news: Announcement, division: Division | None, except_notice: Notice | None = None
) -> None:
    """Raise ``Conflict`` if another current announcement has the same text for the same people."""
    candidates = Notice.objects.filter(current_notices_q(), event=event, kind=news.kind, division=division)
    if any(row.news == news for row in candidates if except_notice is None or row.pk != except_notice.pk):
        raise Conflict("notice.said", present=event)


def _announcement_text(notice: Notice) -> str:
    news = notice.news
    return news.text if isinstance(news, Announcement) else ""


def _audit_values(event: Event, notice: Notice) -> dict[str, str]:
    """Return the text, division name and end of the announcement as texts for the audit log."""
    until = notice.until.astimezone(ZoneInfo(event.timezone)) if notice.until is not None else None
    return {
        "text": _announcement_text(notice),
        "division": str(notice.division) if notice.division is not None else "",
        "until": f"{until:%Y-%m-%d %H:%M}" if until is not None else "",
    }
