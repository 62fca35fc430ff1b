"""The computed history and current ratings of a list, in *generations*.

All of it can be deleted and computed again from the ledger, so nothing here has foreign-key constraints (they
would cost more than the rest of a rebuild). A rebuild fills a new generation, to which the list switches in
one transaction.

``shelf`` is the number of a generation's partition: 0 is the one that small lists share; a large rebuild on
PostgreSQL gets one of its own, which is filled without indexes, indexed, attached, and in the end dropped as
a whole.
"""

from typing import Any

from django.db import models
from django.db.models.functions import Coalesce
from django.utils.translation import gettext_lazy as _

from people.models import Player
from rating.models.fact import Fact
from rating.models.lists import RatingList

COMMON_PARTITION = 0


class GenerationState(models.TextChoices):
    BUILDING = "building", _("in progress")
    CURRENT = "current", _("current")
    RETIRED = "retired", _("replaced")
    STOPPED = "stopped", _("stopped")
    FAILED = "failed", _("failed")


class Generation(models.Model):
    """One computation of a whole rating list. ``done`` of ``total`` facts are rated while it is being built.

    The current generation is updated with each new fact. ``emptied``: the history of a former one was
    deleted.
    """

    id = models.AutoField(primary_key=True)
    rating_list = models.ForeignKey(RatingList, on_delete=models.CASCADE, related_name="generations")
    shelf = models.IntegerField(default=COMMON_PARTITION)
    state = models.CharField(max_length=12, choices=GenerationState.choices, default=GenerationState.BUILDING)
    total = models.PositiveIntegerField(default=0)
    done = models.PositiveIntegerField(default=0)
    # False: requested and not begun by a worker. The row keeps the request if the message is lost.
    begun = models.BooleanField(default=True)
    stop_requested = models.BooleanField(default=False)
    started_by = models.CharField(max_length=160, blank=True)
    started_at = models.DateTimeField(auto_now_add=True)
    touched_at = models.DateTimeField(auto_now=True)
    finished_at = models.DateTimeField(null=True)
    emptied = models.BooleanField(default=False)
    # The assumptions of the computation; the sweep compares them and rebuilds when they no longer hold.
    merges = models.JSONField(default=dict)
    clubs = models.JSONField(default=list)
    closed = models.BigIntegerField(default=0)
    # The rule used: system, parameters, start. Empty: not recorded.
    rule = models.JSONField(default=dict)

    class Meta:
        verbose_name = _("generation")
        verbose_name_plural = _("generations")
        ordering = ["-id"]

    def __str__(self) -> str:
        return f"{self.rating_list_id}/{self.pk} {self.state}"


class ChangeQuerySet(models.QuerySet["Change"]):
    """Rating changes. Always filter by one generation: its ``shelf`` lets PostgreSQL choose the partition."""

    def of(self, generation: Generation) -> "ChangeQuerySet":
        return self.filter(shelf=generation.shelf, generation=generation)

    def in_order(self) -> "ChangeQuerySet":
        """Return the changes in the order in which they were rated."""
        return self.order_by(
            "moment", Coalesce("fact__stands_at", "fact_id", output_field=models.BigIntegerField())
        )


class Change(models.Model):
    """The effect of one fact on the rating of one player on one list.

    ``won``: 1 or 0, null for an opening or a place. ``experience``: before the fact. ``deviation`` and
    ``volatility`` (Glicko-2): after the rating period of the match.
    """

    pk = models.CompositePrimaryKey("generation", "fact", "player")
    shelf = models.IntegerField()
    generation = models.ForeignKey(
        Generation, on_delete=models.DO_NOTHING, db_constraint=False, db_index=False, related_name="+"
    )
    fact = models.ForeignKey(
        Fact, on_delete=models.DO_NOTHING, db_constraint=False, db_index=False, related_name="+"
    )
    player = models.ForeignKey(
        Player, on_delete=models.DO_NOTHING, db_constraint=False, db_index=False, related_name="+"
    )
    opponent = models.ForeignKey(
        Player, null=True, on_delete=models.DO_NOTHING, db_constraint=False, db_index=False, related_name="+"
    )
    moment = models.BigIntegerField()
    won = models.SmallIntegerField(null=True)
    before = models.FloatField()
    after = models.FloatField()
    experience = models.IntegerField()
    deviation = models.FloatField(null=True)
    volatility = models.FloatField(null=True)

    objects = ChangeQuerySet.as_manager()

    class Meta:
        verbose_name = _("rating change")
        verbose_name_plural = _("rating history")

    def __str__(self) -> str:
        return f"{self.generation_id}/{self.fact_id}/{self.player_id}: {self.before} → {self.after}"

    def save(self, *_args: Any, **_kwargs: Any) -> None:
        raise TypeError("history is written by rating.store alone")

    @property
    def delta(self) -> float:
        return self.after - self.before


class StandingQuerySet(models.QuerySet["Standing"]):
    """Present ratings of players. Always filter by one list, whose current generation is read."""

    def on(self, rating_list: RatingList) -> "StandingQuerySet":
        return self.filter(generation_id=rating_list.generation_id or 0)


class Standing(models.Model):
    """A player's present rating, experience and counts in a generation.

    ``moment``: the time of the last match, in microseconds since 1970; for a player without matches, of the
    last opening or place.
    """

    generation = models.ForeignKey(
        Generation, on_delete=models.DO_NOTHING, db_constraint=False, db_index=False, related_name="+"
    )
    player = models.ForeignKey(Player, on_delete=models.DO_NOTHING, db_constraint=False, related_name="+")
    rating = models.FloatField()
    experience = models.IntegerField()
    matches = models.IntegerField()
    wins = models.IntegerField()
    moment = models.BigIntegerField()
    deviation = models.FloatField(null=True)
    volatility = models.FloatField(null=True)

    objects = StandingQuerySet.as_manager()

    class Meta:
        verbose_name = _("rating status")
        verbose_name_plural = _("rating statuses")
        constraints = [models.UniqueConstraint(fields=["generation", "player"], name="rating_standing_once")]
        indexes = [models.Index(fields=["generation", "-rating"], name="rating_standing_rank")]

    def __str__(self) -> str:
        return f"{self.generation_id}/{self.player_id}: {self.rating}"
