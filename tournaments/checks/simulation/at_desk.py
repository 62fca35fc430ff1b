"""Random steps of a director besides results: tables taken out of use or changed, names corrected, undo."""

from people.models import AuditEntry, Player
from tournaments.checks.simulation.hall import StepContext
from tournaments.desk.services.acting import undo_action
from tournaments.engine.statuses import AT_TABLE, EntryStatus, MatchStatus
from tournaments.engine.trail.entries import PlayersMerged
from tournaments.entries.services.merge_players import merge_players, undo_merge
from tournaments.entries.services.several import move_entries, withdraw_entries
from tournaments.entries.services.spelling import correct_names
from tournaments.entries.services.undo_together import undo_bulk_action
from tournaments.hall.services.calling import set_table
from tournaments.hall.services.tables import set_table_use, swap_tables
from tournaments.models import Entry, Match
from tournaments.repairs.services.reinstating import reinstate
from tournaments.repairs.services.take_back import undo_result
from tournaments.selectors.hall.last_action import last_action
from tournaments.selectors.together import last_bulk_action


def undo_last_action(hall: StepContext) -> str:
    """Press Ctrl-Z in the empty command bar."""
    found = last_action(hall.event, hall.director.user)
    if found is None:
        return "nothing done that could be taken back"
    undo_action(actor=hall.director, event=hall.event, found=found)
    return f"{found.row.action} taken back"


def retract_result(hall: StepContext) -> str:
    match = hall.some_match(MatchStatus.CONFIRMED)
    if match is None:
        return "no result to take back"
    undo_result(**hall.where, match_id=match.pk, seen=match.version)
    return f"the result of match {match.number} taken back"


def toggle_table(hall: StepContext) -> str:
    """Take a table out of use, or put it back into use."""
    table, in_use = _some_table(hall), False
    if hall.event.closed_tables and hall.rng.random() < 0.6:
        table, in_use = hall.rng.choice(hall.event.closed_tables), True
    hall.event = set_table_use(**hall.where, table=table, in_use=in_use)
    return f"table {table} {'in' if in_use else 'out of'} use"


def swap_table_numbers(hall: StepContext) -> str:
    first, second = _some_table(hall), _some_table(hall)
    there = Match.objects.filter(
        stage__division__event=hall.event, status__in=AT_TABLE, table__in=(first, second)
    )
    swap_tables(**hall.where, first=first, second=second, seen=dict(there.values_list("pk", "version")))
    return f"tables {first} and {second} change"


def assign_table(hall: StepContext) -> str:
    match = hall.some_match(*AT_TABLE)
    if match is None:
        return "no match to give a table"
    table = _some_table(hall) if hall.rng.random() < 0.7 else None
    set_table(**hall.where, match_id=match.pk, table=table, seen=match.version)
    return f"match {match.number} at table {table}"


def correct_name(hall: StepContext) -> str:
    entry = hall.some_entry()
    if entry is None:
        return "nobody left to rename"
    player = hall.rng.choice(list(Player.objects.filter(entry_players__entry=entry).order_by("pk")))
    correct_names(**hall.where, entry_id=entry.pk, names={player.pk: f"Ren {hall.key()}"})
    return f"a name of {entry.name} put right"


def withdraw_together(hall: StepContext) -> str:
    """Withdraw several entries before the draw and reinstate some, or move them to another division."""
    rows = list(Entry.objects.filter(division__event=hall.event, status=EntryStatus.ACTIVE).order_by("pk"))
    chosen = hall.rng.sample(rows, min(len(rows), hall.rng.randint(1, 3)))
    where, ids = hall.where, [entry.pk for entry in chosen]
    if hall.rng.random() < 0.5:
        to = hall.rng.choice(hall.stages).division_id
        moved = move_entries(**where, entry_ids=ids, division_id=to)
        if len(moved) > 2:
            return f"{_undo_withdrawals(hall)} moved to another division and back"
        return f"{len(moved)} moved to another division"
    withdraw_entries(**where, entry_ids=ids)
    if len(ids) > 2:
        return f"{_undo_withdrawals(hall)} gone and back in one step"
    for pk in ids:
        reinstate(**where, entry_id=pk)
    return f"{len(ids)} gone and back"


def _undo_withdrawals(hall: StepContext) -> int:
    last = last_bulk_action(hall.event)
    return len(undo_bulk_action(**hall.where, audit_id=last[0].pk).entries) if last is not None else 0


def merge_some_players(hall: StepContext) -> str:
    """Merge two players of the club; half of the time the merge is undone."""
    club = hall.event.club_id
    players = list(
        Player.objects.filter(clubs=club, merged_into=None).order_by("pk").values_list("pk", flat=True)[:200]
    )
    keep, duplicate = hall.rng.sample(players, 2)
    merge_players(actor=hall.director, club_id=club, keep_id=keep, duplicate_id=duplicate)
    if hall.rng.random() < 0.5:
        row = AuditEntry.objects.filter(club=club, action=PlayersMerged.kind).latest("pk")
        undo_merge(actor=hall.director, club_id=club, audit_id=row.pk)
        return "two players merged, and told apart again"
    return "two players merged"


def _some_table(hall: StepContext) -> int:
    return hall.rng.randint(1, hall.event.tables)
