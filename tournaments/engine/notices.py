"""Kinds of notices that are shown to everyone in the hall, each as a class of values.

A new kind needs a class here, its entry in `NOTICE_KINDS`, a sentence in `tournaments/notices/web/words`, and
a template `templates/notices/kinds/<kind>.html`. The service that causes a notice posts it
(`tournaments/notices/services/posting`); displays, pages, players' devices and the API show it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import ClassVar, Final

from faults import Fault

MAX_TEXT_LENGTH: Final = 280  # characters: five lines on a display read from ten metres
MAX_VISIBLE_NOTICES: Final = 8  # at once in an event: the display shows one after the other
MAX_NOTICES_PER_WINDOW: Final = 30
RATE_WINDOW: Final = timedelta(minutes=10)
MAX_DURATION: Final = timedelta(days=7)


@dataclass(frozen=True, slots=True, kw_only=True)
class NoticeContent:
    """Content of a notice; ``kind``: the code of its kind. The fields are the keys of the stored JSON."""

    kind: ClassVar[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Announcement(NoticeContent):
    """An announcement typed by a director: one line of plain text."""

    kind: ClassVar[str] = "announcement"
    text: str


NOTICE_KINDS: Final[Mapping[str, type[NoticeContent]]] = {
    content_type.kind: content_type for content_type in (Announcement,)
}


def check_announcement(text: str) -> tuple[Fault, ...]:
    """Return the errors of an announcement's text: none, or that it is empty or too long."""
    if not text:
        return (Fault("notice.empty", "text"),)
    if len(text) > MAX_TEXT_LENGTH:
        return (Fault("notice.too_long", "text", {"limit": MAX_TEXT_LENGTH, "count": len(text)}),)
    return ()
