"""Which ties of a table can be broken by a play-off, and how one that was started stands."""

from tournaments.engine.statuses import EVENT_PLAYED, OVER, StageStatus
from tournaments.engine.types import EntryId
from tournaments.models import Event, Stage
from tournaments.selectors.draws import Draw
from tournaments.selectors.standings.sources import stages_fed_by
from tournaments.selectors.standings.tables import settings_of, to_play_off

MOST_IN_PLAY_OFF = 4


def may_break_ties(event: Event, stage: Stage) -> bool:
    """Whether everything of the stage is played, in an event that is not called off."""
    return stage.status == StageStatus.FINISHED and event.status in EVENT_PLAYED


def next_is_drawn(stage: Stage) -> bool:
    """Whether a stage that this one feeds is drawn: its table is needed as it was."""
    return any(one.status != StageStatus.SETUP for one in stages_fed_by(stage))


def playable_ties(draw: Draw) -> tuple[tuple[EntryId, ...], ...]:
    """Groups that matches can tell apart: few enough, nobody plays for lives, nothing follows that is drawn."""
    if settings_of(draw.stage).lives or next_is_drawn(draw.stage):
        return ()
    return tuple(tied for tied in to_play_off(draw) if len(tied) <= MOST_IN_PLAY_OFF)


def play_off_under_way(draw: Draw) -> bool:
    """Whether matches of a play-off are still to be played."""
    return any(match.status not in OVER for round_ in draw.play_offs for match in round_.matches)
