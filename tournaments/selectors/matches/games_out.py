"""Played matches with their game records and analyses, for export files."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Final

from django.db.models import F, QuerySet

from games.models import RecordAnalysis, StoredRecord
from games.rules.sides import Side as GameSide
from games.selectors import best_analyses, performance_ratings
from people.audience import Audience, override_audience
from people.models import Player, Restriction
from tournaments.engine.consents import Consent, Reply, combine_replies
from tournaments.engine.matches.result_kinds import RESULT_RULES
from tournaments.engine.statuses import MatchStatus
from tournaments.engine.types import Side
from tournaments.models import Entry, EntryPlayer, Event, Match, MatchSlot, Report
from tournaments.selectors.consents import replies_in_event
from tournaments.selectors.matches.records import is_public
from tournaments.selectors.seats import player_ids_by_seat, players_by_seat, side_name, slots_of_players

MAX_MATCHES: Final = 300  # matches of one file
_FILE_BATCH: Final = 50
_PLAYED_KINDS: Final = [kind.value for kind, rule in RESULT_RULES.items() if rule.played and rule.ends_match]


@dataclass(frozen=True, slots=True)
class ExportedMatch:
    """A match that was played to its end, for an export.

    ``own``: the reader's side; ``names``: displayed names; ``record``: id of the game record that counts,
    None without one or if it may not be exported; ``left``: the side in its left column;
    ``can_export_unchanged``: it may be exported unchanged, as all its names may be shown; ``ratings``:
    performance by side.
    """

    match: Match
    own: Side
    names: Mapping[Side, str]
    record: int | None = None
    left: Side | None = None
    can_export_unchanged: bool = False
    analysis: RecordAnalysis | None = None
    ratings: Mapping[Side, float] = field(default_factory=dict)


def exported_matches_of_entry(entry: Entry) -> list[ExportedMatch]:
    """Return the played matches of ``entry``, oldest first; at most the newest ``MAX_MATCHES``.

    For an entry of a single player: all matches of that player in the event.
    """
    players = list(EntryPlayer.objects.filter(entry=entry).values_list("player_id", flat=True)[:2])
    if len(players) == 1:
        return _games_of_player(
            Match.objects.filter(stage__division__event=entry.division.event_id), players[0]
        )
    slots = MatchSlot.objects.filter(entry=entry, former=None).order_by()
    return _load_games({pk: Side(side) for pk, side in slots.values_list("match_id", "side")})


def exported_matches_of_player(
    player: Player, first_day: date | None, last_day: date | None
) -> list[ExportedMatch]:
    """Return the played matches of ``player`` in events between these dates (None: no limit), oldest first.

    At most the newest ``MAX_MATCHES``. Events that an operator removed are left out.
    """
    matches = Match.objects.exclude(stage__division__event__shut=Restriction.REMOVED)
    matches = matches.exclude(stage__division__event__club__shut=Restriction.REMOVED)
    if first_day is not None:
        matches = matches.filter(stage__division__event__ends_on__gte=first_day)
    if last_day is not None:
        matches = matches.filter(stage__division__event__starts_on__lte=last_day)
    return _games_of_player(matches, player.pk)


def _games_of_player(matches: QuerySet[Match], player: int) -> list[ExportedMatch]:
    slots = slots_of_players([player]).filter(match__in=matches)
    return _load_games({pk: Side(side) for pk, side in slots.values_list("match_id", "side")})


def exported_matches_of_event(event: Event) -> list[ExportedMatch]:
    """Return all played matches of ``event``; game records and analyses only where these are public."""
    matches = Match.objects.filter(stage__division__event=event).values_list("pk", flat=True)
    rows = _load_games(dict.fromkeys(matches, Side.A), limit=None)
    replies = replies_in_event(event)
    players_by_match: dict[int, list[int]] = {}
    for (match, _side), players in player_ids_by_seat([row.match.pk for row in rows]).items():
        players_by_match.setdefault(match, []).extend(players)
    visibility = _record_visibility([row.match.pk for row in rows])

    def agreed(row: ExportedMatch, kind: Consent) -> Reply:
        player_ids = players_by_match.get(row.match.pk, [])
        return combine_replies(
            replies[player_id].replies[kind] if player_id in replies else Reply.ASK
            for player_id in player_ids
        )

    exported = []
    for row in rows:
        is_record_public = row.record is not None and is_public(
            visibility.get((row.match.pk, row.record)), agreed(row, Consent.RECORD)
        )
        if is_record_public and agreed(row, Consent.ANALYSIS) is Reply.YES:
            exported.append(row)
        else:
            record = row.record if is_record_public else None
            exported.append(
                ExportedMatch(row.match, row.own, row.names, record, row.left, row.can_export_unchanged)
            )
    return exported


def iter_with_files(rows: Sequence[ExportedMatch]) -> Iterator[tuple[ExportedMatch, StoredRecord | None]]:
    """Yield each match with its record file or None, read in batches to limit queries and memory."""
    for start in range(0, len(rows), _FILE_BATCH):
        batch = rows[start : start + _FILE_BATCH]
        files = StoredRecord.objects.in_bulk([row.record for row in batch if row.record is not None])
        yield from ((row, files.get(row.record) if row.record is not None else None) for row in batch)


def _load_games(sides: Mapping[int, Side], *, limit: int | None = MAX_MATCHES) -> list[ExportedMatch]:
    """Load the played matches among these with all related rows; ten queries, whatever their number.

    ``sides``: match id to the reader's side; ``limit``: only the newest ones.
    """
    matches = Match.objects.filter(pk__in=sides)
    played_matches = matches.filter(status=MatchStatus.CONFIRMED, result_kind__in=_PLAYED_KINDS)
    played_matches = played_matches.select_related("round", "stage__division__event__club")
    newest = list(played_matches.order_by("-stage__division__event__starts_on", "-played_at", "-pk")[:limit])
    pks = [match.pk for match in newest]
    files = _record_by_match(pks)
    analyses = best_analyses([record for record, _left in files.values()])
    done_by_record = {pk: row for pk, row in analyses.items() if row.state == RecordAnalysis.State.DONE}
    ratings = performance_ratings(list(done_by_record.values()))
    names, (visible_names, full_names) = _names_by_match(pks), _visible_and_full_names(pks)
    games = []
    for match in reversed(newest):
        record, left_side = files.get(match.pk, (None, None))
        analysis = done_by_record.get(record) if record is not None else None
        games.append(
            ExportedMatch(
                match,
                sides[match.pk],
                names.get(match.pk, {}),
                record,
                left_side,
                visible_names.get(match.pk) == full_names.get(match.pk),
                analysis,
                _ratings_by_side(analysis, left_side, ratings),
            )
        )
    return games


def _ratings_by_side(
    analysis: RecordAnalysis | None, left_side: Side | None, ratings: Mapping[tuple[int, GameSide], float]
) -> dict[Side, float]:
    if analysis is None or left_side is None:
        return {}
    seats = {left_side: GameSide.WHITE, left_side.other: GameSide.BLACK}
    return {
        side: ratings[analysis.pk, seat] for side, seat in seats.items() if (analysis.pk, seat) in ratings
    }


def _record_by_match(pks: Collection[int]) -> dict[int, tuple[int, Side | None]]:
    """Return the id of the game record that counts and the side in its left column, keyed by match id.

    It is the record of the confirmed report, or else the newest that fits the result.
    """
    rows = Report.objects.filter(match__in=pks, record_differs=False, record__isnull=False)
    rows = rows.filter(score_a=F("match__score_a"), score_b=F("match__score_b")).order_by("version")
    record_by_match: dict[int, tuple[int, Side | None]] = {}
    confirmed_ids: set[int] = set()
    for match, state, record, left_side in rows.values_list("match_id", "state", "record_id", "record_left"):
        if match in confirmed_ids:
            continue
        if state == Report.State.CONFIRMED:
            confirmed_ids.add(match)
        record_by_match[match] = (record, Side(left_side) if left_side else None)
    return record_by_match


def _record_visibility(pks: Collection[int]) -> dict[tuple[int, int], bool | None]:
    """Return whether game records may be shown (``Report.record_shown``), by match id and record id.

    If several reports have the same record, False in one of them counts.
    """
    rows = Report.objects.filter(match__in=pks, record__isnull=False).order_by("version")
    visibility: dict[tuple[int, int], bool | None] = {}
    for match, record, is_shown in rows.values_list("match_id", "record_id", "record_shown"):
        if visibility.get((match, record)) is not False:
            visibility[match, record] = is_shown
    return visibility


def _names_by_match(pks: Sequence[int]) -> dict[int, dict[Side, str]]:
    names: dict[int, dict[Side, str]] = {}
    rows = MatchSlot.objects.filter(match__in=pks).exclude(entry=None)
    for match, side, name in rows.values_list("match_id", "side", side_name()):
        names.setdefault(match, {})[Side(side)] = name
    return names


def _visible_and_full_names(pks: Sequence[int]) -> tuple[dict[int, set[str]], dict[int, set[str]]]:
    """Return the names of all players of each match, as displayed and in full; both keyed by match id."""
    visible_names = _player_names_by_match(pks)
    with override_audience(Audience.FULL):
        return visible_names, _player_names_by_match(pks)


def _player_names_by_match(pks: Sequence[int]) -> dict[int, set[str]]:
    names: dict[int, set[str]] = {}
    entries = MatchSlot.objects.filter(match__in=pks).exclude(entry=None)
    for match, name in entries.values_list("match_id", side_name()):
        names.setdefault(match, set()).add(name)
    for (match, _side), players in players_by_seat(pks).items():
        names.setdefault(match, set()).update(player.name for player in players)
    return names
