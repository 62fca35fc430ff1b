"""Check-ins of a division on a date, and the entries that are checked in."""

import secrets
from datetime import datetime

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from tournaments.engine.check_in import CODE_LENGTH, CODE_LETTERS, CheckInMethod, CheckInState, check_in_state
from tournaments.models.draw import Round
from tournaments.models.entry import Entry
from tournaments.models.event import Division


def new_code() -> str:
    """Return a random code that the display shows while a check-in is open."""
    return "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH))


class CheckIn(models.Model):
    """The check-in of a division on one ``day``, in the event's time zone.

    ``closes_at`` None: open until a director closes it. ``code``: shown on the display while it is open.
    ``drawn``: the round that used it; later rounds of that day do not need it again, unless that round is
    discarded.
    """

    division = models.ForeignKey(Division, on_delete=models.CASCADE, related_name="check_ins")
    day = models.DateField(_("date"))
    opens_at = models.DateTimeField(_("opens"))
    closes_at = models.DateTimeField(_("closes"), null=True, blank=True)
    code = models.CharField(max_length=8, default=new_code, editable=False)
    drawn = models.ForeignKey(Round, null=True, on_delete=models.SET_NULL, related_name="+", editable=False)

    class Meta:
        verbose_name = _("check-in")
        verbose_name_plural = _("check-ins")
        ordering = ["day", "id"]
        constraints = [
            models.UniqueConstraint(fields=["division", "day"], name="checkin_once_a_day"),
            models.CheckConstraint(
                condition=models.Q(closes_at=None) | models.Q(closes_at__gte=models.F("opens_at")),
                name="checkin_closes_after_opening",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.division} · {self.day}"

    def stand(self, now: datetime) -> CheckInState:
        """Return whether the check-in has not begun, is open or is closed at ``now``."""
        return check_in_state(self.opens_at, self.closes_at, now)


class Here(models.Model):
    """An entry that has been checked in since ``at``.

    ``by``: the account that checked it in; None: the player's own device, or a program. ``way``: how.
    """

    class Way(models.TextChoices):
        LIST = CheckInMethod.LIST.value, _("on the list")
        CODE = CheckInMethod.CODE.value, _("by code")
        PHONE = CheckInMethod.PHONE.value, _("on own phone")
        REST = CheckInMethod.REST.value, _("all except these")

    check_in = models.ForeignKey(CheckIn, on_delete=models.CASCADE, related_name="here")
    entry = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="here")
    at = models.DateTimeField()
    way = models.CharField(max_length=8, choices=Way.choices)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")

    class Meta:
        verbose_name = _("attendance")
        verbose_name_plural = _("attendance")
        ordering = ["at", "pk"]
        constraints = [models.UniqueConstraint(fields=["check_in", "entry"], name="here_once")]

    def __str__(self) -> str:
        return f"{self.check_in} · {self.entry}"
