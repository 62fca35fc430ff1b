"""Versions of the data that a page shows, as short strings for its ETag (``people.versions``).

A topic is a counter that rises when some part of the data changes. A page that shows several parts calls
``topics_version`` once, in one query, with the topics of all of them.
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
    """Return the version topics on which a page about an event, its tables, calls or forecasts depends."""
    return versions.event_topic(event.pk), versions.club_topic(event.club_id), versions.NAMES


def division_topics(event: Event, division_id: int) -> tuple[Topic, ...]:
    """Return the version topics on which a page of one division depends.

    They include those of the header that all pages of its event share.
    """
    content_topics = versions.outline_topic(event.pk), versions.division_topic(division_id)
    return *content_topics, versions.club_topic(event.club_id), versions.NAMES


def event_list_topics(club: Club | None = None) -> tuple[Topic, ...]:
    """Return the version topics of lists of events with their clubs' names, of ``club`` or of all clubs."""
    return versions.ALL_EVENTS if club is None else versions.club_events_topic(club.pk), versions.NAMES


def club_list_topics(parent: Club | None = None) -> tuple[Topic, ...]:
    """Return the version topics of the list of all clubs, or of the member clubs of ``parent``."""
    return versions.ALL_CLUBS if parent is None else versions.club_topic(parent.pk), versions.NAMES


def player_list_topics(club: Club | None = None) -> tuple[Topic, ...]:
    """Return the version topics of the list of players of ``club``, or of all players.

    Unlisted players are included, so that the version changes when a player leaves the list.
    """
    return versions.ALL_PLAYERS if club is None else versions.club_players_topic(club.pk), versions.NAMES


def topics_version(*topics: Topic) -> str:
    """Return one version string for all these topics together, for an ETag; one query."""
    return ".".join(map(str, versions_of(list(dict.fromkeys(topics)))))


def division_page_version(event: Event, division_for_frame: Callable[[str], int]) -> str:
    """Return the version of a division's page, or of the whole event's if ``division_for_frame`` returns 0.

    ``division_for_frame`` receives the version of what all pages of the event show and returns a division's
    database id; its result may depend on nothing else. One query, or two if a division is returned. A result
    in one division does not change the version of the pages of other divisions.
    """
    event_version, *outline = versions_of(
        [
            versions.event_topic(event.pk),
            versions.outline_topic(event.pk),
            versions.club_topic(event.club_id),
            versions.NAMES,
        ]
    )
    frame = ".".join(map(str, outline))
    division = division_for_frame(frame)
    return (
        f"{frame}.{topics_version(versions.division_topic(division))}"
        if division
        else f"{frame}.{event_version}"
    )


def names_version() -> str:
    """Return the version of displayed names of players and clubs.

    Which players take part in an event is part of the event's own version.
    """
    return topics_version(versions.NAMES)


def club_running_version(event: Event) -> str:
    """Return the version of the other running events of the event's club.

    Players who are at a table there cannot be called in this event.
    """
    return _running_version(Event.objects.filter(club_id=event.club_id).exclude(pk=event.pk))


def running_events_version() -> str:
    """Return the version of all listed events that are running."""
    return _running_version(listed_events())


def _running_version(events: QuerySet[Event]) -> str:
    running_events = events.filter(status=EventStatus.RUNNING)
    totals = running_events.aggregate(
        rows=Count("pk"), versions=Sum("version"), weighted=Sum(F("version") * F("pk"))
    )
    return ".".join(str(value or 0) for value in totals.values())


def player_history_version(player: Player) -> str:
    """Return the version of the listed events of ``player`` and of the clubs of these events."""
    totals = (
        events_with_players([player.pk])
        .filter(pk__in=listed_events())
        .aggregate(
            rows=Count("pk"),
            events=Sum("version"),
            weighted=Sum(F("version") * F("pk")),
            clubs=Sum("club__version"),
        )
    )
    return ".".join(str(value or 0) for value in totals.values())


def analyses_version(event: Event) -> str:
    """Return the version of the public match analyses in ``event``."""
    return topics_version(*event_topics(event), versions.ANALYSES)


def club_analyses_version(club: Club) -> str:
    """Return the version of the public match analyses in a club's listed events.

    Players' consents are part of an event's version.
    """
    totals = (
        listed_events()
        .filter(club=club)
        .aggregate(rows=Count("pk"), versions=Sum("version"), weighted=Sum(F("version") * F("pk")))
    )
    topics = topics_version(versions.NAMES, versions.club_events_topic(club.pk), versions.ANALYSES)
    return ".".join([topics, *(str(value or 0) for value in totals.values())])


def player_analyses_version(player: Player) -> str:
    """Return the version of the match analyses in all events of ``player``, listed or not.

    For the player's own page of analyses.
    """
    totals = events_with_players([player.pk]).aggregate(
        rows=Count("pk"), events=Sum("version"), weighted=Sum(F("version") * F("pk"))
    )
    topics = topics_version(versions.NAMES, versions.ANALYSES)
    return ".".join([topics, *(str(value or 0) for value in totals.values())])


def settings_version(values: Mapping[str, Any]) -> str:
    """Return a hash of settings, by which a form detects that they have changed since it was displayed.

    Unlike the event's version, it does not change when results come in.
    """
    return hashlib.sha256(json.dumps(values, sort_keys=True, default=str).encode()).hexdigest()[:16]
