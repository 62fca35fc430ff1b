"""Create and change players. Merging duplicates, which changes entries and ratings, is in ``tournaments``."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from faults import Conflict, Fault, Invalid, Missing, raise_faults
from names.folding import search_key
from names.public_page import PublicPage
from people.actors import Actor
from people.models import Club, Player, PlayerClub, ShownAs
from people.permissions import can_decide_for, require_director, require_home_director
from people.rows import one_or_none
from people.services import audit
from people.services.quotas import PLAYERS, require_quota
from people.services.versions import raise_versions
from people.text import clean_line, web_address_faults
from people.transactions import durable
from people.versions import NAMES, club_players_topic

NAME_LIMIT = 120


def clean_name(name: str) -> str:
    """Return ``name`` in normalised form. Raises ``Invalid`` if empty, too long or without a letter."""
    name = clean_line(name)
    if not name:
        raise Invalid("player.name_missing", field="name")
    if not search_key(name):
        raise Invalid("player.name_odd", field="name")
    if len(name) > NAME_LIMIT:
        raise Invalid(faults=[Fault("player.name_long", "name", {"limit": NAME_LIMIT})])
    raise_faults(web_address_faults(name))
    return name


def create_player(
    *,
    actor: Actor,
    club: Club,
    name: str,
    country: str = "",
    public_page: PublicPage = PublicPage.WITH_DRAW,
    home: bool = True,
    minor: bool = False,
) -> Player:
    """Create a player known to ``club``; ``home``: with ``club`` as home club.

    A minor gets no public page, whatever ``public_page`` says. The caller has checked permissions. Joins the
    caller's transaction.
    """
    _require_player_quota(actor, club, 1)
    player = Player.objects.create(
        name=clean_name(name),
        country=clean_country(country),
        home_club=club if home else None,
        **_listing(public_page, minor=minor),
        minor=minor,
    )
    PlayerClub.objects.create(player=player, club=club)
    audit.record_action(
        actor=actor, action="player.create", subject=player, club=club, data={"name": player.name}
    )
    raise_versions([club_players_topic(club.pk)])
    return player


def _listing(public_page: PublicPage, *, minor: bool) -> dict[str, bool]:
    """Return the columns of a new player that say from when they are public."""
    return {
        "listed": public_page is PublicPage.NOW and not minor,
        "listed_with_draw": public_page is PublicPage.WITH_DRAW and not minor,
    }


@dataclass(frozen=True, slots=True)
class NewPlayer:
    """Data of a player to be created for a club.

    ``home``: the club becomes their home club. A minor gets no public page, whatever ``public_page`` says.
    """

    name: str
    country: str = ""
    public_page: PublicPage = PublicPage.WITH_DRAW
    home: bool = True
    minor: bool = False


def create_players(*, actor: Actor, club: Club, players: Sequence[NewPlayer]) -> list[Player]:
    """Create several players known to ``club``; return them in the order given.

    Joins the caller's transaction.
    """
    _require_player_quota(actor, club, len(players))
    rows = [
        Player(
            name=name,
            search_name=search_key(name)[:160],
            country=clean_country(new_player.country),
            home_club=club if new_player.home else None,
            **_listing(new_player.public_page, minor=new_player.minor),
            minor=new_player.minor,
        )
        for name, new_player in ((clean_name(new_player.name), new_player) for new_player in players)
    ]
    for row in rows:
        row.set_names()
    created = Player.objects.bulk_create(rows)
    PlayerClub.objects.bulk_create([PlayerClub(player=player, club=club) for player in created])
    audit.record_action(
        actor=actor,
        action="player.create_many",
        subject=club,
        club=club,
        data={"players": [player.pk for player in created]},
    )
    raise_versions([club_players_topic(club.pk)])
    return created


def _require_player_quota(actor: Actor, club: Club, added: int) -> None:
    club_links = PlayerClub.objects.filter(club=club)
    require_quota(PLAYERS, actor=actor, owner=club, get_count=club_links.count, added=added)


def link_players_to_club(*, players: Sequence[Player], club: Club) -> None:
    """Make existing players known to ``club``. Joins the caller's transaction."""
    linked_ids = PlayerClub.objects.filter(club=club, player__in=players).values_list("player_id", flat=True)
    # In a fixed order, so that two events that enter the same players do not deadlock.
    new_ids = sorted({player.pk for player in players} - set(linked_ids)) if players else []
    if new_ids:
        PlayerClub.objects.bulk_create(
            [PlayerClub(player_id=pk, club=club) for pk in new_ids], ignore_conflicts=True
        )
        raise_versions([club_players_topic(club.pk)])


@durable
def update_player(
    *,
    actor: Actor,
    club_id: int,
    player_id: int,
    name: str,
    country: str = "",
    listed: bool = True,
    listed_with_draw: bool = False,
    shown_as: str = "",
    minor: bool | None = None,
) -> Player:
    """Correct a player of the club: name, country, whether they have a public page and under which name.

    Of a player with an account only the player may change ``shown_as``; for others raises ``Conflict``. An
    empty ``shown_as`` or None for ``minor`` changes nothing. A player who becomes public with the first
    public draw continues to wait for it if ``listed_with_draw``.
    """
    club = one_or_none(Club.objects.filter(pk=club_id))
    if club is None:
        raise Missing("club.unknown")
    require_director(actor, club)
    player = lock_editable_player(actor, club, player_id)
    after: dict[str, Any] = {
        "name": clean_name(name),
        "country": clean_country(country),
        "listed": listed and (shown_as or player.shown_as) != ShownAs.HIDDEN,
    }
    if shown_as and shown_as != player.shown_as:
        if player.user_id is not None and (actor.user is None or player.user_id != actor.user.pk):
            raise Conflict("player.chooses_name")
        after["shown_as"] = _clean_shown_as(shown_as)
    if player.listed_with_draw:
        after["listed_with_draw"] = listed_with_draw and not after["listed"]
    if minor is not None and minor != player.minor:
        after |= {"minor": minor, "guardian_id": None}  # an adult acts for themselves
    if after.get("minor", player.minor):
        after["listed"] = False
    return _save_changes(actor, club, player, after)


@durable
def choose_public_name(*, actor: Actor, player_id: int, shown_as: str, listed: bool) -> Player:
    """Set a player's public name and whether they have a page, by their account or a minor's guardian."""
    player = one_or_none(
        Player.objects.select_for_update(of=("self",)).filter(pk=player_id, merged_into=None)
    )
    if player is None or actor.user is None or not can_decide_for(actor.user, player):
        raise Missing("player.unknown")
    chosen = _clean_shown_as(shown_as)
    after = {"shown_as": chosen, "listed": listed and chosen != ShownAs.HIDDEN and not player.minor}
    if player.listed_with_draw:
        after["listed_with_draw"] = False
    return _save_changes(actor, player.home_club, player, after)


def _clean_shown_as(shown_as: str) -> str:
    if shown_as not in ShownAs.values:
        raise Invalid("player.shown_odd", field="shown_as")
    return shown_as


def mark_minors(*, actor: Actor, club: Club, players: Collection[Player]) -> None:
    """Mark imported players of the club as minors. The caller has checked permissions.

    Joins the caller's transaction. Players whose home is another club are skipped: that club marks them.
    """
    for player in players:
        if not player.minor and player.home_club_id in {None, club.pk}:
            _save_changes(actor, club, player, {"minor": True, "listed": False})


def correct_name(*, actor: Actor, club: Club, player_id: int, name: str) -> Player:
    """Change only the name of a player; an equal name changes nothing. Raises if their home is another club.

    Joins the caller's transaction; the caller has checked that the actor directs ``club``.
    """
    name = clean_name(name)
    if Player.objects.filter(pk=player_id, name=name).exists():
        return Player.objects.get(pk=player_id)
    return _save_changes(actor, club, lock_editable_player(actor, club, player_id), {"name": name})


def set_country(*, actor: Actor, club: Club, player_id: int, country: str) -> Player:
    """Change only the country of a player; an equal one changes nothing.

    Raises if their home is another club.
    """
    country = clean_country(country)
    player = one_or_none(Player.objects.filter(pk=player_id, country=country))
    if player is not None:
        return player
    return _save_changes(actor, club, lock_editable_player(actor, club, player_id), {"country": country})


def lock_editable_player(actor: Actor, club: Club, player_id: int) -> Player:
    """Lock and return a player known to ``club``; raises unless the actor may change the player."""
    player = one_or_none(
        Player.objects.select_for_update(of=("self",)).filter(
            pk=player_id, club_links__club=club, merged_into=None
        )
    )
    if player is None:
        raise Missing("player.unknown")
    require_home_director(actor, player, club)
    return player


def _save_changes(actor: Actor, club: Club | None, player: Player, after: Mapping[str, Any]) -> Player:
    """Save the changed fields of a player that the caller has locked, with an entry in the audit log.

    ``after``: the new values, keyed by field.
    """
    before = {key: getattr(player, key) for key in after}
    for key, value in after.items():
        setattr(player, key, value)
    player.version += 1
    player.save()
    audit.record_action(
        actor=actor,
        action="player.update",
        subject=player,
        club=club,
        data={"before": before, "after": dict(after)},
    )
    raise_versions([NAMES])
    return player


def clean_country(country: str) -> str:
    """Return a country code as two capital letters, or "". Raises ``Invalid`` for anything else."""
    country = country.strip().upper()
    if country and not (len(country) == 2 and country.isascii() and country.isalpha()):
        raise Invalid("player.country_odd", field="country")
    return country
