"""What a director announces: said once, changed, taken away, shown again.

It is told from the moment of the commit on wall, pages, phones and API. Also of an event that is called off: why, is what people ask then.
"""

from datetime import datetime
from zoneinfo import ZoneInfo

from django.utils import timezone

from faults import Conflict, Invalid, Missing, refuse
from people.actors import Actor
from people.rows import one_or_none
from people.text import one_line
from people.transactions import durable
from tournaments.engine.notices import (
    LONGEST,
    MOST_IN_A_WHILE,
    MOST_SHOWN,
    WHILE,
    Announcement,
    check_text,
)
from tournaments.engine.trail.notices import (
    Announced,
    AnnouncementChanged,
    NoticeShownAgain,
    NoticeWithdrawn,
)
from tournaments.models import Division, Event, Notice
from tournaments.notices.services.posting import post
from tournaments.selectors.notices import shown_now
from tournaments.store.lock import changed, lock_for_director


@durable
def announce(
    *,
    actor: Actor,
    event_id: int,
    text: str,
    division_id: int | None = None,
    until: datetime | None = None,
) -> Notice:
    """Tell everybody in the event, or in one division, until ``until`` or until it is taken away.

    The same words that stand already for the same people are a ``Conflict``: somebody was quicker, or it was sent twice.
    """
    event = lock_for_director(actor, event_id, called_off=True)
    text = one_line(text)
    refuse(check_text(text))
    division = _division(event, division_id)
    _check_until(until)
    news = Announcement(text=text)
    _check_room(event)
    _check_new(event, news, division)
    if Notice.objects.filter(event=event, made_at__gt=timezone.now() - WHILE).count() >= MOST_IN_A_WHILE:
        raise Conflict("notice.too_often", present=event, minutes=int(WHILE.total_seconds() // 60))
    notice = post(event, news, division=division, until=until)
    facts = _facts(event, notice)
    changed(event, actor=actor, action=Announced(notice=notice.pk, **facts))
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
    """Say it otherwise, to others, for longer. ``seen``: the version that was looked at; another one is a ``Conflict``."""
    event = lock_for_director(actor, event_id, called_off=True)
    notice = _notice(event, notice_id, seen)
    _refuse_gone(notice)
    text = one_line(text)
    refuse(check_text(text))
    division = _division(event, division_id)
    if until != notice.until:
        _check_until(until)
    news = Announcement(text=text)
    _check_new(event, news, division, but=notice)
    before = _facts(event, notice)
    notice.news, notice.division, notice.until = news, division, until
    after = _facts(event, notice)
    if before != after:
        _save(notice)
        both = {name: (before[name], after[name]) for name in after if before[name] != after[name]}
        action = AnnouncementChanged(
            notice=notice.pk,
            before={name: pair[0] for name, pair in both.items()},
            after={name: pair[1] for name, pair in both.items()},
        )
        changed(event, actor=actor, action=action)
    return notice


@durable
def withdraw_notice(*, actor: Actor, event_id: int, notice_id: int, seen: int | None = None) -> Notice:
    """Take it away from every page. ``seen``: as in `change_announcement`."""
    event = lock_for_director(actor, event_id, called_off=True)
    notice = _notice(event, notice_id, seen)
    _refuse_gone(notice)
    notice.withdrawn_at = timezone.now()
    _save(notice)
    changed(event, actor=actor, action=NoticeWithdrawn(notice=notice.pk, text=_text(notice)))
    return notice


@durable
def show_again(*, actor: Actor, event_id: int, notice_id: int, seen: int | None = None) -> Notice:
    """An announcement that was taken away or had its time: it stands again, until it is taken away."""
    event = lock_for_director(actor, event_id, called_off=True)
    notice = _notice(event, notice_id, seen)
    if _stands(notice):
        raise Conflict("notice.stands", present={"version": notice.version})
    _check_room(event)
    _check_new(event, Announcement(text=_text(notice)), notice.division)
    notice.withdrawn_at = notice.until = None
    notice.made_at = timezone.now()
    _save(notice)
    changed(event, actor=actor, action=NoticeShownAgain(notice=notice.pk, text=_text(notice)))
    return notice


def _save(notice: Notice) -> None:
    notice.version += 1
    notice.save()


def _notice(event: Event, notice_id: int, seen: int | None) -> Notice:
    """An announcement of the locked event, as it was seen. What the house itself tells is not a director's to change."""
    notice = one_or_none(
        Notice.objects.select_related("division").filter(pk=notice_id, event=event, kind=Announcement.kind)
    )
    if notice is None:
        raise Missing("notice.unknown")
    if seen not in {None, notice.version}:
        raise Conflict("notice.changed", present={"version": notice.version})
    return notice


def _stands(notice: Notice) -> bool:
    return notice.withdrawn_at is None and (notice.until is None or notice.until > timezone.now())


def _refuse_gone(notice: Notice) -> None:
    if not _stands(notice):
        raise Conflict("notice.gone", present={"version": notice.version})


def _division(event: Event, division_id: int | None) -> Division | None:
    if division_id is None:
        return None
    division = one_or_none(event.divisions.filter(pk=division_id))
    if division is None:
        raise Missing("division.unknown")
    return division


def _check_until(until: datetime | None) -> None:
    now = timezone.now()
    if until is not None and not now < until <= now + LONGEST:
        raise Invalid("notice.until_odd", field="until", days=LONGEST.days)


def _check_room(event: Event) -> None:
    if Notice.objects.filter(shown_now(), event=event, kind=Announcement.kind).count() >= MOST_SHOWN:
        raise Conflict("notice.too_many", present=event, limit=MOST_SHOWN)


def _check_new(
    event: Event, news: Announcement, division: Division | None, but: Notice | None = None
) -> None:
    """Whether the same stands already for the same people."""
    same = Notice.objects.filter(shown_now(), event=event, kind=news.kind, division=division)
    if any(row.news == news for row in same if but is None or row.pk != but.pk):
        raise Conflict("notice.said", present=event)


def _text(notice: Notice) -> str:
    news = notice.news
    return news.text if isinstance(news, Announcement) else ""


def _facts(event: Event, notice: Notice) -> dict[str, str]:
    """What the trail tells of it."""
    until = notice.until.astimezone(ZoneInfo(event.timezone)) if notice.until is not None else None
    return {
        "text": _text(notice),
        "division": str(notice.division) if notice.division is not None else "",
        "until": f"{until:%Y-%m-%d %H:%M}" if until is not None else "",
    }
