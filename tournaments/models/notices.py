"""Notices shown to everyone in the hall, of all kinds (``engine.notices``)."""

from typing import Final

from cattrs import BaseValidationError
from django.db import models
from django.utils.translation import gettext_lazy as _

from people.ids import new_public_id
from tournaments.engine.notices import NOTICE_KINDS, NoticeContent
from tournaments.models.codec import strict_codec
from tournaments.models.event import Division, Event

_CODEC: Final = strict_codec(forbid_extra_keys=False)


class Notice(models.Model):
    """A notice to everyone in the event or in ``division``, until it is withdrawn or until ``until``.

    ``facts`` holds the fields of its kind. ``version`` rises with every change; a request to change the
    notice names the version that the user saw.
    """

    public_id = models.CharField(max_length=16, unique=True, default=new_public_id, editable=False)
    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="notices")
    division = models.ForeignKey(
        Division, null=True, blank=True, on_delete=models.CASCADE, related_name="notices"
    )
    kind = models.CharField(_("kind"), max_length=32)
    facts = models.JSONField(_("notice text"), default=dict)
    version = models.PositiveIntegerField(default=1, editable=False)
    made_at = models.DateTimeField()
    until = models.DateTimeField(null=True, blank=True)
    withdrawn_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("notice")
        verbose_name_plural = _("notices")
        ordering = ["-made_at", "-id"]
        indexes = [models.Index(fields=["event", "withdrawn_at", "until"], name="notice_shown_now")]

    def __str__(self) -> str:
        return f"{self.event} · {self.kind} {self.public_id}"

    @property
    def news(self) -> NoticeContent | None:
        """The content of the notice.

        None if this release does not know the kind or cannot read the fields.
        """
        kind = NOTICE_KINDS.get(self.kind)
        try:
            return None if kind is None else _CODEC.structure(self.facts, kind)
        except BaseValidationError:
            return None

    @news.setter
    def news(self, value: NoticeContent) -> None:
        self.kind, self.facts = value.kind, _CODEC.unstructure(value)
