"""Members of an entry: one player or a team of two or three, known or new, and the name of a team."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from django.db.models import Q

from faults import Fault, Invalid, raise_faults
from names.folding import search_key
from people.actors import Actor
from people.models import Player
from people.selectors import players_by_key, players_for_club
from people.services.players import (
    NewPlayer,
    clean_country,
    clean_name,
    create_player,
    create_players,
    link_players_to_club,
    mark_minors,
)
from people.text import clean_line, web_address_faults
from tournaments.engine.new_entry import NewEntry
from tournaments.engine.statuses import EntryStatus
from tournaments.entries.services.details import clean_details
from tournaments.models import Division, EntryPlayer, Event

MAX_TEAM_NAME_LENGTH: Final = 160


def team_name(names: Sequence[str]) -> str:
    """Return the players' names joined: “Ann”, “Ann & Bob” or “Ann, Bob & Cleo”."""
    first, last = ", ".join(names[:-1]), names[-1]
    return (f"{first} & {last}" if first else last)[:MAX_TEAM_NAME_LENGTH]


def clean_team_name(typed_name: str, names: Sequence[str]) -> str:
    """Return the name of an entry: the typed team name or, if that is empty, the players' names joined.

    Raises ``Invalid`` for a name that is too long or contains a web address.
    """
    name = clean_line(typed_name)
    if len(name) > MAX_TEAM_NAME_LENGTH:
        raise Invalid("entry.team_name_long", field="team", limit=MAX_TEAM_NAME_LENGTH)
    raise_faults(web_address_faults(name, "team"))
    return name or team_name(names)


def get_or_create_players(
    actor: Actor,
    event: Event,
    division: Division,
    new_entries: Sequence[NewEntry],
    *,
    excluded_id: int | None = None,
) -> list[list[Player]]:
    """Return the players of each entry in ``new_entries``: known players loaded, new players created.

    Raises ``Invalid`` with all errors. A player may be in only one entry of the division; ``excluded_id``:
    entry whose players do not count for this, because they are being replaced. Joins the caller's
    transaction.
    """
    members = [member for new_entry in new_entries for member in new_entry.members]
    player_ids = [member.player_id for member in members if member.player_id is not None]
    known_players = {player.pk: player for player in players_for_club(event.club).filter(pk__in=player_ids)}
    status_by_player = dict(
        EntryPlayer.objects.filter(division=division)
        .exclude(entry=excluded_id)
        .filter(Q(player_id__in=player_ids) | Q(player__merged_into_id__in=player_ids))
        .order_by("attempt")
        .values_list("player_id", "entry__status")
    )
    checked_keys = [search_key(member.name) for member in members if member.only_if_unknown]
    namesakes = players_by_key(club=event.club, keys=filter(None, checked_keys)) if checked_keys else {}
    faults: list[Fault] = []
    seen_ids: set[int] = set()
    seen_names: set[str] = set()
    new_players: list[NewPlayer] = []
    for line, new_entry in enumerate(new_entries, start=1):
        if len(new_entry.members) != division.team_size:
            faults.append(Fault("entry.team_size", "name", {"size": division.team_size, "line": line}))
        for position, member in enumerate(new_entry.members, start=1):
            field, player_field = (
                ("name", "player") if position == 1 else (f"name_{position}", f"player_{position}")
            )
            try:
                clean_details(member.details)
            except Invalid as error:
                faults += [fault.at(field, line=line) for fault in error.faults]
            if member.player_id is None:
                try:
                    name = clean_name(member.name)
                    new_players.append(
                        NewPlayer(
                            name,
                            clean_country(member.country),
                            member.public_page,
                            member.home,
                            member.minor,
                        )
                    )
                except Invalid as error:
                    faults += [fault.at(field, line=line) for fault in error.faults]
                    continue
                if member.only_if_unknown and (same_name_players := namesakes.get(search_key(name))):
                    namesake_ids = [namesake.public_id for namesake in same_name_players]
                    faults.append(Fault("player.name_known", field, {"name": name, "players": namesake_ids}))
                if search_key(name) in seen_names:
                    faults.append(Fault("entry.name_twice", field, {"name": name, "line": line}))
                seen_names.add(search_key(name))
                continue
            player = known_players.get(member.player_id)
            if player is None:
                faults.append(Fault("player.unknown", player_field))
            elif player.pk in status_by_player or player.pk in seen_ids:
                withdrew = status_by_player.get(player.pk) == EntryStatus.WITHDRAWN
                faults.append(
                    Fault("entry.withdrew" if withdrew else "entry.twice", player_field, {"name": player})
                )
            seen_ids.add(member.player_id)
    raise_faults(faults)
    if len(new_players) == 1:
        new_player = new_players[0]
        created_players = [
            create_player(
                actor=actor,
                club=event.club,
                name=new_player.name,
                country=new_player.country,
                public_page=new_player.public_page,
                home=new_player.home,
                minor=new_player.minor,
            )
        ]
    else:
        created_players = (
            create_players(actor=actor, club=event.club, players=new_players) if new_players else []
        )
    link_players_to_club(players=list(known_players.values()), club=event.club)
    minor_ids = {member.player_id for member in members if member.minor}
    mark_minors(
        actor=actor,
        club=event.club,
        players=[known_player for known_player in known_players.values() if known_player.pk in minor_ids],
    )
    remaining = iter(created_players)
    return [
        [
            known_players[team_member.player_id] if team_member.player_id is not None else next(remaining)
            for team_member in new_entry.members
        ]
        for new_entry in new_entries
    ]
