"""Random steps of a director besides results: tables, corrected names, withdrawals, merged players, undo."""

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


def undo_last_action(context: StepContext) -> str:
    """Undo the last action of the director, as Ctrl-Z in the empty command bar does."""
    found_action = last_action(context.event, context.director.user)
    if found_action is None:
        return "nothing done that could be taken back"
    undo_action(actor=context.director, event=context.event, last_action=found_action)
    return f"{found_action.row.action} taken back"


def retract_result(context: StepContext) -> str:
    match = context.some_match(MatchStatus.CONFIRMED)
    if match is None:
        return "no result to take back"
    undo_result(**context.where, match_id=match.pk, seen=match.version)
    return f"the result of match {match.number} taken back"


def toggle_table(context: StepContext) -> str:
    """Take a table out of use, or put a closed table back into use."""
    table, in_use = _some_table(context), False
    if context.event.closed_tables and context.rng.random() < 0.6:
        table, in_use = context.rng.choice(context.event.closed_tables), True
    context.event = set_table_use(**context.where, table=table, in_use=in_use)
    return f"table {table} {'in' if in_use else 'out of'} use"


def swap_table_numbers(context: StepContext) -> str:
    first, second = _some_table(context), _some_table(context)
    table_matches = Match.objects.filter(
        stage__division__event=context.event, status__in=AT_TABLE, table__in=(first, second)
    )
    swap_tables(
        **context.where, first=first, second=second, seen=dict(table_matches.values_list("pk", "version"))
    )
    return f"tables {first} and {second} change"


def assign_table(context: StepContext) -> str:
    match = context.some_match(*AT_TABLE)
    if match is None:
        return "no match to give a table"
    table = _some_table(context) if context.rng.random() < 0.7 else None
    set_table(**context.where, match_id=match.pk, table=table, seen=match.version)
    return f"match {match.number} at table {table}"


def correct_name(context: StepContext) -> str:
    entry = context.some_entry()
    if entry is None:
        return "nobody left to rename"
    player = context.rng.choice(list(Player.objects.filter(entry_players__entry=entry).order_by("pk")))
    correct_names(**context.where, entry_id=entry.pk, names={player.pk: f"Ren {context.key()}"})
    return f"a name of {entry.name} put right"


def withdraw_together(context: StepContext) -> str:
    """Withdraw several entries before the draw and reinstate some, or move them to another division."""
    rows = list(Entry.objects.filter(division__event=context.event, status=EntryStatus.ACTIVE).order_by("pk"))
    chosen = context.rng.sample(rows, min(len(rows), context.rng.randint(1, 3)))
    event_kwargs, ids = context.where, [entry.pk for entry in chosen]
    if context.rng.random() < 0.5:
        target_division = context.rng.choice(context.stages).division_id
        moved_entries = move_entries(**event_kwargs, entry_ids=ids, division_id=target_division)
        if len(moved_entries) > 2:
            return f"{_undo_withdrawals(context)} moved to another division and back"
        return f"{len(moved_entries)} moved to another division"
    withdraw_entries(**event_kwargs, entry_ids=ids)
    if len(ids) > 2:
        return f"{_undo_withdrawals(context)} gone and back in one step"
    for pk in ids:
        reinstate(**event_kwargs, entry_id=pk)
    return f"{len(ids)} gone and back"


def _undo_withdrawals(context: StepContext) -> int:
    bulk_action = last_bulk_action(context.event)
    return (
        len(undo_bulk_action(**context.where, audit_id=bulk_action[0].pk).entries)
        if bulk_action is not None
        else 0
    )


def merge_some_players(context: StepContext) -> str:
    """Merge two players of the club; half of the time the merge is undone."""
    club = context.event.club_id
    players = list(
        Player.objects.filter(clubs=club, merged_into=None).order_by("pk").values_list("pk", flat=True)[:200]
    )
    kept_id, duplicate_id = context.rng.sample(players, 2)
    merge_players(actor=context.director, club_id=club, keep_id=kept_id, duplicate_id=duplicate_id)
    if context.rng.random() < 0.5:
        row = AuditEntry.objects.filter(club=club, action=PlayersMerged.kind).latest("pk")
        undo_merge(actor=context.director, club_id=club, audit_id=row.pk)
        return "two players merged, and told apart again"
    return "two players merged"


def _some_table(context: StepContext) -> int:
    return context.rng.randint(1, context.event.tables)
