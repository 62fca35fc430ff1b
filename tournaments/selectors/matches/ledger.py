"""What the rating ledger has to know of a match, and by which name it knows it."""

from typing import Any

from tournaments.engine.matches.result_kinds import RESULT_RULES
from tournaments.engine.types import ResultKind, Side
from tournaments.models import EntryPlayer, Event, Match, Report
from tournaments.selectors.standings.places import rank_of


def ledger_key(match: Match, report: Report) -> str:
    """The rating ledger's name for the result that this report made: a later one of the same match has another."""
    return key_of_version(match, report.version)


def key_of_version(match: Match, version: int) -> str:
    """The same by the version of the report; none (0) has no name."""
    return f"match:{match.public_id}:{version}" if version else ""


def ledger_facts(event: Event, match: Match) -> dict[str, Any] | None:
    """What the rating ledger has to know of a confirmed match, or None where F12 counts nothing (byes, walk-overs, teams)."""
    if not (
        match.winner_side
        and RESULT_RULES[ResultKind(match.result_kind)].rated
        and match.stage.settings.conduct.rated
    ):
        return None
    players: dict[Side, list[int]] = {Side.A: [], Side.B: []}
    rank = 1
    found = EntryPlayer.objects.filter(entry__slots__match=match).annotate(rank=rank_of("division"))
    for side, player_id, rank in found.values_list("entry__slots__side", "player_id", "rank").order_by():  # noqa: B007
        players[Side(side)].append(player_id)
    if any(len(found) != 1 for found in players.values()):
        return None
    winner = Side(match.winner_side)
    scores = {Side.A: match.score_a or 0, Side.B: match.score_b or 0}
    return {
        "club_id": event.club_id,
        "winner_id": players[winner][0],
        "loser_id": players[winner.other][0],
        "length": match.length,
        "winner_score": scores[winner],
        "loser_score": scores[winner.other],
        "kind": match.result_kind,
        "played_at": match.played_at,
        "event_key": event.public_id,
        # Ratings are public: the name of an event that only people with the link may find is not told there.
        "event_name": event.name if event.visibility == Event.Visibility.PUBLIC else "",
        "event_weight": float(event.weight),
        "division_rank": rank,
    }
