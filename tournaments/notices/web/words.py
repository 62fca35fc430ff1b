"""Text of a notice of each kind, for the API and for lists."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from tournaments.engine.notices import Announcement, NoticeContent

NEWS_MESSAGES: Final[Mapping[type[NoticeContent], Callable[[Any], str]]] = {
    Announcement: lambda news: str(news.text),
}


def news_message(news: NoticeContent) -> str:
    """Return the text of a notice in the active language; an announcement keeps the text that was entered."""
    return NEWS_MESSAGES[type(news)](news)
