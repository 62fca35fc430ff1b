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
from tournaments.engine.new_entry import NewEntry, PublicPage
from tournaments.engine.statuses import EntryStatus
from tournaments.entries.services.details import clean_details
from tournaments.models import Division, EntryPlayer, Event

MAX_TEAM_NAME_LENGTH: Final = 160


def team_name(names: Sequence[str]) -> str:
    """Return “Ann”, “Ann & Bob” or “Ann, Bob & Cleo”."""
    first, last = ", ".join(names[:-1]), names[-1]
    return (f"{first} & {last}" if first else last)[:MAX_TEAM_NAME_LENGTH]


def clean_team_name(given: str, names: Sequence[str]) -> str:
    """Return the name of the entry of these players: the given team name, otherwise their names joined."""
    name = clean_line(given)
    if len(name) > MAX_TEAM_NAME_LENGTH:
        raise Invalid("entry.team_name_long", field="team", limit=MAX_TEAM_NAME_LENGTH)
    raise_faults(web_address_faults(name, "team"))
    return name or team_name(names)


def get_or_create_players(
    actor: Actor, event: Event, division: Division, wanted: Sequence[NewEntry], *, leave: int | None = None
) -> list[list[Player]]:
    """Return the players of each entry, known ones loaded and new ones created.

    Raises ``Invalid`` with all faults. A player may not be in two entries of the division, except the entry
    ``leave``. Joins the caller's transaction.
    """
    members = [member for item in wanted for member in item.members]
    ids = [member.player_id for member in members if member.player_id is not None]
    known = {player.pk: player for player in players_for_club(event.club).filter(pk__in=ids)}
    entered = dict(
        EntryPlayer.objects.filter(division=division)
        .exclude(entry=leave)
        .filter(Q(player_id__in=ids) | Q(player__merged_into_id__in=ids))
        .order_by("attempt")
        .values_list("player_id", "entry__status")
    )
    asked = [search_key(member.name) for member in members if member.only_if_unknown]
    bearers = players_by_key(club=event.club, keys=filter(None, asked)) if asked else {}
    faults: list[Fault] = []
    seen_ids: set[int] = set()
    seen_names: set[str] = set()
    fresh_ones: list[NewPlayer] = []
    for line, item in enumerate(wanted, start=1):
        if len(item.members) != division.team_size:
            faults.append(Fault("entry.team_size", "name", {"size": division.team_size, "line": line}))
        for place, member in enumerate(item.members, start=1):
            field, chosen = ("name", "player") if place == 1 else (f"name_{place}", f"player_{place}")
            try:
                clean_details(member.details)
            except Invalid as error:
                faults += [fault.at(field, line=line) for fault in error.faults]
            if member.player_id is None:
                try:
                    name = clean_name(member.name)
                    fresh_ones.append(
                        NewPlayer(
                            name,
                            clean_country(member.country),
                            member.public_page is PublicPage.NOW and not member.minor,
                            member.public_page is PublicPage.WITH_DRAW and not member.minor,
                            member.home,
                            member.minor,
                        )
                    )
                except Invalid as error:
                    faults += [fault.at(field, line=line) for fault in error.faults]
                    continue
                if member.only_if_unknown and (there := bearers.get(search_key(name))):
                    bearing = [bearer.public_id for bearer in there]
                    faults.append(Fault("player.name_known", field, {"name": name, "players": bearing}))
                if search_key(name) in seen_names:
                    faults.append(Fault("entry.name_twice", field, {"name": name, "line": line}))
                seen_names.add(search_key(name))
                continue
            player = known.get(member.player_id)
            if player is None:
                faults.append(Fault("player.unknown", chosen))
            elif player.pk in entered or player.pk in seen_ids:
                withdrew = entered.get(player.pk) == EntryStatus.WITHDRAWN
                faults.append(
                    Fault("entry.withdrew" if withdrew else "entry.twice", chosen, {"name": player})
                )
            seen_ids.add(member.player_id)
    raise_faults(faults)
    if len(fresh_ones) == 1:
        one = fresh_ones[0]
        made = [
            create_player(
                actor=actor,
                club=event.club,
                name=one.name,
                country=one.country,
                listed=one.listed,
                listed_with_draw=one.listed_with_draw,
                home=one.home,
                minor=one.minor,
            )
        ]
    else:
        made = create_players(actor=actor, club=event.club, players=fresh_ones) if fresh_ones else []
    link_players_to_club(players=list(known.values()), club=event.club)
    marked = {member.player_id for member in members if member.minor}
    mark_minors(actor=actor, club=event.club, players=[one for one in known.values() if one.pk in marked])
    fresh = iter(made)
    return [
        [known[one.player_id] if one.player_id is not None else next(fresh) for one in item.members]
        for item in wanted
    ]
