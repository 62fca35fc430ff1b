"""Rounds, matches and the two slots of each match, as a bracket or round is drawn.

A slot holds its entry and where the entry comes from: placed by the draw, a bye, a place reserved for late
entries, or the winner or loser of another match. An entry placed by hand by the director overrides the
source. The status of a match is decided by ``engine.statuses`` and assigned only by services.
"""

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from people.ids import new_public_id
from tournaments.models.choices import MATCH_STATUS_CHOICES, RESULT_KIND_CHOICES, SIDE_CHOICES
from tournaments.models.entry import Entry
from tournaments.models.event import Stage
from tournaments.models.former import FormerLineup


class Round(models.Model):
    """A round of a stage, with the length of its matches.

    ``code`` is its name in the engine ("final", "last_n", "round_n"); ``entries_left`` is how many entries
    can still be in it. ``section`` is the part of a bracket it belongs to (main, consolation, last chance,
    lower, grand final). ``deadline`` is the last day for its matches in a league. A round of a Swiss keeps
    the ``seed`` of its pairing, the ``rests`` (entries with a requested bye: the half points for it, keyed by
    entry id) and the ``swaps`` (pairs of entries that the director swapped, in order). ``ratings``: of
    entries, keyed by id, when they first got a place here; stored only if a tie-break needs them.
    """

    stage = models.ForeignKey(Stage, on_delete=models.CASCADE, related_name="rounds")
    number = models.PositiveSmallIntegerField()
    section = models.CharField(max_length=16, default="main")
    code = models.CharField(max_length=24)
    entries_left = models.PositiveSmallIntegerField()
    length = models.PositiveSmallIntegerField(_("match length"))
    deadline = models.DateField(_("to be played by"), null=True, blank=True)
    seed = models.CharField(max_length=64, blank=True)
    rests = models.JSONField(default=dict, blank=True)
    swaps = models.JSONField(default=list, blank=True)
    ratings = models.JSONField(default=dict, blank=True)

    class Meta:
        verbose_name = _("round")
        verbose_name_plural = _("rounds")
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["stage", "number"], name="round_number_once")]

    def __str__(self) -> str:
        return f"{self.stage} · {self.number}"


class Match(models.Model):
    """A match: two sides, a length, a status and, once confirmed, a result.

    ``number`` counts through the stage (the engine's ``MatchNo``), ``position`` within the round, from 1.
    ``score_a`` and ``score_b`` are points of side a and b; ``length`` is the appointed length (used for
    ratings, rule F12). ``start_a`` and ``start_b`` are points that a side has before the first game (rules
    F10, F15); ``awards`` lists their reasons (``engine.matches.rulings.Award``). ``adjourned`` is the state
    in which an adjourned match resumes: score, cube, position, clocks, day
    (``engine.matches.adjourning.Adjournment``), valid until the match has a result; empty: never adjourned.
    ``clock``: the clock settings by a director (``engine.matches.rulings.ClockStart``); empty: as the stage
    sets it. ``sent_back_at``: when it last returned to the queue, from its table or from an adjournment.
    """

    public_id = models.CharField(max_length=16, unique=True, default=new_public_id, editable=False)
    stage = models.ForeignKey(Stage, on_delete=models.CASCADE, related_name="matches")
    round = models.ForeignKey(Round, on_delete=models.CASCADE, related_name="matches")
    number = models.PositiveSmallIntegerField()
    position = models.PositiveSmallIntegerField()
    length = models.PositiveSmallIntegerField(_("match length"))
    status = models.CharField(_("status"), max_length=16, choices=MATCH_STATUS_CHOICES, default="waiting")
    table = models.PositiveSmallIntegerField(_("table"), null=True, blank=True)
    result_kind = models.CharField(_("result"), max_length=24, choices=RESULT_KIND_CHOICES, blank=True)
    winner_side = models.CharField(max_length=1, choices=SIDE_CHOICES, blank=True)
    score_a = models.PositiveSmallIntegerField(null=True)
    score_b = models.PositiveSmallIntegerField(null=True)
    start_a = models.PositiveSmallIntegerField(default=0)
    start_b = models.PositiveSmallIntegerField(default=0)
    awards = models.JSONField(default=list, blank=True)
    adjourned = models.JSONField(default=dict, blank=True)
    clock = models.JSONField(default=dict, blank=True)
    called_at = models.DateTimeField(null=True)
    started_at = models.DateTimeField(null=True)
    sent_back_at = models.DateTimeField(null=True)
    played_at = models.DateTimeField(null=True)
    confirmed_at = models.DateTimeField(null=True)
    version = models.PositiveIntegerField(default=1)

    class Meta:
        verbose_name = _("match")
        verbose_name_plural = _("matches")
        ordering = ["stage_id", "number"]
        indexes = [models.Index(fields=["stage", "status"], name="match_stage_status")]
        constraints = [
            models.UniqueConstraint(fields=["stage", "number"], name="match_number_once"),
            models.CheckConstraint(
                condition=~Q(status="confirmed") | (~Q(result_kind="") & Q(confirmed_at__isnull=False)),
                name="match_confirmed_has_result",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.stage} · {self.number}"


class MatchSlot(models.Model):
    """One side of a match: where its entry comes from, and the entry once known.

    ``by_hand``: the director placed this entry (or left the slot empty), regardless of the source.
    ``has_won``: the entry won a match on its way here, byes excluded; admission to a consolation depends on
    it (rule F17). ``former``: the lineup that played here, if another player took over the entry after the
    match; None: the players of the entry.
    """

    class SourceKind(models.TextChoices):
        ENTRY = "entry", _("Placed by the draw")
        BYE = "bye", _("Bye")
        HELD = "held", _("Reserved for a late entry")
        WINNER_OF = "winner_of", _("Winner of a match")
        LOSER_OF = "loser_of", _("Loser of a match")

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="slots")
    side = models.CharField(max_length=1, choices=SIDE_CHOICES)
    source_kind = models.CharField(max_length=16, choices=SourceKind.choices)
    source_match = models.ForeignKey(Match, null=True, on_delete=models.CASCADE, related_name="feeds")
    entry = models.ForeignKey(Entry, null=True, on_delete=models.PROTECT, related_name="slots")
    by_hand = models.BooleanField(default=False)
    has_won = models.BooleanField(default=False)
    former = models.ForeignKey(
        FormerLineup, null=True, blank=True, on_delete=models.SET_NULL, related_name="slots", editable=False
    )

    class Meta:
        verbose_name = _("slot")
        verbose_name_plural = _("slots")
        ordering = ["side"]
        constraints = [
            models.UniqueConstraint(fields=["match", "side"], name="slot_side_once"),
            models.UniqueConstraint(
                fields=["source_match", "source_kind"],
                condition=Q(source_match__isnull=False),
                name="slot_fed_once",
            ),
            models.CheckConstraint(
                condition=Q(source_kind__in=["winner_of", "loser_of"], source_match__isnull=False)
                | Q(source_kind__in=["entry", "bye", "held"], source_match__isnull=True),
                name="slot_source_fits",
            ),
            models.CheckConstraint(
                condition=~Q(source_kind__in=["bye", "held"]) | Q(entry__isnull=True) | Q(by_hand=True),
                name="slot_bye_is_empty",
            ),
            models.CheckConstraint(
                condition=Q(source_match__isnull=True) | ~Q(source_match=F("match")),
                name="slot_not_fed_by_itself",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.match} · {self.side}"
