"""Who sat in matches of an entry before another player took over from then on."""

from typing import Any

from django.db import models
from django.utils.translation import gettext_lazy as _

from people.audience import HIDDEN
from people.models import Player
from people.models.naming import Named, NameField
from tournaments.models.entry import Entry


class LineupNameField(NameField):
    """The name of a former lineup, as that of an entry: made of what its players show if one of them shows another name than theirs.

    A player without a name has the number of the place that they had in the entry.
    """

    def sql_for(self, table: str, column: str, connection: Any) -> str:
        of_lineup = (
            "FROM tournaments_formerplayer named_row INNER JOIN people_player named"
            f" ON named.id = named_row.player_id WHERE named_row.lineup_id = {table}id"
        )
        number = (
            "CAST(1 + numbered.id - (SELECT MIN(counted.id) FROM tournaments_entryplayer counted"
            " WHERE counted.division_id = numbered.division_id) AS VARCHAR(12))"
        )
        place = (
            f"SELECT {number} FROM tournaments_entryplayer numbered"  # noqa: S608 (names of columns alone)
            f" WHERE numbered.entry_id = {table}entry_id AND numbered.position = named_row.position"
        )
        one = (
            f"CASE WHEN named.{column} = '{HIDDEN}' THEN named.{column} || COALESCE(({place}), '')"
            f" WHEN named.{column} <> '' THEN named.{column} ELSE named.name END"
        )
        if connection.vendor == "postgresql":
            together = f"SELECT STRING_AGG({one}, ' & ' ORDER BY named_row.position) {of_lineup}"
        else:
            rows = f"SELECT {one} AS one {of_lineup} ORDER BY named_row.position"
            together = f"SELECT GROUP_CONCAT(one, ' & ') FROM ({rows})"  # noqa: S608 (names of columns alone)
        private = f"EXISTS (SELECT 1 {of_lineup} AND named.{column} <> '')"
        return f"CASE WHEN {private} THEN ({together}) ELSE {table}{self.column} END"


class FormerLineup(Named):
    """The players of an entry before a player was replaced “from now on”, with the name that the entry had.

    Matches that were over then point at it (`MatchSlot.former`). An entry that never changed hands has none.
    """

    entry = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="former_lineups")
    name = LineupNameField(_("name"), max_length=160)

    class Meta:
        verbose_name = _("former lineup")
        verbose_name_plural = _("former lineups")
        ordering = ["id"]

    def __str__(self) -> str:
        return self.name


class FormerPlayer(models.Model):
    """A player of a former lineup; ``position`` as in the entry."""

    lineup = models.ForeignKey(FormerLineup, on_delete=models.CASCADE, related_name="former_players")
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="former_players")
    position = models.PositiveSmallIntegerField(default=1)

    class Meta:
        verbose_name = _("former player of an entry")
        verbose_name_plural = _("former players of entries")
        ordering = ["position", "id"]
        constraints = [
            models.UniqueConstraint(fields=["lineup", "position"], name="formerplayer_position_once"),
            models.UniqueConstraint(fields=["lineup", "player"], name="formerplayer_player_once"),
        ]

    def __str__(self) -> str:
        return str(self.player)
