"""The audit log: one row for each change with its actor, kept for ever and never edited."""

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from people.models.club import Club


class AuditEntry(models.Model):
    """An entry of the audit log: who did what to which object and when, and the data to explain or undo it.

    ``subject_type``/``subject_id`` name the object by model label and database id; no foreign key, so that
    the entry outlives the object. ``scope`` groups the entries of one event ("event:17"). The entries of an
    event are a hash chain: ``link`` is the hash of the entry and of all before it, ``seal`` the data needed
    to compute the hash again; other entries have neither.
    """

    at = models.DateTimeField(default=timezone.now, editable=False)
    actor = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="audit_entries"
    )
    actor_label = models.CharField(max_length=160)
    club = models.ForeignKey(Club, null=True, on_delete=models.SET_NULL, related_name="audit_entries")
    scope = models.CharField(max_length=40, blank=True)
    action = models.CharField(max_length=60)
    subject_type = models.CharField(max_length=60)
    subject_id = models.BigIntegerField(null=True)
    data = models.JSONField(default=dict)
    link = models.CharField(max_length=64, blank=True, editable=False)
    seal = models.JSONField(default=dict, blank=True, editable=False)
    undone_by = models.OneToOneField("self", null=True, on_delete=models.SET_NULL, related_name="undoes")

    class Meta:
        verbose_name = _("audit log entry")
        verbose_name_plural = _("audit log")
        ordering = ["-id"]
        indexes = [
            models.Index(fields=["scope", "-id"], name="people_audit_scope"),
            models.Index(fields=["subject_type", "subject_id", "-id"], name="people_audit_subject"),
        ]

    def __str__(self) -> str:
        return f"{self.at:%Y-%m-%d %H:%M} {self.actor_label}: {self.action}"
