"""Agreed times and messages between the two sides of a match played by arrangement.

The rules are in ``engine.matches.arranging``.
"""

from typing import Final

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from people.ids import new_public_id
from tournaments.engine.matches.arranging import MAX_PLACE_LENGTH
from tournaments.models.draw import Match
from tournaments.models.entry import Entry
from tournaments.models.report import KEY_LIMIT

STORED_PLACE_LENGTH: Final = 4 * MAX_PLACE_LENGTH  # characters: a name in it may be replaced by longer words


class Arrangement(models.Model):
    """What two entries have arranged for one match; other entries in the same match get another row.

    ``first`` is the entry with the lower id. ``starts_at`` and ``place``: the last agreement, valid while
    ``is_agreed``. ``version`` rises with every change of times and never falls; answers name it.
    ``changed_at``: the last change of anything here, messages included. A director may read messages up to
    ``reported_at`` and no others, whichever side reported them; ``settled_at``: the director has dealt with
    them. ``closed_at``: no more messages are accepted.
    """

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="arrangements")
    first = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="arrangements_as_first")
    second = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="arrangements_as_second")
    version = models.PositiveIntegerField(default=0)
    starts_at = models.DateTimeField(null=True)
    place = models.CharField(max_length=STORED_PLACE_LENGTH, blank=True)
    is_agreed = models.BooleanField(default=False)
    agreed_at = models.DateTimeField(null=True)
    reported_at = models.DateTimeField(null=True)
    reported_by = models.ForeignKey(Entry, null=True, on_delete=models.CASCADE, related_name="talks_reported")
    settled_at = models.DateTimeField(null=True)
    closed_at = models.DateTimeField(null=True)
    changed_at = models.DateTimeField()

    class Meta:
        verbose_name = _("arrangement between two sides")
        verbose_name_plural = _("arrangements between two sides")
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["match", "first", "second"], name="arrangement_once"),
            models.CheckConstraint(condition=Q(first__lt=F("second")), name="arrangement_of_two"),
            models.CheckConstraint(
                condition=Q(is_agreed=False) | Q(starts_at__isnull=False, agreed_at__isnull=False),
                name="arrangement_agreed_to_a_time",
            ),
        ]
        indexes = [
            models.Index(fields=["starts_at"], condition=Q(is_agreed=True), name="arrangement_agreed"),
        ]

    def __str__(self) -> str:
        return f"{self.match} · {self.starts_at or ''}"


class OfferedTime(models.Model):
    """A time that ``entry`` offers to the other side. Only one side at a time has offers.

    ``number``: 1 to 3, in the order of preference.
    """

    arrangement = models.ForeignKey(Arrangement, on_delete=models.CASCADE, related_name="offers")
    entry = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="times_offered")
    number = models.PositiveSmallIntegerField()
    starts_at = models.DateTimeField()
    place = models.CharField(max_length=STORED_PLACE_LENGTH, blank=True)

    class Meta:
        verbose_name = _("offered time")
        verbose_name_plural = _("offered times")
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["arrangement", "number"], name="offered_time_once")]

    def __str__(self) -> str:
        return f"{self.arrangement_id} · {self.number}"


class MatchMessage(models.Model):
    """A plain-text message from ``entry`` to the other side of its match.

    The same ``submission_key`` sent again is the same message.
    """

    public_id = models.CharField(max_length=16, unique=True, default=new_public_id, editable=False)
    arrangement = models.ForeignKey(Arrangement, on_delete=models.CASCADE, related_name="messages")
    entry = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="messages_written")
    text = models.TextField()
    at = models.DateTimeField()
    submission_key = models.CharField(max_length=KEY_LIMIT)

    class Meta:
        verbose_name = _("message to the opponent")
        verbose_name_plural = _("messages to the opponent")
        ordering = ["at", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["arrangement", "entry", "submission_key"], name="match_message_once"
            )
        ]

    def __str__(self) -> str:
        return f"{self.arrangement_id} · {self.at}"
