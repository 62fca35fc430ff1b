"""Devices (browsers) that act by a personal link: the first that reports, and those allowed later."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from tournaments.models.entry import Entry


class LinkPhone(models.Model):
    """A browser that acted by an entry's personal link, or requests to.

    ``device`` is the random id in its signed cookie. The id is independent of the hardware and never shown.
    ``number`` counts the browsers of the entry from 1 and is what people read (“phone 2”); it never changes.
    ``way``: how it was allowed, empty while it is pending. Only rows of the entry's current ``link_version``
    count, so a new link revokes them all; a browser that was removed alone has version 0.
    """

    class Way(models.TextChoices):
        FIRST = "first", _("first to report")
        CODE = "code", _("allowed by code")
        DIRECTOR = "director", _("allowed at the desk")
        ACCOUNT = "account", _("signed in as the player")

    entry = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="phones")
    device = models.CharField(max_length=16, editable=False)
    number = models.PositiveSmallIntegerField()
    link_version = models.PositiveIntegerField()
    way = models.CharField(max_length=8, choices=Way.choices, blank=True)
    since = models.DateTimeField()

    class Meta:
        verbose_name = _("phone of a personal link")
        verbose_name_plural = _("phones of personal links")
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["entry", "device"], name="linkphone_device_once"),
            models.UniqueConstraint(fields=["entry", "number"], name="linkphone_number_once"),
        ]

    def __str__(self) -> str:
        return f"{self.entry} · {self.number}"


class PhoneCode(models.Model):
    """The code that one device of a personal link shows, with which another device is allowed.

    Only the newest is valid, once, for minutes, for few tries. ``digest``: keyed with the site's secret, as
    six digits could be guessed. ``shown_by``: the number of the device that shows it.
    """

    entry = models.OneToOneField(Entry, on_delete=models.CASCADE, related_name="phone_code")
    digest = models.CharField(max_length=64, editable=False)
    link_version = models.PositiveIntegerField()
    shown_by = models.PositiveSmallIntegerField()
    expires_at = models.DateTimeField()
    tries = models.PositiveSmallIntegerField(default=0)

    class Meta:
        verbose_name = _("code for another phone")
        verbose_name_plural = _("codes for other phones")

    def __str__(self) -> str:
        return str(self.entry)
