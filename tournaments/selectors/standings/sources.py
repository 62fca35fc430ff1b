"""Which stages a stage takes its entries from, and which take theirs from it: what is set, without a look at any result."""

from collections.abc import Iterable
from typing import NamedTuple

from tournaments.engine.stages.feeding import Source, Taken
from tournaments.models import Stage


class From(NamedTuple):
    """A stage and what another one takes of it."""

    stage: Stage
    source: Source


def taken_of(stage: Stage, other: Stage) -> tuple[Source, ...]:
    """What ``stage`` takes of the ``other`` one of its division; no query."""
    if stage.fed_by_id is None or stage.division_id != other.division_id:
        return ()
    return tuple(
        source
        for source in stage.settings.feed.sources(stage.takes)
        if (source.stage == other.position if source.stage else stage.fed_by_id == other.pk)
    )


def takes_rest_of(stage: Stage, other: Stage) -> bool:
    """Whether it takes all whom no other stage does."""
    return any(source.taken is Taken.REST for source in taken_of(stage, other))


def sources_among(stage: Stage, stages: Iterable[Stage]) -> tuple[From, ...]:
    """Where those come from who play in it, in the order that was set; ``stages``: those of its division, or of its event.

    Nothing where everybody of the division plays.
    """
    if stage.fed_by_id is None:
        return ()
    by_position = {one.position: one for one in stages if one.division_id == stage.division_id}
    first = next(one for one in by_position.values() if one.pk == stage.fed_by_id)
    found = stage.settings.feed.sources(stage.takes)
    return tuple(From(by_position[source.stage] if source.stage else first, source) for source in found)


def sources_of(stage: Stage) -> tuple[From, ...]:
    """The same where nobody has the stages at hand; a query where others than ``fed_by`` feed it."""
    if stage.fed_by is None:
        return ()
    others = {source.stage for source in stage.settings.feed.also} - {0}
    rows = Stage.objects.filter(division_id=stage.division_id, position__in=others) if others else ()
    return sources_among(stage, [*rows, stage.fed_by])


def stages_fed_by(stage: Stage) -> list[Stage]:
    """The stages that take entries from this one, in order."""
    fed = Stage.objects.filter(division_id=stage.division_id, fed_by__isnull=False)
    found = [one for one in fed if taken_of(one, stage)]
    for one in found:
        if one.fed_by_id == stage.pk:
            one.fed_by = stage  # nobody asks for it again
    return found
