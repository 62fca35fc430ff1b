"""What is drawn or arranged in a stage beside its matches: places, requests about two entries, deadlines.

Stages in rounds have such rows; eliminations and money play have none. Written in ``store.arranged``, read in
``selectors.arranged``.
"""

from django.db import models
from django.db.models import F, Q

from tournaments.models.entry import Entry
from tournaments.models.event import Stage


class StageEntry(models.Model):
    """An entry in a stage that is played in rounds; the row exists once one of its fields is set.

    ``group`` and ``place`` (both from 1): the entry's place in the Berger table, once a round robin is drawn;
    a stage without groups has only group 1. ``is_struck``: the entry left, and its results do not count.
    ``play_off``: the rank in a play-off, higher is better. ``rest_points``: the entry asked not to play the
    next round, for this many half points.
    """

    stage = models.ForeignKey(Stage, on_delete=models.CASCADE, related_name="stage_entries")
    entry = models.ForeignKey(Entry, on_delete=models.RESTRICT, related_name="+")
    group = models.PositiveSmallIntegerField(null=True)
    place = models.PositiveSmallIntegerField(null=True)
    is_struck = models.BooleanField(default=False)
    play_off = models.PositiveSmallIntegerField(null=True)
    rest_points = models.PositiveSmallIntegerField(null=True)

    class Meta:
        ordering = ["group", "place", "id"]
        constraints = [
            models.UniqueConstraint(fields=["stage", "entry"], name="stage_entry_once"),
            models.UniqueConstraint(
                fields=["stage", "group", "place"],
                condition=Q(place__isnull=False),
                name="stage_entry_place_once",
            ),
            models.CheckConstraint(
                condition=Q(group__isnull=True, place__isnull=True)
                | Q(group__isnull=False, place__isnull=False, group__gte=1, place__gte=1),
                name="stage_entry_place_in_a_group",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.stage} · {self.entry}"


class PairRequest(models.Model):
    """A director's decision about two entries of a Swiss: not to meet, or to change places in the next round.

    Swaps apply in the order of ``position``, from 1. They are deleted when the round is published, which
    stores its own.
    """

    class Kind(models.TextChoices):
        NEVER = "never"
        AVOID = "avoid"  # only where it can be helped
        SWAP = "swap"

    stage = models.ForeignKey(Stage, on_delete=models.CASCADE, related_name="pair_requests")
    kind = models.CharField(max_length=8, choices=Kind.choices)
    first = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="+")
    second = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="+")
    position = models.PositiveSmallIntegerField(default=0)

    class Meta:
        ordering = ["position", "id"]
        constraints = [
            models.UniqueConstraint(
                fields=["stage", "first", "second"], condition=~Q(kind="swap"), name="pair_wish_once"
            ),
            models.UniqueConstraint(
                fields=["stage", "position"], condition=Q(kind="swap"), name="pair_swap_in_order"
            ),
            models.CheckConstraint(
                condition=Q(kind="swap", position__gte=1) & ~Q(first=F("second"))
                | Q(kind__in=["never", "avoid"], position=0, first__lt=F("second")),
                name="pair_wish_fits",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.stage} · {self.first} {self.kind} {self.second}"


class RoundPlan(models.Model):
    """The deadline (last day) of a round that is not published yet; a published round stores its own."""

    stage = models.ForeignKey(Stage, on_delete=models.CASCADE, related_name="round_plans")
    number = models.PositiveSmallIntegerField()
    deadline = models.DateField()

    class Meta:
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["stage", "number"], name="round_plan_once")]

    def __str__(self) -> str:
        return f"{self.stage} · {self.number}"
