"""Earlier matches between two players, as far as the public pages of both show them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from people.models import Player
from tournaments.engine.types import Side
from tournaments.models import EntryPlayer, Match, MatchSlot
from tournaments.selectors.access.visibility import events_on_player_page
from tournaments.selectors.draws import drawn_match
from tournaments.selectors.matches.detail import finished_matches
from tournaments.selectors.matches.player import MyMatch
from tournaments.selectors.seats import slots_of_players

MAX_MATCHES: Final = 5


@dataclass(frozen=True, slots=True)
class PastMatch:
    """An earlier match from the view of the first player.

    ``won``: None without a winner; ``scores``: the first player's points first.
    """

    match: Match
    won: bool | None
    scores: tuple[int | None, int | None]


@dataclass(frozen=True, slots=True)
class HeadToHead:
    """The earlier results between two players.

    ``won`` and ``lost`` count all matches, for the first player; ``newest``: the last few, newest first.
    """

    won: int
    lost: int
    newest: tuple[PastMatch, ...]


def head_to_head(match: MyMatch) -> HeadToHead | None:
    """Return the earlier results between the two players of ``match``, or None if there are none.

    Also None if a side is not a single player, or if one of the two players has no public page.
    """
    sides = (match.own_side.entry_id, match.other.entry_id)
    rows = EntryPlayer.objects.filter(entry__in=[pk for pk in sides if pk is not None]).select_related(
        "player"
    )
    players: dict[int, list[Player]] = {}
    for row in rows.order_by("entry_id", "position"):
        players.setdefault(row.entry_id, []).append(row.player)
    side_players = [players.get(pk, []) for pk in sides if pk is not None]
    if [len(side) for side in side_players] != [1, 1] or any(
        not side[0].listed or side[0].merged_into_id for side in side_players
    ):
        return None
    meetings = _matches_between(side_players[0][0], side_players[1][0])
    return _count_results(meetings) if meetings else None


def _matches_between(player: Player, opponent: Player) -> list[PastMatch]:
    opponent_sides = dict(slots_of_players([opponent.pk]).values_list("match_id", "side"))
    player_sides = dict(
        slots_of_players([player.pk])
        .filter(match__in=slots_of_players([opponent.pk]).values("match"))
        .values_list("match_id", "side")
    )
    opposed_ids = [match for match, side in player_sides.items() if opponent_sides[match] != side]
    rows = list(
        finished_matches(player).filter(
            stage__division__event__in=events_on_player_page(opponent), pk__in=opposed_ids
        )
    )
    slots: dict[int, dict[Side, MatchSlot]] = {row.pk: {} for row in rows}
    for slot in MatchSlot.objects.filter(match__in=slots).select_related("entry", "former", "source_match"):
        slots[slot.match_id][Side(slot.side)] = slot
    past_matches = []
    for row in rows:
        drawn_row = drawn_match(row, slots[row.pk])
        side = Side(player_sides[row.pk])
        scores = drawn_row.scores if side is Side.A else drawn_row.scores[::-1]
        past_matches.append(
            PastMatch(
                row, None if drawn_row.winner is None else drawn_row.winner is side, (scores[0], scores[1])
            )
        )
    return past_matches


def _count_results(meetings: Sequence[PastMatch]) -> HeadToHead:
    results = [meeting.won for meeting in meetings]
    return HeadToHead(results.count(True), results.count(False), tuple(meetings[:MAX_MATCHES]))
