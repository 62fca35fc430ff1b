"""What a change shows anew: the whole event, or single divisions of it, and whether lists of events do (`people.versions`).

The kind of action says how far it reaches (`engine.trail.action.Reach`). What reaches further than that by the way, tables that go to
another division, a stage that is over with this result, is noted here by whoever writes it, on the row of the locked event.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from typing import cast

from django.db.models import Model

from people import versions
from people.services.versions import raise_versions
from people.versions import Topic
from tournaments.engine.statuses import EventStatus
from tournaments.engine.trail.action import Reach, TrailAction
from tournaments.models import Division, Entry, Event, Match, Stage


@dataclass(slots=True)
class _Noted:
    """What is written in a transaction and not yet told: how far it reaches, and the divisions that are part of it."""

    reach: Reach = Reach.DIVISION
    moved: bool = False
    divisions: set[int] = field(default_factory=set)


def note(event: Event, reach: Reach) -> None:
    """What is written reaches at least so far."""
    noted = _of(event)
    noted.reach = max(noted.reach, reach)


def note_status(event: Event) -> None:
    """The event has another status: lists tell it, also where it was or becomes a draft."""
    noted = _of(event)
    noted.reach, noted.moved = Reach.LISTS, True


def note_divisions(event: Event, divisions: Iterable[int]) -> None:
    """These divisions, by database id, have something new to show."""
    _of(event).divisions.update(divisions)


def note_action(event: Event, action: TrailAction, subject: Model) -> None:
    """What an action of this kind reaches; one of a division whose subject is in none reaches the whole event.

    What is for the desk alone raises the event's own version, which the pages of directors and players ask for, and no other.
    """
    if action.reach is Reach.DESK:
        return
    found = _division_of(subject)
    if found is not None:
        note_divisions(event, [found])
    elif not _of(event).divisions:
        note(event, Reach.EVENT)
    note(event, action.reach)


def write_versions(event: Event) -> None:
    """Raise the version rows of all that was noted; ``event`` has its new version already."""
    noted = _of(event)
    del event.__dict__[_NAME]
    numbers = {versions.event(event.pk): event.version}
    if noted.reach > Reach.DIVISION:
        numbers[versions.outline(event.pk)] = event.version
    numbers |= {versions.division(pk): event.version for pk in noted.divisions}
    # Lists in the API name the version of each event, too: of those that run it is read from them, others change now and then.
    listed = noted.reach is Reach.LISTS or event.status != EventStatus.RUNNING
    if event.status == EventStatus.DRAFT:
        listed = noted.moved
    raise_versions([versions.club_events(event.club_id)] if listed else [], numbers=numbers)


def raise_events(events: Collection[Event]) -> None:
    """All that is shown of these locked events is new: names of people, or what was written of them. They are saved with it."""
    numbers: dict[Topic, int] = {}
    for event in events:
        event.version += 1
        event.save(update_fields=["version"])
        numbers |= dict.fromkeys((versions.event(event.pk), versions.outline(event.pk)), event.version)
    raise_versions((), numbers=numbers)


_NAME = "_noted"


def _of(event: Event) -> _Noted:
    return cast("_Noted", event.__dict__.setdefault(_NAME, _Noted()))


def _division_of(subject: Model) -> int | None:
    match subject:
        case Division():
            return subject.pk
        case Stage() | Entry():
            return subject.division_id
        case Match():
            return subject.stage.division_id
        case _:
            return None
