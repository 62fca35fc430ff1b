"""Undo of the last repair of a stage: everything it changed is restored, if nothing depends on it.

The repairs of a stage are undone last first. An undo is not a repair: it has its own entry in the audit log
and cannot be undone; the director makes the repair again.
"""

from collections.abc import Collection, Mapping, Sequence

from django.apps import apps
from django.db.models import Exists, OuterRef

from faults import Conflict, Missing
from people.actors import Actor
from people.models import AuditEntry
from people.rows import one_or_none
from people.transactions import durable
from tournaments.engine.changes.next_state import RepeatReport, RestoreMatch
from tournaments.engine.changes.trail import PreviousEntry, RepairUndo
from tournaments.engine.statuses import EntryAction, EntryStatus, EventStatus
from tournaments.engine.trail.action import RepairAuditAction
from tournaments.engine.trail.repairs import RepairUndone
from tournaments.models import Entry, EntryPlayer, Event, FormerLineup, FormerPlayer, Round, Stage
from tournaments.models.trail import audit_scope, parse_row
from tournaments.selectors.arranged import entries_with_cancelled_results
from tournaments.selectors.repairs.substitutions import misrated_matches, published_stages
from tournaments.selectors.repairs.undo import last_repair
from tournaments.store.arranged import reinstate_results
from tournaments.store.arranging import delete_arrangements
from tournaments.store.event_state import step_entry
from tournaments.store.load import load_stage
from tournaments.store.lock import lock_for_director, record_action
from tournaments.store.repairs import PARKED_ATTEMPT_NUMBER, StageRepair, write_repair
from tournaments.store.save import save_stage


@durable
def undo_repair(*, actor: Actor, event_id: int, audit_id: int) -> AuditEntry:
    """Restore everything as it was before the repair of this audit log entry; return the entry of the undo.

    Raises ``Conflict`` (409) for a repair that is already undone or is not the last one, and if a match that
    it changed has changed since.
    """
    return undo_repair_locked(actor, lock_for_director(actor, event_id), audit_id)


def undo_repair_locked(actor: Actor, event: Event, audit_id: int) -> AuditEntry:
    """Undo a repair, as `undo_repair`; joins the transaction that locked ``event``."""
    audit_row = one_or_none(
        AuditEntry.objects.select_for_update(of=("self",)).filter(
            pk=audit_id, scope=audit_scope(event), data__has_key="undo"
        )
    )
    if audit_row is None:
        raise Missing("repair.unknown")
    if audit_row.undone_by_id is not None:
        raise Conflict("repair.undone_already")
    action = parse_row(audit_row)
    if not isinstance(action, RepairAuditAction):  # written by a newer release
        raise Missing("repair.unknown")
    repair_undo = action.undo
    stages = list(Stage.objects.filter(pk__in=repair_undo.stages, division__event=event))
    repairs = [_restored_stage(event, stage, repair_undo, audit_row) for stage in stages]
    _restore_entries(repair_undo.entries)
    for repair in repairs:
        stage = repair.loaded_stage.stage
        _restore_struck_results(stage, repair_undo.entries)
        for pk, length in repair_undo.lengths.items():
            Round.objects.filter(pk=pk, stage=stage).update(length=length)
        write_repair(event, repair, actor)
    _delete_lineups(repair_undo.entries)
    if exchanged_ids := [pk for pk, previous in repair_undo.entries.items() if previous.players]:
        # Includes stages that were drawn after the repair.
        for stage in published_stages(Entry.objects.get(pk=exchanged_ids[0])):
            _rerate_matches(event, stage, exchanged_ids, actor)
    undo = record_action(
        event,
        actor=actor,
        action=RepairUndone(of=audit_row.pk, what=audit_row.action),
        subject=one_or_none(apps.get_model(audit_row.subject_type).objects.filter(pk=audit_row.subject_id)),
    )
    audit_row.undone_by = undo
    audit_row.save(update_fields=["undone_by"])
    return undo


def _restored_stage(
    event: Event, stage: Stage, repair_undo: RepairUndo, audit_row: AuditEntry
) -> StageRepair:
    """Return the stage as it was before the repair, to be saved.

    Raises ``Conflict`` if anything that the repair changed has changed since.
    """
    if event.status == EventStatus.CANCELLED:
        raise Conflict("match.not_running", present=event)
    last_row = last_repair(event, stage)
    if last_row is None or last_row.pk != audit_row.pk:
        raise Conflict("repair.not_the_last")
    rounds = repair_undo.rounds.get(stage.pk)
    if rounds is not None and rounds != Round.objects.filter(stage=stage).count():
        raise Conflict("repair.round_since")
    loaded_stage, touched_matches = load_stage(stage), repair_undo.stages[stage.pk]
    for number, match_undo in touched_matches.items():
        if number not in loaded_stage.rows or not match_undo.is_unchanged(
            loaded_stage.state.match(number).standing()
        ):
            raise Conflict("repair.built_on", match=number)
    return StageRepair(
        loaded_stage,
        loaded_stage.after(
            *(RestoreMatch(number, match_undo) for number, match_undo in touched_matches.items())
        ),
    )


def _restore_struck_results(stage: Stage, entries: Mapping[int, PreviousEntry]) -> None:
    """Reinstate struck results of entries that are active again."""
    if active_ids := entries.keys() & set(entries_with_cancelled_results(stage)):
        reinstate_results(stage, active_ids)


def _restore_entries(previous_by_entry: Mapping[int, PreviousEntry]) -> None:
    """Restore names, players, links and statuses of entries; an entry that the repair added is withdrawn."""
    for pk, previous in previous_by_entry.items():
        entry = Entry.objects.get(pk=pk)
        if entry.status != previous.status and not (
            previous.players or previous.lineups
        ):  # a substitution does not change the status
            action = EntryAction.RETURN if previous.status == EntryStatus.ACTIVE else EntryAction.WITHDRAW
            step_entry(entry, action)
        entry.name, entry.seed = previous.name, previous.seed
        entry.link_version += previous.links
        entry.save(update_fields=["name", "seed", "status", "link_version"])
    delete_arrangements(
        Entry.objects.filter(pk__in=[pk for pk, previous in previous_by_entry.items() if previous.links])
    )
    _restore_players([row for previous in previous_by_entry.values() for row in previous.players])
    for previous in previous_by_entry.values():
        for pk, player in previous.former_players:
            FormerPlayer.objects.filter(pk=pk).update(player=player)
        for lineup, name in previous.lineups.items():
            FormerLineup.objects.filter(pk=int(lineup)).update(name=name)


def _delete_lineups(previous_by_entry: Mapping[int, PreviousEntry]) -> None:
    """Delete the former lineups that the repair added."""
    lineup_ids = [previous.lineup for previous in previous_by_entry.values() if previous.lineup is not None]
    FormerLineup.objects.filter(pk__in=lineup_ids).delete()
    lineups = FormerLineup.objects.filter(entry=OuterRef("pk"))
    Entry.objects.filter(pk__in=previous_by_entry, changed_hands=True).exclude(Exists(lineups)).update(
        changed_hands=False
    )


def _rerate_matches(event: Event, stage: Stage, entries: Collection[int], actor: Actor) -> None:
    """Rate matches again that were decided since the repair, for the restored players."""
    if misrated := misrated_matches(stage, entries):
        loaded_stage = load_stage(stage)
        save_stage(event, loaded_stage, loaded_stage.after(*map(RepeatReport, misrated)), actor=actor)


def _restore_players(stored_players: Sequence[Sequence[int]]) -> None:
    """Restore the players of entries, in two steps because a player may not be twice in a division.

    ``stored_players``: row id, player id and attempt of each.
    """
    previous_players = {pk: (player, attempt) for pk, player, attempt in stored_players}
    rows = list(EntryPlayer.objects.filter(pk__in=previous_players))
    for row in rows:
        row.attempt += PARKED_ATTEMPT_NUMBER
        row.save(update_fields=["attempt"])
    for row in rows:
        row.player_id, row.attempt = previous_players[row.pk]
        row.save(update_fields=["player", "attempt"])
