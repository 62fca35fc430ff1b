"""Spans: which clubs a list counts, and at which times.

A list counts its own club always, the member clubs of a federation during their membership, all within the
list's season. Spans are stored in a generation (``Generation.clubs``) as JSON: a club's id where it counts
without bounds, otherwise ``[club, from, until]`` in microseconds since 1970, half-open, null for no bound.
They are sorted, so that two computations have the same basis if their spans are equal.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, timedelta
from typing import Any, Final

from django.db.models import Q

from people.models import Affiliation
from people.zones import club_zone, midnight
from rating.models import RatingList
from rating.store.moments import to_moment

Span = tuple[int | None, int | None]
Spans = Sequence[Any]  # of int | [int, int | None, int | None]
Memberships = Mapping[
    int, Sequence[tuple[int, Span]]
]  # federation → its clubs, each with the times of its membership

ALWAYS: Final[Span] = (None, None)


def all_members() -> Memberships:
    """Return all memberships in federations with their times, for callers with many lists. One query."""
    return _memberships(Affiliation.objects.all())


def _memberships(rows: Iterable[Affiliation]) -> Memberships:
    memberships: dict[int, list[tuple[int, Span]]] = defaultdict(list)
    for row in rows:
        begins = None if row.begins is None else to_moment(row.begins)
        ends = None if row.ends is None else to_moment(row.ends)
        memberships[row.federation_id].append((row.club_id, (begins, ends)))
    return memberships


def counted_spans(rating_list: RatingList, members: Memberships | None = None) -> list[Any]:
    """Return which clubs the list counts now, and at which times.

    ``members``: the result of ``all_members``, given by callers with many lists.
    """
    return club_spans(rating_list.club_id, list_season(rating_list), members)


def club_spans(club_id: int, season: Span = ALWAYS, members: Memberships | None = None) -> list[Any]:
    """Return the club, and the clubs below it during their membership, within ``season``, as spans.

    ``members``: the result of ``all_members``, given by callers with many lists.
    """
    counted: list[Any] = []
    for club, spans in sorted(_spans_by_club(club_id, members).items()):
        in_season = merge_spans(_overlap(span, season) for span in spans)
        counted += [club if span == ALWAYS else [club, *span] for span in in_season]
    return counted


def clubs_on_public_lists(clubs: Iterable[int]) -> set[int]:
    """Return those of ``clubs`` (ids) that a public list counts or has counted, their own or a federation's.

    Two queries.
    """
    public_clubs = set(RatingList.objects.public().values_list("club_id", flat=True))
    federations_by_club: dict[int, set[int]] = defaultdict(set)
    for club, federation in Affiliation.objects.values_list("club_id", "federation_id"):
        federations_by_club[club].add(federation)

    def counted(club: int) -> bool:
        visited, pending = {club}, [club]
        while pending:
            club_id = pending.pop()
            if club_id in public_clubs:
                return True
            pending += federations_by_club[club_id] - visited
            visited |= federations_by_club[club_id]
        return False

    return {club for club in clubs if counted(club)}


def list_season(rating_list: RatingList) -> Span:
    """Return the list's season, from the start of its first day to the end of its last day.

    Both are in microseconds since 1970, or None for no bound; days begin in the club's time zone.
    """
    first, last = rating_list.counts_from, rating_list.counts_until
    if first is None and last is None:
        return ALWAYS
    zone = club_zone(rating_list.club_id)

    def begin_of(day: date) -> int:
        return to_moment(midnight(day, zone))

    return (
        None if first is None else begin_of(first),
        None if last is None else begin_of(last + timedelta(days=1)),
    )


def clubs_ever_counted(club_id: int) -> list[int]:
    """Return the ids of the club and of all clubs that have ever been below it."""
    return sorted(_spans_by_club(club_id, None))


def clubs_at(club_id: int, moment: int) -> list[int]:
    """Return the ids of the club and of all clubs below it at ``moment`` (microseconds since 1970)."""
    return sorted(
        club
        for club, spans in _spans_by_club(club_id, None).items()
        if any(_overlap(span, (moment, moment + 1)) for span in spans)
    )


def _spans_by_club(root: int, members: Memberships | None) -> dict[int, list[Span]]:
    """Return the times at which each club was below ``root``, keyed by club id.

    Each membership on the way up has to hold at that time.
    """
    spans_by_club: dict[int, list[Span]] = {root: [ALWAYS]}
    level: dict[int, list[Span]] = {root: [ALWAYS]}
    while level:
        memberships = (
            members if members is not None else _memberships(Affiliation.objects.filter(federation__in=level))
        )
        next_spans: dict[int, list[Span]] = defaultdict(list)
        for federation, spans in level.items():
            for club, member_span in memberships.get(federation, ()):
                for span in spans:
                    overlap = _overlap(span, member_span)
                    if overlap is not None:
                        next_spans[club].append(overlap)
        level = {}
        for club, spans in next_spans.items():
            merged = merge_spans([*spans_by_club.get(club, []), *spans])
            if merged != spans_by_club.get(club):  # more than was known: update what is below it, too
                level[club] = spans
                spans_by_club[club] = merged
    return spans_by_club


def _overlap(span: Span, other: Span) -> Span | None:
    """Return the common part of two spans of time; None if there is none."""
    begins = max((bound for bound in (span[0], other[0]) if bound is not None), default=None)
    ends = min((bound for bound in (span[1], other[1]) if bound is not None), default=None)
    return None if begins is not None and ends is not None and begins >= ends else (begins, ends)


def merge_spans(spans: Iterable[Span | None]) -> list[Span]:
    """Return the spans of time in order, with overlapping and adjoining ones joined."""
    merged: list[Span] = []
    for span in sorted((s for s in spans if s is not None), key=lambda s: (s[0] is not None, s[0] or 0)):
        if merged and (merged[-1][1] is None or span[0] is None or span[0] <= merged[-1][1]):
            last = merged[-1]
            ends = None if last[1] is None or span[1] is None else max(last[1], span[1])
            merged[-1] = (last[0], ends)
        else:
            merged.append(span)
    return merged


def span_club_ids(spans: Spans) -> list[int]:
    """Return the ids of the clubs in ``spans``, sorted."""
    return sorted({span if isinstance(span, int) else span[0] for span in spans})


def spans_q(spans: Spans) -> Q | None:
    """Return a filter of facts by the times in ``spans``; None if no club has bounds.

    Use it together with a filter by ``span_club_ids``.
    """
    bounded = [span for span in spans if not isinstance(span, int)]
    if not bounded:
        return None
    clubs_by_span: dict[tuple[Any, ...], list[int]] = defaultdict(
        list
    )  # many clubs have the same bounds: those of a season
    for club, begins, ends in bounded:
        clubs_by_span[begins, ends].append(club)
    unbounded_ids = [span for span in spans if isinstance(span, int)]
    condition = Q(club_id__in=unbounded_ids) if unbounded_ids else Q(pk__in=[])
    if not unbounded_ids and len(clubs_by_span) == 1:
        return _moment_q(*next(iter(clubs_by_span)))
    for (begins, ends), club_ids in clubs_by_span.items():
        condition |= Q(club_id__in=club_ids) & _moment_q(begins, ends)
    return condition


def _moment_q(begins: int | None, ends: int | None) -> Q:
    condition = Q()
    if begins is not None:
        condition &= Q(moment__gte=begins)
    if ends is not None:
        condition &= Q(moment__lt=ends)
    return condition


def only_in_first_q(first: Spans, second: Spans) -> Q:
    """Return a filter for facts in the clubs and times of ``first`` that are not in those of ``second``."""
    condition = Q(pk__in=[])
    first_spans, second_spans = _spans_from_counted(first), _spans_from_counted(second)
    for club, spans in first_spans.items():
        for span in _subtract_spans(spans, second_spans.get(club, [])):
            condition |= Q(club_id=club) & _moment_q(*span)
    return condition


def _spans_from_counted(spans: Spans) -> dict[int, list[Span]]:
    spans_by_club: dict[int, list[Span]] = defaultdict(list)
    for span in spans:
        if isinstance(span, int):
            spans_by_club[span].append(ALWAYS)
        else:
            spans_by_club[span[0]].append((span[1], span[2]))
    return spans_by_club


def _subtract_spans(spans: Sequence[Span], removed: Sequence[Span]) -> list[Span]:
    """Return the parts of ``spans`` that are in none of ``removed``."""
    remaining = list(spans)
    for begins, ends in removed:
        parts: list[Span | None] = []
        for span in remaining:
            parts.append(None if begins is None else _overlap(span, (None, begins)))
            parts.append(None if ends is None else _overlap(span, (ends, None)))
        remaining = [span for span in parts if span is not None]
    return remaining
