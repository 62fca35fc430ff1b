"""Who takes part: an entry of one player, or of two or three who play as a team."""

from typing import Any

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from people.audience import HIDDEN_MARKER
from people.ids import new_public_id
from people.models import Player
from people.models.naming import Named, NameField
from tournaments.engine.new_entry import MARK_LIMITS, EntryMarks
from tournaments.models.choices import ENTRY_STATUS_CHOICES, REPLY_CHOICES
from tournaments.models.event import Division


def place_number_sql(row: str) -> str:
    """SQL for the number of a place of an entry in its division, from 1; ``row``: how the statement calls its row."""
    return (
        f"CAST(1 + {row}.id - (SELECT MIN(counted.id) FROM tournaments_entryplayer counted"  # noqa: S608 (names of columns alone)
        f" WHERE counted.division_id = {row}.division_id) AS VARCHAR(12))"
    )


class EntryNameField(NameField):
    """The name of an entry. If one of its players shows another name than theirs, it is made of what its players show.

    Somebody without a name is told apart by a number: how many places in the division were given away before.
    """

    players, owner = (
        "tournaments_entryplayer",
        "entry_id",
    )  # the rows of its players, and their column with its id

    def number_sql(self, table: str) -> str:  # noqa: ARG002 (lineups need it)
        """SQL for the number of a player without a name, whose row is ``named_row``."""
        return place_number_sql("named_row")

    def sql_for(self, table: str, column: str, connection: Any) -> str:
        of_entry = (
            f"FROM {self.players} named_row INNER JOIN people_player named"
            f" ON named.id = named_row.player_id WHERE named_row.{self.owner} = {table}id"
        )
        one = (
            f"CASE WHEN named.{column} = '{HIDDEN_MARKER}' THEN named.{column} || {self.number_sql(table)}"
            f" WHEN named.{column} <> '' THEN named.{column} ELSE named.name END"
        )
        if connection.vendor == "postgresql":
            together = f"SELECT STRING_AGG({one}, ' & ' ORDER BY named_row.position) {of_entry}"
        else:
            rows = f"SELECT {one} AS one {of_entry} ORDER BY named_row.position"
            together = f"SELECT GROUP_CONCAT(one, ' & ') FROM ({rows})"  # noqa: S608 (names of columns alone)
        private = f"EXISTS (SELECT 1 {of_entry} AND named.{column} <> '')"
        return f"CASE WHEN {private} THEN ({together}) ELSE {table}{self.column} END"


class Entry(Named):
    """A place in a division. ``link_version`` is part of the personal link's signature: raising it revokes the link.

    ``queue_number`` orders the waiting list, and of those with the same number who entered first is ahead: whoever goes to the end of the list
    has one more than all others in it.

    ``party`` marks those who should meet late (a family, a car full of friends): entries with the same mark are kept
    apart in draws. ``again_of`` is the entry of the same players that was out before they bought back in.
    ``changed_hands``: another player took over, and matches before that point at former lineups.
    """

    class Source(models.TextChoices):
        DIRECTOR = "director", _("Entered by the director")
        SELF = "self", _("Entered by the player")

    public_id = models.CharField(max_length=16, unique=True, default=new_public_id, editable=False)
    division = models.ForeignKey(Division, on_delete=models.CASCADE, related_name="entries")
    name = EntryNameField(_("name"), max_length=160)
    seed = models.PositiveSmallIntegerField(_("seed"), null=True, blank=True)
    party = models.CharField(_("travel group"), max_length=MARK_LIMITS["party"], blank=True)
    again_of = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.PROTECT, related_name="again", editable=False
    )
    status = models.CharField(
        _("status"), max_length=16, choices=ENTRY_STATUS_CHOICES, default="active", editable=False
    )
    source = models.CharField(max_length=16, choices=Source.choices, default=Source.DIRECTOR, editable=False)
    link_version = models.PositiveIntegerField(default=1, editable=False)
    changed_hands = models.BooleanField(default=False, editable=False)
    queue_number = models.PositiveIntegerField(default=0, editable=False)
    players = models.ManyToManyField(Player, through="EntryPlayer", related_name="entries", editable=False)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("entry")
        verbose_name_plural = _("entries")
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(
                fields=["division", "seed"], condition=Q(seed__isnull=False), name="entry_seed_once"
            )
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def marks(self) -> EntryMarks:
        return EntryMarks(*(getattr(self, name) for name in MARK_LIMITS))


class EntryPlayer(models.Model):
    """A player of an entry. ``division`` repeats the entry's, so that the database itself refuses a second entry.

    ``attempt`` is 1 for the first entry of a player in a division, 2 after the first buy-back, and so on. ``is_new``: the player
    was made with the entry, which nobody has approved so far; they go with it if it is turned away.
    """

    entry = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="entry_players")
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="entry_players")
    division = models.ForeignKey(Division, on_delete=models.CASCADE, related_name="+")
    position = models.PositiveSmallIntegerField(default=1)
    attempt = models.PositiveSmallIntegerField(default=1)
    is_new = models.BooleanField(default=False, editable=False)

    class Meta:
        verbose_name = _("player of an entry")
        verbose_name_plural = _("players of entries")
        ordering = ["position", "id"]
        # The number of somebody without a name counts from the first place of the division.
        indexes = [models.Index(fields=["division", "id"], name="entryplayer_of_division")]
        constraints = [
            models.UniqueConstraint(fields=["entry", "position"], name="entryplayer_position_once"),
            models.UniqueConstraint(fields=["division", "player", "attempt"], name="entryplayer_player_once"),
            models.CheckConstraint(
                condition=Q(position__gte=1, position__lte=3), name="entryplayer_one_to_three"
            ),
        ]

    def __str__(self) -> str:
        return str(self.player)


class EntryDetail(models.Model):
    """What a list said of a player of an entry. For directors of the club alone: it stands on no public page, in no feed and no API.

    It belongs to the player who was on the list: when somebody else takes the place, it is not theirs. Erasing a player erases it.
    What they agreed to (``photo`` to ``hall``) is shown to whoever reads for the club, too. ``extra``: what stands in the event's own
    columns, by the id of the column as text; the same at all entries of a player that there were when it was written. ``undo``: what
    stood in ``note`` and ``extra`` before the last saves of the matrix, by the key of the save, so that it can be taken back.
    """

    entry = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="details")
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="entry_details")
    email = models.EmailField(_("e-mail address"), blank=True)
    phone = models.CharField(_("phone"), max_length=40, blank=True)
    rating = models.FloatField(_("rating"), null=True, blank=True)
    club = models.CharField(_("club"), max_length=120, blank=True)
    paid = models.BooleanField(_("paid"), null=True, blank=True)
    note = models.CharField(_("note"), max_length=500, blank=True)
    photo = models.CharField(_("photos"), max_length=3, choices=REPLY_CHOICES, blank=True)
    filming = models.CharField(_("filming"), max_length=3, choices=REPLY_CHOICES, blank=True)
    streaming = models.CharField(_("streaming"), max_length=3, choices=REPLY_CHOICES, blank=True)
    record = models.CharField(_("public game records"), max_length=3, choices=REPLY_CHOICES, blank=True)
    analysis = models.CharField(_("public analyses"), max_length=3, choices=REPLY_CHOICES, blank=True)
    hall = models.BooleanField(_("name shown in the hall"), null=True, blank=True)
    extra = models.JSONField(_("custom fields"), default=dict, blank=True)
    undo = models.JSONField(default=dict, blank=True, editable=False)

    class Meta:
        verbose_name = _("detail of an entry")
        verbose_name_plural = _("details of entries")
        ordering = ["id"]
        constraints = [models.UniqueConstraint(fields=["entry", "player"], name="entrydetail_once")]

    def __str__(self) -> str:
        return f"{self.player} · {self.note}"
