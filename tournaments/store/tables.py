"""Tables for matches: a match that can start gets the lowest free table or waits for one.

Closed tables are left out. Matches played by arrangement get a table only from the director.
"""

from collections.abc import Collection, Sequence
from typing import Final

from django.db.models import QuerySet

from tournaments.engine.hall.calling import assign_tables, callable_matches
from tournaments.engine.statuses import AT_TABLE, STAGE_UNDER_WAY, MatchStatus
from tournaments.engine.types import TableNo
from tournaments.models import EntryPlayer, Event, Match, MatchSlot, Stage
from tournaments.selectors.hall.calling import TABLE_HELD_SLOTS_Q
from tournaments.selectors.hall.waiting import WaitingMatch, longest_waiting
from tournaments.store.rows import update_rows
from tournaments.store.shown import note_divisions

SPARE_MATCHES: Final = 8  # matches that are read beside the free tables: their people may be busy


def taken_tables(event: Event) -> dict[int, int]:
    """Return the matches at tables: match ids, keyed by table number; one query."""
    rows = Match.objects.filter(
        stage__division__event=event,
        stage__status__in=STAGE_UNDER_WAY,
        status__in=AT_TABLE,
        table__isnull=False,
    ).values_list("table", "pk")
    return {table: pk for table, pk in rows if table is not None}


def free_tables(event: Event) -> list[TableNo]:
    """Return the tables in use today that no match holds, lowest first."""
    unavailable = {*taken_tables(event), *event.closed_tables}
    return [TableNo(number) for number in range(1, event.tables + 1) if number not in unavailable]


def assign_free_tables(event: Event) -> None:
    """Assign free tables to ready matches without one, longest waiting first (``selectors.hall.calling``).

    A match whose player is busy, or has another match with a table, gets none, as the table would stay empty.
    Reads as many waiting matches as there are free tables, and more only if too many of them cannot be
    called.
    """
    unavailable = {*taken_tables(event), *event.closed_tables} if event.tables else set()
    free_count = sum(number not in unavailable for number in range(1, event.tables + 1))
    if not free_count:
        return
    limit = free_count + SPARE_MATCHES
    waiting_matches = longest_waiting(event, limit)
    while len(waiting_matches) == limit and len(_callable_ids(waiting_matches)) < free_count:
        limit *= 4
        waiting_matches = longest_waiting(event, limit)
    table_by_match = assign_tables(_callable_ids(waiting_matches), unavailable, event.tables)
    if table_by_match:
        update_rows(Match, ["table"], [Match(pk=pk, table=table) for pk, table in table_by_match.items()])
        note_divisions(event, {match.division_id for match in waiting_matches if match.pk in table_by_match})


def _callable_ids(waiting_matches: Sequence[WaitingMatch]) -> list[int]:
    engaged_players = {player for match in waiting_matches for player in match.engaged}
    return list(callable_matches(((match.pk, match.people) for match in waiting_matches), engaged_players))


def clear_stage_tables(stage: Stage) -> None:
    """Take the tables from all matches of the stage."""
    Match.objects.filter(stage=stage).update(table=None)


def release_reserved_tables(event: Event, called_ids: Collection[int], tables: Collection[int]) -> None:
    """Take these tables from ready matches that have them reserved, except from matches ``called_ids``."""
    reserved = Match.objects.filter(stage__division__event=event, status=MatchStatus.READY, table__in=tables)
    _clear_tables(event, reserved.exclude(pk__in=called_ids))


def set_by_arrangement(event: Event, stage: Stage, *, by_arrangement: bool) -> None:
    """Set whether the stage is played by arrangement; if so, its ready matches lose their tables.

    Saves the stage and assigns free tables. Joins the caller's transaction.
    """
    stage.by_arrangement = by_arrangement
    stage.save(update_fields=["by_arrangement"])
    if by_arrangement:
        Match.objects.filter(stage=stage, status=MatchStatus.READY).update(table=None)
    assign_free_tables(event)


def release_other_tables(event: Event, called_ids: list[int]) -> None:
    """Take reserved tables from the other matches of the players in the matches ``called_ids``."""
    players = EntryPlayer.objects.filter(entry__slots__match__in=called_ids).values("player")
    held_slots = MatchSlot.objects.filter(
        TABLE_HELD_SLOTS_Q, match__stage__division__event=event, entry__entry_players__player__in=players
    ).exclude(match__in=called_ids)
    _clear_tables(event, Match.objects.filter(pk__in=held_slots.values("match")))


def _clear_tables(event: Event, matches: QuerySet[Match]) -> None:
    """Take the tables from these matches, and note that their divisions changed."""
    division_by_match = dict(matches.order_by().values_list("pk", "stage__division_id"))
    if division_by_match:
        Match.objects.filter(pk__in=division_by_match).update(table=None)
        note_divisions(event, division_by_match.values())
