"""Re-entry: eliminated players enter again, if the division and its first stage allow it.

Called by `repairs.services.reentry`, which locks the event and, in a bracket, assigns the bracket line of the
new entry in the same transaction.
"""

from collections.abc import Collection
from dataclasses import asdict
from typing import Final

from django.db.models import Max

from faults import Conflict, Missing
from people.actors import Actor
from people.rows import one_or_none
from tournaments.engine.statuses import EntryAction, EntryStatus, EventStatus
from tournaments.engine.trail.entries import EntryReentered
from tournaments.entries.services.entries import require_before_cutoff
from tournaments.entries.services.limits import require_within_limit_on_return
from tournaments.entries.services.teams import MAX_TEAM_NAME_LENGTH
from tournaments.models import Entry, EntryPlayer, Event, Stage
from tournaments.selectors.entries import match_count_by_entry, possible_reentries
from tournaments.selectors.rounds.next import is_between_rounds
from tournaments.store.event_state import step_entry
from tournaments.store.lock import record_action

_NUMBER_SUFFIX_LENGTH: Final = 4


def reenter_entry(actor: Actor, event: Event, entry_id: int, overrule: str = "") -> tuple[Entry, Stage]:
    """Create a new entry, named “Ann (2)”, for the players of an eliminated entry; return it and its stage.

    The caller holds the event's lock. ``overrule``: reason for admitting players outside the division's
    rating limit. If an earlier re-entry was undone (`undo_repair`), that entry is reinstated instead. In a
    Swiss, the new entry plays from the next round. Raises ``Conflict`` if a re-entry is not possible.
    """
    entry = one_or_none(Entry.objects.select_related("division").filter(pk=entry_id, division__event=event))
    if entry is None:
        raise Missing("entry.unknown")
    division, present = entry.division, {"status": event.status}
    stage = Stage.objects.filter(division=division).select_related("division").order_by("position").first()
    if event.status != EventStatus.RUNNING or stage is None:
        raise Conflict("buy_back.not_running", present=present)
    if not division.reentries:
        raise Conflict("buy_back.not_offered", present=present)
    require_before_cutoff(event, division)
    previous_reentry = entry.again.filter(status=EntryStatus.WITHDRAWN, slots__isnull=True).first()
    if previous_reentry is None and entry.again.exists():
        raise Conflict("buy_back.done", present=present, name=entry.name)
    _must_be_eliminated(entry, stage)
    if stage.system not in Stage.ELIMINATIONS and not is_between_rounds(stage):
        raise Conflict("buy_back.no_place", present=present)
    if previous_reentry is not None:
        step_entry(previous_reentry, EntryAction.RETURN)
        previous_reentry.save(update_fields=["status"])
        reentry = previous_reentry
    else:
        reentry = _create_reentry(entry)
    record_action(event, actor=actor, action=EntryReentered(name=reentry.name), subject=reentry)
    require_within_limit_on_return(actor, event, reentry, overrule)
    return reentry, stage


def _must_be_eliminated(entry: Entry, stage: Stage) -> None:
    """Raise ``Conflict`` unless the entry may re-enter.

    It may if it is out of the stage, or only waits in a consolation, after no more matches than the stage
    allows.
    """
    present = {"status": entry.division.event.status}
    if entry.pk not in possible_reentries(stage):
        raise Conflict("buy_back.still_in", present=present, name=entry.name)
    max_matches = stage.settings.bracket.buy_back_within
    if max_matches and match_count_by_entry(stage, [entry.pk])[entry.pk] > max_matches:
        raise Conflict("buy_back.too_far", present=present, name=entry.name, limit=max_matches)


def _create_reentry(entry: Entry) -> Entry:
    division, entry_players = entry.division, list(EntryPlayer.objects.filter(entry=entry))
    attempt = _attempt_count(division.pk, [row.player_id for row in entry_players]) + 1
    if attempt > 1 + division.reentries:
        present = {"status": division.event.status}
        raise Conflict("buy_back.used_up", present=present, name=entry.name, limit=division.reentries)
    first = entry
    while first.again_of is not None:
        first = first.again_of
    reentry = Entry.objects.create(
        division=division,
        name=f"{first.name[: MAX_TEAM_NAME_LENGTH - _NUMBER_SUFFIX_LENGTH]} ({attempt})",
        **asdict(entry.marks),
        again_of=entry,
    )
    EntryPlayer.objects.bulk_create(
        EntryPlayer(
            entry=reentry, player_id=row.player_id, division=division, position=row.position, attempt=attempt
        )
        for row in entry_players
    )
    return reentry


def _attempt_count(division_id: int, player_ids: Collection[int]) -> int:
    rows = EntryPlayer.objects.filter(division=division_id, player__in=player_ids)
    return rows.aggregate(most=Max("attempt"))["most"] or 0
