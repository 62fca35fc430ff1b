"""What the form of the matrix says: each row with what stood in it, the ticks that were sent, and who is new."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

from django.http import QueryDict

from faults import Invalid, Unreadable
from people.ids import row_number
from people.models import Club
from people.selectors import player_for_club
from tournaments.engine.matrix import HERE, NOTE, OWN, PAID, TICKED, Asked, Cell, CellState, Change, Mark
from tournaments.matrix.services.entering import Newcomer
from tournaments.selectors.matrix import Person

MOST_ROWS: Final = 1024
NAME_LIMIT: Final = 160
NOTE_LIMIT: Final = 500
_LONGEST: Final = 2000  # letters of what a row says of itself


@dataclass(frozen=True, slots=True)
class Ticks:
    """What was ticked and typed, as the page shows it again after a refusal."""

    sent: frozenset[str] = frozenset()  # rows that were in the form
    divisions: frozenset[Cell] = frozenset()
    let: frozenset[Cell] = frozenset()
    here: frozenset[str] = frozenset()
    paid: frozenset[str] = frozenset()
    notes: dict[str, str] = field(default_factory=dict)
    own: dict[Cell, str] = field(default_factory=dict)


def row_of(person: Person, columns: Iterable[int], *, only_here: bool) -> str:
    """What a row says of itself: whose it is, and what stands in those of its cells that can be changed."""
    cells = () if only_here else tuple(f"{pk}={person.stands[pk].state}" for pk in columns)
    paid = Mark.NONE if only_here else person.paid
    return ":".join((person.public_id, person.here, paid, *cells))


def ticks_in(sent: QueryDict, columns: Sequence[int]) -> Ticks:
    """The ticks of the form, without what stood there before; ``columns``: ids of those of the event's own."""
    rows = sent.getlist("row")[:MOST_ROWS]
    players = frozenset(row[:_LONGEST].split(":")[0] for row in rows)
    notes = {
        name: " ".join(sent.get(f"note:{name}", "").replace("\0", "").split())[:NOTE_LIMIT]
        for name in players
        if f"note:{name}" in sent
    }
    return Ticks(
        players,
        _cells(sent.getlist("in")),
        _cells(sent.getlist("let")),
        frozenset(sent.getlist("here")),
        frozenset(sent.getlist("paid")),
        notes,
        {
            Cell(name, f"{OWN}{column}"): _line(sent, f"own:{column}:{name}")
            for name in players
            for column in columns
            if f"own-was:{column}:{name}" in sent
        },
    )


def changes_in(sent: QueryDict, ticks: Ticks) -> list[Change]:
    """What the ticks change, each with what stood there when the page was made."""
    found: list[Change] = []
    for row in sent.getlist("row")[:MOST_ROWS]:
        name, here, paid, *cells = _parts(row)
        for column, state in (_division(one) for one in cells):
            cell = Cell(name, column)
            if cell in ticks.let:
                found.append(Change(cell, state, Asked.PLACE))
            elif (cell in ticks.divisions) is not (state in TICKED):
                found.append(Change(cell, state, Asked.IN if cell in ticks.divisions else Asked.OUT))
        found += _mark(Cell(name, HERE), here, name in ticks.here)
        found += _mark(Cell(name, PAID), paid, name in ticks.paid)
        was = " ".join(sent.get(f"was:{name}", "").replace("\0", "").split())[:NOTE_LIMIT]
        if ticks.notes.get(name, was) != was:
            found.append(Change(Cell(name, NOTE), was, ticks.notes[name]))
    for cell, text in ticks.own.items():
        was = _line(sent, f"own-was:{cell.column.removeprefix(OWN)}:{cell.player}")
        if text != was:
            found.append(Change(cell, was, text))
    return found


def newcomers_in(sent: QueryDict, club: Club) -> list[Newcomer]:
    """Whoever was typed into the last row; nobody where it is empty."""
    name = " ".join(sent.get("name", "").replace("\0", "").split())[:NAME_LIMIT]
    divisions = tuple(number for one in sent.getlist("new") if (number := row_number(one)))
    here, paid = "new-here" in sent, "new-paid" in sent
    if not name:
        if divisions:
            raise Invalid("matrix.name_lacking", field="name")
        return []
    chosen = sent.get("player", "").replace("\0", "")
    player = player_for_club(club, chosen) if chosen else None
    return [Newcomer(name, player.pk if player is not None else None, divisions, here, paid)]


def _line(sent: QueryDict, name: str) -> str:
    return " ".join(sent.get(name, "").replace("\0", "").split())[:NOTE_LIMIT]


def _mark(cell: Cell, seen: str, ticked: bool) -> list[Change]:
    """A tick that stands for some of a person's entries shows none: without one they stay as they are."""
    if seen == Mark.NONE or ticked is (seen == Mark.YES):
        return []
    return [Change(cell, seen, Mark.YES if ticked else Mark.NO)]


def _parts(row: str) -> list[str]:
    parts = row.split(":")
    if len(row) > _LONGEST or len(parts) < 3 or not set(parts[1:3]) <= set(Mark):
        raise Unreadable("matrix.unreadable")
    return parts


def _division(text: str) -> tuple[str, CellState]:
    column, _, state = text.partition("=")
    if not row_number(column) or state not in set(CellState):
        raise Unreadable("matrix.unreadable")
    return column, CellState(state)


def _cells(given: Iterable[str]) -> frozenset[Cell]:
    return frozenset(Cell(*one.split(":")) for one in given if one.count(":") == 1)
