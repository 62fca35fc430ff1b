"""A large ledger at once, past the services and past the ORM: results among players of a club, one a minute."""

from datetime import UTC, datetime

from django.db import connection

from people.models import Club, Player
from rating.store.moments import to_moment

START = datetime(2020, 1, 1, tzinfo=UTC)
MINUTE = 60_000_000  # microseconds


def fill_ledger(club: Club, *, results: int, players: int) -> None:
    """The same results every time; who meets whom goes round."""
    made = Player.objects.bulk_create([Player(name=f"Player {n}", home_club=club) for n in range(players)])
    first = min(player.pk for player in made)
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO rating_fact (kind, source_key, club_id, winner_id, loser_id, length, winner_score,"
            " loser_score, result_kind, discipline, event_key, event_name, event_weight, division_rank, place, tied,"
            " field, opening_experience, played_at, moment, recorded_at, reason)"
            " WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < %s)"
            " SELECT 0, 'csv:' || i, CAST(%s AS bigint), CAST(%s AS bigint) + (CAST(i AS bigint) * 7919) %% %s,"
            " CAST(%s AS bigint) + ((CAST(i AS bigint) * 7919) %% %s + 1 + i %% (%s - 1)) %% %s, 7, 7, 3, 'played', 'standard', '', '',"
            " 1.0, 1, 0, 0, 0, 0, CURRENT_TIMESTAMP, CAST(%s AS bigint) + CAST(%s AS bigint) * i,"
            " CURRENT_TIMESTAMP, '' FROM n",
            [
                results - 1,
                club.pk,
                first,
                players,
                first,
                players,
                players,
                players,
                to_moment(START),
                MINUTE,
            ],
        )
