"""The stages that decide the final places of a division, and the places in each."""

from collections.abc import Iterator, Mapping

from tournaments.engine.stages.feeding import FeedPart
from tournaments.engine.standings.ranking import Place
from tournaments.engine.types import EntryId
from tournaments.models import Division, Stage
from tournaments.selectors.draws import load_draw
from tournaments.selectors.money import is_money, points_league
from tournaments.selectors.standings.sources import sources_taken
from tournaments.selectors.standings.tables import final_or_current_places


def final_stages(division: Division) -> list[Stage]:
    """Return the stages that decide the division's final places, best places first.

    These are the division's first stage, last, and before it the stages that it feeds: those for better
    places first, those for all others last. Stages drawn from losers have places of their own and are left
    out.
    """
    stages = sorted(
        (
            stage
            for stage in division.stages.order_by("position")
            if stage.settings.feed.by_result or not stage.fed_by_id
        ),
        key=lambda stage: (stage.settings.feed.taken is FeedPart.REST, stage.settings.feed.first),
    )

    def above(stage: Stage) -> Iterator[Stage]:
        for fed_stage in stages:
            if sources_taken(fed_stage, stage):
                yield from above(fed_stage)
        yield stage

    first_stage = min(stages, key=lambda stage: stage.position, default=None)
    return list(dict.fromkeys(above(first_stage))) if first_stage is not None else []


def stage_places(stage: Stage) -> Mapping[EntryId, Place]:
    """Return the current place of every entry of ``stage``, keyed by entry id."""
    return points_league(stage).places() if is_money(stage) else final_or_current_places(load_draw(stage))
