"""State that the random steps of a simulated event share."""

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from people.actors import Actor
from tournaments.engine.statuses import STAGE_UNDER_WAY, EntryStatus, MatchStatus
from tournaments.engine.types import Claim
from tournaments.matches.services.reports import submit_report
from tournaments.models import Entry, Event, Match, Stage
from tournaments.selectors.access.phones import RequestOrigin


def link_device(entry: Entry) -> RequestOrigin:
    """Return the device with which an entry always uses its link.

    The link rejects devices not allowed before.
    """
    return RequestOrigin(f"d-{entry.public_id}")


def min_entries_of(stage: Stage) -> int:
    """Return the minimum number of entries left in a stage, so that its rounds or groups can be paired."""
    return 3 * max(1, stage.settings.swiss.group_count)


@dataclass(slots=True)
class StepContext:
    """What a step works on: an event, its director, and the random source that decides what happens."""

    event: Event
    director: Actor
    rng: random.Random
    _keys: int = 0

    @property
    def where(self) -> dict[str, Any]:
        """The arguments ``actor`` and ``event_id``, which nearly every service takes."""
        return {"actor": self.director, "event_id": self.event.pk}

    @property
    def stages(self) -> list[Stage]:
        rows = Stage.objects.filter(division__event=self.event).select_related("fed_by", "division")
        return list(rows.order_by("division__position", "position"))

    def some_first_stage(self) -> Stage:
        """Return a random one of the first stages of the divisions."""
        return self.rng.choice([stage for stage in self.stages if stage.position == 1])

    def some_entry(self, status: EntryStatus = EntryStatus.ACTIVE) -> Entry | None:
        rows = Entry.objects.filter(division__event=self.event, status=status)
        entries = list(rows.order_by("pk"))
        return self.rng.choice(entries) if entries else None

    def some_match(self, *statuses: MatchStatus) -> Match | None:
        rows = Match.objects.filter(
            stage__division__event=self.event, stage__status__in=STAGE_UNDER_WAY, status__in=statuses
        )
        matches = list(rows.select_related("stage__division").order_by("pk"))
        return self.rng.choice(matches) if matches else None

    def report_as_director(self, match: Match, claim: Claim) -> None:
        submit_report(
            actor=self.director, match_id=match.pk, entry=None, claim=claim, submission_key=self.key()
        )

    def key(self) -> str:
        """Return a submission key that is unique in this event."""
        self._keys += 1
        return f"trial-{self.event.public_id}-{self._keys}"


Step = Callable[[StepContext], str]
