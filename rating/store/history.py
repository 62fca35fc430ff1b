"""Read a player's rating history with its matches, by one query that joins both sides and the fact."""

from dataclasses import dataclass

from django.db import connection

from rating.models import Generation

_SQL = """
    SELECT own.fact_id, own.moment, own.won, own.before, own.after, own.experience, own.deviation, own.volatility,
           own.opponent_id, theirs.before, fact.length, fact.place, fact.field,
           CASE WHEN fact.event_key = '' THEN fact.event_name ELSE '' END
    FROM rating_change own
    JOIN rating_fact fact ON fact.id = own.fact_id
    LEFT JOIN rating_change theirs
           ON theirs.shelf = own.shelf AND theirs.generation_id = own.generation_id
          AND theirs.moment = own.moment AND theirs.fact_id = own.fact_id
          AND theirs.player_id = own.opponent_id
          AND theirs.shelf = %s AND theirs.generation_id = %s
    WHERE own.shelf = %s AND own.generation_id = %s AND own.player_id = %s
    ORDER BY own.moment, COALESCE(fact.stands_at, own.fact_id)
"""


@dataclass(frozen=True, slots=True)
class PlayerStep:
    """One step of a player's rating history: a match, an opening rating or a final place.

    ``fact``: the ledger number; ``opponent``: an id; ``moment``: microseconds since 1970.
    """

    fact: int
    moment: int
    won: int | None
    before: float
    after: float
    experience: int
    deviation: float | None
    volatility: float | None
    opponent: int | None
    opponent_before: float | None
    length: int
    place: int  # 0 for anything but a final place; the size of its field follows
    field: int
    event: str  # of imported results only: whether an event of this site is public is not known here


def player_steps(generation: Generation, player_id: int) -> list[PlayerStep]:
    """Return all steps of a player's rating history, oldest first."""
    partition_key = [generation.shelf, generation.pk]
    with connection.cursor() as cursor:
        cursor.execute(_SQL, [*partition_key, *partition_key, player_id])
        return [PlayerStep(*row) for row in cursor.fetchall()]
