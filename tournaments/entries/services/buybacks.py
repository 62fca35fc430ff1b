"""Buy back: who is out enters once more, where the division allows it, until its cut-off."""

from dataclasses import asdict
from typing import Final

from django.db.models import Max

from faults import Conflict, Missing
from people.actors import Actor
from people.transactions import durable
from tournaments.engine.statuses import EventStatus
from tournaments.engine.trail.entries import BoughtBack
from tournaments.entries.services.entries import must_be_in_time
from tournaments.entries.services.teams import TEAM_NAME_LIMIT
from tournaments.models import Entry, EntryPlayer, Stage
from tournaments.selectors.draws import draw_of
from tournaments.selectors.entries import entries_out
from tournaments.selectors.repairs.late import free_places
from tournaments.selectors.rounds.next import between_rounds
from tournaments.store.lock import changed, lock_for_director

_ROOM_FOR_NUMBER: Final = 4


@durable
def buy_back(*, actor: Actor, event_id: int, entry_id: int) -> Entry:
    """A new entry of the players of one that is out, named “Ann (2)”.

    In a Swiss it plays from the next round on. In a bracket it waits to be placed on a free bye, of which there must be one.
    """
    event = lock_for_director(actor, event_id)
    entry = Entry.objects.select_related("division").filter(pk=entry_id, division__event=event).first()
    if entry is None:
        raise Missing("entry.unknown")
    division, present = entry.division, {"status": event.status}
    stage = Stage.objects.filter(division=division).order_by("position").first()
    if event.status != EventStatus.RUNNING or stage is None:
        raise Conflict("buy_back.not_running", present=present)
    if not division.reentries:
        raise Conflict("buy_back.not_offered", present=present)
    must_be_in_time(event, division)
    if entry.again.exists():
        raise Conflict("buy_back.done", present=present, name=entry.name)
    if entry.pk not in entries_out(stage):
        raise Conflict("buy_back.still_in", present=present, name=entry.name)
    players = list(EntryPlayer.objects.filter(entry=entry))
    attempts = EntryPlayer.objects.filter(division=division, player__in=[row.player_id for row in players])
    attempt = (attempts.aggregate(most=Max("attempt"))["most"] or 0) + 1
    if attempt > 1 + division.reentries:
        raise Conflict("buy_back.used_up", present=present, name=entry.name, limit=division.reentries)
    if not _has_room(stage):
        raise Conflict("buy_back.no_place", present=present)
    again = Entry.objects.create(
        division=division,
        name=f"{_first(entry).name[: TEAM_NAME_LIMIT - _ROOM_FOR_NUMBER]} ({attempt})",
        **asdict(entry.marks),
        again_of=entry,
    )
    EntryPlayer.objects.bulk_create(
        EntryPlayer(
            entry=again, player_id=row.player_id, division=division, position=row.position, attempt=attempt
        )
        for row in players
    )
    changed(event, actor=actor, action=BoughtBack(name=again.name), subject=again)
    return again


def _first(entry: Entry) -> Entry:
    """The entry that all of a player's buy-backs go back to."""
    while entry.again_of is not None:
        entry = entry.again_of
    return entry


def _has_room(stage: Stage) -> bool:
    """A Swiss with rounds to come, or a free bye for every entry that waits to be placed and one more."""
    if stage.system not in Stage.ELIMINATIONS:
        return between_rounds(stage)
    waiting = stage.division.entries.filter(again_of__isnull=False, slots__isnull=True)
    return len(free_places(draw_of(stage))) > waiting.count()
