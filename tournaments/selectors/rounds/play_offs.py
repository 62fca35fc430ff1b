"""Ties in a table that a play-off can break, and the state of play-offs."""

from tournaments.engine.statuses import EVENT_HAS_RESULTS, OVER, StageStatus
from tournaments.engine.types import EntryId
from tournaments.models import Event, Stage
from tournaments.selectors.draws import Draw
from tournaments.selectors.standings.sources import stages_fed_by
from tournaments.selectors.standings.tables import play_off_ties, rounds_settings

MAX_PLAY_OFF_ENTRIES = 4


def can_break_ties(event: Event, stage: Stage) -> bool:
    """Return whether a play-off may follow: the stage is finished, in an event that was not cancelled."""
    return stage.status == StageStatus.FINISHED and event.status in EVENT_HAS_RESULTS


def is_next_stage_drawn(stage: Stage) -> bool:
    """Return whether a stage fed by this stage is drawn, so that the table of this stage must not change."""
    return any(fed_stage.status != StageStatus.SETUP for fed_stage in stages_fed_by(stage))


def playable_ties(draw: Draw) -> tuple[tuple[EntryId, ...], ...]:
    """Return the groups of tied entries that a play-off can break, each as entry ids.

    They have at most ``MAX_PLAY_OFF_ENTRIES`` entries. Empty in a Swiss with lives, or if a next stage is
    drawn.
    """
    if rounds_settings(draw.stage).lives or is_next_stage_drawn(draw.stage):
        return ()
    return tuple(tied for tied in play_off_ties(draw) if len(tied) <= MAX_PLAY_OFF_ENTRIES)


def is_play_off_under_way(draw: Draw) -> bool:
    """Return whether a play-off has matches that are not over."""
    return any(match.status not in OVER for round_ in draw.play_offs for match in round_.matches)
