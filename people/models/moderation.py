"""Restrictions set by operators, and page reports of visitors."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from people.ids import new_public_id
from people.models.club import Club, Restriction

REPORT_LIMIT = 1000


class Moderation(models.Model):
    """A restriction by an operator of the object with the id ``subject_id``; ``kind`` is what the object is.

    In force until ``ended_at``. ``club``: its members are notified. ``kept``: what a restoration needs, such
    as the removed text. The kinds are in ``tournaments.operators``.
    """

    kind = models.CharField(max_length=16)
    subject_id = models.BigIntegerField()
    club = models.ForeignKey(Club, null=True, on_delete=models.SET_NULL, related_name="moderations")
    state = models.CharField(max_length=8, choices=Restriction.choices)
    reason = models.CharField(_("reason"), max_length=400)
    kept = models.JSONField(default=dict, blank=True)
    made_at = models.DateTimeField(auto_now_add=True)
    ended_at = models.DateTimeField(null=True)

    class Meta:
        verbose_name = _("moderation")
        verbose_name_plural = _("moderations")
        constraints = [
            models.UniqueConstraint(
                fields=["kind", "subject_id"],
                condition=models.Q(ended_at=None),
                name="people_moderation_one_in_force",
            )
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.subject_id}: {self.state}"


class PageReport(models.Model):
    """A visitor's report about a page.

    Unanswered until ``handled_at``; ``contact`` only if a reply is wanted.
    """

    public_id = models.CharField(max_length=16, unique=True, default=new_public_id, editable=False)
    page = models.CharField(_("page"), max_length=300)
    text = models.CharField(_("what is wrong"), max_length=REPORT_LIMIT)
    contact = models.CharField(_("contact"), max_length=200, blank=True)
    made_at = models.DateTimeField(auto_now_add=True)
    note = models.CharField(_("note"), max_length=400, blank=True)
    handled_at = models.DateTimeField(null=True)
    handled_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )

    class Meta:
        verbose_name = _("page report")
        verbose_name_plural = _("page reports")
        indexes = [models.Index(fields=["handled_at", "-id"], name="people_report_open")]

    def __str__(self) -> str:
        return self.page
