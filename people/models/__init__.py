"""Users, clubs and players: who there is, and who may do what for whom."""

from people.models.audit import AuditEntry
from people.models.club import Club, Membership, Role
from people.models.player import Player, PlayerClub
from people.models.sign_in import SignIn
from people.models.user import User, UserManager

__all__ = [
    "AuditEntry",
    "Club",
    "Membership",
    "Player",
    "PlayerClub",
    "Role",
    "SignIn",
    "User",
    "UserManager",
]
