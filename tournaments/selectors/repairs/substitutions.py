"""Preview of the substitution of a player: a correction of who played, or another player taking over."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from people.models import Player
from rating.selectors import effective_source_keys, rated_players
from rating.store.reading import merged_players
from tournaments.engine.statuses import DRAW_PUBLIC, OVER
from tournaments.engine.types import MatchNo, Side
from tournaments.models import Entry, EntryPlayer, FormerPlayer, Match, MatchSlot, Report, Stage
from tournaments.selectors.matches.ledger import ledger_key
from tournaments.selectors.repairs.corrections import preview_version
from tournaments.selectors.seats import player_ids_by_seat, slots_of_players


@dataclass(frozen=True, slots=True)
class Renaming:
    """An entry of one of the two players, with its name ``before`` and ``after`` the substitution.

    ``rows``: its players among the two.
    """

    entry: Entry
    before: str
    after: str
    rows: tuple[EntryPlayer, ...]


@dataclass(frozen=True, slots=True)
class Substitution:
    """Player ``right`` in place of ``replaced_player`` in a whole division; if both play in it, they are exchanged.

    ``former_players``: former lineups with one of the two, corrected as well unless ``right`` takes over from now on;
    ``rated``: rated matches that one of them played; ``names``: each of the two names to the other.
    """

    replaced_player: Player
    right: Player | None
    renamings: tuple[Renaming, ...]
    former_players: tuple[FormerPlayer, ...]
    rated: tuple[Match, ...]
    version: str
    names: Mapping[str, str]
    is_exchange: bool

    def other(self, player_id: int, right: Player) -> Player:
        """Return the player who replaces ``player_id``; ``right`` is given because it may be a new player."""
        return right if player_id == self.replaced_player.pk else self.replaced_player

    def lineup_name(self, name: str, rows: Sequence[FormerPlayer]) -> str:
        """Return the ``name`` of a former lineup with the players exchanged; ``rows``: its players."""
        return rename_players(name, [row.player for row in rows], self.names)


def build_substitution(entry: Entry, wrong: Player, right: Player | None, new_name: str = "") -> Substitution:
    """Return what changes if ``right`` replaces ``wrong`` in the division of ``entry``.

    ``right`` None: a new player named ``new_name``. Covers all entries of both players in the division, also
    re-entries.
    """
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
    renamings = tuple(
        Renaming(
            entry_rows[0].entry,
            entry_rows[0].entry.name,
            rename_players(entry_rows[0].entry.name, [row.player for row in entry_rows], names),
            tuple(entry_rows),
        )
        for entry_rows in by_entry.values()
    )
    is_exchange = right is not None and any(row.player_id == right.pk for row in rows)
    players = ids if is_exchange else [wrong.pk]
    former = FormerPlayer.objects.filter(lineup__entry__division=entry.division_id, player__in=players)
    matches = rated_matches(entry.division_id, players)
    parts = [repr([(renaming.entry.pk, renaming.before, renaming.after) for renaming in renamings])]
    parts += [f"{match.pk} {match.version}" for match in matches]
    former_rows = former.select_related("lineup__entry", "player").order_by("lineup_id", "position")
    return Substitution(
        wrong,
        right,
        renamings,
        tuple(former_rows),
        tuple(matches),
        preview_version(*parts),
        names,
        is_exchange,
    )


def rated_matches(division_id: int, players: Iterable[int]) -> list[Match]:
    """Return a division's rated matches (in the rating ledger) that one of ``players`` (ids) played."""
    matches = Match.objects.filter(
        stage__division=division_id,
        stage__status__in=DRAW_PUBLIC,
        pk__in=slots_of_players(players).values("match"),
    )
    confirmed_reports = list(
        Report.objects.filter(state=Report.State.CONFIRMED, match__in=matches)
        .select_related("match__round", "match__stage")
        .order_by("match_id")
    )
    effective_keys = effective_source_keys(ledger_key(report.match, report) for report in confirmed_reports)
    return [
        report.match for report in confirmed_reports if ledger_key(report.match, report) in effective_keys
    ]


def misrated_matches(stage: Stage, entries: Collection[int]) -> list[MatchNo]:
    """Return the numbers of matches of ``entries`` (ids) that are rated for players who did not play them."""
    rows = Report.objects.filter(
        state=Report.State.CONFIRMED, match__stage=stage, match__slots__entry__in=entries
    ).select_related("match")
    match_by_key = {ledger_key(report.match, report): report.match for report in rows}
    seats, merged_into = player_ids_by_seat([match.pk for match in match_by_key.values()]), merged_players()
    misrated = []
    for key, pair in rated_players(match_by_key).items():
        match = match_by_key[key]
        winner = Side(match.winner_side)
        seated = (seats.get((match.pk, winner)), seats.get((match.pk, winner.other)))
        if seated != tuple((merged_into.get(player, player),) for player in pair):
            misrated.append(MatchNo(match.number))
    return sorted(misrated)


def slots_to_freeze(entries: Iterable[Entry]) -> list[MatchSlot]:
    """Return the sides of finished matches of ``entries`` that do not name a former lineup yet.

    They have to, before another player takes over: the new player did not play them.
    """
    rows = MatchSlot.objects.filter(
        entry__in=list(entries), former=None, match__status__in=OVER, match__stage__status__in=DRAW_PUBLIC
    )
    return list(rows.select_related("match", "entry").order_by("pk"))


def published_stages(entry: Entry) -> list[Stage]:
    """Return the published stages of the entry's division in order, without money play."""
    rows = Stage.objects.filter(division_id=entry.division_id, status__in=DRAW_PUBLIC)
    return list(rows.exclude(system=Stage.System.MONEY).order_by("position"))


def rename_players(name: str, players: Iterable[Player], names: Mapping[str, str]) -> str:
    """Return an entry's name with its players' names replaced; a team name without player names stays.

    ``names``: old name to new name.
    """
    for player in players:
        name = name.replace(player.name, names.get(player.name, player.name), 1)
    return name[:160]
