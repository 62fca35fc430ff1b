"""Events, their divisions and the stages of divisions."""

from datetime import datetime
from decimal import Decimal
from typing import cast
from zoneinfo import ZoneInfo

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from people.ids import new_public_id, new_secret
from people.models import Club, Restriction
from tournaments.engine.hall.hours import OpeningHours
from tournaments.engine.hall.near import DEFAULT_MINUTES, MAX_MINUTES
from tournaments.engine.limits import MAX_SOURCE_LENGTH, RatingLimit
from tournaments.engine.lots.committed import commitment_for
from tournaments.engine.matches.answers import late_since
from tournaments.engine.stages.settings import StageSettings
from tournaments.engine.standings.leaving import WithdrawnRights
from tournaments.models.choices import (
    EVENT_STATUS_CHOICES,
    REPORT_POLICY_CHOICES,
    STAGE_STATUS_CHOICES,
    WITHDRAWAL_CHOICES,
)
from tournaments.models.series import Series
from tournaments.models.settings import settings_from_json, settings_to_json


class Event(models.Model):
    """A club night, a weekend or a league.

    ``version`` rises with every change that a visitor could see, ``notes_version`` with its staff notes.
    ``weight``: factor for the master points earned here. ``audit_log_head``: hash of the last audit row and so of
    all of them; empty until the chain begins. ``public_since``: since when its page is public, None while it
    is not. ``shut``: an operator hid or removed it. ``requires``: the consents that an entry needs
    (``engine.consents``). ``currency``: ISO 4217, empty where prizes have none. ``opens_at`` to
    ``break_until``: daily hours in the event's time zone, used by the forecast (``engine.hall.hours``).
    ``columns_until``: until when players may change their custom fields; None: until the event runs.
    ``series``: the series it belongs to. ``word_minutes``: how long before a match the up-next notice is sent
    (``engine.hall.near``); 0: never.
    """

    class Visibility(models.TextChoices):
        PUBLIC = "public", _("Public")
        UNLISTED = "unlisted", _("Unlisted: only people with the link can find it")

    public_id = models.CharField(max_length=16, unique=True, default=new_public_id, editable=False)
    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="events")
    name = models.CharField(_("name"), max_length=120)
    place = models.CharField(_("place"), max_length=160, blank=True)
    description = models.TextField(_("description"), blank=True)
    starts_on = models.DateField(_("first day"))
    ends_on = models.DateField(_("last day"))
    timezone = models.CharField(_("time zone"), max_length=64, default="UTC")
    visibility = models.CharField(
        _("visibility"), max_length=16, choices=Visibility.choices, default=Visibility.PUBLIC
    )
    status = models.CharField(
        _("status"), max_length=16, choices=EVENT_STATUS_CHOICES, default="draft", editable=False
    )
    shut = models.CharField(max_length=8, choices=Restriction.choices, blank=True, default="", editable=False)
    tables = models.PositiveSmallIntegerField(
        _("tables"), default=16, validators=[MinValueValidator(1), MaxValueValidator(999)]
    )
    weight = models.DecimalField(
        _("weight for master points"), max_digits=4, decimal_places=2, default=Decimal("1.00")
    )
    currency = models.CharField(_("prize currency"), max_length=3, blank=True)
    opens_at = models.TimeField(_("play begins at"), null=True, blank=True)
    closes_at = models.TimeField(_("no match starts after"), null=True, blank=True)
    break_from = models.TimeField(_("break from"), null=True, blank=True)
    break_until = models.TimeField(_("break until"), null=True, blank=True)
    word_minutes = models.PositiveSmallIntegerField(
        _("up-next notice (minutes before a match)"),
        default=DEFAULT_MINUTES,
        validators=[MaxValueValidator(MAX_MINUTES)],
    )
    closed_tables = models.JSONField(_("tables out of use"), default=list, blank=True)
    series = models.ForeignKey(
        Series, null=True, blank=True, on_delete=models.SET_NULL, related_name="events", editable=False
    )
    follows = models.ForeignKey(
        "self",
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="followed_by",
        editable=False,
        verbose_name=_("previous season"),
    )
    registration_open = models.BooleanField(_("players can enter themselves"), default=False)
    requires = models.JSONField(_("required agreements"), default=list, blank=True)
    approves_all = models.BooleanField(_("new names also need approval"), default=True)
    columns_until = models.DateTimeField(_("players can change custom fields until"), null=True, blank=True)
    registration_version = models.PositiveIntegerField(default=1, editable=False)
    version = models.PositiveIntegerField(default=1, editable=False)
    notes_version = models.PositiveIntegerField(default=0, editable=False)
    public_since = models.DateTimeField(null=True, editable=False)
    trail_head = models.CharField(max_length=64, blank=True, editable=False)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="events", editable=False
    )
    created_at = models.DateTimeField(auto_now_add=True)
    finished_at = models.DateTimeField(null=True, editable=False)

    class Meta:
        verbose_name = _("event")
        verbose_name_plural = _("events")
        ordering = ["-starts_on", "-id"]
        indexes = [
            models.Index(fields=["visibility", "status", "-starts_on"], name="tournaments_event_list"),
            models.Index(
                fields=["-ends_on", "-id"],
                name="tournaments_event_over",
                condition=models.Q(visibility="public", status__in=["finished", "cancelled"]),
            ),
            models.Index(
                fields=["-starts_on", "-id"],
                name="tournaments_event_newest",
                condition=models.Q(visibility="public") & ~models.Q(status="draft"),
            ),
        ]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(ends_on__gte=models.F("starts_on")), name="event_ends_after_start"
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def hours(self) -> OpeningHours:
        """The daily hours of play, in the event's time zone."""
        return OpeningHours(self.opens_at, self.closes_at, self.break_from, self.break_until)

    def lateness_starts_at(self, called_at: datetime) -> datetime:
        """Return from when a player is late for a match called at ``called_at`` (rule F15).

        That is the announced start of play if it is shortly after the call. Up-next notices and answers of
        players do not count.
        """
        zone = ZoneInfo(self.timezone)
        return late_since(called_at, self.hours.first_opening(called_at.astimezone(zone).date(), zone))


class Division(models.Model):
    """A part of the event with its own entries: Open, Intermediate, Doubles, Jackpot…

    ``team_size`` players make an entry. Late entries and re-entries end at ``entries_until`` (None: with the
    last free place); a player may re-enter ``reentries`` times. Once ``capacity`` entries have a place,
    entries by the link go to the waiting list (None: no limit). A division that ``starts_when_full`` (a
    jackpot) is drawn and published automatically with its last entry, and opens the next division, to which
    this setting passes. After a league season ``moving`` entries change places with the first ones of the
    division below. ``prize_pool``: the amount that percentages of its prizes refer to; None: not set.
    ``withdrawn``: what players keep who withdrew from a Swiss or round robin. ``limit_source`` to
    ``limit_refuses``: the ratings that it is for (``engine.limits.RatingLimit``); without a source, all.
    """

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="divisions")
    name = models.CharField(_("name"), max_length=80, blank=True)
    position = models.PositiveSmallIntegerField(default=1)
    team_size = models.PositiveSmallIntegerField(
        _("players per entry"), default=1, validators=[MinValueValidator(1), MaxValueValidator(3)]
    )
    entries_until = models.DateTimeField(_("late entries until"), null=True, blank=True)
    capacity = models.PositiveSmallIntegerField(_("maximum number of entries"), null=True, blank=True)
    starts_when_full = models.BooleanField(_("starts automatically when full"), default=False)
    reentries = models.PositiveSmallIntegerField(_("re-entries per player"), default=0)
    moving = models.PositiveSmallIntegerField(_("number promoted and relegated"), default=0)
    prize_pool = models.DecimalField(_("prize pool"), max_digits=13, decimal_places=3, null=True, blank=True)
    withdrawn = models.CharField(
        _("players who withdraw"), max_length=8, choices=WITHDRAWAL_CHOICES, default=WithdrawnRights.PLACE
    )
    limit_source = models.CharField(_("rating list for the limit"), max_length=MAX_SOURCE_LENGTH, blank=True)
    limit_least = models.FloatField(_("lowest rating"), null=True, blank=True)
    limit_most = models.FloatField(_("highest rating"), null=True, blank=True)
    limit_refuses = models.BooleanField(_("players outside the limit are rejected"), default=True)

    class Meta:
        verbose_name = _("division")
        verbose_name_plural = _("divisions")
        ordering = ["position", "id"]
        constraints = [models.UniqueConstraint(fields=["event", "position"], name="division_position_once")]

    def __str__(self) -> str:
        return self.name or str(self.event)

    @property
    def limit(self) -> RatingLimit | None:
        """The ratings that the division is for; None: all."""
        if not self.limit_source:
            return None
        return RatingLimit(self.limit_source, self.limit_least, self.limit_most, self.limit_refuses)


class Stage(models.Model):
    """One competition inside a division: its system, match format, lengths and draw.

    ``lengths`` counts back from the final: ``[5, 5, 7, 9]`` plays the final to 9 and the semifinals to 7;
    rounds earlier than the list take its first length. ``draw_seed`` is stored before the draw and shown, so
    that the draw can be repeated; it is text because it exceeds the numbers of JavaScript and some databases.
    A Swiss is paired round by round: ``next_seed`` is the seed of the round that is paired and not published,
    and each published round keeps its own. A round robin is drawn once for all its rounds. A stage ``fed_by``
    another one takes the first ``takes`` of its table, of each group if it has groups. In a stage played
    ``by_arrangement`` (a league) the two sides agree on time and place: matches wait for no table and are not
    called unless the director assigns one. ``secret`` is the random value of the next draw: it is not shown
    before the draw, its ``promise`` (commitment) is public, and the draw replaces it in the same moment
    (``Lot``).

    ``settings`` is what the director has set, one frozen value of the engine: the settings of the system and
    the match conditions. It is assigned as a whole and saved as ``kept_settings`` (see ``models.settings``).
    It does not say how far play has come: ``rounds_settled`` is the number of rounds of a Swiss or round
    robin, once fixed by the drawn schedule or by the director who ended it; places in a schedule, requests
    and deadlines of unpublished rounds are rows of their own (``models.arranged``).
    """

    class DrawMethod(models.TextChoices):
        BLIND = "blind", _("Blind draw")
        SEEDED = "seeded", _("Seeded")

    class System(models.TextChoices):
        SINGLE_ELIMINATION = "single_elimination", _("Single elimination")
        DOUBLE_ELIMINATION = "double_elimination", _("Double elimination")
        SWISS = "swiss", _("Swiss")
        ROUND_ROBIN = "round_robin", _("Round robin")
        DOUBLE_ROUND_ROBIN = "double_round_robin", _("Double round robin")
        MONEY = "money", _("Money play for points")

    ELIMINATIONS = (System.SINGLE_ELIMINATION, System.DOUBLE_ELIMINATION)
    # Systems that end in a table and are played in rounds, each published when the previous one is over.
    ROUND_ROBINS = (System.ROUND_ROBIN, System.DOUBLE_ROUND_ROBIN)
    IN_ROUNDS = (System.SWISS, *ROUND_ROBINS)

    division = models.ForeignKey(Division, on_delete=models.CASCADE, related_name="stages")
    name = models.CharField(_("name"), max_length=80, blank=True)
    position = models.PositiveSmallIntegerField(default=1)
    fed_by = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.PROTECT, related_name="feeds", editable=False
    )
    takes = models.PositiveSmallIntegerField(default=0, editable=False)
    system = models.CharField(
        _("system"), max_length=32, choices=System.choices, default=System.SINGLE_ELIMINATION
    )
    format_preset = models.CharField(_("match format"), max_length=40, default="match")
    lengths = models.JSONField(_("match lengths"), default=list)
    by_arrangement = models.BooleanField(_("played by arrangement, not at the tables"), default=False)
    kept_settings = models.JSONField(_("settings"), default=dict, blank=True)
    rounds_settled = models.PositiveSmallIntegerField(null=True, editable=False)
    next_seed = models.CharField(max_length=64, blank=True, editable=False)
    draw_method = models.CharField(
        _("draw"), max_length=16, choices=DrawMethod.choices, default=DrawMethod.BLIND
    )
    draw_seed = models.CharField(_("seed of the draw"), max_length=64, blank=True, editable=False)
    secret = models.CharField(max_length=64, default=new_secret, editable=False)
    promised_at = models.DateTimeField(default=timezone.now, editable=False)
    drawn_at = models.DateTimeField(null=True, editable=False)
    report_policy = models.CharField(
        _("how results are confirmed"),
        max_length=32,
        choices=REPORT_POLICY_CHOICES,
        default="opponent_confirms",
    )
    status = models.CharField(
        _("status"), max_length=16, choices=STAGE_STATUS_CHOICES, default="setup", editable=False
    )

    clean_record_settles = models.BooleanField(_("an error-free game record confirms a match"), default=False)

    class Meta:
        verbose_name = _("stage")
        verbose_name_plural = _("stages")
        ordering = ["position", "id"]
        constraints = [models.UniqueConstraint(fields=["division", "position"], name="stage_position_once")]

    def __str__(self) -> str:
        return self.name or self.get_system_display()

    @property
    def promise(self) -> str:
        """The commitment to the next draw: SHA-256 of its secret, published before it."""
        return commitment_for(self.secret)

    @property
    def settings(self) -> StageSettings:
        """What the director has set; parsed on first use, and again when the stored value changes."""
        stored_settings, system = self.kept_settings, self.system
        cached = self.__dict__.get("_settings")
        if cached is None or cached[0] is not stored_settings or cached[1] != system:
            cached = self.__dict__["_settings"] = (
                stored_settings,
                system,
                settings_from_json(system, stored_settings),
            )
        return cast("StageSettings", cached[2])

    @settings.setter
    def settings(self, value: StageSettings) -> None:
        self.kept_settings = settings_to_json(value)
