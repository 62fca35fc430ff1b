"""Whose player is whose account: offered at the desk to the person who stands there, taken by their account, once."""

import secrets
from datetime import timedelta

from django.utils import timezone

from faults import Conflict, Missing
from people.actors import Actor
from people.audience import Audience, read_for
from people.ids import hash_of
from people.models import Club, Player, PlayerClaim, User
from people.permissions import require_director, require_keeper
from people.services import audit
from people.transactions import durable

KEPT_OPEN = timedelta(hours=24)


@durable
def offer_player(*, actor: Actor, club_id: int, player_id: int) -> str:
    """The secret of a link by which whoever opens it takes the player; kept nowhere. It works once, for a day, and ends the one before.

    Only a director of the player's home club may, if there is one; a player who has an account already stays theirs.
    """
    club = Club.objects.filter(pk=club_id).first()
    if club is None:
        raise Missing("club.unknown")
    require_director(actor, club)
    rows = Player.objects.select_for_update(of=("self",)).select_related("home_club")
    player = rows.filter(pk=player_id, club_links__club=club, merged_into=None).first()
    if player is None:
        raise Missing("player.unknown")
    require_keeper(actor, player, club)
    if player.user_id is not None:
        raise Conflict("claim.has_account", name=player.name)
    now, token = timezone.now(), secrets.token_urlsafe(18)
    PlayerClaim.objects.filter(player=player, ended_at=None).update(ended_at=now)
    PlayerClaim.objects.create(
        player=player, club=club, secret_hash=hash_of(token), made_by=actor.user, expires_at=now + KEPT_OPEN
    )
    audit.record(actor=actor, action="player.offer", subject=player, club=club, data={"name": player.name})
    return token


def open_claim(token: str) -> PlayerClaim:
    """The claim of this link, if it can still be taken; else ``Missing`` with the reason."""
    rows = PlayerClaim.objects.select_related("club", "player__home_club")
    found = rows.filter(secret_hash=hash_of(token)).first()
    if found is None or found.player.merged_into_id is not None:
        raise Missing("claim.unknown")
    if found.ended_at is not None or found.player.user_id is not None:
        raise Missing("claim.used")
    if found.expires_at <= timezone.now():
        raise Missing("claim.expired")
    return found


@durable
def take_player(*, user: User, token: str) -> Player:
    """From now on ``user`` is this player. An account is one player: who is one already asks a director to merge the two."""
    # The page that was opened shows the name of the hall; the trail keeps the name itself.
    read_for(Audience.FULL)
    rows = User.objects.select_for_update().filter(pk=user.pk)
    owner = rows.get()
    if owner.is_guest:
        raise Conflict("claim.needs_account")
    own = Player.objects.filter(user=owner, merged_into=None).first()
    if own is not None:
        raise Conflict("claim.other_player", name=own.name)
    pk = open_claim(token).player_id
    player = Player.objects.select_for_update(of=("self",)).get(pk=pk)
    found = open_claim(token)  # again, now that nobody else can take it
    player.user = owner
    player.save(update_fields=["user"])
    found.ended_at = timezone.now()
    found.save(update_fields=["ended_at"])
    audit.record(
        actor=Actor.of(owner),
        action="player.take",
        subject=player,
        club=found.club,
        data={"name": player.name},
    )
    return player
