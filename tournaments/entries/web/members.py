"""Players in a director's form for an entry: chosen from a list, or found by a typed name.

If a typed name could mean known players, the form shows all of them, and a new player of the same name must
be chosen explicitly. This avoids accidental duplicates.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.http import HttpRequest
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

from names.folding import search_key
from names.public_page import PublicPage
from people.models import Player
from people.selectors import player_for_club, player_public_id, players_by_key, search_players
from people.web.forms import PUBLIC_PAGE_LABELS, posted_public_page
from tournaments.engine.new_entry import NewEntry
from tournaments.engine.statuses import EntryStatus
from tournaments.models import Division, Event
from tournaments.selectors.entries import latest_status_by_player
from tournaments.selectors.events.players import last_event_labels
from tournaments.selectors.returning import withdrawn_ids_by_player

MAX_NAME_LENGTH = 160
NEW_PLAYER = "new"

# Shown beside the name of a player who cannot be entered again.
ENTRY_STATUS_LABELS: Final[Mapping[EntryStatus, str | Promise]] = {
    EntryStatus.ACTIVE: gettext_lazy("already entered"),
    EntryStatus.PENDING: gettext_lazy("pending approval: approve the entry"),
    EntryStatus.WAITING: gettext_lazy("on the waiting list"),
    EntryStatus.WAITING_PENDING: gettext_lazy("pending approval: approve the entry"),
    EntryStatus.WITHDRAWN: gettext_lazy("withdrawn"),
}


@dataclass(frozen=True, slots=True)
class Member:
    """One player of an entry in the form.

    ``new_entry``: the player to enter, if certain, otherwise None with ``candidates`` to choose from;
    ``place``: position in the team, from 1; ``typed``: the typed name.
    """

    place: int
    typed: str
    new_entry: NewEntry | None
    candidates: tuple[Player, ...] = ()

    @property
    def field(self) -> str:
        return "player" if self.place == 1 else f"player_{self.place}"

    @property
    def name_field(self) -> str:
        return "name" if self.place == 1 else f"name_{self.place}"


def read_members(
    request: HttpRequest, event: Event, current_players: Sequence[Player | None]
) -> list[Member]:
    """Return the players in the posted form, one for each position of the entry.

    ``current_players``: the player who has each position now, or None.
    """
    return [
        _member(request, event, position, player) for position, player in enumerate(current_players, start=1)
    ]


def _member(request: HttpRequest, event: Event, position: int, current_player: Player | None) -> Member:
    empty = Member(position, "", None)
    typed = " ".join(request.POST.get(empty.name_field, "").replace("\0", "").split())[:MAX_NAME_LENGTH]
    chosen_id = request.POST.get(empty.field, "").replace("\0", "")
    if (
        current_player is not None
        and chosen_id == current_player.public_id
        and search_key(typed) != current_player.search_name
    ):
        chosen_id = ""  # another name was typed over the one that stood there
    if chosen_id and chosen_id != NEW_PLAYER:
        player = player_for_club(event.club, chosen_id)
        return Member(position, typed or player.name, NewEntry(player_id=player.pk))
    candidates = tuple(_candidates(event, typed)) if chosen_id != NEW_PLAYER else ()
    # The name was unknown; a player of that name under the lock was created by the same form, sent twice.
    new_entry = NewEntry(
        name=typed, public_page=public_page_choice(request), only_if_unknown=chosen_id != NEW_PLAYER
    )
    return Member(position, typed, None if candidates else new_entry, candidates)


def _candidates(event: Event, typed: str) -> list[Player]:
    """Return the known players whom ``typed`` could mean: first those of that name, then longer names."""
    if not search_key(typed):
        return []
    same_name = players_by_key(club=event.club, keys=[search_key(typed)])[search_key(typed)]
    others = [player for player in search_players(club=event.club, text=typed) if player not in same_name]
    return [*same_name, *others]


def public_page_choice(request: HttpRequest) -> PublicPage:
    """Return from when new players get a public page, as posted; the default if the form does not ask."""
    return posted_public_page(request.POST) or PublicPage.WITH_DRAW


def public_page_choices(request: HttpRequest) -> list[tuple[str, str | Promise, bool]]:
    """Return the choices for a new player's public page: code, label, and whether it is selected."""
    chosen = public_page_choice(request)
    return [(code.value, label, code is chosen) for code, label in PUBLIC_PAGE_LABELS.items()]


def member_contexts(members: Sequence[Member], division: Division) -> list[dict[str, Any]]:
    """Return the template context of each player of the entry, for the page on which the director chooses."""
    statuses = latest_status_by_player(
        (player for member in members for player in member.candidates), division
    )
    last_events = last_event_labels([player for member in members for player in member.candidates])
    withdrawn_ids = withdrawn_ids_by_player(
        [player for member in members for player in member.candidates], division
    )
    return [
        {
            "field": member.field,
            "name_field": member.name_field,
            "typed": member.typed,
            "certain": member.new_entry is not None,
            "public_id": _public_id(member),
            "exact": any(player.search_name == search_key(member.typed) for player in member.candidates),
            "candidates": [
                {
                    "public_id": player.public_id,
                    "name": player.name,
                    "note": player_note(player, statuses, last_events.get(player.pk, "")),
                    "entered": player.pk in statuses,
                    "withdrew": withdrawn_ids.get(player.pk, ""),
                }
                for player in member.candidates
            ],
        }
        for member in members
    ]


def _public_id(member: Member) -> str:
    """Return the form value of a member: the player's public id, or `NEW_PLAYER`; empty if not certain."""
    if member.new_entry is None:
        return ""
    if member.new_entry.player_id is None:
        return NEW_PLAYER
    return player_public_id(member.new_entry.player_id)


def player_note(player: Player, statuses: dict[int, str], last_event: str = "") -> str:
    """Return home club, country, last event and entry status, to distinguish players of the same name.

    ``statuses``: codes of entry statuses, keyed by player id.
    """
    parts = [player.home_club.name if player.home_club is not None else "", player.country, last_event]
    if player.pk in statuses:
        parts.append(str(ENTRY_STATUS_LABELS[EntryStatus(statuses[player.pk])]))
    return " · ".join(part for part in parts if part)
