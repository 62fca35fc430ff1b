"""Versions of what a page shows, as short strings for its ETag; one statement each (``people.versions``).

A page that shows several things calls ``topics_version`` once, with the topics of each.
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
    """Topics of a page of a whole event, or of its tables, calls or forecasts."""
    return versions.event_topic(event.pk), versions.club_topic(event.club_id), versions.NAMES


def division_topics(event: Event, division_id: int) -> tuple[Topic, ...]:
    """Topics of a page of one division, with the frame that all pages of its event have."""
    content_topics = versions.outline_topic(event.pk), versions.division_topic(division_id)
    return *content_topics, versions.club_topic(event.club_id), versions.NAMES


def event_list_topics(club: Club | None = None) -> tuple[Topic, ...]:
    """Topics of lists of events, of ``club`` or of all, with the names of their clubs."""
    return versions.ALL_EVENTS if club is None else versions.club_events_topic(club.pk), versions.NAMES


def club_list_topics(parent: Club | None = None) -> tuple[Topic, ...]:
    """Topics of the list of all clubs, or of the member clubs of ``parent``."""
    return versions.ALL_CLUBS if parent is None else versions.club_topic(parent.pk), versions.NAMES


def player_list_topics(club: Club | None = None) -> tuple[Topic, ...]:
    """Topics of the players of ``club`` or of all, unlisted ones included, so that leaving the list shows."""
    return versions.ALL_PLAYERS if club is None else versions.club_players_topic(club.pk), versions.NAMES


def topics_version(*topics: Topic) -> str:
    """The version of all these topics together; one statement."""
    return ".".join(map(str, versions_of(list(dict.fromkeys(topics)))))


def division_page_version(event: Event, division_for_frame: Callable[[str], int]) -> str:
    """The version of a page of one division, or of the whole event if ``division_for_frame`` returns 0.

    ``division_for_frame`` maps the version of what all pages of the event show, on which alone its result may depend, to
    a division's database id. One statement, two if an event has several divisions: a result in one does not
    change the pages of the others.
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
    """The version of displayed names. Who takes part in an event is part of the event's own version."""
    return topics_version(versions.NAMES)


def club_running_version(event: Event) -> str:
    """The version of the club's other running events, whose players cannot be called here."""
    return _running_version(Event.objects.filter(club_id=event.club_id).exclude(pk=event.pk))


def running_events_version() -> str:
    """The version of listed running events; the others are part of the versions of lists."""
    return _running_version(listed_events())


def _running_version(events: QuerySet[Event]) -> str:
    running_events = events.filter(status=EventStatus.RUNNING)
    totals = running_events.aggregate(
        rows=Count("pk"), versions=Sum("version"), weighted=Sum(F("version") * F("pk"))
    )
    return ".".join(str(value or 0) for value in totals.values())


def player_history_version(player: Player) -> str:
    """The version of the listed events of ``player`` and of their clubs."""
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
    """The version of the public analyses in ``event``."""
    return topics_version(*event_topics(event), versions.ANALYSES)


def club_analyses_version(club: Club) -> str:
    """The version of the public analyses of a club's listed events.

    Consents are part of an event's version.
    """
    totals = (
        listed_events()
        .filter(club=club)
        .aggregate(rows=Count("pk"), versions=Sum("version"), weighted=Sum(F("version") * F("pk")))
    )
    topics = topics_version(versions.NAMES, versions.club_events_topic(club.pk), versions.ANALYSES)
    return ".".join([topics, *(str(value or 0) for value in totals.values())])


def player_analyses_version(player: Player) -> str:
    """The version of the analyses of all events of ``player``, listed or not, for themselves."""
    totals = events_with_players([player.pk]).aggregate(
        rows=Count("pk"), events=Sum("version"), weighted=Sum(F("version") * F("pk"))
    )
    topics = topics_version(versions.NAMES, versions.ANALYSES)
    return ".".join([topics, *(str(value or 0) for value in totals.values())])


def settings_version(values: Mapping[str, Any]) -> str:
    """A hash of settings as expected version. Unlike the event's version it does not rise with results."""
    return hashlib.sha256(json.dumps(values, sort_keys=True, default=str).encode()).hexdigest()[:16]
