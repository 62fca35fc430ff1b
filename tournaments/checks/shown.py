"""Check that every visible change raises a version number.

Compares what pages read of each division with the version numbers. A simulated event is checked after every
step: changed rows under an unchanged version would be a page that stays outdated in caches.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from hashlib import sha256

from django.db.models import Manager, Model

from people import versions
from people.versions import Topic, versions_of
from tournaments.models import (
    Division,
    Entry,
    EntryPlayer,
    Event,
    Match,
    MatchSlot,
    MoneySession,
    Notice,
    Objection,
    Report,
    Round,
    Stage,
    StageEntry,
)

# By the path to their division.
_DIVISION_LOOKUPS: tuple[tuple[type[Model], str], ...] = (
    (Entry, "division"),
    (EntryPlayer, "division"),
    (Stage, "division"),
    (StageEntry, "stage__division"),
    (Round, "stage__division"),
    (Match, "stage__division"),
    (MatchSlot, "match__stage__division"),
    (Report, "match__stage__division"),
    (Objection, "match__stage__division"),
    (MoneySession, "stage__division"),
)
_IGNORED_FIELDS = {"version", "trail_head", "notes_version"}  # notes are for staff only
_STAGE_FIELDS = ("pk", "name", "position", "system", "status", "division_id", "fed_by_id")


@dataclass(slots=True)
class VersionWatch:
    """The data and version numbers of an event at the last check, to be compared at the next one."""

    event: Event
    _previous: dict[Topic, tuple[int, str]] = field(default_factory=dict)

    def topics_without_new_version(self) -> list[Topic]:
        """Return the topics whose data changed since the last call without a new version."""
        fingerprints = dict(self._fingerprints())
        current_versions = dict(zip(fingerprints, versions_of(list(fingerprints)), strict=True))
        outline_version = current_versions[
            versions.outline_topic(self.event.pk)
        ]  # every page of a division has it, too
        current = {
            topic: (max(current_versions[topic], outline_version), text)
            for topic, text in fingerprints.items()
        }
        previous, self._previous = self._previous, current
        common_topics = [topic for topic in current if topic in previous]
        return [
            topic
            for topic in common_topics
            if current[topic][1] != previous[topic][1] and current[topic][0] == previous[topic][0]
        ]

    def _fingerprints(self) -> Iterator[tuple[Topic, str]]:
        pk = self.event.pk
        fields = Event._meta.fields  # noqa: SLF001 (Django documents it)
        names = [event_field.name for event_field in fields if event_field.name not in _IGNORED_FIELDS]
        outline = [
            list(Event.objects.filter(pk=pk).values_list(*names)),
            list(Division.objects.filter(event=pk).order_by("pk").values_list()),
            list(Stage.objects.filter(division__event=pk).order_by("pk").values_list(*_STAGE_FIELDS)),
            list(Notice.objects.filter(event=pk).order_by("pk").values_list()),
        ]
        yield versions.outline_topic(pk), _fingerprint(outline)
        for division in Division.objects.filter(event=pk).values_list("pk", flat=True):
            rows = [
                list(_manager_of(model).filter(**{lookup: division}).order_by("pk").values_list())
                for model, lookup in _DIVISION_LOOKUPS
            ]
            yield versions.division_topic(division), _fingerprint(rows)


def _manager_of(model: type[Model]) -> Manager[Model]:
    return model._default_manager  # noqa: SLF001 (Django documents it)


def _fingerprint(rows: list[list[tuple[object, ...]]]) -> str:
    return sha256(repr(rows).encode()).hexdigest()
