"""Free places in a drawn bracket for late entries and re-entries: reserved bracket lines, or byes."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone

from people.models import AuditEntry
from tournaments.engine.brackets.correction import slots_for_late_entries
from tournaments.engine.brackets.structure import SlotTarget
from tournaments.engine.lots.committed import DrawKind
from tournaments.engine.lots.lists import FROZEN_LIST_VERSION
from tournaments.engine.statuses import (
    DRAW_PUBLIC,
    EVENT_CHANGEABLE,
    IN_PROGRESS,
    OVER,
    STAGE_UNDER_WAY,
    MatchStatus,
    StageStatus,
)
from tournaments.engine.trail.repairs import HeldLinesClosed
from tournaments.engine.types import EntryId, MatchNo, Side
from tournaments.models import Division, Entry, Event, MatchSlot, Stage
from tournaments.selectors.draws import Draw, DrawnMatch, DrawnSide, load_draw
from tournaments.selectors.entries import allowed_reentries
from tournaments.selectors.standings.feeds import withdrawn_entry_ids

LATE_ENTRY_STATUSES = (StageStatus.DRAWN, *STAGE_UNDER_WAY)


@dataclass(frozen=True, slots=True)
class FreeLine:
    """A reserved bracket line, or the place opposite an entry with a bye.

    ``opponent``: name of that entry, empty if there is none; ``waits``: number of the match to which it has
    advanced, or None.
    """

    match: DrawnMatch
    side: Side
    opponent: str
    waits: MatchNo | None

    @property
    def is_reserved(self) -> bool:
        """Whether the bracket line is reserved, so that its opponent waits here and has not advanced."""
        return match_side(self.match, self.side).is_open_line


def free_lines(draw: Draw) -> tuple[FreeLine, ...]:
    """Return the free places in a bracket, from the top of the draw.

    Byes count only if their opponent's next match has not been called yet. Empty for other systems.
    """
    if not draw.rounds or draw.stage.system not in Stage.ELIMINATIONS:
        return ()
    rows = {match.number: match for match in draw.matches}
    bracket, withdrawn_ids = draw.bracket(), withdrawn_entry_ids(draw.stage)
    lines = []
    for target in slots_for_late_entries(bracket, draw.outcomes(), draw.entries_placed_by_hand()):
        row = rows[target.match]
        next_slot = bracket.match(target.match).winner_to
        next_match = rows[next_slot.match] if next_slot is not None else None
        while next_match is not None and next_match.is_bye and next_match.status is MatchStatus.CONFIRMED:
            later_slot = bracket.match(next_match.number).winner_to
            next_match = rows[later_slot.match] if later_slot is not None else None
        opponent = row.sides[1 if target.side is Side.A else 0]
        if opponent.entry_id in withdrawn_ids or (
            next_match is not None and next_match.status in IN_PROGRESS
        ):
            continue
        waiting_match = (
            None if match_side(row, target.side).is_open_line or next_match is None else next_match.number
        )
        lines.append(FreeLine(row, target.side, opponent.name, waiting_match))
    return tuple(lines)


def match_side(match: DrawnMatch, side: Side) -> DrawnSide:
    """Return one side of a match."""
    return match.sides[0 if side is Side.A else 1]


def lines_for_reentry(draw: Draw, entry: Entry) -> tuple[FreeLine, ...]:
    """Return the free places in the bracket for the re-entry ``entry``.

    Places that lead at once to an opponent who has beaten these players are left out, unless there are no
    others.
    """
    free = free_lines(draw)
    winner_ids = {
        match_side(match, match.winner).entry_id
        for match in draw.matches
        if match.winner is not None
        and not match.is_bye
        and match_side(match, match.winner.other).entry_id == entry.again_of_id
    }
    other_lines = tuple(line for line in free if not winner_ids & _next_opponents(draw, line))
    return other_lines or free


def _next_opponents(draw: Draw, line: FreeLine) -> set[EntryId | None]:
    """Return the ids of entries that a new entry on this line could meet in its first match, if known."""
    by_number = {match.number: match for match in draw.matches}
    match, opponent = line.match, match_side(line.match, line.side.other)
    next_slot = draw.bracket().match(match.number).winner_to
    if opponent.vacant and next_slot is not None:
        match = by_number[next_slot.match]
        opponent = match_side(match, next_slot.side.other)
    if opponent.entry_id is not None or opponent.source_number is None:
        return {opponent.entry_id}
    return {side.entry_id for side in by_number[opponent.source_number].sides}


def earlier_entries(entry: Entry) -> frozenset[int]:
    """Return the ids of the earlier entries of the same players that led to the re-entry ``entry``."""
    earlier_by_entry = dict(
        Entry.objects.filter(division=entry.division_id, again_of__isnull=False).values_list("pk", "again_of")
    )
    earlier_ids, entry_id = set[int](), earlier_by_entry.get(entry.pk)
    while entry_id is not None:
        earlier_ids.add(entry_id)
        entry_id = earlier_by_entry.get(entry_id)
    return frozenset(earlier_ids)


def abandoned_slots(draw: Draw, entry: Entry) -> tuple[SlotTarget, ...]:
    """Return the consolation places in which earlier entries of the same players wait; they are left empty.

    Whether those entries have withdrawn does not matter.
    """
    targets: list[SlotTarget] = []
    for earlier_id in earlier_entries(entry):
        slots = [
            (match, side)
            for match in sorted(draw.matches, key=lambda match: match.number)
            for side in match.sides
            if side.entry_id == earlier_id
        ]
        played_indexes = [
            index for index, (match, _side) in enumerate(slots) if match.status in OVER and not match.is_bye
        ]
        later_slots = slots[played_indexes[-1] + 1 :] if played_indexes else []
        targets += [SlotTarget(match.number, side.side) for match, side in later_slots[:1]]
    return tuple(targets)


def reserved_line_matches(draw: Draw) -> tuple[DrawnMatch, ...]:
    """Return the matches of the first round with a reserved bracket line, once for each line."""
    rounds = draw.rounds[:1] if draw.stage.system in Stage.ELIMINATIONS else ()
    return tuple(
        match for round_ in rounds for match in round_.matches for side in match.sides if side.is_open_line
    )


def place_code(line: FreeLine) -> str:
    """Return the code of a free place in a frozen list: match number and side, such as “12b”."""
    return f"{line.match.number}{line.side}"


def stages_due_to_close(now: datetime) -> list[tuple[int, int]]:
    """Return the draws whose reserved bracket lines are due to be closed, as pairs of event id and stage id.

    They are due once registration for the division has closed. Draws that a director has reopened since are
    left out: the director closes them, unless a new deadline is set.
    """
    opened_again = AuditEntry.objects.filter(
        action=HeldLinesClosed.kind,
        subject_type="tournaments.stage",
        subject_id=OuterRef("match__stage"),
        undone_by__at__gte=OuterRef("match__stage__division__entries_until"),
    )
    slots = MatchSlot.objects.filter(
        source_kind=MatchSlot.SourceKind.HELD,
        entry=None,
        by_hand=False,
        match__stage__status__in=DRAW_PUBLIC,
        match__stage__division__entries_until__lt=now,
        match__stage__division__event__status__in=EVENT_CHANGEABLE,
    ).exclude(Exists(opened_again))
    return list(slots.order_by().values_list("match__stage__division__event", "match__stage").distinct())


def late_entry_list(stage: Stage, entry: Entry, places: Sequence[str]) -> dict[str, Any]:
    """Return the frozen list (the input as JSON) of the draw that places a late entry.

    ``places``: codes of the free places.
    """
    return {
        "v": FROZEN_LIST_VERSION,
        "what": str(DrawKind.LATE),
        "stage": stage.pk,
        "entry": entry.pk,
        "places": list(places),
    }


@dataclass(frozen=True, slots=True)
class LateStage:
    """A drawn bracket with its free places for late entries.

    ``held``: number of reserved bracket lines, including lines without an opponent.
    """

    stage: Stage
    places: tuple[FreeLine, ...]
    held: int


def stages_open_for_late(event: Event) -> QuerySet[Stage]:
    """Return the drawn brackets of the event that accept late entries, even if they have no free place."""
    stages = Stage.objects.filter(
        division__event=event, system__in=Stage.ELIMINATIONS, status__in=LATE_ENTRY_STATUSES, fed_by=None
    )
    return stages.select_related("division__event")


def late_entry_stages(event: Event) -> list[LateStage]:
    """Return the drawn brackets of the event that have a free place or a reserved bracket line."""
    late_stages = [
        LateStage(stage, free_lines(draw), len(reserved_line_matches(draw)))
        for stage in stages_open_for_late(event)
        for draw in (load_draw(stage),)
    ]
    return [late_stage for late_stage in late_stages if late_stage.places or late_stage.held]


def unplaced_entries(stage: Stage) -> list[Entry]:
    """Return the active entries of the stage's division that are not in its draw, such as new re-entries."""
    rows = Entry.objects.filter(division_id=stage.division_id, status="active")
    return list(rows.exclude(slots__match__stage=stage).order_by("pk"))


def reentry_candidates(division: Division, stage: Stage) -> list[Entry]:
    """Return the entries that could re-enter now, sorted by name; ``stage``: the division's first stage."""
    deadline = division.entries_until
    if not division.reentries or (deadline is not None and deadline < timezone.now()):
        return []
    return list(Entry.objects.filter(pk__in=allowed_reentries(stage)).order_by("name", "pk"))


def first_match_number(entry: Entry) -> int | None:
    """Return the number of the first bracket match that an entry still has to play, or None.

    Stages are searched in order.
    """
    slots = MatchSlot.objects.filter(entry=entry, match__stage__system__in=Stage.ELIMINATIONS)
    slots = slots.exclude(match__status__in=OVER)
    return (
        slots.order_by("match__stage__position", "match__number")
        .values_list("match__number", flat=True)
        .first()
    )
