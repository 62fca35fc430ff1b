"""Allowances: quotas that an operator has set for a single account or club."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from people.models.club import Club


class Allowance(models.Model):
    """A custom ``amount`` of the quota named ``quota``, for one account or club in place of the default."""

    quota = models.CharField(_("limit"), max_length=24)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.CASCADE, related_name="allowances"
    )
    club = models.ForeignKey(Club, null=True, on_delete=models.CASCADE, related_name="allowances")
    amount = models.PositiveIntegerField(_("amount"))

    class Meta:
        verbose_name = _("custom limit")
        verbose_name_plural = _("custom limits")
        constraints = [
            models.CheckConstraint(
                condition=models.Q(user__isnull=True, club__isnull=False)
                | models.Q(user__isnull=False, club__isnull=True),
                name="people_allowance_of_one",
            ),
            models.UniqueConstraint(
                fields=["quota", "user"],
                condition=models.Q(user__isnull=False),
                name="people_allowance_user_once",
            ),
            models.UniqueConstraint(
                fields=["quota", "club"],
                condition=models.Q(club__isnull=False),
                name="people_allowance_club_once",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.quota}: {self.amount}"
