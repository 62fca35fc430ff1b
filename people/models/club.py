"""Clubs, federations (clubs with member clubs) and the roles of users in them."""

from datetime import date, timedelta

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from people.ids import new_public_id
from people.models.naming import Named, RestrictedNameField


class Role(models.TextChoices):
    """Roles in a club.

    An owner also manages the club and its people, a director runs its events, a reader can only see them,
    also unlisted ones. An assistant is no member: they handle results, calls and approval of entries, in the
    events that an ``Assistance`` names.
    """

    OWNER = "owner", _("Owner")
    DIRECTOR = "director", _("Director")
    READER = "reader", _("Viewer")
    ASSISTANT = "assistant", _("Assistant")


class Restriction(models.TextChoices):
    """Restrictions of a page or object, set by an operator (``Moderation`` holds the reason).

    What is hidden remains visible to those who own it; what is removed is visible to operators only.
    """

    HIDDEN = "hidden", _("hidden")
    REMOVED = "removed", _("removed")


class Club(Named):
    """A club, or a federation if other clubs name it as their ``parent``.

    ``parent`` is the present federation; ``Affiliation`` rows hold since when, and earlier federations.
    ``timezone`` decides when the club's days begin; if empty, ``people.zones.club_zone`` derives it. While
    ``shut`` is set, the public sees nothing of the club, nor its name as a player's home club.
    ``events_listed_from``: for a new club of a new owner, when its events appear in the lists of the site;
    empty: at once.
    """

    public_id = models.CharField(max_length=16, unique=True, default=new_public_id, editable=False)
    name = RestrictedNameField(_("name"), max_length=120)
    shut = models.CharField(max_length=8, choices=Restriction.choices, blank=True, default="", editable=False)
    city = models.CharField(_("town"), max_length=120, blank=True)
    country = models.CharField(
        _("country"), max_length=2, blank=True, help_text=_("Two letters, for example FI.")
    )
    website = models.URLField(_("website"), blank=True)
    about = models.TextField(_("about"), blank=True)
    timezone = models.CharField(_("time zone"), max_length=64, blank=True, default="")
    parent = models.ForeignKey(
        "self",
        verbose_name=_("federation"),
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="member_clubs",
    )
    version = models.PositiveIntegerField(default=1, editable=False)
    events_listed_from = models.DateTimeField(null=True, blank=True, editable=False)
    created_at = models.DateTimeField(auto_now_add=True)
    members = models.ManyToManyField(
        settings.AUTH_USER_MODEL, through="Membership", related_name="clubs", editable=False
    )

    class Meta:
        verbose_name = _("club")
        verbose_name_plural = _("clubs")
        ordering = ["name", "id"]

    def __str__(self) -> str:
        return self.name


class Affiliation(models.Model):
    """Membership of a club in a federation for a period.

    The period begins with the day ``since`` (empty: from the beginning) and ends before the day ``until``
    (empty: not ended). ``begins`` and ``ends`` are midnight of these days in the time zone that the
    federation had when they were set, so that a later change of zone does not move them.
    """

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="affiliations")
    federation = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="member_affiliations")
    since = models.DateField(_("since"), null=True, blank=True)
    until = models.DateField(_("until"), null=True, blank=True)
    begins = models.DateTimeField(null=True, blank=True)
    ends = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("affiliation")
        verbose_name_plural = _("affiliations")
        ordering = ["club", "begins", "id"]
        constraints = [
            models.UniqueConstraint(
                fields=["club"], condition=models.Q(until=None), name="people_one_federation"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.club_id} in {self.federation_id} [{self.since or ''}, {self.until or ''})"

    @property
    def last_day(self) -> date | None:
        """Return the last day of the affiliation; None if it has not ended."""
        return None if self.until is None else self.until - timedelta(days=1)


class Membership(models.Model):
    """A user's role in a club: owner, director or reader."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="memberships")
    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="memberships")
    role = models.CharField(_("role"), max_length=16, choices=Role.choices)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("membership")
        verbose_name_plural = _("memberships")
        constraints = [models.UniqueConstraint(fields=["user", "club"], name="people_membership_once")]

    def __str__(self) -> str:
        return f"{self.user} · {self.club} · {self.role}"
