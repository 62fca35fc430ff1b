"""What the trails of clubs tell of people who left: that it was done, and no name."""

from typing import Final

from people.actors import Actor
from people.models import Club, Player, User
from people.services import audit

ERASE_ACTION: Final = "player.erase"


def record_player_erasure(*, actor: Actor, player: Player) -> None:
    """A player was erased. Joins the caller's transaction."""
    audit.record_action(actor=actor, action=ERASE_ACTION, subject=player)


def record_account_deletion(*, actor: Actor, user: User) -> None:
    """Somebody with roles deleted their account; in each of their clubs. Joins the caller's transaction."""
    for club in Club.objects.filter(memberships__user=user):
        audit.record_action(actor=actor, action="account.delete", subject=club, club=club)
