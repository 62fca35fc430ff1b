"""Whose player is whose account: offered at the desk to the person who stands there, taken by their account, once."""

import secrets
from datetime import timedelta

from django.utils import timezone

from faults import Conflict, Invalid, Missing
from people.actors import Actor
from people.ids import hash_token
from people.models import Club, Player, PlayerClaim, User
from people.permissions import require_director, require_home_director
from people.rows import one_or_none
from people.services import audit
from people.transactions import durable

OFFER_LIFETIME = timedelta(hours=24)
REQUEST_LIFETIME = timedelta(days=14)
MAX_OPEN_REQUESTS = 5  # of one account at a time


@durable
def offer_player(*, actor: Actor, club_id: int, player_id: int) -> str:
    """The secret of a link by which whoever opens it takes the player; kept nowhere. It works once, for a day, and ends the one before.

    Only a director of the player's home club may, if there is one; a player who has an account already stays theirs.
    """
    club = one_or_none(Club.objects.filter(pk=club_id))
    if club is None:
        raise Missing("club.unknown")
    require_director(actor, club)
    rows = Player.objects.select_for_update(of=("self",)).select_related("home_club")
    player = one_or_none(rows.filter(pk=player_id, club_links__club=club, merged_into=None))
    if player is None:
        raise Missing("player.unknown")
    require_home_director(actor, player, club)
    if _account_id_of(player) is not None:
        raise Conflict("claim.has_account", name=player.name)
    token = _create_link(player, club, PlayerClaim.Way.DESK, made_by=actor.user)
    audit.record_action(
        actor=actor, action="player.offer", subject=player, club=club, data={"name": player.name}
    )
    return token


def offer_by_mail(*, player: Player, club: Club) -> str:
    """The secret of a link that goes to an address which ``club`` has stored for ``player``, and which the caller has looked up. Joins
    the caller's transaction. A code that was given out at the desk stays good beside it.
    """
    return _create_link(player, club, PlayerClaim.Way.MAIL)


def _create_link(player: Player, club: Club, way: str, *, made_by: User | None = None) -> str:
    now, token = timezone.now(), secrets.token_urlsafe(18)
    PlayerClaim.objects.filter(player=player, way=way, ended_at=None).update(
        ended_at=now, answer=PlayerClaim.Answer.OVER
    )
    PlayerClaim.objects.create(
        player=player,
        club=club,
        way=way,
        secret_hash=hash_token(token),
        made_by=made_by,
        expires_at=now + OFFER_LIFETIME,
    )
    return token


def open_claim(token: str) -> PlayerClaim:
    """The claim of this link, if it can still be taken; else ``Missing`` with the reason."""
    rows = PlayerClaim.objects.select_related("club", "player__home_club")
    found = rows.filter(secret_hash=hash_token(token)).first()
    if found is None or found.player.merged_into_id is not None:
        raise Missing("claim.unknown")
    if found.ended_at is not None or _account_id_of(found.player) is not None:
        raise Missing("claim.used")
    if found.expires_at <= timezone.now():
        raise Missing("claim.expired")
    return found


def _account_id_of(player: Player) -> int | None:
    """The account that speaks for a player: their own, a minor's guardian's."""
    return player.guardian_id if player.minor else player.user_id


@durable
def take_player(*, user: User, token: str, guardian: bool = False) -> Player:
    """From now on ``user`` is this player. An account is one player: who is one already asks a director to merge the two.

    A minor is taken by a guardian alone, who says that they are one (``guardian``): the account speaks for the minor and is not them,
    so it may be a player itself, and speak for several.
    """
    owner = _lock_account(user.pk)
    pk = open_claim(token).player_id
    player = Player.objects.select_for_update(of=("self",)).get(pk=pk)
    found = open_claim(token)  # again, now that nobody else can take it
    if player.minor:
        if not guardian:
            raise Invalid("claim.guardian", field="guardian", name=player)
        player.guardian = owner
        player.save(update_fields=["guardian"])
        return _end_claim(Actor.of(owner), found, player, owner, "player.guard")
    _require_no_player(owner)
    return _link_account(Actor.of(owner), found, player, owner, "player.take")


@durable
def request_player(*, user: User, player_id: int, club_id: int) -> PlayerClaim:
    """Ask a director whether ``user`` is this player; the caller has seen their personal link. Asked twice is once.

    ``club_id``: the club of the event. Where the player has a home club, that one is asked.
    """
    asker = _lock_unlinked_account(user.pk)
    player = one_or_none(
        Player.objects.select_for_update(of=("self",)).filter(pk=player_id, merged_into=None)
    )
    if player is None:
        raise Missing("player.unknown")
    if player.minor:
        raise Conflict("claim.guardian", name=player)
    if player.user_id is not None:
        raise Conflict("claim.has_account", name=player)
    now = timezone.now()
    mine = PlayerClaim.objects.filter(asked_by=asker, way=PlayerClaim.Way.LINK, ended_at=None)
    mine.filter(expires_at__lte=now).update(ended_at=now, answer=PlayerClaim.Answer.OVER)
    known = mine.filter(player=player).first()
    if known is not None:
        return known
    if mine.count() >= MAX_OPEN_REQUESTS:
        raise Conflict("claim.asked_often", limit=MAX_OPEN_REQUESTS)
    made = PlayerClaim.objects.create(
        player=player,
        club_id=player.home_club_id or club_id,
        way=PlayerClaim.Way.LINK,
        asked_by=asker,
        secret_hash=hash_token(secrets.token_urlsafe(18)),
        expires_at=now + REQUEST_LIFETIME,
    )
    data = {"name": player.name}
    audit.record_action(actor=Actor.of(asker), action="player.ask", subject=player, club=made.club, data=data)
    return made


@durable
def decide_claim(*, actor: Actor, club_id: int, claim_id: int, accepts: bool) -> PlayerClaim:
    """A director's yes or no to somebody who says, by a personal link, that they are a player of the club. Once; of two who ask for one
    player the first yes counts.
    """
    club = one_or_none(Club.objects.filter(pk=club_id))
    if club is None:
        raise Missing("club.unknown")
    require_director(actor, club)
    rows = PlayerClaim.objects.filter(pk=claim_id, club=club, way=PlayerClaim.Way.LINK)
    seen = rows.first()
    if seen is None or seen.asked_by_id is None:
        raise Missing("claim.not_asked")
    if accepts:
        owner = _lock_unlinked_account(seen.asked_by_id, of_another=True)
    player = Player.objects.select_for_update(of=("self",)).get(pk=seen.player_id)
    found = rows.get()  # as it stands now that nobody else answers
    if found.ended_at is not None:
        raise Conflict("claim.answered")
    if found.expires_at <= timezone.now() or player.merged_into_id is not None:
        raise Conflict("claim.too_old")
    require_home_director(actor, player, club)
    if accepts:
        if player.minor:
            raise Conflict("claim.guardian", name=player.name)
        if player.user_id is not None:
            raise Conflict("claim.has_account", name=player.name)
        _link_account(actor, found, player, owner, "player.confirm")
    else:
        found.ended_at, found.answer = timezone.now(), PlayerClaim.Answer.REFUSED
        found.save(update_fields=["ended_at", "answer"])
        data = {"name": player.name, "user": found.asked_by_id}
        audit.record_action(actor=actor, action="player.decline", subject=player, club=club, data=data)
    return found


def unlink_player(*, actor: Actor, club: Club, player: Player) -> User:
    """That was not them: the locked ``player`` has no account any more; gives the one that it had. Joins the caller's transaction."""
    require_home_director(actor, player, club)
    if player.user_id is None:
        raise Conflict("claim.no_account", name=player.name)
    was = User.objects.get(pk=player.user_id)
    player.user = None
    player.save(update_fields=["user"])
    _end_other_claims(player)
    data = {"name": player.name, "user": was.pk}
    audit.record_action(actor=actor, action="player.release", subject=player, club=club, data=data)
    return was


def _lock_account(user_id: int) -> User:
    """The account, locked; refused for a guest."""
    owner = User.objects.select_for_update().get(pk=user_id)
    if owner.is_guest:
        raise Conflict("claim.needs_account")
    return owner


def _lock_unlinked_account(user_id: int, *, of_another: bool = False) -> User:
    """The account, locked, which is nobody among the players so far."""
    owner = _lock_account(user_id)
    _require_no_player(owner, of_another=of_another)
    return owner


def _require_no_player(owner: User, *, of_another: bool = False) -> None:
    own = Player.objects.filter(user=owner, merged_into=None).first()
    if own is not None:
        raise Conflict("claim.is_other_player" if of_another else "claim.other_player", name=own)


def _link_account(actor: Actor, claim: PlayerClaim, player: Player, owner: User, kind: str) -> Player:
    player.user = owner
    player.save(update_fields=["user"])
    return _end_claim(actor, claim, player, owner, kind)


def _end_claim(actor: Actor, claim: PlayerClaim, player: Player, owner: User, kind: str) -> Player:
    """The claim has done what it is for."""
    claim.ended_at, claim.answer = timezone.now(), PlayerClaim.Answer.TAKEN
    claim.save(update_fields=["ended_at", "answer"])
    _end_other_claims(player)
    data = {"name": player.name} | ({"user": owner.pk} if kind == "player.confirm" else {})
    audit.record_action(actor=actor, action=kind, subject=player, club=claim.club, data=data)
    return player


def _end_other_claims(player: Player) -> None:
    """Whatever else was open for this player is worth nothing now."""
    others = PlayerClaim.objects.filter(player=player, ended_at=None)
    others.update(ended_at=timezone.now(), answer=PlayerClaim.Answer.OVER)
