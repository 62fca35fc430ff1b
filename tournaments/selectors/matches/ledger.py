"""Facts of a match for the rating ledger, and the keys of these facts."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import Case, Count, IntegerField, Min, OuterRef, QuerySet, Subquery, When

from tournaments.engine.matches.result_kinds import RESULT_RULES
from tournaments.engine.types import ResultKind, Side
from tournaments.models import EntryPlayer, Event, FormerPlayer, Match, MatchSlot, Report
from tournaments.selectors.standings.places import division_rank_expression


def ledger_key(match: Match, report: Report) -> str:
    """Return the rating ledger's key for the result of this report; each report of a match has its own."""
    return ledger_key_for_version(match, report.version)


def ledger_key_for_version(match: Match, version: int) -> str:
    """Return the ledger key of a match's report by the report's version; empty for version 0."""
    return f"match:{match.public_id}:{version}" if version else ""


@dataclass(frozen=True, slots=True)
class SinglePlayers:
    """The ids of the single players of a match by side, None for a team or an empty side.

    ``rank``: the rank of the match's division.
    """

    players: Mapping[Side, int | None]
    rank: int


def single_player_expression() -> Case:
    """Annotation for match slots: id of the only current or former player of the slot; NULL for a team."""
    current_players = EntryPlayer.objects.filter(entry=OuterRef("entry")).order_by().values("entry")
    former_players = FormerPlayer.objects.filter(lineup=OuterRef("former")).order_by().values("lineup")
    return Case(
        When(former=None, then=_single_player_subquery(current_players)),
        default=_single_player_subquery(former_players),
    )


def _single_player_subquery(rows: QuerySet[Any, Any]) -> Subquery:
    single_rows = rows.annotate(many=Count("pk")).filter(many=1)
    return Subquery(single_rows.annotate(only=Min("player")).values("only"), output_field=IntegerField())


def single_players_in(match: Match) -> SinglePlayers:
    """Return the single players of ``match`` and the rank of its division; one query."""
    slots = MatchSlot.objects.filter(match=match).order_by()
    rows = slots.annotate(
        alone=single_player_expression(), rank=division_rank_expression("match__stage__division")
    )
    player_and_rank = {
        Side(side): (player, rank) for side, player, rank in rows.values_list("side", "alone", "rank")
    }
    return SinglePlayers(
        {side: player for side, (player, _rank) in player_and_rank.items()},
        max(r for _player, r in player_and_rank.values()),
    )


def ledger_facts(
    event: Event, match: Match, single_players: SinglePlayers | None = None
) -> dict[str, Any] | None:
    """Return the values of a confirmed match for the rating ledger, or None if it is not rated.

    Not rated are matches without a single winner of a rated kind (byes, walkovers), teams, and stages that
    are set to be unrated (rule F12). ``single_players``: the match's single players, if already loaded.
    """
    if not (
        match.winner_side
        and RESULT_RULES[ResultKind(match.result_kind)].rated
        and match.stage.settings.conduct.rated
    ):
        return None
    single_players = single_players or single_players_in(match)
    if any(single_players.players.get(side) is None for side in Side):
        return None
    winner = Side(match.winner_side)
    scores = {Side.A: match.score_a or 0, Side.B: match.score_b or 0}
    return {
        "club_id": event.club_id,
        "winner_id": single_players.players[winner],
        "loser_id": single_players.players[winner.other],
        "length": match.length,
        "winner_score": scores[winner],
        "loser_score": scores[winner.other],
        "kind": match.result_kind,
        "played_at": match.played_at,
        "event_key": event.public_id,
        # Ratings are public, so the name of an unlisted event is left out.
        "event_name": event.name if event.visibility == Event.Visibility.PUBLIC else "",
        "event_weight": float(event.weight),
        "division_rank": single_players.rank,
    }
