"""Former lineups: who played for an entry before another player took over."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from people.models import Player
from people.models.naming import Named
from tournaments.models.entry import Entry, EntryNameField, place_number_sql


class LineupNameField(EntryNameField):
    """The name of a former lineup, composed in the same way as the name of an entry.

    A player without a public name gets the number of the place that they had in the entry.
    """

    players, owner = "tournaments_formerplayer", "lineup_id"

    def number_sql(self, table: str) -> str:
        number_query = (
            f"SELECT {place_number_sql('numbered')} FROM tournaments_entryplayer numbered"  # noqa: S608 (names of columns alone)
            f" WHERE numbered.entry_id = {table}entry_id AND numbered.position = named_row.position"
        )
        return f"COALESCE(({number_query}), '')"


class FormerLineup(Named):
    """The players of an entry before another player took over, with the name that the entry had.

    Matches that were over by then refer to it (``MatchSlot.former``). An entry whose players never changed
    has none.
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
    """A player of a former lineup, with the ``position`` that the player had in the entry."""

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
