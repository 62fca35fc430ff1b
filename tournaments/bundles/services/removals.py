"""Prevent an import from restoring what was removed on this site without the other site knowing.

Audit log entries keep their ids, so an entry about a player that is here and not in the bundle shows a change
since the sites diverged: then the state here stays, and what is absent here is not restored. Nothing of a
person erased here is imported, and the name in an imported event is removed again.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Final

from people.actors import Actor
from people.audience import FORMER_PLAYER_NAME
from people.models import Club, Player, PlayerClub
from people.spoken import players_with_set_consents, players_with_set_numbers
from rating.store.reading import merged_players
from tournaments.models import EntryPlayer, FormerPlayer
from tournaments.site.services.forgetting import erase_player_in_transaction

_CHUNK_SIZE: Final = 500


@dataclass(frozen=True, slots=True)
class Removals:
    """What was removed on this site about players of a bundle (ids).

    ``erased``: names in the bundle, keyed by player id. ``numbers``: players whose federation numbers or
    outside ratings were set or removed here. ``players_with_set_consents``: players who set a consent about
    the club here. ``now``: the remaining player of each player merged here, keyed by id.
    """

    erased: Mapping[int, str]
    numbers: frozenset[int]
    players_with_set_consents: frozenset[int]
    now: Mapping[int, int]


def local_removals(
    names: Mapping[int, str], imported_ids: Collection[int], clubs: Mapping[str, str]
) -> Removals:
    """Return what was removed on this site, before anything of a bundle is written.

    ``names``: names of its players, keyed by id. ``imported_ids``: ids of its audit log entries. ``clubs``:
    names of its clubs, keyed by public id.
    """
    merged_into = {pk: target for pk, target in merged_players().items() if pk in names}
    people = sorted({*names, *merged_into.values()})
    erased = set[int]()
    numbers, consents = set[int](), set[int]()
    for start in range(0, len(people), _CHUNK_SIZE):
        chunk = people[start : start + _CHUNK_SIZE]
        erased |= set(
            Player.objects.filter(pk__in=chunk, name=FORMER_PLAYER_NAME).values_list("pk", flat=True)
        )
        numbers |= players_with_set_numbers(chunk, excluded_ids=imported_ids)
        consents |= players_with_set_consents(chunk, clubs, excluded_ids=imported_ids)
    return Removals(
        erased={pk: names[pk] for pk in erased & names.keys()},
        numbers=frozenset(pk for pk in names if {pk, merged_into.get(pk, pk)} & numbers),
        players_with_set_consents=frozenset(consents & names.keys()),
        now=merged_into,
    )


def apply_merges(removals: Removals, events: Collection[int]) -> None:
    """Replace players who were merged on this site, in the imported ``events``.

    An entry with both players keeps both.
    """
    _apply_lineup_merges(removals, events)
    rows = EntryPlayer.objects.filter(division__event__in=events, player__in=list(removals.now))
    entry_players = list(rows.select_related("entry"))
    existing_pairs = set(
        EntryPlayer.objects.filter(
            division__event__in=events, player__in=set(removals.now.values())
        ).values_list("division_id", "player_id")
    )
    names = dict(
        Player.objects.filter(pk__in={*removals.now, *removals.now.values()}).values_list("pk", "name")
    )
    for row in entry_players:
        old_id, new_id = row.player_id, removals.now[row.player_id]
        if (row.division_id, new_id) in existing_pairs:
            continue
        if row.entry.name == names[old_id]:
            row.entry.name = names[new_id]
            row.entry.save(update_fields=["name"])
        row.player_id = new_id
        row.save(update_fields=["player"])


def _apply_lineup_merges(removals: Removals, events: Collection[int]) -> None:
    """Replace players who were merged on this site, in former lineups of the imported events."""
    rows = FormerPlayer.objects.filter(
        lineup__entry__division__event__in=events, player__in=list(removals.now)
    )
    for row in rows.select_related("lineup", "player"):
        target = Player.objects.get(pk=removals.now[row.player_id])
        if row.lineup.former_players.filter(player=target).exists():
            continue
        if row.lineup.name == row.player.name:
            row.lineup.name = target.name
            row.lineup.save(update_fields=["name"])
        row.player = target
        row.save(update_fields=["player"])


def reapply_erasures(removals: Removals, club: Club) -> None:
    """Erase players who were erased on this site from what was imported of ``club``, with their names there.

    Joins the caller's transaction, after the import was checked.
    """
    for pk, name in sorted(removals.erased.items()):
        if name != FORMER_PLAYER_NAME:
            Player.objects.filter(pk=pk).update(name=name)
            PlayerClub.objects.get_or_create(
                player_id=pk, club=club
            )  # whose audit log and lists may name them
            erase_player_in_transaction(actor=Actor.program(), player_id=pk)
