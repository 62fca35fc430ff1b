"""Undo of the last repair of a stage: every row it changed is restored, if nothing depends on it.

The repairs of a stage are undone last first. An undo is not a repair: it has its own audit row and cannot be
undone; the director makes the repair again.
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
from tournaments.selectors.arranged import struck_entries
from tournaments.selectors.repairs.substitutions import misrated_matches, published_stages
from tournaments.selectors.repairs.undo import last_repair
from tournaments.store.arranged import reinstate_results
from tournaments.store.arranging import delete_arrangements
from tournaments.store.event_state import step_entry
from tournaments.store.load import load_stage
from tournaments.store.lock import lock_for_director, record_action
from tournaments.store.repairs import PARKED_ATTEMPT, StageRepair, write_repair
from tournaments.store.save import save_stage


@durable
def undo_repair(*, actor: Actor, event_id: int, audit_id: int) -> AuditEntry:
    """Restore everything as it was before the repair of this audit row; return the row of the undo.

    Raises ``Conflict`` (409) for a repair that is already undone or is not the last one, and if a match it
    changed has moved on.
    """
    return undo_repair_locked(actor, lock_for_director(actor, event_id), audit_id)


def undo_repair_locked(actor: Actor, event: Event, audit_id: int) -> AuditEntry:
    """Undo a repair, as `undo_repair`; joins the transaction that locked ``event``."""
    done = one_or_none(
        AuditEntry.objects.select_for_update(of=("self",)).filter(
            pk=audit_id, scope=audit_scope(event), data__has_key="undo"
        )
    )
    if done is None:
        raise Missing("repair.unknown")
    if done.undone_by_id is not None:
        raise Conflict("repair.undone_already")
    action = parse_row(done)
    if not isinstance(action, RepairAuditAction):  # written by a newer release
        raise Missing("repair.unknown")
    stored = action.undo
    stages = list(Stage.objects.filter(pk__in=stored.stages, division__event=event))
    every = [_restored_stage(event, stage, stored, done) for stage in stages]
    _restore_entries(stored.entries)
    for repair in every:
        stage = repair.hand.stage
        _restore_struck_results(stage, stored.entries)
        for pk, length in stored.lengths.items():
            Round.objects.filter(pk=pk, stage=stage).update(length=length)
        write_repair(event, repair, actor)
    _delete_lineups(stored.entries)
    if exchanged := [pk for pk, was in stored.entries.items() if was.players]:
        # Includes stages that were drawn after the repair.
        for stage in published_stages(Entry.objects.get(pk=exchanged[0])):
            _rerate_matches(event, stage, exchanged, actor)
    undo = record_action(
        event,
        actor=actor,
        action=RepairUndone(of=done.pk, what=done.action),
        subject=one_or_none(apps.get_model(done.subject_type).objects.filter(pk=done.subject_id)),
    )
    done.undone_by = undo
    done.save(update_fields=["undone_by"])
    return undo


def _restored_stage(event: Event, stage: Stage, stored: RepairUndo, done: AuditEntry) -> StageRepair:
    """Return the stage as it was before.

    Raises ``Conflict`` if anything that the repair changed has changed since.
    """
    if event.status == EventStatus.CANCELLED:
        raise Conflict("match.not_running", present=event)
    last = last_repair(event, stage)
    if last is None or last.pk != done.pk:
        raise Conflict("repair.not_the_last")
    rounds = stored.rounds.get(stage.pk)
    if rounds is not None and rounds != Round.objects.filter(stage=stage).count():
        raise Conflict("repair.round_since")
    hand, touched = load_stage(stage), stored.stages[stage.pk]
    for number, was in touched.items():
        if number not in hand.rows or not was.is_unchanged(hand.state.match(number).standing()):
            raise Conflict("repair.built_on", match=number)
    return StageRepair(hand, hand.after(*(RestoreMatch(number, was) for number, was in touched.items())))


def _restore_struck_results(stage: Stage, entries: Mapping[int, PreviousEntry]) -> None:
    """Reinstate struck results of entries that are active again."""
    if again := entries.keys() & set(struck_entries(stage)):
        reinstate_results(stage, again)


def _restore_entries(stored: Mapping[int, PreviousEntry]) -> None:
    """Restore names, players, links and statuses of entries; one that the repair added is withdrawn."""
    for pk, was in stored.items():
        entry = Entry.objects.get(pk=pk)
        if entry.status != was.status and not (
            was.players or was.lineups
        ):  # a substitution does not change the status
            action = EntryAction.RETURN if was.status == EntryStatus.ACTIVE else EntryAction.WITHDRAW
            step_entry(entry, action)
        entry.name, entry.seed = was.name, was.seed
        entry.link_version += was.links
        entry.save(update_fields=["name", "seed", "status", "link_version"])
    delete_arrangements(Entry.objects.filter(pk__in=[pk for pk, was in stored.items() if was.links]))
    _restore_players([row for was in stored.values() for row in was.players])
    for was in stored.values():
        for pk, player in was.former_players:
            FormerPlayer.objects.filter(pk=pk).update(player=player)
        for lineup, name in was.lineups.items():
            FormerLineup.objects.filter(pk=int(lineup)).update(name=name)


def _delete_lineups(stored: Mapping[int, PreviousEntry]) -> None:
    """Delete the lineups that the repair added."""
    made = [was.lineup for was in stored.values() if was.lineup is not None]
    FormerLineup.objects.filter(pk__in=made).delete()
    lineups = FormerLineup.objects.filter(entry=OuterRef("pk"))
    Entry.objects.filter(pk__in=stored, changed_hands=True).exclude(Exists(lineups)).update(
        changed_hands=False
    )


def _rerate_matches(event: Event, stage: Stage, entries: Collection[int], actor: Actor) -> None:
    """Rate matches decided since the repair again, for the restored players."""
    if odd := misrated_matches(stage, entries):
        hand = load_stage(stage)
        save_stage(event, hand, hand.after(*map(RepeatReport, odd)), actor=actor)


def _restore_players(stored: Sequence[Sequence[int]]) -> None:
    """Restore players of entries, in two steps because a player may not be in a division twice."""
    before = {pk: (player, attempt) for pk, player, attempt in stored}
    rows = list(EntryPlayer.objects.filter(pk__in=before))
    for row in rows:
        row.attempt += PARKED_ATTEMPT
        row.save(update_fields=["attempt"])
    for row in rows:
        row.player_id, row.attempt = before[row.pk]
        row.save(update_fields=["player", "attempt"])
