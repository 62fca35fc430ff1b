"""Feeds of a stage as configured: the earlier stages from which it takes entries, and the stages it feeds."""

from collections.abc import Iterable
from typing import NamedTuple

from tournaments.engine.stages.feeding import FeedPart, FeedSource
from tournaments.models import Stage


class Feed(NamedTuple):
    """An earlier stage, and which of its entries another stage takes."""

    stage: Stage
    source: FeedSource


def sources_taken(stage: Stage, other: Stage) -> tuple[FeedSource, ...]:
    """Return what ``stage`` takes from ``other``, a stage of the same division; no query."""
    if stage.fed_by_id is None or stage.division_id != other.division_id:
        return ()
    return tuple(
        source
        for source in stage.settings.feed.sources(stage.takes)
        if (source.stage == other.position if source.stage else stage.fed_by_id == other.pk)
    )


def takes_rest(stage: Stage, other: Stage) -> bool:
    """Return whether ``stage`` takes all entries of ``other`` that no other stage takes."""
    return any(source.taken is FeedPart.REST for source in sources_taken(stage, other))


def feeds_among(stage: Stage, stages: Iterable[Stage]) -> tuple[Feed, ...]:
    """Return the feeds of a stage (earlier stages, and what it takes from each) in the configured order.

    Empty if the stage takes all entries of its division. ``stages``: all stages of its division or event.
    """
    if stage.fed_by_id is None:
        return ()
    by_position = {
        candidate.position: candidate for candidate in stages if candidate.division_id == stage.division_id
    }
    feeding_stage = next(candidate for candidate in by_position.values() if candidate.pk == stage.fed_by_id)
    sources = stage.settings.feed.sources(stage.takes)
    return tuple(
        Feed(by_position[source.stage] if source.stage else feeding_stage, source) for source in sources
    )


def feeds_of(stage: Stage) -> tuple[Feed, ...]:
    """Return the feeds of a stage (earlier stages, and what it takes from each) in the configured order.

    Empty if the stage takes all entries of its division. One query if it has other feeds than ``fed_by``.
    """
    if stage.fed_by is None:
        return ()
    other_positions = {source.stage for source in stage.settings.feed.also} - {0}
    rows = (
        Stage.objects.filter(division_id=stage.division_id, position__in=other_positions)
        if other_positions
        else ()
    )
    return feeds_among(stage, [*rows, stage.fed_by])


def stages_fed_by(stage: Stage) -> list[Stage]:
    """Return the stages that take entries from this stage, in order."""
    candidates = Stage.objects.filter(division_id=stage.division_id, fed_by__isnull=False)
    fed_stages = [fed_stage for fed_stage in candidates if sources_taken(fed_stage, stage)]
    for fed_stage in fed_stages:
        if fed_stage.fed_by_id == stage.pk:
            fed_stage.fed_by = stage  # saves a query
    return fed_stages
