"""Take the last repair of a stage back: every row it touched becomes what it was, as long as nothing was built on it.

The repairs of a stage are undone in the order of a stack. An undo is a repair's mirror image, not a repair: it is audited
beside it and cannot be undone itself; the director makes the repair again.
"""

from collections.abc import Collection, Mapping, Sequence

from django.apps import apps
from django.db.models import Exists, OuterRef

from faults import Conflict, Missing
from people.actors import Actor
from people.models import AuditEntry
from people.rows import one_or_none
from people.transactions import durable
from tournaments.engine.changes.next_state import PutBack, Restate
from tournaments.engine.changes.trail import EntryBefore, Undo
from tournaments.engine.statuses import EntryAction, EntryStatus, EventStatus
from tournaments.engine.trail.action import Repaired
from tournaments.engine.trail.repairs import RepairUndone
from tournaments.models import Entry, EntryPlayer, Event, FormerLineup, FormerPlayer, Round, Stage
from tournaments.models.trail import read_row, scope_of
from tournaments.selectors.arranged import struck_in
from tournaments.selectors.repairs.substitutions import rated_for_others, shown_stages
from tournaments.selectors.repairs.undo import last_repair
from tournaments.store.arranged import strike_no_more
from tournaments.store.arranging import forget_arrangements
from tournaments.store.event_state import step_entry
from tournaments.store.load import load
from tournaments.store.lock import changed, lock_for_director
from tournaments.store.repairs import PARKED, StageRepair, write_repair
from tournaments.store.save import save


@durable
def undo_repair(*, actor: Actor, event_id: int, audit_id: int) -> AuditEntry:
    """Put everything back as it was before the repair of this audit row; gives the row of the undo.

    Refused (409) for a repair that is undone already or is not the last one, and once a match it touched has gone on.
    """
    return take_repair_back(actor, lock_for_director(actor, event_id), audit_id)


def take_repair_back(actor: Actor, event: Event, audit_id: int) -> AuditEntry:
    """As `undo_repair`; joins the transaction of whoever holds ``event``."""
    done = one_or_none(
        AuditEntry.objects.select_for_update(of=("self",)).filter(
            pk=audit_id, scope=scope_of(event), data__has_key="undo"
        )
    )
    if done is None:
        raise Missing("repair.unknown")
    if done.undone_by_id is not None:
        raise Conflict("repair.undone_already")
    action = read_row(done)
    if not isinstance(action, Repaired):  # a newer release made it
        raise Missing("repair.unknown")
    stored = action.undo
    stages = list(Stage.objects.filter(pk__in=stored.stages, division__event=event))
    every = [_as_it_was(event, stage, stored, done) for stage in stages]
    _put_back_entries(stored.entries)
    for repair in every:
        stage = repair.hand.stage
        _no_longer_struck(stage, stored.entries)
        for pk, length in stored.lengths.items():
            Round.objects.filter(pk=pk, stage=stage).update(length=length)
        write_repair(event, repair, actor)
    _drop_lineups(stored.entries)
    if exchanged := [pk for pk, was in stored.entries.items() if was.players]:
        # Also in stages that were drawn after the repair.
        for stage in shown_stages(Entry.objects.get(pk=exchanged[0])):
            _rate_anew(event, stage, exchanged, actor)
    undo = changed(
        event,
        actor=actor,
        action=RepairUndone(of=done.pk, what=done.action),
        subject=one_or_none(apps.get_model(done.subject_type).objects.filter(pk=done.subject_id)),
    )
    done.undone_by = undo
    done.save(update_fields=["undone_by"])
    return undo


def _as_it_was(event: Event, stage: Stage, stored: Undo, done: AuditEntry) -> StageRepair:
    """The stage as it was before, if nothing has happened to what the repair touched."""
    if event.status == EventStatus.CANCELLED:
        raise Conflict("match.not_running", present=event)
    last = last_repair(event, stage)
    if last is None or last.pk != done.pk:
        raise Conflict("repair.not_the_last")
    rounds = stored.rounds.get(stage.pk)
    if rounds is not None and rounds != Round.objects.filter(stage=stage).count():
        raise Conflict("repair.round_since")
    hand, touched = load(stage), stored.stages[stage.pk]
    for number, was in touched.items():
        if number not in hand.rows or not was.still(hand.state.match(number).standing()):
            raise Conflict("repair.built_on", match=number)
    return StageRepair(hand, hand.after(*(PutBack(number, was) for number, was in touched.items())))


def _no_longer_struck(stage: Stage, entries: Mapping[int, EntryBefore]) -> None:
    """Results of an entry that takes part again count again."""
    if again := entries.keys() & set(struck_in(stage)):
        strike_no_more(stage, again)


def _put_back_entries(stored: Mapping[int, EntryBefore]) -> None:
    """Names, players, links and statuses of entries; who came in by the repair is withdrawn."""
    for pk, was in stored.items():
        entry = Entry.objects.get(pk=pk)
        if entry.status != was.status and not (
            was.players or was.lineups
        ):  # another player changes no status
            action = EntryAction.RETURN if was.status == EntryStatus.ACTIVE else EntryAction.WITHDRAW
            step_entry(entry, action)
        entry.name, entry.seed = was.name, was.seed
        entry.link_version += was.links
        entry.save(update_fields=["name", "seed", "status", "link_version"])
    forget_arrangements(Entry.objects.filter(pk__in=[pk for pk, was in stored.items() if was.links]))
    _put_back_players([row for was in stored.values() for row in was.players])
    for was in stored.values():
        for pk, player in was.former_players:
            FormerPlayer.objects.filter(pk=pk).update(player=player)
        for lineup, name in was.lineups.items():
            FormerLineup.objects.filter(pk=int(lineup)).update(name=name)


def _drop_lineups(stored: Mapping[int, EntryBefore]) -> None:
    """The lineups that the repair made: nobody took over after all."""
    made = [was.lineup for was in stored.values() if was.lineup is not None]
    FormerLineup.objects.filter(pk__in=made).delete()
    lineups = FormerLineup.objects.filter(entry=OuterRef("pk"))
    Entry.objects.filter(pk__in=stored, changed_hands=True).exclude(Exists(lineups)).update(
        changed_hands=False
    )


def _rate_anew(event: Event, stage: Stage, entries: Collection[int], actor: Actor) -> None:
    """What was decided since the repair is rated for the players who are put back: it says that they played it."""
    if odd := rated_for_others(stage, entries):
        hand = load(stage)
        save(event, hand, hand.after(*map(Restate, odd)), actor=actor)


def _put_back_players(stored: Sequence[Sequence[int]]) -> None:
    """Players of entries as they were; in two steps, because nobody may stand in a division twice even for a moment."""
    before = {pk: (player, attempt) for pk, player, attempt in stored}
    rows = list(EntryPlayer.objects.filter(pk__in=before))
    for row in rows:
        row.attempt += PARKED
        row.save(update_fields=["attempt"])
    for row in rows:
        row.player_id, row.attempt = before[row.pk]
        row.save(update_fields=["player", "attempt"])
