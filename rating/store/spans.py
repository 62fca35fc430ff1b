"""Spans: when a list counts which club. Its own always, the clubs of a federation during their membership.

All of them within the list's season. Spans are stored in a generation (``Generation.clubs``) as JSON: a
club's id where it counts without bounds, otherwise ``[club, from, until]`` in microseconds, half-open, null
for no bound. They are ordered, so that two computations are based on the same ones if these are equal.
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
    found: dict[int, list[tuple[int, Span]]] = defaultdict(list)
    for row in rows:
        begins = None if row.begins is None else to_moment(row.begins)
        ends = None if row.ends is None else to_moment(row.ends)
        found[row.federation_id].append((row.club_id, (begins, ends)))
    return found


def counted_spans(rating_list: RatingList, members: Memberships | None = None) -> list[Any]:
    """Return the spans that the list counts now; ``members`` is given by callers with many lists."""
    return club_spans(rating_list.club_id, list_season(rating_list), members)


def club_spans(club_id: int, season: Span = ALWAYS, members: Memberships | None = None) -> list[Any]:
    """Return the spans of the club and of clubs of the federation during their membership, in ``season``."""
    found: list[Any] = []
    for club, spans in sorted(_spans_by_club(club_id, members).items()):
        in_season = merge_spans(_overlap(span, season) for span in spans)
        found += [club if span == ALWAYS else [club, *span] for span in in_season]
    return found


def clubs_on_public_lists(clubs: Iterable[int]) -> set[int]:
    """Return those of ``clubs`` counted now or before by a public list, their own or a federation's.

    Two queries.
    """
    public = set(RatingList.objects.public().values_list("club_id", flat=True))
    above: dict[int, set[int]] = defaultdict(set)
    for club, federation in Affiliation.objects.values_list("club_id", "federation_id"):
        above[club].add(federation)

    def counted(club: int) -> bool:
        seen, left = {club}, [club]
        while left:
            one = left.pop()
            if one in public:
                return True
            left += above[one] - seen
            seen |= above[one]
        return False

    return {club for club in clubs if counted(club)}


def list_season(rating_list: RatingList) -> Span:
    """Return the season: from the start of its first day to the end of its last one, in the club's zone."""
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
    """Return the club and all clubs that have ever been below it."""
    return sorted(_spans_by_club(club_id, None))


def clubs_at(club_id: int, moment: int) -> list[int]:
    """Return the club and all clubs below it at ``moment``."""
    return sorted(
        club
        for club, spans in _spans_by_club(club_id, None).items()
        if any(_overlap(span, (moment, moment + 1)) for span in spans)
    )


def _spans_by_club(root: int, members: Memberships | None) -> dict[int, list[Span]]:
    """Return the spans of every club below ``root``, by the memberships on the way at that time."""
    found: dict[int, list[Span]] = {root: [ALWAYS]}
    level: dict[int, list[Span]] = {root: [ALWAYS]}
    while level:
        known = (
            members if members is not None else _memberships(Affiliation.objects.filter(federation__in=level))
        )
        below: dict[int, list[Span]] = defaultdict(list)
        for federation, spans in level.items():
            for club, belonged in known.get(federation, ()):
                for span in spans:
                    common = _overlap(span, belonged)
                    if common is not None:
                        below[club].append(common)
        level = {}
        for club, spans in below.items():
            now = merge_spans([*found.get(club, []), *spans])
            if now != found.get(club):  # more than was known: update what is below it, too
                level[club] = spans
                found[club] = now
    return found


def _overlap(one: Span, other: Span) -> Span | None:
    """Return the intersection; None if it is empty."""
    begins = max((at for at in (one[0], other[0]) if at is not None), default=None)
    ends = min((at for at in (one[1], other[1]) if at is not None), default=None)
    return None if begins is not None and ends is not None and begins >= ends else (begins, ends)


def merge_spans(spans: Iterable[Span | None]) -> list[Span]:
    """Return the spans in order, with adjoining ones joined."""
    found: list[Span] = []
    for span in sorted((s for s in spans if s is not None), key=lambda s: (s[0] is not None, s[0] or 0)):
        if found and (found[-1][1] is None or span[0] is None or span[0] <= found[-1][1]):
            last = found[-1]
            ends = None if last[1] is None or span[1] is None else max(last[1], span[1])
            found[-1] = (last[0], ends)
        else:
            found.append(span)
    return found


def span_club_ids(spans: Spans) -> list[int]:
    """Return the clubs of ``spans``."""
    return sorted({span if isinstance(span, int) else span[0] for span in spans})


def spans_q(spans: Spans) -> Q | None:
    """Return the filter on time that ``span_club_ids`` lacks; None if there is none."""
    bounded = [span for span in spans if not isinstance(span, int)]
    if not bounded:
        return None
    clubs: dict[tuple[Any, ...], list[int]] = defaultdict(
        list
    )  # many clubs have the same bounds: those of a season
    for club, begins, ends in bounded:
        clubs[begins, ends].append(club)
    free = [span for span in spans if isinstance(span, int)]
    found = Q(club_id__in=free) if free else Q(pk__in=[])
    if not free and len(clubs) == 1:
        return _moment_q(*next(iter(clubs)))
    for (begins, ends), some in clubs.items():
        found |= Q(club_id__in=some) & _moment_q(begins, ends)
    return found


def _moment_q(begins: int | None, ends: int | None) -> Q:
    found = Q()
    if begins is not None:
        found &= Q(moment__gte=begins)
    if ends is not None:
        found &= Q(moment__lt=ends)
    return found


def only_in_first_q(one: Spans, other: Spans) -> Q:
    """Return a filter for facts in the clubs and times of ``one`` and not of ``other``."""
    found = Q(pk__in=[])
    those, others = _spans_from_counted(one), _spans_from_counted(other)
    for club, spans in those.items():
        for span in _subtract_spans(spans, others.get(club, [])):
            found |= Q(club_id=club) & _moment_q(*span)
    return found


def _spans_from_counted(spans: Spans) -> dict[int, list[Span]]:
    found: dict[int, list[Span]] = defaultdict(list)
    for span in spans:
        if isinstance(span, int):
            found[span].append(ALWAYS)
        else:
            found[span[0]].append((span[1], span[2]))
    return found


def _subtract_spans(some: Sequence[Span], others: Sequence[Span]) -> list[Span]:
    """Return the time of ``some`` that is in none of ``others``."""
    left = list(some)
    for begins, ends in others:
        rest: list[Span | None] = []
        for span in left:
            rest.append(None if begins is None else _overlap(span, (None, begins)))
            rest.append(None if ends is None else _overlap(span, (ends, None)))
        left = [span for span in rest if span is not None]
    return left
