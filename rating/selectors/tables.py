"""Reading of table imports: those of a club, a single one, and what its check found."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from faults import Fault, Missing
from rating.models import TableImport
from rating.models.imports import OPEN_STEPS


def open_table_import(club_id: int) -> TableImport | None:
    """Return the club's unfinished import, or None."""
    return TableImport.objects.filter(club=club_id, state__in=OPEN_STEPS).first()


def club_imports(club_id: int) -> list[TableImport]:
    """Return at most 100 imports of a club, newest first; each is deleted a week after its end."""
    return list(TableImport.objects.filter(club=club_id)[:100])


def table_import(public_id: str, *, club_id: int | None = None) -> TableImport:
    """Return the import with this public id, with its club and list loaded. Raises ``Missing``.

    ``club_id``: if given, the import must belong to this club.
    """
    imports = TableImport.objects.select_related("club", "rating_list").filter(public_id=public_id)
    if club_id is not None:
        imports = imports.filter(club=club_id)
    job = imports.first()
    if job is None:
        raise Missing("rating.import_unknown")
    return job


@dataclass(frozen=True, slots=True)
class TableReport:
    """What was found in a table: the first 200 errors, notes and names, and the numbers of all.

    ``weights``: (event weight, division rank, number of rows); ``unknown``: (name, number of lines);
    ``readable``: False if the file could not be read as a table.
    """

    rows: int
    new: int
    known: int
    taken_back: int
    filled: int
    places: int
    openings: int
    faults: list[Fault]
    fault_count: int
    notes: list[Fault]
    note_count: int
    players: list[str]
    player_count: int
    matches: "list[NameMatch]"
    unknown: list[tuple[str, int]]
    unknown_count: int
    weights: list[tuple[float, int, int]]  # of an event, rank of a division, rows
    readable: bool

    @property
    def anything(self) -> bool:
        """Return whether the table has rows to be imported, without those that were removed before."""
        return bool(self.new or self.filled)


@dataclass(frozen=True, slots=True)
class NameMatch:
    """A name in a table that may mean several players, to be confirmed by a director.

    ``own``: True if several players of the club have the name. ``candidates``: (player's public id, home
    club).
    """

    name: str
    own: bool
    candidates: list[tuple[str, str]]


def import_report(job: TableImport) -> TableReport | None:
    """Return what the last worker found in the table, or None before that."""
    report: Mapping[str, Any] = job.report
    if not report:
        return None
    get_value = report.get
    return TableReport(
        rows=get_value("rows", 0),
        new=get_value("new", 0),
        known=get_value("known", 0),
        taken_back=get_value("taken_back", 0),
        filled=get_value("filled", 0),
        places=get_value("places", 0),
        openings=get_value("openings", 0),
        faults=[_fault_from_json(fault) for fault in report["faults"]],
        fault_count=report["fault_count"],
        notes=[_fault_from_json(note) for note in get_value("notes", [])],
        note_count=get_value("note_count", 0),
        players=list(get_value("players", [])),
        player_count=get_value("player_count", 0),
        matches=[
            NameMatch(match["name"], match["own"], [(player, club) for player, club in match["candidates"]])
            for match in get_value("matches", [])
        ],
        unknown=[(name, lines) for name, lines in get_value("unknown", [])],
        unknown_count=get_value("unknown_count", 0),
        weights=[(event, rank, rows) for event, rank, rows in get_value("weights", [])],
        readable="rows" in report,
    )


def _fault_from_json(fault_fields: Mapping[str, Any]) -> Fault:
    return Fault(fault_fields["code"], fault_fields["field"], dict(fault_fields["params"]))
