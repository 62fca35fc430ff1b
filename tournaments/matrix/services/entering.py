"""Entering players by the players table: to a place, to the waiting list, or at random into a draw."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from faults import CrawfordError, Invalid
from names.folding import search_key
from names.public_page import PublicPage
from people.actors import Actor
from people.selectors import players_by_key
from tournaments.engine.new_entry import NewEntry, WhenFull
from tournaments.engine.statuses import EntryStatus
from tournaments.engine.trail.matrix import PreviousPayment
from tournaments.entries.services.entries import add_to_division
from tournaments.models import Division, Entry, EntryPlayer, Event
from tournaments.repairs.services.late_entry import add_late_entry_locked
from tournaments.selectors.matrix import DivisionColumn, PlayersTable


@dataclass(frozen=True, slots=True)
class Newcomer:
    """A person without a row in the table: by database id, by exactly this ``name``, or a new player.

    ``divisions``: ids of the divisions to enter; ``is_checked_in``, ``paid``: the ticks; ``field``: name in
    the form.
    """

    name: str = ""
    player_id: int | None = None
    divisions: tuple[int, ...] = ()
    is_checked_in: bool = False
    paid: bool = False
    field: str = "name"
    public_page: PublicPage = PublicPage.WITH_DRAW


@dataclass(slots=True)
class SaveResult:
    """What a save has changed, by ids of entries (``late``, ``check_in_audit_ids``: of audit log entries).

    ``moved``: number of changed cells; ``waits``: names put on a waiting list; ``replaced_players``: the
    known player who replaced each player created by the registration link, keyed by id; ``when_full``: what
    to do with entries ahead of a waiting list, or in a draw beyond its places; ``new_when_full``: what to do
    with entries in a full division that is open.
    """

    moved: int = 0
    when_full: WhenFull = WhenFull.ASK
    new_when_full: WhenFull = WhenFull.ASK
    entered: list[int] = field(default_factory=list)
    left: list[int] = field(default_factory=list)
    back: list[int] = field(default_factory=list)
    check_in_audit_ids: list[int] = field(default_factory=list)
    late: list[int] = field(default_factory=list)
    paid: list[PreviousPayment] = field(default_factory=list)
    waits: list[str] = field(default_factory=list)
    replaced_players: dict[int, int] = field(default_factory=dict)
    audit_id: int | None = None


def enter_entries(
    actor: Actor, event: Event, column: DivisionColumn, new_entries: Sequence[NewEntry], result: SaveResult
) -> list[Entry]:
    """Enter new entries into a division, if it is full as ``result`` says; return them.

    If the division takes no entries any more, they become late entries at random places of the draw. Adds
    them to ``result``.
    """
    if not new_entries:
        return []
    if not column.open:
        entries = []
        for new_entry in new_entries:
            entry, row = add_late_entry_locked(
                actor, event, column.stage.pk, new_entry, when_full=result.when_full
            )
            if row is not None:
                result.late.append(row.pk)
            entries.append(entry)
        return entries
    division = Division.objects.get(pk=column.division.pk)
    division.event = event
    entries = add_to_division(
        actor, event, division, new_entries, when_full=chosen_when_full(division, result.new_when_full)
    )
    result.waits += [entry.name for entry in entries if entry.status == EntryStatus.WAITING]
    result.entered += [entry.pk for entry in entries]
    return entries


def chosen_when_full(division: Division, when_full: WhenFull) -> WhenFull:
    """Return what a new entry causes in a full division: what was chosen, or by default the waiting list.

    The default is ``ASK`` for a division that starts when full, because directors have no waiting list there.
    """
    if when_full is not WhenFull.ASK or division.starts_when_full:
        return when_full
    return WhenFull.WAIT


def enter_newcomers(
    actor: Actor,
    event: Event,
    table: PlayersTable,
    newcomers: Sequence[Newcomer],
    result: SaveResult,
    overrule: str,
) -> dict[int, Newcomer]:
    """Enter people without a row in the table; return them keyed by player id."""
    columns = {column.division.pk: column for column in table.columns}
    newcomer_by_player: dict[int, Newcomer] = {}
    for newcomer in newcomers:
        player = newcomer.player_id if newcomer.player_id is not None else _known_player(event, newcomer)
        if not newcomer.divisions:
            raise Invalid("matrix.no_division", field=newcomer.field, name=newcomer.name)
        for division_id in newcomer.divisions:
            column = columns.get(division_id)
            if column is None or column.division.team_size > 1 or not (column.open or column.lines):
                raise Invalid(
                    "matrix.locked",
                    field=newcomer.field,
                    name=newcomer.name,
                    division=str(column.division) if column is not None else "",
                )
            try:
                new_entries = [
                    NewEntry(newcomer.name, player, public_page=newcomer.public_page, overrule=overrule)
                ]
                entries = enter_entries(actor, event, column, new_entries, result)
            except CrawfordError as error:
                if isinstance(error, Invalid):
                    raise Invalid(faults=[fault.at(newcomer.field) for fault in error.faults]) from error
                raise
            player = EntryPlayer.objects.get(entry=entries[0], position=1).player_id
        if player is not None:
            newcomer_by_player[player] = newcomer
    return newcomer_by_player


def _known_player(event: Event, newcomer: Newcomer) -> int | None:
    """Return the id of the club's player with this name; None if there is none.

    Raises ``Invalid`` if several have it.
    """
    key = search_key(newcomer.name)
    players = players_by_key(club=event.club, keys=[key])[key] if key else []
    if len(players) > 1:
        raise Invalid("matrix.name_unclear", field=newcomer.field, name=newcomer.name)
    return players[0].pk if players else None
