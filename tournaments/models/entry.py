"""Entries of a division: one player, or two or three who play as a team."""

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
    """Return SQL for the position of a row among the players of its division, from 1; ``row``: its alias."""
    return (
        f"CAST(1 + {row}.id - (SELECT MIN(counted.id) FROM tournaments_entryplayer counted"  # noqa: S608 (names of columns alone)
        f" WHERE counted.division_id = {row}.division_id) AS VARCHAR(12))"
    )


class EntryNameField(NameField):
    """The name of an entry, composed of its players' public names if one of them does not show the full name.

    A player without a public name is shown with a number: the position among the players of the division.
    """

    players, owner = (
        "tournaments_entryplayer",
        "entry_id",
    )  # the rows of its players, and their column with its id

    def number_sql(self, table: str) -> str:  # noqa: ARG002 (lineups need it)
        """Return SQL for the number of a player without a public name.

        ``named_row`` is the alias of their row.
        """
        return place_number_sql("named_row")

    def sql_for(self, table: str, column: str, connection: Any) -> str:
        from_clause = (
            f"FROM {self.players} named_row INNER JOIN people_player named"
            f" ON named.id = named_row.player_id WHERE named_row.{self.owner} = {table}id"
        )
        name_sql = (
            f"CASE WHEN named.{column} = '{HIDDEN_MARKER}' THEN named.{column} || {self.number_sql(table)}"
            f" WHEN named.{column} <> '' THEN named.{column} ELSE named.name END"
        )
        if connection.vendor == "postgresql":
            names_sql = f"SELECT STRING_AGG({name_sql}, ' & ' ORDER BY named_row.position) {from_clause}"
        else:
            rows = f"SELECT {name_sql} AS one {from_clause} ORDER BY named_row.position"
            names_sql = f"SELECT GROUP_CONCAT(one, ' & ') FROM ({rows})"  # noqa: S608 (names of columns alone)
        has_private_sql = f"EXISTS (SELECT 1 {from_clause} AND named.{column} <> '')"
        return f"CASE WHEN {has_private_sql} THEN ({names_sql}) ELSE {table}{self.column} END"


class Entry(Named):
    """An entry of a division: a player, or several as a team.

    ``link_version`` is part of the personal link's signature: raising it revokes the link. ``queue_number``
    orders the waiting list; with equal numbers the earlier entry is ahead. An entry that goes to the end of
    the list gets one more than all others on it. ``party`` marks a travel group: entries with the same mark
    are kept apart in early rounds. ``again_of`` is the previous entry of the same players, for a re-entry.
    ``changed_hands``: another player took over, and earlier matches refer to former lineups.
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
    """A player of an entry. ``division`` repeats the entry's, so that the database rejects duplicate entries.

    ``attempt`` is 1 for the first entry of a player in a division, 2 after the first re-entry, and so on.
    ``is_new``: the player was created with the entry, which is still to be approved; both are deleted if the
    entry is declined.
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
        # Numbers of players without a name count from the first place of the division.
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
    """What an imported list states about a player of an entry.

    For directors of the club only, never public or in the API. It belongs to the player on the list, so it is
    not passed on when another player takes over. Erasing a player erases it. The consents (``photo`` to
    ``hall``) are shown to viewers of the club, too. ``extra``: values of custom fields, keyed by the field's
    id as text, equal in all entries that the player had when they were written. ``undo``: previous values of
    ``note`` and ``extra`` before the last saves of the players table, keyed by the key of the save.
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
