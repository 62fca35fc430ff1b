"""Valid results of a club, or of a federation and its member clubs, for export to other organisations.

A federation has the results of a club during its membership. Superseded facts are left out; corrections are
included.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any, Final
from zoneinfo import ZoneInfo

from django.db.models import Exists, OuterRef, Q, QuerySet

from faults import Fault, raise_faults
from people.models import Club, Player, PlayerClub
from people.zones import FIRST_YEAR, LAST_YEAR, club_zone, midnight
from rating.models import Fact, FactKind, RatingList
from rating.selectors.shown import PlayerName, player_names, players_by_name
from rating.store.moments import to_moment
from rating.store.reading import has_no_score, list_ids_counting, merged_players
from rating.store.spans import club_spans, clubs_on_public_lists, span_club_ids, spans_q

CHUNK: Final = 2000
_FROM_FILE: Final = "csv:"
_FIELDS: Final = (
    "pk source_key club_id winner_id loser_id length winner_score loser_score result_kind discipline"
    " event_key event_name played_at"
).split()


@dataclass(frozen=True, slots=True)
class ResultFilter:
    """Which results are wanted.

    ``since`` and ``until``: first and last date, in the club's time zone; ``club``: the public id of one
    member club; ``text``: each of its words must occur in a player's name.
    """

    since: date | None = None
    until: date | None = None
    club: str = ""
    text: str = ""


@dataclass(frozen=True, slots=True)
class ClubResult:
    """A result. ``number`` is its ledger number, ``key`` its source key.

    The scores are None if unknown, as for an old imported result.
    """

    number: int
    key: str
    played_at: datetime
    club: Club
    winner: PlayerName
    loser: PlayerName
    length: int
    winner_score: int | None
    loser_score: int | None
    kind: str
    discipline: str
    event_key: str
    event_name: str


class ClubResults(Sequence[ClubResult]):
    """The results that pass a filter, newest first, as a sequence that reads only the slice that is used.

    ``inside``: True for directors of the club, who also see the names of players known to it; others see
    public players only. ``public_events``: only results of events with these keys (a query of one column),
    and results without an event of clubs with a public list. Raises ``Invalid`` for impossible dates and
    unknown clubs.
    """

    def __init__(
        self,
        club: Club,
        result_filter: ResultFilter,
        *,
        inside: bool,
        public_events: QuerySet[Any, Any] | None = None,
    ) -> None:
        self.club, self.inside = club, inside
        self.zone: ZoneInfo = club_zone(club.pk, club.timezone)
        spans = club_spans(club.pk)
        clubs = Club.objects.filter(pk__in=span_club_ids(spans))
        # The public sees no results of a restricted club.
        self.clubs = {
            counted_club.pk: counted_club
            for counted_club in (clubs if inside else clubs.filter(shut="")).order_by("name", "pk")
        }
        facts = Fact.objects.filter(kind__in=[FactKind.RESULT, FactKind.REPLACEMENT], later__isnull=True)
        facts = facts.filter(self._date_filter(result_filter))
        chosen_id = self._selected_club_id(result_filter)
        facts = facts.filter(club_id=chosen_id) if chosen_id else facts.filter(club_id__in=list(self.clubs))
        span_filter = spans_q(spans)
        if span_filter is not None:
            facts = facts.filter(span_filter)
        if public_events is not None:
            public_filter = Q(event_key="", club_id__in=clubs_on_public_lists(self.clubs))
            facts = facts.filter(public_filter | Q(event_key__in=public_events))
        self._facts = facts.filter(self._name_filter(result_filter.text))

    def _date_filter(self, result_filter: ResultFilter) -> Q:
        limits = {"first": FIRST_YEAR, "last": LAST_YEAR}
        days = {"since": result_filter.since, "until": result_filter.until}
        faults = [
            Fault("rating.year", name, limits)
            for name, day in days.items()
            if day is not None and not FIRST_YEAR <= day.year <= LAST_YEAR
        ]
        if (
            result_filter.since is not None
            and result_filter.until is not None
            and result_filter.until < result_filter.since
        ):
            faults.append(Fault("rating.dates", "until"))
        if result_filter.club and not any(
            club.public_id == result_filter.club for club in self.clubs.values()
        ):
            faults.append(Fault("rating.results_club", "club"))
        raise_faults(faults)
        condition = Q()
        if result_filter.since is not None:
            condition &= Q(moment__gte=to_moment(midnight(result_filter.since, self.zone)))
        if result_filter.until is not None:
            condition &= Q(moment__lt=to_moment(midnight(result_filter.until + timedelta(days=1), self.zone)))
        return condition

    def _selected_club_id(self, result_filter: ResultFilter) -> int:
        return next((pk for pk, club in self.clubs.items() if club.public_id == result_filter.club), 0)

    def _name_filter(self, text: str) -> Q:
        player_filter = Q(listed=True)
        if self.inside:
            player_filter |= Q(Exists(PlayerClub.objects.filter(player=OuterRef("pk"), club=self.club)))
        player_ids = players_by_name(text, Player.objects.filter(player_filter))
        return Q() if player_ids is None else Q(winner__in=player_ids) | Q(loser__in=player_ids)

    def __len__(self) -> int:
        return self._facts.count()

    def __getitem__(self, page_slice: Any) -> Any:
        return self._results(list(self._facts.order_by("-moment", "-pk")[page_slice].values(*_FIELDS)))

    def batches(self) -> Iterator[list[ClubResult]]:
        """Yield all results in batches, oldest first, without loading all at once."""
        batch: list[dict[str, Any]] = []
        for row in self._facts.order_by("moment", "pk").values(*_FIELDS).iterator(chunk_size=CHUNK):
            batch.append(row)
            if len(batch) == CHUNK:
                yield self._results(batch)
                batch = []
        yield self._results(batch)

    def _results(self, rows: Sequence[Mapping[str, Any]]) -> list[ClubResult]:
        merged = merged_players()
        ids = {row[side] for row in rows for side in ("winner_id", "loser_id")}
        surviving_ids = {player: merged.get(player, player) for player in ids}
        names = player_names(surviving_ids.values(), club_id=self.club.pk if self.inside else None)
        return [
            ClubResult(
                number=row["pk"],
                key=row["source_key"],
                played_at=row["played_at"],
                club=self.clubs[row["club_id"]],
                winner=names[surviving_ids[row["winner_id"]]],
                loser=names[surviving_ids[row["loser_id"]]],
                length=row["length"],
                winner_score=score[0],
                loser_score=score[1],
                kind=row["result_kind"],
                discipline=row["discipline"],
                event_key=row["event_key"],
                event_name=row["event_name"],
            )
            for row, score in ((row, _known_score(row)) for row in rows)
        ]


def _known_score(row: Mapping[str, Any]) -> tuple[int, int] | tuple[None, None]:
    """Return the score; (None, None) if a result was imported without one, which is stored as length to 0."""
    score = row["winner_score"], row["loser_score"]
    is_unknown = row["source_key"].startswith(_FROM_FILE) and has_no_score(row["length"], score)
    return (None, None) if is_unknown else score


def results_version(club: Club) -> str:
    """Return a text for ETags, changed when a fact is added or a list that counts the club changes."""
    newest_id = Fact.objects.order_by("-pk").values_list("pk", flat=True).first() or 0
    lists = RatingList.objects.filter(Q(club=club) | Q(pk__in=list_ids_counting(club.pk))).order_by("pk")
    return ".".join(map(str, [newest_id, *lists.values_list("version", flat=True)]))
