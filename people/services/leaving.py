"""Record in audit logs that a player was erased or an account deleted, without the name."""

from typing import Final

from people.actors import Actor
from people.models import Club, Player, User
from people.services import audit

ERASE_ACTION: Final = "player.erase"


def record_player_erasure(*, actor: Actor, player: Player) -> None:
    """Record that a player was erased. Joins the caller's transaction."""
    audit.record_action(actor=actor, action=ERASE_ACTION, subject=player)


def record_account_deletion(*, actor: Actor, user: User) -> None:
    """Record an account's deletion in each club where it has a role. Joins the caller's transaction."""
    for club in Club.objects.filter(memberships__user=user):
        audit.record_action(actor=actor, action="account.delete", subject=club, club=club)
