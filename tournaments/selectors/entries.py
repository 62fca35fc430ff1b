"""Who takes part: the entries of divisions with the players behind them. Two queries, any number."""

from collections.abc import Iterable
from dataclasses import dataclass

from people.models import Player
from tournaments.engine.lifecycle import EntryStatus
from tournaments.models import Entry, EntryPlayer


@dataclass(frozen=True, slots=True)
class PlayerRef:
    """A player as others may see them. Not ``listed``: by the name in the draw only, without a page."""

    pk: int
    public_id: str
    name: str
    country: str
    club: str
    listed: bool


@dataclass(frozen=True, slots=True)
class EntryRow:
    """An entry with its players. ``number`` counts the entries that take part, in the order in which they came.

    The blind draw depends on that order and the seed alone, so the number is what somebody needs to replay it.
    """

    pk: int
    public_id: str
    name: str
    seed: int | None
    number: int | None
    withdrawn: bool
    players: tuple[PlayerRef, ...]

    @property
    def page_of(self) -> str:
        """Public id of the player page that the entry's name may link to: of a single, listed player."""
        return self.players[0].public_id if len(self.players) == 1 and self.players[0].listed else ""

    @property
    def note(self) -> str:
        """Country and home club of a single, listed player."""
        if not self.page_of:
            return ""
        return " · ".join(part for part in (self.players[0].country, self.players[0].club) if part)


def entries_of(divisions: Iterable[int]) -> dict[int, list[EntryRow]]:
    """Entries by division id, in the order in which they came; withdrawn ones among them."""
    wanted = list(divisions)
    players: dict[int, list[PlayerRef]] = {}
    rows = EntryPlayer.objects.filter(division__in=wanted).select_related("player__home_club")
    for row in rows.order_by("entry_id", "position"):
        players.setdefault(row.entry_id, []).append(player_ref(row.player))
    found: dict[int, list[EntryRow]] = {pk: [] for pk in wanted}
    counted = dict.fromkeys(wanted, 0)
    for entry in Entry.objects.filter(division__in=wanted).order_by("pk"):
        withdrawn = entry.status == EntryStatus.WITHDRAWN
        if not withdrawn:
            counted[entry.division_id] += 1
        found[entry.division_id].append(
            EntryRow(
                pk=entry.pk,
                public_id=entry.public_id,
                name=entry.name,
                seed=entry.seed,
                number=None if withdrawn else counted[entry.division_id],
                withdrawn=withdrawn,
                players=tuple(players.get(entry.pk, ())),
            )
        )
    return found


def player_ref(player: Player) -> PlayerRef:
    """``player`` (``home_club`` fetched with it) as others may see them."""
    return PlayerRef(
        pk=player.pk,
        public_id=player.public_id,
        name=player.name,
        country=player.country,
        club=player.home_club.name if player.home_club is not None else "",
        listed=player.listed and player.merged_into_id is None,
    )
