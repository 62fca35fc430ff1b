"""The rating ledger: one immutable row for each fact. Nothing in the ledger is computed or ever changed.

A correction is a further fact: a *void* removes its target, a *replacement* removes its target and takes its
position in the order. An *opening* sets a player's rating and experience on one list; a *place* is a final
place in an event, for lists of master points.
"""

from typing import Any, ClassVar, NoReturn

from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from people.models import Club, Player


class FactKind(models.IntegerChoices):
    """The kind of a fact. Modulo 4 a replacement is a result, since both are rated alike.

    The kinds that are rated have the values of ``rating.formulas.replay.RowKind``.
    """

    RESULT = 0, _("result")
    OPENING = 1, _("opening rating")
    PLACE = 2, pgettext_lazy("in an event", "place")
    VOID = 3, _("removal")
    REPLACEMENT = 4, _("replacement")


class FactQuerySet(models.QuerySet["Fact"]):
    """Facts, which can only be read and added; ``update`` and ``delete`` raise ``TypeError``."""

    def update(self, **_kwargs: Any) -> NoReturn:
        raise TypeError("facts are immutable: add a void or a replacement")

    def delete(self) -> NoReturn:
        raise TypeError("facts are immutable: add a void or a replacement")


class Fact(models.Model):
    """One fact of the rating ledger.

    ``id`` is the ledger number; ``moment`` is ``played_at`` in microseconds since 1970.

    Facts are rated in order of ``moment``, then of ledger number. A replacement is rated at the position of
    the fact that it replaces: ``stands_at`` is the ledger number of that position; null: the fact's own (also
    for replacements of earlier releases). The same holds for an opening that is entered again.
    """

    kind = models.PositiveSmallIntegerField(choices=FactKind.choices)
    source_key = models.CharField(max_length=120, unique=True)
    target = models.ForeignKey(
        "self", null=True, on_delete=models.PROTECT, related_name="later", db_index=False
    )
    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="+", db_index=False)
    rating_list = models.ForeignKey(
        "rating.RatingList", null=True, on_delete=models.PROTECT, related_name="openings", db_index=False
    )
    winner = models.ForeignKey(Player, null=True, on_delete=models.PROTECT, related_name="+")
    loser = models.ForeignKey(Player, null=True, on_delete=models.PROTECT, related_name="+")
    length = models.PositiveSmallIntegerField(default=0)
    winner_score = models.PositiveSmallIntegerField(default=0)
    loser_score = models.PositiveSmallIntegerField(default=0)
    result_kind = models.CharField(max_length=20, blank=True)
    discipline = models.CharField(max_length=12, blank=True)
    event_key = models.CharField(max_length=40, blank=True)
    event_name = models.CharField(max_length=160, blank=True)
    event_weight = models.FloatField(default=1.0)
    division_rank = models.PositiveSmallIntegerField(default=1)
    place = models.PositiveIntegerField(default=0)
    tied = models.PositiveIntegerField(default=0)
    field = models.PositiveIntegerField(default=0)
    opening_rating = models.FloatField(null=True)
    opening_deviation = models.FloatField(null=True)
    opening_experience = models.PositiveIntegerField(default=0)
    # Error rates by analysis (lower is better); null without an analysis.
    winner_pr = models.FloatField(null=True)
    loser_pr = models.FloatField(null=True)
    played_at = models.DateTimeField()
    moment = models.BigIntegerField()
    stands_at = models.BigIntegerField(null=True, editable=False)
    recorded_at = models.DateTimeField(auto_now_add=True)
    reason = models.CharField(max_length=200, blank=True)

    objects: ClassVar[models.Manager["Fact"]] = FactQuerySet.as_manager()

    class Meta:
        verbose_name = _("ledger entry")
        verbose_name_plural = _("ledger")
        ordering = ["moment", "id"]
        indexes = [
            models.Index(fields=["club", "moment", "id"], name="rating_fact_order"),
            models.Index(
                fields=["target"], name="rating_fact_target", condition=models.Q(target__isnull=False)
            ),
            models.Index(
                fields=["rating_list"],
                name="rating_fact_opening",
                condition=models.Q(rating_list__isnull=False),
            ),
        ]
        constraints = [
            models.CheckConstraint(
                name="rating_fact_two_players",
                condition=~models.Q(kind__in=[FactKind.RESULT, FactKind.REPLACEMENT])
                | (
                    models.Q(winner__isnull=False, loser__isnull=False, length__gte=1)
                    & ~models.Q(winner=models.F("loser"))
                ),
            ),
            models.CheckConstraint(
                name="rating_fact_targets",
                condition=models.Q(kind__in=[FactKind.VOID, FactKind.REPLACEMENT], target__isnull=False)
                | models.Q(kind__in=[FactKind.RESULT, FactKind.OPENING, FactKind.PLACE], target__isnull=True),
            ),
            # A fact can be superseded once.
            models.UniqueConstraint(
                name="rating_fact_taken_back_once",
                fields=["target"],
                condition=models.Q(target__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.pk} {self.get_kind_display()} {self.source_key}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        if self.pk is not None and not self._state.adding:
            raise TypeError("facts are immutable: add a void or a replacement")
        super().save(*args, **{**kwargs, "force_insert": True})  # never overwrite another fact of this number

    def delete(self, *_args: Any, **_kwargs: Any) -> NoReturn:
        raise TypeError("facts are immutable: add a void or a replacement")

    def pr_of(self, player_id: int | None) -> float | None:
        """Return the error rate (PR) of a player in this match.

        None if unknown, and for a player of neither side.
        """
        if player_id is None:
            return None
        return {self.winner_id: self.winner_pr, self.loser_id: self.loser_pr}.get(player_id)
