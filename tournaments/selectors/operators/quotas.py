"""How much of each quota an account or a club uses, and its limits."""

from dataclasses import dataclass
from datetime import timedelta

from django.db.models import Count
from django.utils import timezone

from games.models import RecordImport
from people.models import Club, Membership, PlayerClub, Role, RoleInvitation, User
from people.services.quotas import QUOTAS, Quota, allowances_of
from rating.models import RatingList
from tournaments.models import Event

DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class QuotaUse:
    """A quota of an account or club.

    ``used``: the current number, None if it is not counted; ``allowed``: a limit set by an operator, or None.
    """

    quota: Quota
    used: int | None
    allowed: int | None

    @property
    def limit(self) -> int:
        return self.quota.default_amount if self.allowed is None else self.allowed


def quota_use(owner: User | Club) -> list[QuotaUse]:
    """Return the use of all quotas of an account or a club."""
    usage = _account_usage(owner) if isinstance(owner, User) else _club_usage(owner)
    limit_by_code = allowances_of(owner)
    return [QuotaUse(QUOTAS[code], count, limit_by_code.get(code)) for code, count in usage.items()]


def _account_usage(user: User) -> dict[str, int | None]:
    return {"clubs": Membership.objects.filter(user=user, role=Role.OWNER).count(), "checks": None}


def _club_usage(club: Club) -> dict[str, int | None]:
    since = timezone.now() - DAY
    events = Event.objects.filter(club=club).annotate(count=Count("divisions__entries"))
    return {
        "members": Membership.objects.filter(club=club).count(),
        "invitations": RoleInvitation.objects.filter(club=club, made_at__gt=since).count(),
        "players": PlayerClub.objects.filter(club=club).count(),
        "entries": max(events.values_list("count", flat=True), default=0),
        "lists": RatingList.objects.filter(club=club).count(),
        "archives": RecordImport.objects.filter(club=club, created_at__gt=since).count(),
    }
