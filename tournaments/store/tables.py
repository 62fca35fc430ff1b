"""Table numbers: a match that can start gets the lowest free table or waits for one.

Closed tables are left out. Matches played by arrangement get a table only from the director.
"""

from collections.abc import Collection, Sequence
from typing import Final

from django.db.models import QuerySet

from tournaments.engine.hall.calling import assign_tables, callable_matches
from tournaments.engine.statuses import AT_TABLE, STAGE_UNDER_WAY, MatchStatus
from tournaments.engine.types import TableNo
from tournaments.models import EntryPlayer, Event, Match, MatchSlot, Stage
from tournaments.selectors.hall.calling import TABLE_HELD_SLOTS
from tournaments.selectors.hall.waiting import WaitingMatch, longest_waiting
from tournaments.store.rows import update_rows
from tournaments.store.shown import note_divisions

SPARE_MATCHES: Final = 8  # matches that are read beside the free tables: their people may be busy


def taken_tables(event: Event) -> dict[int, int]:
    """Matches at a table: the match id by table number; one query."""
    rows = Match.objects.filter(
        stage__division__event=event,
        stage__status__in=STAGE_UNDER_WAY,
        status__in=AT_TABLE,
        table__isnull=False,
    ).values_list("table", "pk")
    return {table: pk for table, pk in rows if table is not None}


def free_tables(event: Event) -> list[TableNo]:
    """Tables in use today that no match holds, lowest first."""
    gone = {*taken_tables(event), *event.closed_tables}
    return [TableNo(number) for number in range(1, event.tables + 1) if number not in gone]


def assign_free_tables(event: Event) -> None:
    """Assign free tables to ready matches without one, longest waiting first (``selectors.hall.calling``).

    A match whose player is busy, or has another match with a table, gets none, as the table would stay empty.
    Reads as many waiting matches as there are free tables, and more only if too many of them are busy.
    """
    gone = {*taken_tables(event), *event.closed_tables} if event.tables else set()
    free = sum(number not in gone for number in range(1, event.tables + 1))
    if not free:
        return
    asked = free + SPARE_MATCHES
    waiting = longest_waiting(event, asked)
    while len(waiting) == asked and len(_callable_ids(waiting)) < free:
        asked *= 4
        waiting = longest_waiting(event, asked)
    given = assign_tables(_callable_ids(waiting), gone, event.tables)
    if given:
        update_rows(Match, ["table"], [Match(pk=pk, table=table) for pk, table in given.items()])
        note_divisions(event, {match.division_id for match in waiting if match.pk in given})


def _callable_ids(waiting: Sequence[WaitingMatch]) -> list[int]:
    engaged = {player for match in waiting for player in match.engaged}
    return list(callable_matches(((match.pk, match.people) for match in waiting), engaged))


def clear_stage_tables(stage: Stage) -> None:
    """Clear the tables of all matches of the stage."""
    Match.objects.filter(stage=stage).update(table=None)


def release_reserved_tables(event: Event, called: Collection[int], tables: Collection[int]) -> None:
    """Take these tables from ready matches that have them reserved, except matches ``called`` to them."""
    held = Match.objects.filter(stage__division__event=event, status=MatchStatus.READY, table__in=tables)
    _clear_tables(event, held.exclude(pk__in=called))


def set_by_arrangement(event: Event, stage: Stage, *, by_arrangement: bool) -> None:
    """Set whether the stage is played by arrangement, and reassign tables.

    Its ready matches lose theirs if so. Joins the caller's transaction.
    """
    stage.by_arrangement = by_arrangement
    stage.save(update_fields=["by_arrangement"])
    if by_arrangement:
        Match.objects.filter(stage=stage, status=MatchStatus.READY).update(table=None)
    assign_free_tables(event)


def release_other_tables(event: Event, called: list[int]) -> None:
    """Clear the tables reserved for other matches of the players of ``called``."""
    players = EntryPlayer.objects.filter(entry__slots__match__in=called).values("player")
    held = MatchSlot.objects.filter(
        TABLE_HELD_SLOTS, match__stage__division__event=event, entry__entry_players__player__in=players
    ).exclude(match__in=called)
    _clear_tables(event, Match.objects.filter(pk__in=held.values("match")))


def _clear_tables(event: Event, matches: QuerySet[Match]) -> None:
    """Clear the tables of these matches and note their divisions."""
    found = dict(matches.order_by().values_list("pk", "stage__division_id"))
    if found:
        Match.objects.filter(pk__in=found).update(table=None)
        note_divisions(event, found.values())
