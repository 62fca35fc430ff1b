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


def drop_out(hall: StepContext) -> str:
    entry = hall.some_entry()
    if entry is None:
        return "nobody left to drop out"
    swiss = Stage.objects.filter(division=entry.division_id, system=Stage.System.SWISS)
    if swiss.exclude(status=StageStatus.FINISHED).filter(fed_by=None).exists():
        withdraw_entry(**hall.where, entry_id=entry.pk)
    else:
        _withdraw(hall, entry)
    return f"{entry.name} dropping out"


def leave_early(hall: StepContext) -> str:
    """Withdraw one, two or (in a bracket) all entries whose next opponent is unknown.

    Their matches become walkovers later.
    """
    waiting = waiting_entries(hall.event)
    most = 2 if is_round_based(hall.stages[0]) else len(waiting)
    leaving = hall.rng.sample(waiting, min(len(waiting), hall.rng.choice([1, 2, most])))
    for entry in leaving:
        _withdraw(hall, entry)
    return f"{' and '.join(entry.name for entry in leaving) or 'nobody'} leaving early"


def waiting_entries(event: Event) -> list[Entry]:
    """Entries alone in a match of a bracket, or in a round robin with rounds to publish."""
    alone = MatchSlot.objects.filter(
        match__stage__division__event=event,
        match__stage__status__in=STAGE_UNDER_WAY,
        match__status=MatchStatus.WAITING,
        entry__isnull=False,
    )
    stages = Stage.objects.filter(division__event=event, status__in=STAGE_UNDER_WAY)
    to_come = [
        stage
        for stage in stages
        if is_round_based(stage) and not is_swiss(stage) and has_round_to_come(stage)
    ]
    scheduled = MatchSlot.objects.filter(match__stage__in=to_come, entry__isnull=False)
    waiting = {*alone.values_list("entry_id", flat=True), *scheduled.values_list("entry_id", flat=True)}
    return list(Entry.objects.filter(pk__in=waiting, status=EntryStatus.ACTIVE).order_by("pk"))


def _withdraw(hall: StepContext, entry: Entry) -> None:
    withdraw_after_draw(**hall.where, entry_id=entry.pk, leaving=hall.rng.choice(list(WithdrawnResults)))


def add_one_late_entry(hall: StepContext) -> str:
    stage, late = hall.some_first_stage(), NewEntry(name=f"Late {hall.key()}")
    if is_swiss(stage):
        add_entry(**hall.where, division_id=stage.division_id, entry=late, when_full=WhenFull.ADD)
        return f"{late.name} coming late"
    free = free_lines(load_draw(stage))
    if not free:
        return "nobody coming late"
    place = hall.rng.choice(free)
    add_late_entry(
        **hall.where,
        stage_id=stage.pk,
        entry=late,
        match=place.match.number,
        side=place.side,
        when_full=WhenFull.ADD,
    )
    return f"{late.name} on the bye of match {place.match.number}"


def reinstate_entry(hall: StepContext) -> str:
    """Reinstate a withdrawn entry, if there is a way."""
    entry = hall.some_entry(EntryStatus.WITHDRAWN)
    if entry is None:
        return "nobody has left"
    reinstate(**hall.where, entry_id=entry.pk, when_full=hall.rng.choice(list(WhenFull)))
    return f"{entry.name} back"


def buy_reentry(hall: StepContext) -> str:
    stage = hall.some_first_stage()
    out = sorted(allowed_reentries(stage))
    if not out:
        return "nobody buying back"
    wanted = hall.rng.choice(out)
    free = () if is_swiss(stage) else free_lines(load_draw(stage))
    if free and hall.rng.random() < 0.5:
        place = hall.rng.choice(free)
        again = buy_entry_back(**hall.where, entry_id=wanted, match=place.match.number, side=place.side)
    else:
        again = buy_entry_back(**hall.where, entry_id=wanted)
    return f"{again.name} coming in again"


def close_lines(hall: StepContext, stage: Stage | None = None) -> str:
    """Close the reserved lines of a stage."""
    stage = stage or hall.some_first_stage()
    closed = close_reserved_lines(**hall.where, stage_id=stage.pk)
    return f"{closed} lines closed"


def correct_player(hall: StepContext) -> str:
    """Correct the player of an entry: a new name, or a player of the division, who is then exchanged."""
    rows = list(EntryPlayer.objects.filter(division__event=hall.event).select_related("entry").order_by("pk"))
    wrong = hall.rng.choice(rows)
    right = NewEntry(name=f"Right {hall.key()}")
    others = [row.player_id for row in rows if row.division_id == wrong.division_id]
    if hall.rng.random() < 0.5:
        right = NewEntry(player_id=hall.rng.choice(others))
    change_player(
        **hall.where,
        entry_id=wrong.entry_id,
        wrong_id=wrong.player_id,
        right=right,
        from_now=hall.rng.random() < 0.3,
    )
    return f"another player as {wrong.entry.name}"
