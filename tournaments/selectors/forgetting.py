"""Who somebody is in the database, by every name they were known by: what leaves when they do."""

from dataclasses import dataclass

from people.models import Player
from people.selectors import names_had_by
from tournaments.models import Entry, Report
from tournaments.selectors.seats import events_with, slots_of


@dataclass(frozen=True, slots=True)
class Leaving:
    """What an erasure changes, in numbers, for whoever is asked whether they want it."""

    events: int
    entries: int
    records: int
    names: tuple[str, ...]


def players_with(player: Player) -> list[Player]:
    """The player, and all that were merged into them."""
    found, wave = [player], [player.pk]
    while wave:
        merged = list(Player.objects.filter(merged_into__in=wave))
        found += merged
        wave = [one.pk for one in merged]
    return found


def leaving(player: Player) -> Leaving:
    """What erasing ``player`` comes to."""
    everybody = players_with(player)
    ids = [one.pk for one in everybody]
    entries = Entry.objects.filter(entry_players__player__in=ids)
    return Leaving(
        events=events_with(ids).count(),
        entries=entries.distinct().count(),
        records=Report.objects.filter(match__in=slots_of(ids).values("match")).exclude(record=None).count(),
        names=tuple(sorted(names_had_by(everybody))),
    )
