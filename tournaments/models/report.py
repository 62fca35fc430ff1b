"""Versioned reports about matches, and correction requests. Rows are never overwritten."""

from typing import Final

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from games.models import StoredRecord
from tournaments.models.choices import RESULT_KIND_CHOICES, SIDE_CHOICES
from tournaments.models.draw import Match
from tournaments.models.entry import Entry

KEY_LIMIT: Final = 64
NOTE_LIMIT: Final = 500
PROPOSAL_LIMIT: Final = 300


class Report(models.Model):
    """One reported result of a match by one reporter, with its version number.

    ``submission_key`` is chosen by the reporter: the same key sent again is the same report. An attached game
    ``record`` is stored as submitted. ``record_left`` is the side of its left (White) player;
    ``record_clean``: it can be replayed without a problem to the reported score; ``record_doubtful``: its
    plays do not fit each other; ``record_differs``: it ends with another score. ``record_shown``: whether it
    is public; None: as the players agreed at entry (``engine.consents``). ``sheet``: the score after each
    game as far as recorded: pairs, side a first (``games.rules.sheets``). ``device``: the random id of the
    browser that reported by a personal link, independent of the hardware. ``winner_side`` is set only if the
    score does not determine the winner; ``score_a`` and ``score_b`` belong to the sides, not to reporter and
    opponent.
    """

    class Reporter(models.TextChoices):
        DIRECTOR = "director", _("Director")
        ENTRY = "entry", _("Player")

    class State(models.TextChoices):
        OPEN = "open", _("Waiting for the opponent")
        CONFIRMED = "confirmed", _("Confirmed")
        SUPERSEDED = "superseded", _("Replaced or not accepted")

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="reports")
    version = models.PositiveSmallIntegerField()
    submission_key = models.CharField(max_length=KEY_LIMIT)
    reporter_kind = models.CharField(max_length=16, choices=Reporter.choices)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="reports"
    )
    entry = models.ForeignKey(Entry, null=True, on_delete=models.PROTECT, related_name="reports")
    side = models.CharField(max_length=1, choices=SIDE_CHOICES, blank=True)
    score_a = models.PositiveSmallIntegerField()
    score_b = models.PositiveSmallIntegerField()
    kind = models.CharField(max_length=24, choices=RESULT_KIND_CHOICES, default="played")
    winner_side = models.CharField(max_length=1, choices=SIDE_CHOICES, blank=True)
    state = models.CharField(max_length=16, choices=State.choices, default=State.OPEN)
    decision = models.CharField(max_length=16)
    record = models.ForeignKey(
        StoredRecord,
        null=True,
        on_delete=models.PROTECT,
        related_name="reports",
        verbose_name=_("game record"),
    )
    record_left = models.CharField(max_length=1, choices=SIDE_CHOICES, blank=True)
    record_clean = models.BooleanField(default=False)
    record_doubtful = models.BooleanField(default=False)
    record_differs = models.BooleanField(default=False)
    record_shown = models.BooleanField(null=True, default=None, editable=False)
    sheet = models.JSONField(default=list, blank=True, editable=False)
    note = models.CharField(_("note"), max_length=NOTE_LIMIT, blank=True)
    device = models.CharField(max_length=16, blank=True, editable=False)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("report")
        verbose_name_plural = _("reports")
        ordering = ["version"]
        constraints = [
            models.UniqueConstraint(fields=["match", "version"], name="report_version_once"),
            models.UniqueConstraint(fields=["match", "submission_key"], name="report_key_once"),
            models.UniqueConstraint(
                fields=["match"], condition=Q(state="confirmed"), name="report_confirmed_once"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.match} · {self.version}"


class RecordCopy(models.Model):
    """A corrected copy of the game record of a ``report``; ``number`` counts the copies.

    Record and copy are both kept, and neither changes a result. ``key`` identifies the proposal
    (``games.records.repair.Proposal``), so the same copy is made only once. ``changes``: a row for each
    changed turn with game, turn, side (0: the left player), roll and play as written and as corrected.
    """

    report = models.ForeignKey(Report, on_delete=models.CASCADE, related_name="copies")
    number = models.PositiveSmallIntegerField()
    record = models.ForeignKey(
        StoredRecord, on_delete=models.PROTECT, related_name="copies", verbose_name=_("game record")
    )
    key = models.CharField(max_length=PROPOSAL_LIMIT)
    changes = models.JSONField(default=list)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("corrected copy")
        verbose_name_plural = _("corrected copies")
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["report", "number"], name="record_copy_number_once"),
            models.UniqueConstraint(fields=["report", "key"], name="record_copy_once"),
        ]

    def __str__(self) -> str:
        return f"{self.report} · {self.number}"


class Objection(models.Model):
    """A player's correction request about a confirmed result.

    It informs the director and changes nothing by itself.
    """

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="objections")
    entry = models.ForeignKey(Entry, on_delete=models.PROTECT, related_name="objections")
    text = models.CharField(_("what is wrong"), max_length=NOTE_LIMIT, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    settled_at = models.DateTimeField(null=True)
    settled_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="settled_objections"
    )

    class Meta:
        verbose_name = _("correction request")
        verbose_name_plural = _("correction requests")
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(
                fields=["match", "entry"], condition=Q(settled_at__isnull=True), name="objection_open_once"
            )
        ]

    def __str__(self) -> str:
        return f"{self.match} · {self.entry}"
