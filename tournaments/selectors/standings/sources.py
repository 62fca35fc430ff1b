"""Which stages a stage takes its entries from, and which take theirs from it: what is set, without a look at any result."""

from collections.abc import Iterable
from typing import NamedTuple

from tournaments.engine.stages.feeding import FeedPart, FeedSource
from tournaments.models import Stage


class Feed(NamedTuple):
    """A stage and what another one takes of it."""

    stage: Stage
    source: FeedSource


def sources_taken(stage: Stage, other: Stage) -> tuple[FeedSource, ...]:
    """What ``stage`` takes of the ``other`` one of its division; no query."""
    if stage.fed_by_id is None or stage.division_id != other.division_id:
        return ()
    return tuple(
        source
        for source in stage.settings.feed.sources(stage.takes)
        if (source.stage == other.position if source.stage else stage.fed_by_id == other.pk)
    )


def takes_rest(stage: Stage, other: Stage) -> bool:
    """Whether it takes all whom no other stage does."""
    return any(source.taken is FeedPart.REST for source in sources_taken(stage, other))


def feeds_among(stage: Stage, stages: Iterable[Stage]) -> tuple[Feed, ...]:
    """Where those come from who play in it, in the order that was set; ``stages``: those of its division, or of its event.

    Nothing where everybody of the division plays.
    """
    if stage.fed_by_id is None:
        return ()
    by_position = {one.position: one for one in stages if one.division_id == stage.division_id}
    first = next(one for one in by_position.values() if one.pk == stage.fed_by_id)
    found = stage.settings.feed.sources(stage.takes)
    return tuple(Feed(by_position[source.stage] if source.stage else first, source) for source in found)


def feeds_of(stage: Stage) -> tuple[Feed, ...]:
    """The same where nobody has the stages at hand; a query where others than ``fed_by`` feed it."""
    if stage.fed_by is None:
        return ()
    others = {source.stage for source in stage.settings.feed.also} - {0}
    rows = Stage.objects.filter(division_id=stage.division_id, position__in=others) if others else ()
    return feeds_among(stage, [*rows, stage.fed_by])


def stages_fed_by(stage: Stage) -> list[Stage]:
    """The stages that take entries from this one, in order."""
    fed = Stage.objects.filter(division_id=stage.division_id, fed_by__isnull=False)
    found = [one for one in fed if sources_taken(one, stage)]
    for one in found:
        if one.fed_by_id == stage.pk:
            one.fed_by = stage  # nobody asks for it again
    return found
