"""Random withdrawals, also of entries that wait for an opponent, late entries, re-entries, wrong players."""

from tournaments.checks.simulation.hall import StepContext
from tournaments.engine.new_entry import NewEntry, WhenFull
from tournaments.engine.standings.leaving import WithdrawnResults
from tournaments.engine.statuses import STAGE_UNDER_WAY, EntryStatus, MatchStatus, StageStatus
from tournaments.entries.services.entries import add_entry, withdraw_entry
from tournaments.models import Entry, EntryPlayer, Event, MatchSlot, Stage
from tournaments.repairs.services.late_entry import add_late_entry
from tournaments.repairs.services.open_lines import close_reserved_lines
from tournaments.repairs.services.reentry import reenter as buy_entry_back
from tournaments.repairs.services.reinstating import reinstate
from tournaments.repairs.services.substitute import change_player
from tournaments.repairs.services.withdraw import withdraw_after_draw
from tournaments.selectors.draws import load_draw
from tournaments.selectors.entries import allowed_reentries
from tournaments.selectors.repairs.late import free_lines
from tournaments.selectors.rounds.next import has_round_to_come
from tournaments.selectors.standings.tables import is_round_based, is_swiss


def drop_out(context: StepContext) -> str:
    entry = context.some_entry()
    if entry is None:
        return "nobody left to drop out"
    swiss = Stage.objects.filter(division=entry.division_id, system=Stage.System.SWISS)
    if swiss.exclude(status=StageStatus.FINISHED).filter(fed_by=None).exists():
        withdraw_entry(**context.where, entry_id=entry.pk)
    else:
        _withdraw(context, entry)
    return f"{entry.name} dropping out"


def leave_early(context: StepContext) -> str:
    """Withdraw one, two or (in a bracket) all entries whose next opponent is unknown.

    Their matches become walkovers later.
    """
    waiting = waiting_entries(context.event)
    max_leaving = 2 if is_round_based(context.stages[0]) else len(waiting)
    leaving = context.rng.sample(waiting, min(len(waiting), context.rng.choice([1, 2, max_leaving])))
    for entry in leaving:
        _withdraw(context, entry)
    return f"{' and '.join(entry.name for entry in leaving) or 'nobody'} leaving early"


def waiting_entries(event: Event) -> list[Entry]:
    """Return the entries alone in a match of a bracket, or in a round robin with rounds to publish."""
    lone_slots = MatchSlot.objects.filter(
        match__stage__division__event=event,
        match__stage__status__in=STAGE_UNDER_WAY,
        match__status=MatchStatus.WAITING,
        entry__isnull=False,
    )
    stages = Stage.objects.filter(division__event=event, status__in=STAGE_UNDER_WAY)
    stages_to_come = [
        stage
        for stage in stages
        if is_round_based(stage) and not is_swiss(stage) and has_round_to_come(stage)
    ]
    scheduled_slots = MatchSlot.objects.filter(match__stage__in=stages_to_come, entry__isnull=False)
    waiting_ids = {
        *lone_slots.values_list("entry_id", flat=True),
        *scheduled_slots.values_list("entry_id", flat=True),
    }
    return list(Entry.objects.filter(pk__in=waiting_ids, status=EntryStatus.ACTIVE).order_by("pk"))


def _withdraw(context: StepContext, entry: Entry) -> None:
    withdraw_after_draw(
        **context.where, entry_id=entry.pk, leaving=context.rng.choice(list(WithdrawnResults))
    )


def add_one_late_entry(context: StepContext) -> str:
    stage, newcomer = context.some_first_stage(), NewEntry(name=f"Late {context.key()}")
    if is_swiss(stage):
        add_entry(**context.where, division_id=stage.division_id, entry=newcomer, when_full=WhenFull.ADD)
        return f"{newcomer.name} coming late"
    free_places = free_lines(load_draw(stage))
    if not free_places:
        return "nobody coming late"
    place = context.rng.choice(free_places)
    add_late_entry(
        **context.where,
        stage_id=stage.pk,
        entry=newcomer,
        match=place.match.number,
        side=place.side,
        when_full=WhenFull.ADD,
    )
    return f"{newcomer.name} on the bye of match {place.match.number}"


def reinstate_entry(context: StepContext) -> str:
    """Reinstate a withdrawn entry, if the rules allow it."""
    entry = context.some_entry(EntryStatus.WITHDRAWN)
    if entry is None:
        return "nobody has left"
    reinstate(**context.where, entry_id=entry.pk, when_full=context.rng.choice(list(WhenFull)))
    return f"{entry.name} back"


def buy_reentry(context: StepContext) -> str:
    stage = context.some_first_stage()
    reentry_ids = sorted(allowed_reentries(stage))
    if not reentry_ids:
        return "nobody buying back"
    entry_id = context.rng.choice(reentry_ids)
    free_places = () if is_swiss(stage) else free_lines(load_draw(stage))
    if free_places and context.rng.random() < 0.5:
        place = context.rng.choice(free_places)
        entry = buy_entry_back(**context.where, entry_id=entry_id, match=place.match.number, side=place.side)
    else:
        entry = buy_entry_back(**context.where, entry_id=entry_id)
    return f"{entry.name} coming in again"


def close_reserved_places(context: StepContext, stage: Stage | None = None) -> str:
    """Close the reserved places of a bracket."""
    stage = stage or context.some_first_stage()
    closed_count = close_reserved_lines(**context.where, stage_id=stage.pk)
    return f"{closed_count} lines closed"


def correct_player(context: StepContext) -> str:
    """Correct the player of an entry: a new player, or one of the division, with whom they are exchanged."""
    rows = list(
        EntryPlayer.objects.filter(division__event=context.event).select_related("entry").order_by("pk")
    )
    replaced = context.rng.choice(rows)
    replacement = NewEntry(name=f"Right {context.key()}")
    other_players = [row.player_id for row in rows if row.division_id == replaced.division_id]
    if context.rng.random() < 0.5:
        replacement = NewEntry(player_id=context.rng.choice(other_players))
    change_player(
        **context.where,
        entry_id=replaced.entry_id,
        wrong_id=replaced.player_id,
        right=replacement,
        from_now=context.rng.random() < 0.3,
    )
    return f"another player as {replaced.entry.name}"
