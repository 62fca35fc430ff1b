"""Clubs, federations (a club with member clubs) and the roles people hold in them."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from people.ids import new_public_id
from people.models.naming import Named, ShutNameField


class Role(models.TextChoices):
    """What somebody may do: an owner also manages the club and its people, a director runs its events, a reader sees its unlisted
    events, too. An assistant is no member: results, calls and approval of entries of the events that an `Assistance` names.
    """

    OWNER = "owner", _("Owner")
    DIRECTOR = "director", _("Director")
    READER = "reader", _("Reader")
    ASSISTANT = "assistant", _("Assistant")


class Shut(models.TextChoices):
    """What an operator took from the public (`Moderation` says why). What is hidden is still there for those whose it is; what is
    removed is there for nobody but operators.
    """

    HIDDEN = "hidden", _("hidden")
    REMOVED = "removed", _("removed")


class Club(Named):
    """A club, or a federation if other clubs name it as their ``parent``. ``version`` rises with every public change.

    While it is ``shut`` the public sees nothing of it, its name where it is somebody's home neither.
    """

    public_id = models.CharField(max_length=16, unique=True, default=new_public_id, editable=False)
    name = ShutNameField(_("name"), max_length=120)
    shut = models.CharField(max_length=8, choices=Shut.choices, blank=True, default="", editable=False)
    city = models.CharField(_("town"), max_length=120, blank=True)
    country = models.CharField(
        _("country"), max_length=2, blank=True, help_text=_("Two letters, for example FI.")
    )
    website = models.URLField(_("website"), blank=True)
    about = models.TextField(_("about"), blank=True)
    parent = models.ForeignKey(
        "self",
        verbose_name=_("federation"),
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="member_clubs",
    )
    version = models.PositiveIntegerField(default=1, editable=False)
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
