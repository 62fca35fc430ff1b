"""An event as it stands, in words of JSON, as the generators of `tests/data` wrote it down before each repair.

Where a later release keeps something elsewhere, it is read from there here; what is said stays the same.
"""

import json
from collections.abc import Iterable
from typing import Any

from rating.models import Fact, FactKind
from tournaments.models import Entry, EntryPlayer, Event, Match, MatchSlot, Report, Round, Stage
from tournaments.selectors.arranged import entries_with_cancelled_results
from tournaments.selectors.draws import Draw, load_draw
from tournaments.selectors.standings.tables import is_round_based, standings_tables

PARTS = (
    "status", "table", "length", "result_kind", "winner_side", "score_a", "score_b", "start_a", "start_b", "awards",
    "adjourned",
)  # fmt: skip
TIMES = ("called_at", "started_at", "sent_back_at", "played_at", "confirmed_at")
RATED = (
    "winner_id", "loser_id", "length", "winner_score", "loser_score", "result_kind", "place", "tied",
)  # fmt: skip


def struck_of(stage: Stage) -> list[int]:
    """Entries whose results in a round robin count for nothing."""
    return sorted(entries_with_cancelled_results(stage))


def state_of(event: Event) -> dict[str, Any]:
    """Statuses, results, slots, tables, what stands of what was said, who plays, lengths of rounds, ledger and places."""
    event = Event.objects.get(pk=event.pk)
    stages = Stage.objects.filter(division__event=event).order_by("pk")
    matches = Match.objects.filter(stage__in=stages).order_by("stage_id", "number")
    entries = Entry.objects.filter(division__event=event).order_by("pk")
    players = EntryPlayer.objects.filter(entry__in=entries)
    live = Report.objects.filter(match__in=matches, state__in=["open", "confirmed"]).select_related("match")
    slots = MatchSlot.objects.filter(match__in=matches).select_related("match")
    state = {
        "event": event.status,
        "stages": {stage.pk: stage.status for stage in stages},
        "struck": {stage.pk: struck_of(stage) for stage in stages},
        "rounds": {f"{r.stage_id}/{r.number}": r.length for r in Round.objects.filter(stage__in=stages)},
        "matches": {f"{match.stage_id}/{match.number}": _match(match) for match in matches},
        "slots": {
            f"{slot.match.stage_id}/{slot.match.number}{slot.side}": [
                slot.entry_id,
                slot.by_hand,
                slot.has_won,
            ]
            for slot in slots
        },
        "reports": sorted(
            [r.match.stage_id, r.match.number, r.state, r.kind, r.score_a, r.score_b, r.winner_side, r.note]
            for r in live
        ),
        "entries": {entry.pk: [entry.name, entry.status, entry.seed] for entry in entries},
        "players": sorted(players.values_list("entry_id", "player_id", "position", "attempt")),
        "ledger": _ledger(event, matches),
        "places": {stage.pk: _places(load_draw(stage)) for stage in stages if stage.system != "money"},
    }
    return json.loads(json.dumps(state))


def without_newcomers(state: dict[str, Any], before: dict[str, Any]) -> dict[str, Any]:
    """The same without entries that were not there before: who had come late stays on the list, withdrawn."""
    entries = {pk: entry for pk, entry in state["entries"].items() if pk in before["entries"]}
    players = [row for row in state["players"] if str(row[0]) in before["entries"]]
    return {**state, "entries": entries, "players": players}


def _match(match: Match) -> dict[str, Any]:
    times = {name: getattr(match, name) for name in TIMES}
    return {
        **{name: getattr(match, name) for name in PARTS},
        **{name: at and at.isoformat() for name, at in times.items()},
    }


def _ledger(event: Event, matches: Iterable[Match]) -> list[list[Any]]:
    """Results and final places in force."""
    names = tuple(f"match:{match.public_id}:" for match in matches)
    facts = Fact.objects.filter(later__isnull=True, club=event.club).exclude(kind=FactKind.VOID)
    rows = facts.values_list("source_key", *RATED)
    found = [row[1:] for row in rows if names and row[0].startswith(names)]
    gone = Fact.objects.filter(kind=FactKind.VOID).values("target_id")
    places = Fact.objects.filter(kind=FactKind.PLACE, event_key=event.public_id).exclude(pk__in=gone)
    found += places.values_list(*RATED)
    return sorted((list(row) for row in found), key=str)


def _places(draw: Draw) -> list[list[list[Any]]]:
    """The table of each group, or of a bracket the places of each section."""
    if not draw.rounds:
        return []
    if is_round_based(draw.stage):
        return [
            sorted([row.entry, row.first, row.last, table.points[row.entry]] for row in table.rows)
            for table in standings_tables(draw)
        ]
    return [
        sorted(
            [entry, place.first, place.last, place.settled] for entry, place in draw.places(section).items()
        )
        for section in draw.sections_sharing_places()
    ]
