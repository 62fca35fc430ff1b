"""What changes when an entry turns out to be somebody else: entries and their names, and the results that were rated."""

from dataclasses import dataclass

from people.models import Player
from rating.selectors import standing_keys
from tournaments.engine.statuses import DRAW_SHOWN
from tournaments.models import Entry, EntryPlayer, Match, Report, Stage
from tournaments.selectors.matches.ledger import ledger_key
from tournaments.selectors.repairs.corrections import version_of


@dataclass(frozen=True, slots=True)
class Renaming:
    """An entry of one of the two players. ``after``: its name then."""

    entry: Entry
    before: str
    after: str
    rows: tuple[EntryPlayer, ...]


@dataclass(frozen=True, slots=True)
class Substitution:
    """``right`` in the place of ``wrong`` in the whole division; if both stand in it they change places."""

    wrong: Player
    right: Player | None
    renamed: tuple[Renaming, ...]
    rated: tuple[Match, ...]
    version: str

    @property
    def exchange(self) -> bool:
        return self.right is not None and any(
            row.player_id == self.right.pk for r in self.renamed for row in r.rows
        )


def substitution_of(entry: Entry, wrong: Player, right: Player | None, new_name: str = "") -> Substitution:
    """What changes. ``right`` None: a new player of this name. All entries of both in the division go along (buy-backs too)."""
    ids = [wrong.pk] + ([right.pk] if right is not None else [])
    rows = list(
        EntryPlayer.objects.filter(division_id=entry.division_id, player__in=ids)
        .select_related("entry", "player")
        .order_by("entry_id", "position")
    )
    by_entry: dict[int, list[EntryPlayer]] = {}
    for row in rows:
        by_entry.setdefault(row.entry_id, []).append(row)
    right_name = right.name if right is not None else new_name
    names = {wrong.name: right_name, right_name: wrong.name}
    renamed = tuple(
        Renaming(
            found[0].entry, found[0].entry.name, _renamed(found[0].entry.name, found, names), tuple(found)
        )
        for found in by_entry.values()
    )
    matches = rated_matches([one.entry for one in renamed])
    parts = [repr([(one.entry.pk, one.before, one.after) for one in renamed])]
    parts += [f"{match.pk} {match.version}" for match in matches]
    return Substitution(wrong, right, renamed, tuple(matches), version_of(*parts))


def rated_matches(entries: list[Entry]) -> list[Match]:
    """Matches of these entries whose results stand in the ledger."""
    finals = list(
        Report.objects.filter(
            state=Report.State.CONFIRMED, match__slots__entry__in=entries, match__stage__status__in=DRAW_SHOWN
        )
        .select_related("match__round", "match__stage")
        .order_by("match_id")
        .distinct()
    )
    standing = standing_keys(ledger_key(report.match, report) for report in finals)
    return [report.match for report in finals if ledger_key(report.match, report) in standing]


def shown_stages(entry: Entry) -> list[Stage]:
    """Stages of the entry's division that are under way or over."""
    rows = Stage.objects.filter(division_id=entry.division_id, status__in=DRAW_SHOWN)
    return list(rows.exclude(system=Stage.System.MONEY).order_by("position"))


def _renamed(name: str, rows: list[EntryPlayer], names: dict[str, str]) -> str:
    """The entry's name with its players' names exchanged; a team's own name that names nobody stays."""
    for row in rows:
        name = name.replace(row.player.name, names.get(row.player.name, row.player.name), 1)
    return name[:160]
