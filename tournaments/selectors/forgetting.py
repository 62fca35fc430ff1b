"""A player together with all merged duplicates, and what erasing the player changes."""

from dataclasses import dataclass

from people.models import Player
from people.selectors import current_and_past_names
from tournaments.models import Entry, Report
from tournaments.selectors.seats import events_with_players, slots_of_players


@dataclass(frozen=True, slots=True)
class ErasureSummary:
    """What erasing a player changes, for the confirmation page.

    ``events``, ``entries`` and ``records`` (game records) are numbers; ``names``: current and past names.
    """

    events: int
    entries: int
    records: int
    names: tuple[str, ...]


def player_and_merged(player: Player) -> list[Player]:
    """Return the player and all players that were merged into them, directly or indirectly."""
    players, last_merged_ids = [player], [player.pk]
    while last_merged_ids:
        merged = list(Player.objects.filter(merged_into__in=last_merged_ids))
        players += merged
        last_merged_ids = [merged_player.pk for merged_player in merged]
    return players


def erasure_summary(player: Player) -> ErasureSummary:
    """Count the events, entries and game records that erasing ``player`` changes, and list all names."""
    all_players = player_and_merged(player)
    ids = [merged_player.pk for merged_player in all_players]
    entries = Entry.objects.filter(entry_players__player__in=ids)
    return ErasureSummary(
        events=events_with_players(ids).count(),
        entries=entries.distinct().count(),
        records=Report.objects.filter(match__in=slots_of_players(ids).values("match"))
        .exclude(record=None)
        .count(),
        names=tuple(sorted(current_and_past_names(all_players))),
    )
