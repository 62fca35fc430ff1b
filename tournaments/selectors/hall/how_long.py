"""How long an event would take with other lengths, rounds, tables and hours: played through at once, for the director who tries them out.

It is the forecast of the hall (decision 62) asked before anything is drawn, with what is `Assumed` in the place of what is set. Nothing is
written. A division that is drawn already is played through as it stands. Loads numpy.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from tournaments.engine.errors import BadInput
from tournaments.engine.hall.forecast import Band
from tournaments.engine.hall.hours import MORNING, Hours
from tournaments.engine.hall.plays import forecast
from tournaments.engine.statuses import EventStatus
from tournaments.engine.types import MatchNo
from tournaments.models import Event
from tournaments.selectors.hall.forecast import Times
from tournaments.selectors.hall.pace import learned_for
from tournaments.selectors.hall.playing import Assumed, Playing, playing_of

# So many matches times plays are worked out while a director waits: of a very large event fewer plays say it nearly as well.
MOST_WORK: Final = 300 * 320
FEWEST_PLAYS: Final = 60
PLAYS: Final = 300


@dataclass(frozen=True, slots=True)
class StageSpan:
    """When the first match of a stage begins, and its last one ends; ``matches``: how many there are to play."""

    begins: datetime
    ends: Times
    matches: int


@dataclass(frozen=True, slots=True)
class HowLong:
    """``stages`` by database id, those at the tables alone; ``over``: all of them. ``since``: from when on it is played. ``learned_from``: so many
    matches of the event taught the pace; ``learned_before``: earlier events did.
    """

    since: datetime
    over: Times
    stages: Mapping[int, StageSpan]
    seconds_a_point: int
    learned_from: int
    learned_before: bool


def how_long(event: Event, assumed: Assumed, hours: Hours, now: datetime) -> HowLong | None:
    """What would come of it; None where there is nothing left to play at the tables. Seven queries, whatever the size."""
    zone = ZoneInfo(event.timezone)
    begun = event.status == EventStatus.RUNNING
    opens = datetime.combine(event.starts_on, hours.opens or MORNING, zone)
    since = now if begun else opens
    playing = playing_of(event, since, assumed)
    matches = sum(match.length > 0 for match in playing.to_play)
    if not matches:
        return None
    known = learned_for(event, playing)
    try:
        found = forecast(
            playing.to_play,
            playing.tables,
            known,
            seed=event.pk,
            plays=max(FEWEST_PLAYS, min(PLAYS, MOST_WORK // matches)),
            people=playing.people,
            closed=hours.closed(event.starts_on, event.ends_on, since, zone),
        )
    except BadInput:
        return None
    return HowLong(
        since=since,
        over=_times(since, found.over),
        stages=_spans(since, playing, found.begins, found.ends),
        seconds_a_point=round(known.seconds_a_point),
        learned_from=known.learned_from,
        learned_before=bool(known.usual),
    )


def _times(since: datetime, band: Band) -> Times:
    return Times.after(since, (band.first, band.median, band.last))


def _spans(
    since: datetime, playing: Playing, begins: Mapping[MatchNo, Band], ends: Mapping[MatchNo, Band]
) -> dict[int, StageSpan]:
    lengths = {match.number: match.length for match in playing.to_play if match.is_likely}
    found: dict[int, StageSpan] = {}
    for stage, members in playing.members.items():
        own = [number for number in members if lengths.get(number)]
        if own:
            first = min(begins[number].median for number in own)
            over = _times(since, ends[playing.moments[stage]])
            found[stage] = StageSpan(since + timedelta(seconds=first), over, len(own))
    return found
