"""Link players to accounts, by a link that a director gives to the player or by a request of the player."""

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
MAX_OPEN_REQUESTS = 5  # of one account


@durable
def offer_player(*, actor: Actor, club_id: int, player_id: int) -> str:
    """Create a claim and return the secret of its link, with which an account is linked to the player.

    The secret is stored nowhere. It works once, for a day, and ends the previous one. Only a director of the
    player's home club may do this, if there is one. Raises ``Conflict`` if the player has an account already.
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
    """Create a claim for a link by mail; return its secret.

    The mail goes to an address that ``club`` has stored for ``player`` and that the caller has looked up.
    Joins the caller's transaction. A code given out at the desk stays valid.
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
    """Return the claim of this link if it can still be used. Raises ``Missing`` with the reason."""
    rows = PlayerClaim.objects.select_related("club", "player__home_club")
    claim = rows.filter(secret_hash=hash_token(token)).first()
    if claim is None or claim.player.merged_into_id is not None:
        raise Missing("claim.unknown")
    if claim.ended_at is not None or _account_id_of(claim.player) is not None:
        raise Missing("claim.used")
    if claim.expires_at <= timezone.now():
        raise Missing("claim.expired")
    return claim


def _account_id_of(player: Player) -> int | None:
    """Return the id of the account that acts for a player: the player's own, or the guardian's of a minor."""
    return player.guardian_id if player.minor else player.user_id


@durable
def take_player(*, user: User, token: str, guardian: bool = False) -> Player:
    """Link ``user`` to the player for whom the link with ``token`` was created; return the player.

    An account has one player; for a second one, a director has to merge the two. Only a guardian takes a
    minor and confirms to be one (``guardian``): the account acts for the minor without being that player, so
    it may be a player itself, and act for several minors.
    """
    owner = _lock_account(user.pk)
    pk = open_claim(token).player_id
    player = Player.objects.select_for_update(of=("self",)).get(pk=pk)
    claim = open_claim(token)  # again, now that the row is locked
    if player.minor:
        if not guardian:
            raise Invalid("claim.guardian", field="guardian", name=player)
        player.guardian = owner
        player.save(update_fields=["guardian"])
        return _end_claim(Actor.of(owner), claim, player, owner, "player.guard")
    _require_no_player(owner)
    return _link_account(Actor.of(owner), claim, player, owner, "player.take")


@durable
def request_player(*, user: User, player_id: int, club_id: int) -> PlayerClaim:
    """Create or return the claim of ``user`` to be this player, which a director has to confirm. Idempotent.

    The caller has checked the personal link. ``club_id``: the club of the event. If the player has a home
    club, its directors decide.
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
    own_claims = PlayerClaim.objects.filter(asked_by=asker, way=PlayerClaim.Way.LINK, ended_at=None)
    own_claims.filter(expires_at__lte=now).update(ended_at=now, answer=PlayerClaim.Answer.OVER)
    existing_claim = own_claims.filter(player=player).first()
    if existing_claim is not None:
        return existing_claim
    if own_claims.count() >= MAX_OPEN_REQUESTS:
        raise Conflict("claim.asked_often", limit=MAX_OPEN_REQUESTS)
    claim = PlayerClaim.objects.create(
        player=player,
        club_id=player.home_club_id or club_id,
        way=PlayerClaim.Way.LINK,
        asked_by=asker,
        secret_hash=hash_token(secrets.token_urlsafe(18)),
        expires_at=now + REQUEST_LIFETIME,
    )
    data = {"name": player.name}
    audit.record_action(
        actor=Actor.of(asker), action="player.ask", subject=player, club=claim.club, data=data
    )
    return claim


@durable
def decide_claim(*, actor: Actor, club_id: int, claim_id: int, accepts: bool) -> PlayerClaim:
    """Accept or reject a claim by personal link to be a player; the actor is a director of the club.

    A claim is decided once; of two claims to one player the first accepted counts.
    """
    club = one_or_none(Club.objects.filter(pk=club_id))
    if club is None:
        raise Missing("club.unknown")
    require_director(actor, club)
    rows = PlayerClaim.objects.filter(pk=claim_id, club=club, way=PlayerClaim.Way.LINK)
    unlocked_claim = rows.first()
    if unlocked_claim is None or unlocked_claim.asked_by_id is None:
        raise Missing("claim.not_asked")
    if accepts:
        owner = _lock_unlinked_account(unlocked_claim.asked_by_id, is_other_account=True)
    player = Player.objects.select_for_update(of=("self",)).get(pk=unlocked_claim.player_id)
    claim = rows.get()  # read again, now that the row is locked
    if claim.ended_at is not None:
        raise Conflict("claim.answered")
    if claim.expires_at <= timezone.now() or player.merged_into_id is not None:
        raise Conflict("claim.too_old")
    require_home_director(actor, player, club)
    if accepts:
        if player.minor:
            raise Conflict("claim.guardian", name=player.name)
        if player.user_id is not None:
            raise Conflict("claim.has_account", name=player.name)
        _link_account(actor, claim, player, owner, "player.confirm")
    else:
        claim.ended_at, claim.answer = timezone.now(), PlayerClaim.Answer.REFUSED
        claim.save(update_fields=["ended_at", "answer"])
        data = {"name": player.name, "user": claim.asked_by_id}
        audit.record_action(actor=actor, action="player.decline", subject=player, club=club, data=data)
    return claim


def unlink_player(*, actor: Actor, club: Club, player: Player) -> User:
    """Unlink ``player``, which the caller has locked, from the account, and return the account.

    Joins the caller's transaction.
    """
    require_home_director(actor, player, club)
    if player.user_id is None:
        raise Conflict("claim.no_account", name=player.name)
    previous_account = User.objects.get(pk=player.user_id)
    player.user = None
    player.save(update_fields=["user"])
    _end_other_claims(player)
    data = {"name": player.name, "user": previous_account.pk}
    audit.record_action(actor=actor, action="player.release", subject=player, club=club, data=data)
    return previous_account


def _lock_account(user_id: int) -> User:
    """Lock and return the account. Raises ``Conflict`` for a guest account."""
    owner = User.objects.select_for_update().get(pk=user_id)
    if owner.is_guest:
        raise Conflict("claim.needs_account")
    return owner


def _lock_unlinked_account(user_id: int, *, is_other_account: bool = False) -> User:
    """Lock and return an account that has no player yet. Raises ``Conflict`` if it has.

    ``is_other_account``: the account is not the actor's own, which changes the message.
    """
    owner = _lock_account(user_id)
    _require_no_player(owner, of_another=is_other_account)
    return owner


def _require_no_player(owner: User, *, of_another: bool = False) -> None:
    own_player = Player.objects.filter(user=owner, merged_into=None).first()
    if own_player is not None:
        raise Conflict("claim.is_other_player" if of_another else "claim.other_player", name=own_player)


def _link_account(actor: Actor, claim: PlayerClaim, player: Player, owner: User, kind: str) -> Player:
    player.user = owner
    player.save(update_fields=["user"])
    return _end_claim(actor, claim, player, owner, kind)


def _end_claim(actor: Actor, claim: PlayerClaim, player: Player, owner: User, kind: str) -> Player:
    """Mark the claim as accepted, end other claims to the player, and record the action ``kind``."""
    claim.ended_at, claim.answer = timezone.now(), PlayerClaim.Answer.TAKEN
    claim.save(update_fields=["ended_at", "answer"])
    _end_other_claims(player)
    data = {"name": player.name} | ({"user": owner.pk} if kind == "player.confirm" else {})
    audit.record_action(actor=actor, action=kind, subject=player, club=claim.club, data=data)
    return player


def _end_other_claims(player: Player) -> None:
    """End all claims to this player that are not yet decided."""
    open_claims = PlayerClaim.objects.filter(player=player, ended_at=None)
    open_claims.update(ended_at=timezone.now(), answer=PlayerClaim.Answer.OVER)
