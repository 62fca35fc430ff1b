"""Effective results of a club, or of a federation with its member clubs, for export to other bodies.

A federation's are those of the time of membership. Superseded facts are excluded, corrections included.
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
    """Filter of results.

    From the beginning of ``since`` to the end of ``until``, in the club's zone; of one member ``club``; with
    all words of ``text`` in a player's name.
    """

    since: date | None = None
    until: date | None = None
    club: str = ""
    text: str = ""


@dataclass(frozen=True, slots=True)
class ClubResult:
    """A result. Scores are None if unknown (an old imported result). ``key``: its key in the ledger."""

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
    """The results of a filter as a sequence, newest first: only the slice used is read.

    ``inside``: for directors of the club, who see names of players known to it. Others see listed players
    only, and results of events whose keys are in ``public_events`` (a query of one column), or of none where
    a public list counts the club.

    Raises ``Invalid`` for impossible days and clubs.
    """

    def __init__(
        self,
        club: Club,
        asked: ResultFilter,
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
            one.pk: one for one in (clubs if inside else clubs.filter(shut="")).order_by("name", "pk")
        }
        facts = Fact.objects.filter(kind__in=[FactKind.RESULT, FactKind.REPLACEMENT], later__isnull=True)
        facts = facts.filter(self._date_filter(asked))
        chosen = self._selected_club_id(asked)
        facts = facts.filter(club_id=chosen) if chosen else facts.filter(club_id__in=list(self.clubs))
        bounds = spans_q(spans)
        if bounds is not None:
            facts = facts.filter(bounds)
        if public_events is not None:
            shown = Q(event_key="", club_id__in=clubs_on_public_lists(self.clubs))
            facts = facts.filter(shown | Q(event_key__in=public_events))
        self._facts = facts.filter(self._name_filter(asked.text))

    def _date_filter(self, asked: ResultFilter) -> Q:
        limits = {"first": FIRST_YEAR, "last": LAST_YEAR}
        days = {"since": asked.since, "until": asked.until}
        faults = [
            Fault("rating.year", name, limits)
            for name, day in days.items()
            if day is not None and not FIRST_YEAR <= day.year <= LAST_YEAR
        ]
        if asked.since is not None and asked.until is not None and asked.until < asked.since:
            faults.append(Fault("rating.dates", "until"))
        if asked.club and not any(one.public_id == asked.club for one in self.clubs.values()):
            faults.append(Fault("rating.results_club", "club"))
        raise_faults(faults)
        found = Q()
        if asked.since is not None:
            found &= Q(moment__gte=to_moment(midnight(asked.since, self.zone)))
        if asked.until is not None:
            found &= Q(moment__lt=to_moment(midnight(asked.until + timedelta(days=1), self.zone)))
        return found

    def _selected_club_id(self, asked: ResultFilter) -> int:
        return next((pk for pk, one in self.clubs.items() if one.public_id == asked.club), 0)

    def _name_filter(self, text: str) -> Q:
        known = Q(listed=True)
        if self.inside:
            known |= Q(Exists(PlayerClub.objects.filter(player=OuterRef("pk"), club=self.club)))
        either = players_by_name(text, Player.objects.filter(known))
        return Q() if either is None else Q(winner__in=either) | Q(loser__in=either)

    def __len__(self) -> int:
        return self._facts.count()

    def __getitem__(self, part: Any) -> Any:
        return self._results(list(self._facts.order_by("-moment", "-pk")[part].values(*_FIELDS)))

    def batches(self) -> Iterator[list[ClubResult]]:
        """Yield all results in batches, oldest first, without loading all."""
        some: list[dict[str, Any]] = []
        for row in self._facts.order_by("moment", "pk").values(*_FIELDS).iterator(chunk_size=CHUNK):
            some.append(row)
            if len(some) == CHUNK:
                yield self._results(some)
                some = []
        yield self._results(some)

    def _results(self, rows: Sequence[Mapping[str, Any]]) -> list[ClubResult]:
        merged = merged_players()
        ids = {row[side] for row in rows for side in ("winner_id", "loser_id")}
        now = {player: merged.get(player, player) for player in ids}
        names = player_names(now.values(), club_id=self.club.pk if self.inside else None)
        return [
            ClubResult(
                number=row["pk"],
                key=row["source_key"],
                played_at=row["played_at"],
                club=self.clubs[row["club_id"]],
                winner=names[now[row["winner_id"]]],
                loser=names[now[row["loser_id"]]],
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
    """Return the score if known: a row imported without one is stored as one to nothing."""
    score = row["winner_score"], row["loser_score"]
    unknown = row["source_key"].startswith(_FROM_FILE) and has_no_score(row["length"], score)
    return (None, None) if unknown else score


def results_version(club: Club) -> str:
    """Return a text that changes when a fact is added, or applied to a list that counts the club."""
    newest = Fact.objects.order_by("-pk").values_list("pk", flat=True).first() or 0
    lists = RatingList.objects.filter(Q(club=club) | Q(pk__in=list_ids_counting(club.pk))).order_by("pk")
    return ".".join(map(str, [newest, *lists.values_list("version", flat=True)]))
