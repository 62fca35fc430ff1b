"""Write rating history and present ratings: COPY and unnest on PostgreSQL, multi-row statements elsewhere."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from struct import Struct

from django.db import connection

from rating.formulas.glicko2 import Glicko
from rating.formulas.periods import PeriodicReplay
from rating.formulas.replay import EXPERIENCE, MATCHES, MOMENT, STATE_RATING, WINS, State, Step
from rating.models import Fact, Generation
from rating.store.partitions import is_postgresql, partition_table
from rating.store.reading import Point, ledger_positions

# Glicko-2's numbers of both sides after each step.
GlickosAfter = Sequence[tuple[Glicko, Glicko | None]]

_COLUMNS = "shelf, generation_id, fact_id, player_id, opponent_id, moment, won, before, after, experience"

# PostgreSQL's binary COPY: a count of fields, then each field after its length. Both sides of a match are packed at once;
# a null is a length of -1.
_SIDE = "h ii ii iq iq iq iq ih id id ii"
_MATCH_STEP = Struct(">" + (_SIDE + _SIDE).replace(" ", ""))
_SINGLE_STEP = Struct(">hiiiiiqiqiiqiididii")
_HEADER = b"PGCOPY\n\xff\r\n\0" + bytes(8)
_TRAILER = b"\xff\xff"


@dataclass(frozen=True, slots=True)
class StandingRow:
    player: int
    rating: float
    experience: int
    matches: int
    wins: int
    moment: int
    deviation: float | None = None
    volatility: float | None = None


def standing_rows(states: Mapping[int, State]) -> list[StandingRow]:
    """Return the players' ratings at the end of a sequential replay as rows for the database."""
    return [
        StandingRow(
            player,
            float(state[STATE_RATING]),
            int(state[EXPERIENCE]),
            int(state[MATCHES]),
            int(state[WINS]),
            int(state[MOMENT]),
        )
        for player, state in states.items()
    ]


def periodic_rows(replay: PeriodicReplay) -> list[StandingRow]:
    """Return the players' ratings at the end of a periodic replay as rows for the database."""
    return [
        StandingRow(
            player,
            s.glicko.rating,
            s.experience,
            s.matches,
            s.wins,
            s.moment,
            s.glicko.deviation,
            s.glicko.volatility,
        )
        for player, s in replay.standings.items()
    ]


StepWriter = Callable[[Sequence[Step]], None]


def write_steps(generation: Generation, steps: Sequence[Step], after: GlickosAfter | None = None) -> None:
    """Write steps to the history: two rows for a match, one for an opening or a place.

    ``after``: the Glicko-2 values of both sides after each step; None for other systems.
    """
    if not steps:
        return
    if after is not None:
        _insert_steps(generation, steps, after)
        return
    with step_writer(generation) as write:
        write(steps)


@contextmanager
def step_writer(generation: Generation) -> Iterator[StepWriter]:
    """Provide a function that writes steps to the history, to be called for batch after batch.

    PostgreSQL uses a single COPY, so that the next batch is rated while the server stores the previous one.
    """
    if not is_postgresql():
        yield lambda steps: _insert_steps(generation, steps, None)
        return
    connection.ensure_connection()
    with connection.connection.cursor() as cursor:
        copy_in = f"COPY {partition_table(generation.shelf)} ({_COLUMNS}) FROM STDIN (FORMAT BINARY)"
        with cursor.copy(copy_in) as copy:
            copy.write(_HEADER)
            yield lambda steps: copy.write(_pack_steps(generation, steps))
            copy.write(_TRAILER)


def _pack_steps(generation: Generation, steps: Sequence[Step]) -> bytes:
    shelf, number = generation.shelf, generation.pk
    pack_match, pack_single = _MATCH_STEP.pack, _SINGLE_STEP.pack
    parts: list[bytes] = []
    add = parts.append
    for fact, moment, player, before, after, experience, other, other_before, other_after, other_exp in steps:
        if other:
            # fmt: off
            add(pack_match(
                10, 4, shelf, 4, number, 8, fact, 8, player, 8, other, 8, moment, 2, 1,
                8, before, 8, after, 4, experience,
                10, 4, shelf, 4, number, 8, fact, 8, other, 8, player, 8, moment, 2, 0,
                8, other_before, 8, other_after, 4, other_exp,
            ))
            # fmt: on
        else:
            add(
                pack_single(
                    *(10, 4, shelf, 4, number, 8, fact, 8, player, -1, 8, moment, -1),
                    *(8, before, 8, after, 4, experience),
                )
            )
    return b"".join(parts)


def _insert_steps(generation: Generation, steps: Sequence[Step], glickos: GlickosAfter | None) -> None:
    if not steps:  # facts without effect, as places on a list that counts none
        return
    shelf, number = generation.shelf, generation.pk
    rows: list[tuple[float | None, ...]] = []
    add = rows.append
    for fact, moment, player, before, after, experience, other, other_before, other_after, other_exp in steps:
        if other:
            add((shelf, number, fact, player, other, moment, 1, before, after, experience))
            add((shelf, number, fact, other, player, moment, 0, other_before, other_after, other_exp))
        else:
            add((shelf, number, fact, player, None, moment, None, before, after, experience))
    columns = _COLUMNS
    if glickos is not None:
        columns += ", deviation, volatility"
        sides = (
            side for step, pair in zip(steps, glickos, strict=True) for side in pair[: 1 + bool(step[6])]
        )
        rows = [row + _deviation_and_volatility(side) for row, side in zip(rows, sides, strict=True)]
    placeholders = ", ".join(["%s"] * len(rows[0]))
    with connection.cursor() as cursor:
        cursor.executemany(
            f"INSERT INTO {partition_table(generation.shelf)} ({columns}) VALUES ({placeholders})",  # noqa: S608
            rows,
        )


def _deviation_and_volatility(glicko: Glicko | None) -> tuple[float | None, float | None]:
    return (None, None) if glicko is None else (glicko.deviation, glicko.volatility)


@dataclass(frozen=True, slots=True)
class RemovedChange:
    """A row of the history that was deleted to be rated again.

    ``before`` and ``experience``: before that change.
    """

    fact: int
    moment: int
    player: int
    won: int | None
    before: float
    experience: int


def remove_steps(generation: Generation, point: Point) -> list[RemovedChange]:
    """Delete the history from ``point`` (moment, ledger number) on.

    Return the deleted rows in rating order.
    """
    with connection.cursor() as cursor:
        cursor.execute(
            "DELETE FROM rating_change WHERE shelf = %s AND generation_id = %s"
            " AND (moment, fact_id) >= (%s, %s)"
            " RETURNING fact_id, moment, player_id, won, before, experience",
            [generation.shelf, generation.pk, *point],
        )
        removed = [RemovedChange(*row) for row in cursor.fetchall()]
    return sort_changes(removed)


def sort_changes(removed: Sequence[RemovedChange]) -> list[RemovedChange]:
    """Return changes in rating order; a replacement has the position of the fact that it replaces."""
    facts_by_moment: dict[int, set[int]] = {}
    for change in removed:
        facts_by_moment.setdefault(change.moment, set()).add(change.fact)
    shared = [moment for moment, numbers in facts_by_moment.items() if len(numbers) > 1]
    positions: dict[int, int] = {}
    for start in range(0, len(shared), 1000):
        positions |= ledger_positions(Fact.objects.filter(moment__in=shared[start : start + 1000]))
    return sorted(removed, key=lambda change: (change.moment, positions.get(change.fact, change.fact)))


def write_standings(generation: Generation, rows: Iterable[StandingRow]) -> None:
    """Insert or update the present ratings of these players in the generation."""
    values = [
        (
            generation.pk,
            r.player,
            r.rating,
            r.experience,
            r.matches,
            r.wins,
            r.moment,
            r.deviation,
            r.volatility,
        )
        for r in rows
    ]
    if not values:
        return
    columns = "generation_id, player_id, rating, experience, matches, wins, moment, deviation, volatility"
    update = (
        "ON CONFLICT (generation_id, player_id) DO UPDATE SET rating = excluded.rating,"
        " experience = excluded.experience, matches = excluded.matches, wins = excluded.wins,"
        " moment = excluded.moment, deviation = excluded.deviation, volatility = excluded.volatility"
    )
    with connection.cursor() as cursor:
        if is_postgresql():
            kinds = "int[] bigint[] float8[] int[] int[] int[] bigint[] float8[] float8[]".split()
            arrays = ", ".join(f"%s::{kind}" for kind in kinds)
            cursor.execute(
                f"INSERT INTO rating_standing ({columns}) SELECT * FROM unnest({arrays}) {update}",  # noqa: S608
                [list(column) for column in zip(*values, strict=True)],
            )
        else:
            placeholders = ", ".join(["%s"] * 9)
            cursor.executemany(
                f"INSERT INTO rating_standing ({columns}) VALUES ({placeholders}) {update}",  # noqa: S608
                values,
            )


def delete_history_rows(generation: Generation, *, limit: int | None = None) -> int:
    """Delete at most ``limit`` rows of a generation's history from the common table; return their number."""
    row_id = "ctid" if is_postgresql() else "rowid"
    table = "rating_change_common" if is_postgresql() else "rating_change"
    limit_clause = "" if limit is None else f" LIMIT {int(limit)}"
    with connection.cursor() as cursor:
        cursor.execute(
            f"DELETE FROM {table} WHERE {row_id} IN"  # noqa: S608
            f" (SELECT {row_id} FROM {table} WHERE generation_id = %s{limit_clause})",
            [generation.pk],
        )
        return int(cursor.rowcount)
