"""What a draw makes: rounds, matches and their two slots.

A slot says who stands in it and why: an entry placed by the draw, a bye, a line held open, or the winner or loser of another match; or
the director put somebody there by hand, and then it no longer listens to its source. A match's status is decided by ``engine.statuses`` and assigned by the services only.
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
    """A round of a stage, with the match length its matches are appointed to.

    ``code`` names it in the engine's words ("final", "last_n", "round_n"); ``entries_left`` is how many can still be in
    it. ``section`` is the part of a bracket it belongs to (main, consolation, last chance, lower, grand final). ``deadline``
    is the last day for its matches in a league. A round of a Swiss keeps the ``seed`` of its own pairing and the ``rests``: entries that asked for a bye, by id,
    with the half points they get for it, and the ``swaps``: pairs of entries that the director let change places, in order.
    ``ratings``: of entries, by id, as they stood when they were first seated here; kept only where a tie-break asks for them.
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
    """Two sides, a length, a status and, once confirmed, a result.

    ``number`` counts through the stage (the engine's MatchNo), ``position`` within the round, from 1.
    ``score_a``/``score_b`` are points of side a and b; ``length`` is the length appointed (F12 rates by it).
    ``start_a``/``start_b`` are points that a side has before the first game (F10 F15); ``awards`` says what for, one by one
    (``engine.matches.rulings.Award``). ``adjourned`` says where a broken-off match goes on: score, cube, position, clocks, day
    (``engine.matches.adjourning.Adjournment``) and counts until the match has a result. Empty: the match was never broken off.
    ``clock``: the clock that a director put on (``engine.matches.rulings.ClockStart``); empty: none, or what the stage says.
    ``sent_back_at``: when it last went from its table, or from an adjournment, back to those that wait.
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
    """One side of a match: where its entry comes from, and who it is once known.

    ``by_hand``: the director placed this entry (or nobody), whatever the source says. ``has_won``: the entry won a
    match on its way here, a bye being none; rules of who may drop into a consolation ask for it (F17). ``former``: who sat here,
    if another player took over the entry after the match; without it, the players of the entry.
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
