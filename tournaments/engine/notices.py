"""What everybody in the hall is told: each kind of notice as one value. PURE.

A kind is its class here and its line in `NOTICE_KINDS`, a sentence in `tournaments/notices/web/words`, and a template
`templates/notices/kinds/<kind>.html`. The service in which it happens posts it (`tournaments/notices/services/posting`);
wall, pages, phones and API show whatever stands there.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import ClassVar, Final

from faults import Fault

MAX_TEXT_LENGTH: Final = 280  # characters: five lines of a wall that is read from ten metres
MAX_VISIBLE_NOTICES: Final = 8  # at once in an event: the wall shows one after the other
MAX_NOTICES_PER_WINDOW: Final = 30
RATE_WINDOW: Final = timedelta(minutes=10)
MAX_DURATION: Final = timedelta(days=7)


@dataclass(frozen=True, slots=True, kw_only=True)
class NoticeContent:
    """What is told. ``kind``: its code; its fields are the keys of the JSON that is kept of it."""

    kind: ClassVar[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Announcement(NoticeContent):
    """What a director has typed: one line of plain text."""

    kind: ClassVar[str] = "announcement"
    text: str


NOTICE_KINDS: Final[Mapping[str, type[NoticeContent]]] = {one.kind: one for one in (Announcement,)}


def check_announcement(text: str) -> tuple[Fault, ...]:
    """What is wrong with the text of an announcement."""
    if not text:
        return (Fault("notice.empty", "text"),)
    if len(text) > MAX_TEXT_LENGTH:
        return (Fault("notice.too_long", "text", {"limit": MAX_TEXT_LENGTH, "count": len(text)}),)
    return ()
