"""Check who played which match.

Former lineups have to fit their entries and matches, and the ledger has to rate those players.
"""

from collections import defaultdict
from collections.abc import Iterator

from rating.models import Fact, FactKind
from rating.store.reading import merged_players
from tournaments.engine.statuses import OVER
from tournaments.models import Entry, EntryPlayer, Event, FormerLineup, FormerPlayer, MatchSlot, Report


def lineup_faults(event: Event) -> Iterator[str]:
    """Yield a message for the operator for each inconsistency; eight queries."""
    lineups = FormerLineup.objects.filter(entry__division__event=event)
    lineup_rows = {
        pk: (entry, size)
        for pk, entry, size in lineups.values_list("pk", "entry", "entry__division__team_size")
    }
    players_by_lineup: dict[int, list[int]] = defaultdict(list)
    rows = FormerPlayer.objects.filter(lineup__in=list(lineup_rows)).order_by("position")
    for lineup, player in rows.values_list("lineup_id", "player_id"):
        players_by_lineup[lineup].append(player)
    yield from (
        f"lineup {pk} has {len(players_by_lineup[pk])} players"
        for pk, (_entry, size) in lineup_rows.items()
        if len(players_by_lineup[pk]) != size
    )
    used_slots = MatchSlot.objects.filter(match__stage__division__event=event).exclude(former=None)
    slots = used_slots.values_list("match__number", "match__status", "entry_id", "former__entry_id")
    for number, status, entry, lineup_entry in slots:
        if status not in OVER:
            yield f"match {number} has a previous lineup but is {status}"
        if entry != lineup_entry:
            yield f"match {number} has a lineup of entry {lineup_entry} instead of entry {entry}"
    entries = Entry.objects.filter(division__event=event, changed_hands=True)
    changed_ids, lineup_entries = (
        set(entries.values_list("pk", flat=True)),
        {entry for entry, _size in lineup_rows.values()},
    )
    yield from (
        f"entry {pk}: marked as taken over without a previous lineup, or the reverse"
        for pk in changed_ids ^ lineup_entries
    )
    yield from _misrated_results(event, players_by_lineup)


def _misrated_results(event: Event, players_by_lineup: dict[int, list[int]]) -> Iterator[str]:
    """Yield a message for each effective result in the ledger whose players did not play on these sides."""
    players_by_entry: dict[int, list[int]] = defaultdict(list)
    for entry, player in EntryPlayer.objects.filter(division__event=event).values_list(
        "entry_id", "player_id"
    ):
        players_by_entry[entry].append(player)
    sides: dict[int, dict[str, list[int]]] = defaultdict(dict)
    slots = MatchSlot.objects.filter(match__stage__division__event=event).exclude(entry=None)
    for match, side, entry, former in slots.values_list("match_id", "side", "entry_id", "former_id"):
        sides[match][side] = players_by_entry[entry] if former is None else players_by_lineup[former]
    reports = Report.objects.filter(match__stage__division__event=event, state=Report.State.CONFIRMED)
    confirmed = {
        f"match:{public_id}:{version}": (match, number, winner)
        for match, public_id, number, winner, version in reports.values_list(
            "match_id", "match__public_id", "match__number", "match__winner_side", "version"
        )
    }
    facts = Fact.objects.filter(source_key__in=list(confirmed), later=None).exclude(kind=FactKind.VOID)
    merged_into = merged_players()
    for key, winner, loser in facts.values_list("source_key", "winner_id", "loser_id"):
        match, number, side = confirmed[key]
        other = "b" if side == "a" else "a"
        rated_ids = [[merged_into.get(winner, winner)], [merged_into.get(loser, loser)]]
        if rated_ids != [
            [merged_into.get(player_id, player_id) for player_id in sides[match].get(seat, [])]
            for seat in (side, other)
        ]:
            yield f"match {number} is rated for {rated_ids[0][0]} over {rated_ids[1][0]}, who did not play it"
