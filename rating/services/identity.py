"""What identifies a fact by its content: players, time, length and event, or an opening rating."""

from collections.abc import Mapping

from rating.models import Fact, FactKind
from rating.store.reading import has_no_score

Identity = tuple[object, ...]


def content_identity(fact: Fact, merges: Mapping[int, int]) -> Identity:
    """Return what identifies a fact by its content, apart from the score."""
    winner, loser = (current_player_id(pk, merges) for pk in (fact.winner_id, fact.loser_id))
    if fact.kind == FactKind.OPENING:
        deviation = fact.opening_deviation
        return (
            FactKind.OPENING,
            fact.rating_list_id,
            fact.moment,
            winner,
            fact.opening_rating,
            deviation,
        )
    return (FactKind.RESULT, fact.moment, winner, loser, fact.length, fact.event_name)


def current_player_id(player: int | None, merges: Mapping[int, int]) -> int | None:
    """Return the id of the player who remains after merges; None for None."""
    return player and merges.get(player, player)


def fact_score(fact: Fact) -> tuple[int, int]:
    """Return the points of winner and loser."""
    return fact.winner_score, fact.loser_score


def lacks_score(fact: Fact) -> bool:
    """Return whether only the result of the fact is known, not its score."""
    return has_no_score(fact.length, fact_score(fact))
