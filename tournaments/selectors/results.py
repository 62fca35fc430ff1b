"""Results of a club with their event, division and round, as far as the reader may see these."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Q, QuerySet, Sum

from people import versions
from people.models import Club
from rating.selectors.results import ClubResult, ClubResults, ResultFilter, results_version
from rating.selectors.visibility import names_version
from tournaments.models import Event, Match
from tournaments.selectors.access.visibility import listed_events


@dataclass(frozen=True, slots=True)
class LocatedResult:
    """A result from the rating ledger and where it was played.

    The fields are empty for an imported result and for an event that the reader may not see.
    """

    result: ClubResult
    event: str = ""
    event_name: str = ""
    division: str = ""
    section: str = ""
    round: str = ""
    match: str = ""


class LocatedResults(Sequence[LocatedResult]):
    """The results of ``ClubResults`` and where they were played, as a sequence that is loaded when accessed.

    ``inside``: True for directors of the club; otherwise only results of listed events and imported results.
    """

    def __init__(self, club: Club, result_filter: ResultFilter, *, inside: bool) -> None:
        listed = listed_events()
        public = None if inside else listed.values("public_id")
        self._results = ClubResults(club, result_filter, inside=inside, public_events=public)
        self._events = Event.objects.filter(Q(club=club) | Q(pk__in=listed)) if inside else listed

    @property
    def about(self) -> ClubResults:
        return self._results

    def __len__(self) -> int:
        return len(self._results)

    def __getitem__(self, part: Any) -> Any:
        return self._locate(self._results[part])

    def every(self) -> Iterator[LocatedResult]:
        """Yield all results, oldest first, loaded in batches."""
        for batch in self._results.batches():
            yield from self._locate(batch)

    def _locate(self, results: list[ClubResult]) -> list[LocatedResult]:
        keys = {result.event_key for result in results} - {""}
        names = dict(self._events.filter(public_id__in=keys).values_list("public_id", "name")) if keys else {}
        ids = {
            match: result
            for result in results
            if result.event_key in names and (match := _match_id_in_key(result.key))
        }
        matches = _match_locations(Match.objects.filter(public_id__in=ids))
        located = []
        for result in results:
            if result.event_key and result.event_key not in names:
                located.append(LocatedResult(result))
                continue
            match = _match_id_in_key(result.key) if result.event_key else ""
            division, section, code = matches.get(match, ("", "", ""))
            name = names.get(result.event_key, result.event_name)
            located.append(
                LocatedResult(
                    result, result.event_key, name, division, section, code, match if match in matches else ""
                )
            )
        return located


def _match_id_in_key(key: str) -> str:
    """Return the public id of the match in a ledger key (``selectors.matches.ledger``), else empty."""
    kind, _sep, id_and_suffix = key.partition(":")
    return id_and_suffix.partition(":")[0] if kind == "match" else ""


def _match_locations(matches: QuerySet[Match]) -> dict[str, tuple[str, str, str]]:
    fields = ("public_id", "stage__division__name", "round__section", "round__code")
    return {pk: (division, section, code) for pk, division, section, code in matches.values_list(*fields)}


def located_results_version(club: Club, results: LocatedResults) -> list[object]:
    """Return the values on which a page with these results depends, for its ETag."""
    events = Event.objects.filter(club__in=list(results.about.clubs)).aggregate(
        n=Count("pk"), v=Sum("version")
    )
    topics = versions.versions_of([versions.ALL_CLUBS, versions.ALL_EVENTS])
    return [results_version(club), names_version(), events["n"], events["v"] or 0, *topics]
