"""Read official lists: the current one, all dates, rows with present names and changes of rank."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any
from zoneinfo import ZoneInfo

from django.db.models import QuerySet
from django.utils.formats import date_format

from faults import Missing
from people.models import Player
from people.signing import canonical_json, current_public_key
from people.zones import club_zone
from rating.models import OfficialList, OfficialRequest, OfficialRow, OfficialSchedule, RatingList
from rating.selectors.shown import ListRowMixin, PlayerName, player_names, players_by_name
from rating.store.reading import merged_players

PER_PAGE = 100
CHUNK = 2000


def list_zone(rating_list: RatingList) -> ZoneInfo:
    """Return the zone of the list's days."""
    return club_zone(rating_list.club_id)


def official_request(rating_list: RatingList) -> OfficialRequest | None:
    """Return the open or failed request for an official list, or None."""
    return OfficialRequest.objects.filter(rating_list=rating_list).first()


def official_schedule(rating_list: RatingList) -> OfficialSchedule | None:
    return OfficialSchedule.objects.filter(rating_list=rating_list).first()


def issues(rating_list: RatingList, day: date | None = None) -> QuerySet[OfficialList]:
    """Return every issue of every day (or of one), newest day first; a query for counting and slicing."""
    found = OfficialList.objects.filter(rating_list=rating_list)
    if day is not None:
        found = found.filter(day=day)
    return found.select_related("replaces", "replaced_by").order_by("-day", "-issue")


def issue_by_number(rating_list: RatingList, number: int) -> OfficialList:
    found = issues(rating_list).filter(number=number).first()
    if found is None:
        raise Missing("rating.official_unknown")
    return found


def issue_to_correct(rating_list: RatingList, number: str) -> OfficialList | None:
    """Return the issue with the number in an address; None if it is not valid."""
    plain = number.isascii() and number.isdecimal() and len(number) < 9
    return issues(rating_list).filter(number=int(number)).first() if plain else None


def current_issue(rating_list: RatingList) -> OfficialList | None:
    """Return the last issue of the newest day, or None."""
    return issues(rating_list).first()


def issue_before(official: OfficialList) -> OfficialList | None:
    """Return the list of the previous day that has one, in its last issue, or None."""
    earlier = OfficialList.objects.filter(rating_list=official.rating_list_id, day__lt=official.day)
    return earlier.order_by("-day", "-issue").first()


@dataclass(frozen=True, slots=True)
class OfficialLine(ListRowMixin):
    """A row as visible to the public. ``before``: the previous rank; ``is_new``: not on the previous list."""

    position: int
    rank: int | None
    player: PlayerName
    club: str
    country: str
    rating: float
    deviation: float | None
    experience: int
    matches: int
    provisional: bool
    before: int | None
    is_new: bool
    list_id: str

    @property
    def moved(self) -> int | None:
        """Return the places gained (positive) or lost; None where there is no rank on one of the lists."""
        return None if self.rank is None or self.before is None else self.before - self.rank

    @property
    def moved_sign(self) -> int:
        return 0 if not self.moved else 1 if self.moved > 0 else -1

    @property
    def moved_text(self) -> str:
        if not self.moved:
            return "" if self.moved is None else "0"
        return f"+{self.moved}" if self.moved > 0 else f"\N{MINUS SIGN}{-self.moved}"


class OfficialLines(Sequence[OfficialLine]):
    """The rows of an issue as a sequence: only the slice used is read. ``search``: words of a name."""

    def __init__(self, rating_list: RatingList, official: OfficialList, search: str = "") -> None:
        self._list, self._previous_issue = rating_list, issue_before(official)
        self._rows = OfficialRow.objects.filter(official=official).order_by("position")
        players = players_by_name(search, Player.objects.filter(listed=True))
        if players is not None:
            self._rows = self._rows.filter(player__in=players)

    @property
    def previous_issue(self) -> OfficialList | None:
        return self._previous_issue

    def __len__(self) -> int:
        return self._rows.count()

    def __getitem__(self, part: Any) -> Any:
        return self._lines(list(self._rows[part]), merged_players())

    def every(self) -> Iterator[OfficialLine]:
        """Yield every row, for files, without loading all."""
        merged, some = merged_players(), list[OfficialRow]()
        for row in self._rows.iterator(chunk_size=CHUNK):
            some.append(row)
            if len(some) == CHUNK:
                yield from self._lines(some, merged)
                some = []
        yield from self._lines(some, merged)

    def _lines(self, rows: list[OfficialRow], merged: dict[int, int]) -> list[OfficialLine]:
        now = {row.player_id: merged.get(row.player_id, row.player_id) for row in rows}
        names, homes = player_names(now.values()), _home_clubs(now.values())
        ranks = self._previous_ranks(set(now.values()), merged)
        lines = []
        for row in rows:
            player = now[row.player_id]
            name = names[player]
            club, country = homes.get(player, ("", "")) if name.public_id else ("", "")
            lines.append(
                OfficialLine(
                    row.position,
                    row.rank,
                    name,
                    club,
                    country,
                    row.rating,
                    row.deviation,
                    row.experience,
                    row.matches,
                    row.provisional,
                    ranks.get(player),
                    self._previous_issue is not None and player not in ranks,
                    self._list.public_id,
                )
            )
        return lines

    def _previous_ranks(self, players: set[int], merged: dict[int, int]) -> dict[int, int | None]:
        """Return the previous ranks; of merged players the better one."""
        if self._previous_issue is None:
            return {}
        then = players | {old for old, now in merged.items() if now in players}
        found: dict[int, int | None] = {}
        rows = OfficialRow.objects.filter(official=self._previous_issue, player_id__in=then)
        for player, rank in rows.values_list("player_id", "rank"):
            now = merged.get(player, player)
            known = found.get(now)
            found[now] = rank if known is None or (rank is not None and rank < known) else known
        return found


def _home_clubs(players: Any) -> dict[int, tuple[str, str]]:
    """Return the name of the home club, and the country, by player."""
    found = Player.objects.filter(pk__in=set(players)).values_list("pk", "home_club__name", "country")
    return {pk: (club or "", country) for pk, club, country in found}


@dataclass(frozen=True, slots=True)
class IssueLine:
    """An issue in the list of all dates."""

    official: OfficialList

    @property
    def day_text(self) -> str:
        return date_format(self.official.day, "DATE_FORMAT")

    @property
    def replaces(self) -> int | None:
        return self.official.replaces.number if self.official.replaces is not None else None

    @property
    def replaced_by(self) -> int | None:
        later = getattr(self.official, "replaced_by", None)
        return later.number if later is not None else None


def signed_document(official: OfficialList) -> bytes:
    """Return the signed bytes, from the rows as they were written."""
    rows = OfficialRow.objects.filter(official=official).order_by("position")
    fields = rows.values_list(
        "rank", "player__public_id", "rating", "deviation", "experience", "matches", "provisional"
    )
    return build_document(official.head, fields.iterator(chunk_size=CHUNK))


def build_document(head: dict[str, Any], rows: Any) -> bytes:
    """Build the document: its ``head``, and for each player rank, id and numbers.

    The numbers are rating, deviation, experience, matches, and whether provisional.
    """
    players = [
        {
            "rank": rank,
            "player": player,
            "rating": repr(rating),
            "deviation": None if deviation is None else repr(deviation),
            "experience": experience,
            "matches": matches,
            "provisional": provisional,
        }
        for rank, player, rating, deviation, experience, matches, provisional in rows
    ]
    return canonical_json({**head, "players": players})


def public_keys() -> list[str]:
    """Return the public key that signs now, and former ones."""
    used = OfficialList.objects.order_by().values_list("key", flat=True).distinct()
    present = current_public_key()
    return [present, *sorted(set(used) - {present})]


def published_days(rating_list: RatingList, since: date) -> set[date]:
    found = OfficialList.objects.filter(rating_list=rating_list, day__gte=since)
    return set(found.order_by().values_list("day", flat=True))
