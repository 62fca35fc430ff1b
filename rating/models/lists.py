"""Rating lists: the rating system that a club chose, its settings, and the results that a list counts."""

from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _

from people.ids import new_public_id
from people.models import Club, Restriction
from rating.formulas import get_system
from rating.formulas.rateable import DEFAULT_MIN_LENGTH, MAX_MATCH_LENGTH, Discipline
from rating.models.fact import Fact


def default_disciplines() -> list[str]:
    return [Discipline.STANDARD.value]


class RatingListQuerySet(models.QuerySet["RatingList"]):
    """A query for rating lists, with a filter for public ones."""

    def public(self) -> "RatingListQuerySet":
        """Return the lists that are not archived and, like their club, not restricted by an operator."""
        return self.filter(archived=False, shut="", club__shut="")


class RatingList(models.Model):
    """A rating list with the results of its club and that club's member clubs.

    ``version`` rises with every change.

    ``shut``: the restriction by an operator, empty if none. ``generation``: the current computation.
    """

    public_id = models.CharField(max_length=16, unique=True, default=new_public_id, editable=False)
    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="rating_lists")
    name = models.CharField(_("name"), max_length=120)
    is_main = models.BooleanField(default=False, editable=False)
    system = models.CharField(_("system"), max_length=20)
    parameters = models.JSONField(default=dict)
    start = models.FloatField(_("start value"))
    shortest = models.PositiveSmallIntegerField(_("shortest match"), default=DEFAULT_MIN_LENGTH)
    longest = models.PositiveSmallIntegerField(_("longest match"), default=MAX_MATCH_LENGTH)
    disciplines = models.JSONField(default=default_disciplines)
    events = models.JSONField(default=list)
    counts_from = models.DateField(_("counts from"), null=True, blank=True)
    counts_until = models.DateField(_("counts until"), null=True, blank=True)
    minimum_matches = models.PositiveIntegerField(_("matches required for a ranking"), default=1)
    provisional_below = models.PositiveIntegerField(
        _("experience below which ratings are provisional"), default=100
    )
    minimum_experience = models.PositiveIntegerField(_("experience required for a ranking"), default=0)
    active_months = models.PositiveSmallIntegerField(_("activity period for a ranking, in months"), default=0)
    members = models.CharField(_("rank members only"), max_length=10, blank=True, default="")
    provisional_apart = models.BooleanField(_("list provisional ratings separately"), default=False)
    generation = models.ForeignKey(
        "rating.Generation", null=True, editable=False, on_delete=models.PROTECT, related_name="+"
    )
    needs_rebuild = models.BooleanField(default=True, editable=False)
    archived = models.BooleanField(default=False, editable=False)
    shut = models.CharField(max_length=8, choices=Restriction.choices, blank=True, default="", editable=False)
    version = models.PositiveIntegerField(default=1, editable=False)
    created_at = models.DateTimeField(auto_now_add=True)

    objects: ClassVar[models.Manager["RatingList"]] = RatingListQuerySet.as_manager()

    class Meta:
        verbose_name = _("rating list")
        verbose_name_plural = _("rating lists")
        ordering = ["club", "-is_main", "name", "id"]
        constraints = [
            models.UniqueConstraint(
                fields=["club"], condition=models.Q(is_main=True), name="rating_one_main_list"
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def earns_points(self) -> bool:
        """Return whether the list's numbers are points that players earn and never lose."""
        return get_system(self.system).is_points_system


class Pending(models.Model):
    """A fact that a list's ratings do not include yet.

    Written in the fact's transaction, so that none is missed.

    Ledger numbers alone would not do: they are assigned before commit, so a smaller one may appear after a
    larger one. While a rebuild runs, rows of facts that the present generation includes stay (``applied``)
    for the generation that is being built.
    """

    rating_list = models.ForeignKey(RatingList, on_delete=models.CASCADE, related_name="pending")
    fact = models.ForeignKey(Fact, on_delete=models.CASCADE, related_name="+", db_index=False)
    applied = models.BooleanField(default=False)

    class Meta:
        verbose_name = _("pending ledger entry")
        verbose_name_plural = _("pending ledger entries")
        constraints = [models.UniqueConstraint(fields=["rating_list", "fact"], name="rating_pending_once")]

    def __str__(self) -> str:
        return f"{self.rating_list_id}: {self.fact_id}"
