"""The versions of what a page shows, as short strings for its ETag; each is one statement that reads version rows (`people.versions`).

A page that shows several things asks once for all of them: `topics_version` with the topics of each.
"""

import hashlib
import json
from collections.abc import Callable, Mapping
from typing import Any, Final

from django.db.models import Count, F, QuerySet, Sum

from people import versions
from people.models import Club, Player
from people.versions import Topic, versions_of
from tournaments.engine.statuses import EventStatus
from tournaments.models import Event
from tournaments.selectors.access.visibility import listed_events
from tournaments.selectors.seats import events_with_players

SETTINGS_CHANGED: Final = "settings.changed"


def event_topics(event: Event) -> tuple[Topic, ...]:
    """What a page of a whole event shows, or one of its tables, calls and forecasts."""
    return versions.event_topic(event.pk), versions.club_topic(event.club_id), versions.NAMES


def division_topics(event: Event, division_id: int) -> tuple[Topic, ...]:
    """What a page of one division shows, with the frame that all pages of its event have."""
    shown = versions.outline_topic(event.pk), versions.division_topic(division_id)
    return *shown, versions.club_topic(event.club_id), versions.NAMES


def event_list_topics(club: Club | None = None) -> tuple[Topic, ...]:
    """Events in lists, of ``club`` or of all, and the names of their clubs."""
    return versions.ALL_EVENTS if club is None else versions.club_events_topic(club.pk), versions.NAMES


def club_list_topics(parent: Club | None = None) -> tuple[Topic, ...]:
    """All clubs, or the member clubs of ``parent``."""
    return versions.ALL_CLUBS if parent is None else versions.club_topic(parent.pk), versions.NAMES


def player_list_topics(club: Club | None = None) -> tuple[Topic, ...]:
    """Players known to ``club``, or all; those who are not listed count too, so that leaving the list shows."""
    return versions.ALL_PLAYERS if club is None else versions.club_players_topic(club.pk), versions.NAMES


def topics_version(*topics: Topic) -> str:
    """The version of all these topics together; one statement."""
    return ".".join(map(str, versions_of(list(dict.fromkeys(topics)))))


def division_page_version(event: Event, picked: Callable[[str], int]) -> str:
    """The version of a page of one division, which ``picked`` names by its database id; 0: it shows the event as a whole.

    ``picked`` is asked with the version of what all pages of the event show, on which its answer may depend and on nothing else. One
    statement, two where an event has several divisions: a result in one of them leaves the pages of the others as they are.
    """
    whole, *outline = versions_of(
        [
            versions.event_topic(event.pk),
            versions.outline_topic(event.pk),
            versions.club_topic(event.club_id),
            versions.NAMES,
        ]
    )
    frame = ".".join(map(str, outline))
    division = picked(frame)
    return f"{frame}.{topics_version(versions.division_topic(division))}" if division else f"{frame}.{whole}"


def names_version() -> str:
    """By which names people and clubs are shown. Who takes part in an event is part of the event's own version."""
    return topics_version(versions.NAMES)


def club_running_version(event: Event) -> str:
    """The club's other running events: whoever plays there cannot be called here."""
    return _running_version(Event.objects.filter(club_id=event.club_id).exclude(pk=event.pk))


def running_events_version() -> str:
    """The listed events that are running: what lists tell of the others is part of the lists' own version."""
    return _running_version(listed_events())


def _running_version(events: QuerySet[Event]) -> str:
    running = events.filter(status=EventStatus.RUNNING)
    found = running.aggregate(rows=Count("pk"), versions=Sum("version"), weighted=Sum(F("version") * F("pk")))
    return ".".join(str(value or 0) for value in found.values())


def player_history_version(player: Player) -> str:
    """The listed events of ``player``, and their clubs."""
    found = (
        events_with_players([player.pk])
        .filter(pk__in=listed_events())
        .aggregate(
            rows=Count("pk"),
            events=Sum("version"),
            weighted=Sum(F("version") * F("pk")),
            clubs=Sum("club__version"),
        )
    )
    return ".".join(str(value or 0) for value in found.values())


def analyses_version(event: Event) -> str:
    """What analyses in ``event`` everybody may see, and what they come to."""
    return topics_version(*event_topics(event), versions.ANALYSES)


def club_analyses_version(club: Club) -> str:
    """The same of all listed events of ``club``: what players agree to is part of the version of their event."""
    found = (
        listed_events()
        .filter(club=club)
        .aggregate(rows=Count("pk"), versions=Sum("version"), weighted=Sum(F("version") * F("pk")))
    )
    topics = topics_version(versions.NAMES, versions.club_events_topic(club.pk), versions.ANALYSES)
    return ".".join([topics, *(str(value or 0) for value in found.values())])


def player_analyses_version(player: Player) -> str:
    """The same of all events of ``player``, listed or not, for themselves."""
    found = events_with_players([player.pk]).aggregate(
        rows=Count("pk"), events=Sum("version"), weighted=Sum(F("version") * F("pk"))
    )
    topics = topics_version(versions.NAMES, versions.ANALYSES)
    return ".".join([topics, *(str(value or 0) for value in found.values())])


def settings_version(values: Mapping[str, Any]) -> str:
    """Names settings as they are now. Not the event's version: that rises with every result."""
    return hashlib.sha256(json.dumps(values, sort_keys=True, default=str).encode()).hexdigest()[:16]
