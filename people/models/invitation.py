"""Invitations to roles, which become valid when accepted, and the assistants of events."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from people.ids import new_public_id
from people.models.club import Club, Role


class RoleInvitation(models.Model):
    """A link by which one person accepts one role, once. Of its secret only the SHA-256 is stored.

    ``scopes``: the events of an assistant, as in the audit log ("event:17"). ``email``: where the invitation
    was sent, empty for a link or a QR code; deleted when the invitation is answered. The row stays after
    that: accepted, or withdrawn (also when the invited person declined).
    """

    public_id = models.CharField(max_length=16, unique=True, default=new_public_id, editable=False)
    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="invitations")
    role = models.CharField(_("role"), max_length=16, choices=Role.choices)
    scopes = models.JSONField(default=list, blank=True)
    email = models.EmailField(_("e-mail address"), blank=True)
    label = models.CharField(_("recipient"), max_length=120, blank=True)
    secret_hash = models.CharField(max_length=64, unique=True, editable=False)
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="invitations_made"
    )
    made_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField()
    accepted_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="invitations_accepted"
    )
    accepted_at = models.DateTimeField(null=True)
    withdrawn_at = models.DateTimeField(null=True)

    class Meta:
        verbose_name = _("invitation")
        verbose_name_plural = _("invitations")

    def __str__(self) -> str:
        return f"{self.club} · {self.role}"


class Assistance(models.Model):
    """The right of a user to assist with one event: results, calls, approval of entries.

    Valid until the event is over.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="assistances")
    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="assistances")
    scope = models.CharField(max_length=40, db_index=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("assistant")
        verbose_name_plural = _("assistants")
        constraints = [models.UniqueConstraint(fields=["user", "scope"], name="people_assistance_once")]

    def __str__(self) -> str:
        return f"{self.user} · {self.scope}"
