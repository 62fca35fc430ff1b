"""Free byes of a drawn bracket: places that a late entry, or somebody who buys back, can still take."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tournaments.engine.brackets.correction import free_byes
from tournaments.engine.lots.committed import What
from tournaments.engine.lots.lists import LIST_VERSION
from tournaments.engine.statuses import BEGUN, UNDER_WAY, MatchStatus, StageStatus
from tournaments.engine.types import MatchNo, Side
from tournaments.models import Entry, Event, MatchSlot, Stage
from tournaments.selectors.draws import Draw, DrawnMatch, draw_of
from tournaments.selectors.standings.feeds import withdrawn_from

TAKES_LATE = (StageStatus.DRAWN, *UNDER_WAY)


@dataclass(frozen=True, slots=True)
class FreeBye:
    """A place beside an entry that had a bye. ``waits``: the match that the other one stands in already."""

    match: DrawnMatch
    side: Side
    opponent: str
    waits: MatchNo | None


def free_places(draw: Draw) -> tuple[FreeBye, ...]:
    """Byes whose other side has not been called to its next match yet, from the top of the draw down."""
    if not draw.rounds or draw.stage.system not in Stage.ELIMINATIONS:
        return ()
    rows = {match.number: match for match in draw.matches}
    bracket, gone = draw.bracket(), withdrawn_from(draw.stage)
    found = []
    for target in free_byes(bracket, draw.results(), draw.by_hand()):
        row = rows[target.match]
        onward = bracket.match(target.match).winner_to
        following = rows[onward.match] if onward is not None else None
        while following is not None and following.is_bye and following.status is MatchStatus.CONFIRMED:
            further = bracket.match(following.number).winner_to
            following = rows[further.match] if further is not None else None
        other = row.sides[1 if target.side is Side.A else 0]
        if other.entry_id in gone or (following is not None and following.status in BEGUN):
            continue
        found.append(
            FreeBye(row, target.side, other.name, following.number if following is not None else None)
        )
    return tuple(found)


def place_code(place: FreeBye) -> str:
    """A place of a late entry as a frozen list names it: match and side, “12b”."""
    return f"{place.match.number}{place.side}"


def late_list(stage: Stage, entry: Entry, places: Sequence[str]) -> dict[str, Any]:
    """What the lot of a late entry falls among."""
    return {
        "v": LIST_VERSION,
        "what": str(What.LATE),
        "stage": stage.pk,
        "entry": entry.pk,
        "places": list(places),
    }


def stages_for_late(event: Event) -> list[tuple[Stage, tuple[FreeBye, ...]]]:
    """Drawn brackets of the event that have a free bye, with them."""
    stages = Stage.objects.filter(
        division__event=event, system__in=Stage.ELIMINATIONS, status__in=TAKES_LATE, fed_by=None
    )
    found = [(stage, free_places(draw_of(stage))) for stage in stages.select_related("division__event")]
    return [(stage, places) for stage, places in found if places]


def waiting_for_a_place(stage: Stage) -> list[Entry]:
    """Active entries of the stage's division that do not stand in its draw, as after buying back."""
    rows = Entry.objects.filter(division_id=stage.division_id, status="active")
    return list(rows.exclude(slots__match__stage=stage).order_by("pk"))


def first_match_of(entry: Entry, stage_id: int) -> int | None:
    """The number of the first match of a stage in which an entry stands."""
    slots = MatchSlot.objects.filter(entry=entry, match__stage_id=stage_id).order_by("match__number")
    return slots.values_list("match__number", flat=True).first()
