"""Official lists: a rating list as it was at a midnight, kept permanently.

The rows refer to players and have no names. An issue is written once with its signature and never changed or
deleted; a mistake is corrected by a further issue of the same day, which names the one it ``replaces``.
"""

from typing import Any, ClassVar, NoReturn

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from people.models import Player
from rating.formulas.calendar import Frequency
from rating.models.lists import RatingList

FREQUENCY_CHOICES = [
    (Frequency.NEVER.value, _("manually only")),
    (Frequency.WEEK.value, _("weekly")),
    (Frequency.MONTH.value, _("monthly")),
]


class OfficialSchedule(models.Model):
    """The dates on which official lists are made automatically.

    They are made on day number ``day`` of each week or month (``every``), from ``since`` on.
    """

    rating_list = models.OneToOneField(RatingList, on_delete=models.CASCADE, related_name="official_schedule")
    every = models.CharField(max_length=5, blank=True, choices=FREQUENCY_CHOICES)
    day = models.PositiveSmallIntegerField(default=1)
    since = models.DateField()

    class Meta:
        verbose_name = _("official list schedule")
        verbose_name_plural = _("official list schedules")

    def __str__(self) -> str:
        return f"{self.rating_list_id}: {self.every} {self.day}"


class OfficialRequest(models.Model):
    """A director's request for an official list, which a worker makes because it has many rows.

    The request is deleted when the list is made. ``refused``: the code of the error if that failed; the next
    request takes the place of this one. ``replaces``: the number of the issue to be corrected.
    """

    rating_list = models.OneToOneField(RatingList, on_delete=models.CASCADE, related_name="official_request")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    day = models.DateField()
    note = models.CharField(max_length=200, blank=True)
    replaces = models.PositiveIntegerField(null=True)
    refused = models.CharField(max_length=40, blank=True)
    asked_at = models.DateTimeField(auto_now=True)

    class Meta:
        verbose_name = _("official list request")
        verbose_name_plural = _("official list requests")

    def __str__(self) -> str:
        return f"{self.rating_list_id}: {self.day}"


class _AppendOnlyQuerySet(models.QuerySet[Any]):
    """Rows that can only be read and added; ``update`` and ``delete`` raise ``TypeError``."""

    def update(self, **_kwargs: Any) -> NoReturn:
        raise TypeError("an official list is never changed: make another issue of it")

    def delete(self) -> NoReturn:
        raise TypeError("an official list is never deleted: make another issue of it")


class _OfficialListQuerySet(_AppendOnlyQuerySet):
    """Official lists, of which only the note can change, since the note is not signed."""

    def rewrite_note(self, note: str) -> int:
        """Replace the note, to remove a person's name from it; return the number of rows changed."""
        return super(_AppendOnlyQuerySet, self).update(note=note)


class OfficialList(models.Model):
    """One issue of an official list.

    ``moment``: the midnight at which ``day`` begins in ``zone``, in microseconds since 1970; only facts
    before that time count. ``number`` counts the issues of a list, ``issue`` those of a day, ``players`` the
    rows. ``head`` is the signed document without the rows; ``signature`` and ``key`` are those of
    ``people.signing``.
    """

    rating_list = models.ForeignKey(RatingList, on_delete=models.PROTECT, related_name="official_lists")
    number = models.PositiveIntegerField()
    day = models.DateField()
    zone = models.CharField(max_length=64)
    moment = models.BigIntegerField()
    issue = models.PositiveSmallIntegerField(default=1)
    replaces = models.OneToOneField(
        "self", null=True, on_delete=models.PROTECT, related_name="replaced_by", editable=False
    )
    scheduled = models.BooleanField(default=False)
    note = models.CharField(max_length=200, blank=True)
    made_at = models.DateTimeField()
    players = models.PositiveIntegerField()
    head = models.JSONField()
    key = models.CharField(max_length=43)
    signature = models.CharField(max_length=88)

    objects: ClassVar["models.Manager[OfficialList]"] = _OfficialListQuerySet.as_manager()

    class Meta:
        verbose_name = _("official list")
        verbose_name_plural = _("official lists")
        ordering = ["rating_list", "-number"]
        constraints = [
            models.UniqueConstraint(fields=["rating_list", "number"], name="rating_official_number"),
            models.UniqueConstraint(fields=["rating_list", "day", "issue"], name="rating_official_issue"),
        ]

    def __str__(self) -> str:
        return f"{self.rating_list_id}/{self.number} {self.day}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        if self.pk is not None and not self._state.adding:
            raise TypeError("an official list is never changed: make another issue of it")
        super().save(*args, **kwargs)

    def delete(self, *_args: Any, **_kwargs: Any) -> NoReturn:
        raise TypeError("an official list is never deleted: make another issue of it")


class OfficialRow(models.Model):
    """A player on an official list.

    ``position`` counts the rows from 1; ``rank`` is None for an unranked player.
    """

    official = models.ForeignKey(OfficialList, on_delete=models.PROTECT, related_name="rows", db_index=False)
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="+", db_index=False)
    position = models.PositiveIntegerField()
    rank = models.PositiveIntegerField(null=True)
    rating = models.FloatField()
    deviation = models.FloatField(null=True)
    experience = models.IntegerField()
    matches = models.IntegerField()
    provisional = models.BooleanField()

    objects: ClassVar[models.Manager["OfficialRow"]] = _AppendOnlyQuerySet.as_manager()

    class Meta:
        verbose_name = _("official list row")
        verbose_name_plural = _("official list rows")
        constraints = [
            models.UniqueConstraint(fields=["official", "position"], name="rating_official_position"),
            models.UniqueConstraint(fields=["official", "player"], name="rating_official_player"),
        ]

    def __str__(self) -> str:
        return f"{self.official_id}/{self.position}: {self.player_id}"

    def save(self, *_args: Any, **_kwargs: Any) -> NoReturn:
        raise TypeError("rows are written with their official list")
