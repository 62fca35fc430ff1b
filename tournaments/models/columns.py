"""Custom fields of an event."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from tournaments.engine.columns import MAX_NAME_LENGTH, CustomField, CustomFieldKind
from tournaments.models.event import Event


class EventColumn(models.Model):
    """A custom field of an event: what a director wants to know about every player.

    The values are in ``EntryDetail.extra``. ``asked``: players fill it in when they enter.
    """

    class Kind(models.TextChoices):
        TEXT = CustomFieldKind.TEXT.value, _("text")
        CHOICE = CustomFieldKind.CHOICE.value, _("choice from a list")
        TICK = CustomFieldKind.TICK.value, _("checkbox")

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="columns")
    name = models.CharField(_("name"), max_length=MAX_NAME_LENGTH)
    kind = models.CharField(_("type"), max_length=8, choices=Kind.choices)
    choices = models.JSONField(_("choices"), default=list, blank=True)
    asked = models.BooleanField(_("players fill it in when they enter"), default=False)
    printed = models.BooleanField(_("on the printed door list"), default=False)
    position = models.PositiveSmallIntegerField(default=1)

    class Meta:
        verbose_name = _("custom field of an event")
        verbose_name_plural = _("custom fields of events")
        ordering = ["position", "id"]

    def __str__(self) -> str:
        return self.name

    @property
    def settings(self) -> CustomField:
        return CustomField(
            self.name, CustomFieldKind(self.kind), tuple(self.choices), self.asked, self.printed, self.pk
        )
