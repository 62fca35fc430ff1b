"""The matches that wait longest for a table, in the order of ``selectors.hall.calling``.

``ready_matches`` reads all waiting matches, for the board. Assigning tables needs only the first few: here
the database sorts them, so that the cost is the same in an event of 4,000 matches.
"""

from dataclasses import dataclass
from typing import Final

from django.db import connection

from tournaments.engine.statuses import PLAYERS_BUSY, STAGE_UNDER_WAY, UNSETTLED, EventStatus, MatchStatus
from tournaments.engine.types import ResultKind
from tournaments.models import Event, Stage


@dataclass(frozen=True, slots=True)
class WaitingMatch:
    """A match that waits for a table. ``people``: ids of its players.

    ``engaged``: ids of those players who are busy or have another table reserved in this event.
    """

    pk: int
    division_id: int
    people: frozenset[int]
    engaged: frozenset[int]


def longest_waiting(event: Event, limit: int) -> list[WaitingMatch]:
    """Return the ``limit`` matches that have waited longest for a table, longest first; one query.

    Only matches of published draws; matches by arrangement are left out.
    """
    with connection.cursor() as cursor:
        cursor.execute(
            _LONGEST_WAITING_SQL % {"greatest": "GREATEST" if connection.vendor == "postgresql" else "MAX"},
            {
                "event": event.pk,
                "club": event.club_id,
                "limit": limit,
                "ready": MatchStatus.READY,
                "bye": ResultKind.BYE,
                "running": EventStatus.RUNNING,
            },
        )
        rows = cursor.fetchall()
    division_by_match: dict[int, int] = {}
    players_by_match: dict[int, set[int]] = {}
    engaged_by_match: dict[int, set[int]] = {}
    for pk, division, player, busy in rows:
        division_by_match[pk] = division
        players_by_match.setdefault(pk, set()).update(() if player is None else (player,))
        engaged_by_match.setdefault(pk, set()).update((player,) if busy else ())
    return [
        WaitingMatch(pk, division, frozenset(players_by_match[pk]), frozenset(engaged_by_match[pk]))
        for pk, division in division_by_match.items()
    ]


def _sql_list(codes: object) -> str:
    """Return codes as a comma-separated list of SQL strings."""
    return ", ".join(f"'{code}'" for code in sorted(codes))  # type: ignore[call-overload]


# Busy players are read for these few only. Stages first: matches are found by status in an index.
_LONGEST_WAITING_SQL: Final = f"""
WITH waiting AS (
    SELECT one.id, one.stage_id, stage.division_id, round.number AS round, one.position, one.sent_back_at, stage.drawn_at,
           stage.system IN ({_sql_list(Stage.IN_ROUNDS)}) AND round.number > 1 AS later
    FROM tournaments_division division
    JOIN tournaments_stage stage ON stage.division_id = division.id
    JOIN tournaments_match one ON one.stage_id = stage.id
    JOIN tournaments_round round ON round.id = one.round_id
    WHERE division.event_id = %%(event)s AND stage.status IN ({_sql_list(STAGE_UNDER_WAY)}) AND NOT stage.by_arrangement
      AND one.status = %%(ready)s AND one."table" IS NULL
), before AS (
    SELECT asked.stage_id, asked.round, MAX(played.confirmed_at) AS at
    FROM (SELECT DISTINCT stage_id, round FROM waiting WHERE later) asked
    JOIN tournaments_round round ON round.stage_id = asked.stage_id AND round.number < asked.round
    JOIN tournaments_match played ON played.round_id = round.id
    GROUP BY asked.stage_id, asked.round
), fed AS (
    SELECT slot.match_id, MAX(source.confirmed_at) AS at
    FROM waiting
    JOIN tournaments_matchslot slot ON slot.match_id = waiting.id
    JOIN tournaments_match source ON source.id = slot.source_match_id
    WHERE source.result_kind <> %%(bye)s
    GROUP BY slot.match_id
), begun AS (
    SELECT waiting.*, fed.at AS fed_at, COALESCE(before.at, waiting.drawn_at, '0001-01-01 00:00:00+00') AS base
    FROM waiting
    LEFT JOIN before ON before.stage_id = waiting.stage_id AND before.round = waiting.round
    LEFT JOIN fed ON fed.match_id = waiting.id
), longest AS (
    SELECT id, division_id, round, position, %(greatest)s(base, COALESCE(fed_at, base), COALESCE(sent_back_at, base)) AS since
    FROM begun
    ORDER BY since, round, position, id
    LIMIT %%(limit)s
)
SELECT longest.id, longest.division_id, person.player_id, EXISTS (
    SELECT 1
    FROM tournaments_entryplayer same
    JOIN tournaments_matchslot slot ON slot.entry_id = same.entry_id
    JOIN tournaments_match other ON other.id = slot.match_id
    JOIN tournaments_stage stage ON stage.id = other.stage_id
    JOIN tournaments_division division ON division.id = stage.division_id
    JOIN tournaments_event event ON event.id = division.event_id
    WHERE same.player_id = person.player_id
      AND (event.id = %%(event)s OR event.club_id = %%(club)s AND event.status = %%(running)s)
      AND stage.status IN ({_sql_list(STAGE_UNDER_WAY)})
      AND (other.status IN ({_sql_list(PLAYERS_BUSY)})
           OR other.status IN ({_sql_list(UNSETTLED)}) AND other."table" IS NOT NULL
           OR other.status = %%(ready)s AND other."table" IS NOT NULL AND event.id = %%(event)s)
) AS engaged
FROM longest
LEFT JOIN tournaments_matchslot slot ON slot.match_id = longest.id
LEFT JOIN tournaments_entryplayer person ON person.entry_id = slot.entry_id
ORDER BY longest.since, longest.round, longest.position, longest.id
"""  # noqa: S608 (codes of ours)
