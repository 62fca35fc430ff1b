"""Entering players by the players table: to a place, the waiting list, or at random into a draw."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from faults import CrawfordError, Invalid
from names.folding import search_key
from people.actors import Actor
from people.selectors import players_by_key
from tournaments.engine.new_entry import NewEntry, PublicPage, WhenFull
from tournaments.engine.statuses import EntryStatus
from tournaments.engine.trail.matrix import PreviousPayment
from tournaments.entries.services.entries import add_to_division
from tournaments.models import Division, Entry, EntryPlayer, Event
from tournaments.repairs.services.late_entry import add_late_entry_locked
from tournaments.selectors.matrix import DivisionColumn, PlayersTable


@dataclass(frozen=True, slots=True)
class Newcomer:
    """A person without a row: by database id, by exactly this ``name``, or a new player.

    ``divisions``: ids of those to enter; ``field``: name in the form.
    """

    name: str = ""
    player_id: int | None = None
    divisions: tuple[int, ...] = ()
    here: bool = False
    paid: bool = False
    field: str = "name"
    public_page: PublicPage = PublicPage.WITH_DRAW


@dataclass(slots=True)
class SaveResult:
    """Result of a save, by ids.

    ``moved``: number of changed cells; ``waits``: names put on a waiting list; ``replaced_players``: players
    created by the registration link, with the known players who replaced them; ``when_full``: what to do with
    entries ahead of a waiting list, or in a draw beyond its places.
    """

    moved: int = 0
    when_full: WhenFull = WhenFull.ASK
    entered: list[int] = field(default_factory=list)
    left: list[int] = field(default_factory=list)
    back: list[int] = field(default_factory=list)
    marks: list[int] = field(default_factory=list)
    late: list[int] = field(default_factory=list)
    paid: list[PreviousPayment] = field(default_factory=list)
    waits: list[str] = field(default_factory=list)
    replaced_players: dict[int, int] = field(default_factory=dict)
    audit_id: int | None = None


def enter_entries(
    actor: Actor, event: Event, column: DivisionColumn, wanted: Sequence[NewEntry], saved: SaveResult
) -> list[Entry]:
    """Enter into an open division, then its waiting list when full; or at random into a draw."""
    if not wanted:
        return []
    if not column.open:
        made = []
        for one in wanted:
            entry, row = add_late_entry_locked(actor, event, column.stage.pk, one, when_full=saved.when_full)
            if row is not None:
                saved.late.append(row.pk)
            made.append(entry)
        return made
    division = Division.objects.get(pk=column.division.pk)
    division.event = event
    made = add_to_division(actor, event, division, wanted, when_full=default_when_full(division))
    saved.waits += [entry.name for entry in made if entry.status == EntryStatus.WAITING]
    saved.entered += [entry.pk for entry in made]
    return made


def default_when_full(division: Division) -> WhenFull:
    """Return the default for a full division.

    The waiting list; but ask if the division starts when full, because then directors have no waiting list.
    """
    return WhenFull.ASK if division.starts_when_full else WhenFull.WAIT


def enter_newcomers(
    actor: Actor,
    event: Event,
    matrix: PlayersTable,
    new: Sequence[Newcomer],
    saved: SaveResult,
    overrule: str,
) -> dict[int, Newcomer]:
    """Enter people without a row, and return them by player id."""
    columns = {column.division.pk: column for column in matrix.columns}
    found: dict[int, Newcomer] = {}
    for one in new:
        player = one.player_id if one.player_id is not None else _known_player(event, one)
        if not one.divisions:
            raise Invalid("matrix.no_division", field=one.field, name=one.name)
        for number in one.divisions:
            column = columns.get(number)
            if column is None or column.division.team_size > 1 or not (column.open or column.lines):
                raise Invalid(
                    "matrix.locked",
                    field=one.field,
                    name=one.name,
                    division=str(column.division) if column is not None else "",
                )
            try:
                wanted = [NewEntry(one.name, player, public_page=one.public_page, overrule=overrule)]
                made = enter_entries(actor, event, column, wanted, saved)
            except CrawfordError as error:
                if isinstance(error, Invalid):
                    raise Invalid(faults=[fault.at(one.field) for fault in error.faults]) from error
                raise
            player = EntryPlayer.objects.get(entry=made[0], position=1).player_id
        if player is not None:
            found[player] = one
    return found


def _known_player(event: Event, one: Newcomer) -> int | None:
    """Return the id of the player of this name; None if there is none.

    Raises ``Invalid`` if several have it.
    """
    key = search_key(one.name)
    known = players_by_key(club=event.club, keys=[key])[key] if key else []
    if len(known) > 1:
        raise Invalid("matrix.name_unclear", field=one.field, name=one.name)
    return known[0].pk if known else None
