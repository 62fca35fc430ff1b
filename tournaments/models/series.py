"""Series of events of a club, and the club's own event templates."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from people.ids import new_public_id
from people.models import Club
from tournaments.engine.series.points import PointsRule
from tournaments.models.settings import from_json, to_json


class Series(models.Model):
    """Events that belong together, with a table by the points that their places give.

    ``kept_rule``: the points for each place (``PointsRule``). An ``archived`` series is not listed and keeps
    its page.
    """

    public_id = models.CharField(max_length=16, unique=True, default=new_public_id, editable=False)
    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="series")
    name = models.CharField(_("name"), max_length=120)
    kept_rule = models.JSONField(default=dict, blank=True)
    archived = models.BooleanField(_("archived"), default=False)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("series")
        verbose_name_plural = _("series")
        ordering = ["name", "id"]

    def __str__(self) -> str:
        return self.name

    @property
    def rule(self) -> PointsRule:
        """The points for each place."""
        return from_json(PointsRule, self.kept_rule)

    @rule.setter
    def rule(self, value: PointsRule) -> None:
        self.kept_rule = to_json(value)


class ClubTemplate(models.Model):
    """An event template of a club. ``sentence``: its purpose.

    ``plan``: everything that is set in the event, in the form of ``events.services.plan_json``. ``version``
    rises with every change. An ``archived`` template is no longer offered.
    """

    public_id = models.CharField(max_length=16, unique=True, default=new_public_id, editable=False)
    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="templates")
    name = models.CharField(_("name"), max_length=120)
    sentence = models.CharField(_("purpose"), max_length=200, blank=True)
    plan = models.JSONField(default=dict)
    archived = models.BooleanField(_("archived"), default=False)
    version = models.PositiveIntegerField(default=1, editable=False)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("template of a club")
        verbose_name_plural = _("templates of clubs")
        ordering = ["name", "id"]

    def __str__(self) -> str:
        return self.name
