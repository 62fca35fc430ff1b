"""Models of users, clubs and players with their roles, consents and audit log."""

from people.models.allowance import Allowance
from people.models.audit import AuditEntry
from people.models.claim import PlayerClaim
from people.models.club import Affiliation, Club, Membership, Restriction, Role
from people.models.consent import MergeRequest, OwnConsent, PageConsent
from people.models.invitation import Assistance, RoleInvitation
from people.models.kept_answer import KeptAnswer
from people.models.moderation import Moderation, PageReport
from people.models.numbers import FederationNumber, OutsideRating
from people.models.outbox import OutgoingMail
from people.models.player import Player, PlayerClub, ShownAs
from people.models.presence import Presence
from people.models.sign_in import SignIn
from people.models.user import User, UserManager
from people.models.version import Version

__all__ = [
    "Affiliation",
    "Allowance",
    "Assistance",
    "AuditEntry",
    "Club",
    "FederationNumber",
    "KeptAnswer",
    "Membership",
    "MergeRequest",
    "Moderation",
    "OutgoingMail",
    "OutsideRating",
    "OwnConsent",
    "PageConsent",
    "PageReport",
    "Player",
    "PlayerClaim",
    "PlayerClub",
    "Presence",
    "Restriction",
    "Role",
    "RoleInvitation",
    "ShownAs",
    "SignIn",
    "User",
    "UserManager",
    "Version",
]
