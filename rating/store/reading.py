"""Read the facts that a list counts, as rows in the order in which they are rated."""

from collections.abc import Collection, Mapping
from typing import Any, Final

from django.db import connection
from django.db.models import BigIntegerField, Case, F, IntegerField, Q, QuerySet, Value, When
from django.db.models.functions import Coalesce

from people.models import Player
from rating.formulas.base import System
from rating.formulas.galaxy import pr_share
from rating.formulas.master import division_weight
from rating.formulas.rateable import MAX_MATCH_LENGTH, Discipline
from rating.formulas.replay import RareAttributes, Row, reorder_moved_rows
from rating.models import Change, Fact, FactKind, RatingList
from rating.store.moments import from_moment
from rating.store.partitions import is_postgresql
from rating.store.spans import Spans, span_club_ids, spans_q

_SMALL = IntegerField()
_POSITION = Coalesce("stands_at", "id", output_field=BigIntegerField())

Point = tuple[int, int]  # (moment, ledger number) in the order; number 0: the start of that time


def share_lock_club(club_id: int) -> None:
    """Lock the club's row against updates until the end of this transaction; others may share the lock.

    A fact's foreign key would do that only at commit, because Django defers these checks. SQLite has one
    writer.
    """
    if is_postgresql():
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1 FROM people_club WHERE id = %s FOR KEY SHARE", [club_id])


def source_key_prefix_q(prefix: str) -> Q:
    """Return a filter for facts whose source key begins with ``prefix``, which uses an index."""
    if is_postgresql():
        return Q(source_key__startswith=prefix)
    return Q(source_key__gte=prefix, source_key__lt=prefix[:-1] + chr(ord(prefix[-1]) + 1))


def list_ids_counting(club_id: int, moment: int | None = None) -> list[int]:
    """Return the ids of the lists of the club and of the federations above it.

    ``moment``: the memberships at that time count, in microseconds since 1970; None: those of any time.
    """
    sql, params = _counting_sql(club_id, moment)
    with connection.cursor() as cursor:
        cursor.execute(f"{sql} SELECT list.id {_LISTS_SQL}", params)
        return [pk for (pk,) in cursor.fetchall()]


def add_pending_everywhere(fact_id: int, club_id: int, moment: int | None = None) -> list[int]:
    """Make a fact of this club pending on every list that counts it; return the ids of these lists.

    ``fact_id``: the ledger number; ``moment``: the memberships at that time count (microseconds since 1970),
    None: those of any time. One query.
    """
    sql, params = _counting_sql(club_id, moment)
    insert_sql = "INSERT INTO rating_pending (rating_list_id, fact_id, applied) SELECT list.id, %s, FALSE"
    with connection.cursor() as cursor:
        cursor.execute(f"{sql} {insert_sql} {_LISTS_SQL} RETURNING rating_list_id", [*params, fact_id])
        return sorted(pk for (pk,) in cursor.fetchall())


_LISTS_SQL: Final = "FROM rating_ratinglist list JOIN counted ON list.club_id = counted.id ORDER BY list.id"


def _counting_sql(club_id: int, moment: int | None) -> tuple[str, list[Any]]:
    """Return SQL that selects the club and the federations above it, and its parameters.

    ``moment``: at that time; None: at any time. UNION (not ALL) ends cycles.
    """
    moment_params: list[Any] = []
    moment_filter = ""
    if moment is not None:
        moment_params = [connection.ops.adapt_datetimefield_value(from_moment(moment))] * 2
        moment_filter = (
            " WHERE (spell.begins IS NULL OR spell.begins <= %s) AND (spell.ends IS NULL OR spell.ends > %s)"
        )
    federations_sql = (
        "SELECT spell.federation_id FROM people_affiliation spell JOIN counted ON spell.club_id = counted.id"
    )
    club_sql = "SELECT id FROM people_club WHERE id = %s"
    return f"WITH RECURSIVE counted(id) AS ({club_sql} UNION {federations_sql}{moment_filter})", [
        club_id,
        *moment_params,
    ]


def has_no_score(length: int, score: tuple[int, int]) -> bool:
    """Return whether an imported match has the score that is stored if the score is missing."""
    return length > 0 and score == (length, 0)


def merged_players() -> dict[int, int]:
    """Return the remaining player's id for every merged player, keyed by the merged player's id."""
    survivor_by_id = dict(
        Player.objects.filter(merged_into__isnull=False).values_list("pk", "merged_into_id")
    )
    survivors: dict[int, int] = {}
    for player in survivor_by_id:
        survivor, visited = player, {player}
        while survivor in survivor_by_id and survivor_by_id[survivor] not in visited:
            survivor = survivor_by_id[survivor]
            visited.add(survivor)
        survivors[player] = survivor
    return survivors


def counted_facts(rating_list: RatingList, spans: Spans) -> QuerySet[Fact]:
    """Return the query for all facts that the list counts, including superseded ones.

    ``spans``: which clubs count at which times. Openings count at any time.
    """
    clubs = span_club_ids(spans)
    club_filter = Q(club_id=clubs[0]) if len(clubs) == 1 else Q(club_id__in=clubs)
    result_filter = Q(kind__in=[FactKind.RESULT, FactKind.REPLACEMENT])
    if rating_list.shortest > 1:
        result_filter &= Q(length__gte=rating_list.shortest)
    if rating_list.longest < MAX_MATCH_LENGTH:
        result_filter &= Q(length__lte=rating_list.longest)
    if set(rating_list.disciplines) != set(Discipline):
        result_filter &= Q(discipline__in=rating_list.disciplines)
    fact_filter = result_filter | Q(kind=FactKind.PLACE)
    if rating_list.events:
        fact_filter &= Q(event_key__in=rating_list.events)
    span_filter = spans_q(spans)
    if span_filter is not None:
        fact_filter &= span_filter
    return Fact.objects.filter(club_filter).filter(
        fact_filter | Q(kind=FactKind.OPENING, rating_list_id=rating_list.pk)
    )


def facts_from_point(facts: QuerySet[Fact], point: Point) -> QuerySet[Fact]:
    moment, number = point
    return facts.filter(moment__gte=moment).exclude(moment=moment, pk__lt=number)


def superseded_fact_ids() -> set[int]:
    """Return the ledger numbers of all superseded facts of the site: few, found by an index of their own."""
    superseding = Fact.objects.filter(target__isnull=False).order_by()
    return {number for number in superseding.values_list("target_id", flat=True) if number is not None}


def effective_facts(facts: QuerySet[Fact]) -> QuerySet[Fact]:
    """Exclude superseded facts. For few facts, where single look-ups cost less than reading all voids."""
    return facts.filter(later__isnull=True)


def ledger_positions(facts: QuerySet[Fact]) -> dict[int, int]:
    """Return the positions of facts that are not rated at their own ledger number, keyed by ledger number.

    These are replacements and restored openings: few, found by two indexes.
    """
    moved_filter = Q(target__isnull=False) | Q(rating_list__isnull=False)
    moved = facts.filter(moved_filter, stands_at__isnull=False).order_by()
    return {
        number: position for number, position in moved.values_list("pk", "stands_at") if position is not None
    }


def read_rows(
    facts: QuerySet[Fact],
    *,
    merges: Mapping[int, int],
    excluded_ids: Collection[int] = (),
    bulk: bool = False,
) -> list[Row]:
    """Return facts as rows in rating order, with merged players replaced by the remaining ones.

    ``merges``: the remaining player's id, keyed by the merged player's. Facts of ``excluded_ids`` and matches
    between players merged with each other are left out. ``bulk``: True for very many facts, which are read
    without the ORM.
    """
    query = (
        facts.annotate(
            act=Case(When(kind=FactKind.REPLACEMENT, then=Value(0)), default="kind", output_field=_SMALL),
            other=Coalesce("loser_id", Value(0)),
        )
        .order_by("moment", "id" if bulk else _POSITION)
        .values_list("id", "moment", "act", "winner_id", "other", "length")
    )
    # A million rows are read by an index, and the few with another position are moved.
    rows: list[Row] = reorder_moved_rows(_fetch(query), ledger_positions(facts)) if bulk else list(query)
    if excluded_ids:
        rows = [row for row in rows if row[0] not in excluded_ids]
    if merges:
        survivor_of = merges.get
        rows = [
            (number, moment, row_kind, survivor_of(winner, winner), survivor_of(loser, loser), length)
            for number, moment, row_kind, winner, loser, length in rows
            if survivor_of(winner, winner) != survivor_of(loser, loser)
        ]
    return rows


def _fetch(query: QuerySet[Any, Any]) -> list[Row]:
    """Return all rows of a query at once, without the ORM, which would cost more than the rating itself."""
    sql, params = query.query.sql_with_params()
    if is_postgresql():
        from psycopg import Cursor  # noqa: PLC0415 (with SQLite there may be no driver)

        connection.ensure_connection()
        # Django's own cursor interpolates on the client and cannot request binary values.
        with Cursor(connection.connection) as cursor:
            cursor.execute(sql, params, binary=True)
            return cursor.fetchall()
    with connection.cursor() as cursor:
        cursor.execute(sql, params)
        rows: list[Row] = cursor.fetchall()
        return rows


def read_extras(facts: QuerySet[Fact], system: System) -> dict[int, RareAttributes]:
    """Return the rare attributes of facts that the system needs, keyed by ledger number."""
    extra_filter = Q(kind=FactKind.OPENING)
    if system.is_points_system:
        extra_filter |= Q(kind=FactKind.PLACE) | ~Q(event_weight=1.0) | ~Q(division_rank=1)
    if system.uses_pr:
        extra_filter |= Q(winner_pr__gt=F("loser_pr"))
    return {
        fact.pk: fact_extra(fact, system)
        for fact in facts.filter(extra_filter)
        .order_by()
        .only(
            "event_weight",
            "division_rank",
            "opening_rating",
            "opening_deviation",
            "opening_experience",
            "place",
            "tied",
            "field",
            "winner_pr",
            "loser_pr",
        )
        .iterator(chunk_size=5000)
    }


def fact_extra(fact: Fact, system: System) -> RareAttributes:
    """Return the rare attributes of a fact for this system; the weight is the event's or that by PR."""
    judged_weight = pr_share(fact.winner_pr, fact.loser_pr) if system.uses_pr else 1.0
    return RareAttributes(
        weight=fact.event_weight * division_weight(fact.division_rank)
        if system.is_points_system
        else judged_weight,
        rating=fact.opening_rating,
        deviation=fact.opening_deviation,
        experience=fact.opening_experience,
        place=fact.place,
        tied=fact.tied,
        field=fact.field,
    )


def changes_from(rating_list: RatingList, point: Point) -> QuerySet[Change]:
    """Return the query for the list's current history from ``point`` (moment, ledger number) on."""
    moment, number = point
    if rating_list.generation is None:
        return Change.objects.none()
    return (
        Change.objects.of(rating_list.generation)
        .filter(moment__gte=moment)
        .exclude(moment=moment, fact_id__lt=number)
    )
