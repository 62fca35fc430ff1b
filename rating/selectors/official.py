"""Reading of official lists: the valid one, all dates, and rows with present names and changes of rank."""

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
    """Return the time zone in which the dates of the list's official lists begin."""
    return club_zone(rating_list.club_id)


def official_request(rating_list: RatingList) -> OfficialRequest | None:
    """Return the director's request for an official list that is not yet done or has failed, or None."""
    return OfficialRequest.objects.filter(rating_list=rating_list).first()


def official_schedule(rating_list: RatingList) -> OfficialSchedule | None:
    return OfficialSchedule.objects.filter(rating_list=rating_list).first()


def official_lists(rating_list: RatingList, day: date | None = None) -> QuerySet[OfficialList]:
    """Return the query for all official lists of a rating list (or those of ``day``), latest date first.

    Of each date the latest issue comes first.
    """
    official_lists = OfficialList.objects.filter(rating_list=rating_list)
    if day is not None:
        official_lists = official_lists.filter(day=day)
    return official_lists.select_related("replaces", "replaced_by").order_by("-day", "-issue")


def issue_by_number(rating_list: RatingList, number: int) -> OfficialList:
    issue = official_lists(rating_list).filter(number=number).first()
    if issue is None:
        raise Missing("rating.official_unknown")
    return issue


def issue_to_correct(rating_list: RatingList, number: str) -> OfficialList | None:
    """Return the official list whose number an address contains; None if the number is not valid."""
    is_number = number.isascii() and number.isdecimal() and len(number) < 9
    return official_lists(rating_list).filter(number=int(number)).first() if is_number else None


def current_issue(rating_list: RatingList) -> OfficialList | None:
    """Return the valid official list: the last issue of the latest date, or None."""
    return official_lists(rating_list).first()


def issue_before(official: OfficialList) -> OfficialList | None:
    """Return the last issue of the previous date that has an official list, or None."""
    earlier = OfficialList.objects.filter(rating_list=official.rating_list_id, day__lt=official.day)
    return earlier.order_by("-day", "-issue").first()


@dataclass(frozen=True, slots=True)
class OfficialLine(ListRowMixin):
    """A row of an official list as visible to the public.

    ``before``: the player's rank on the previous list; ``is_new``: True if the player was not on the previous
    list.
    """

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
        """Return by how many ranks the player rose (positive) or fell.

        None without a rank on one of the lists.
        """
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
    """The rows of an official list as a sequence that reads only the slice that is used.

    ``search``: only players with these words in their name.
    """

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

    def __getitem__(self, page_slice: Any) -> Any:
        return self._lines(list(self._rows[page_slice]), merged_players())

    def every(self) -> Iterator[OfficialLine]:
        """Yield every row, for files, without loading all rows at once."""
        merged, batch = merged_players(), list[OfficialRow]()
        for row in self._rows.iterator(chunk_size=CHUNK):
            batch.append(row)
            if len(batch) == CHUNK:
                yield from self._lines(batch, merged)
                batch = []
        yield from self._lines(batch, merged)

    def _lines(self, rows: list[OfficialRow], merged: dict[int, int]) -> list[OfficialLine]:
        surviving_ids = {row.player_id: merged.get(row.player_id, row.player_id) for row in rows}
        names, homes = player_names(surviving_ids.values()), _home_clubs(surviving_ids.values())
        ranks = self._previous_ranks(set(surviving_ids.values()), merged)
        lines = []
        for row in rows:
            player = surviving_ids[row.player_id]
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
        """Return the ranks on the previous list, keyed by player id; for merged players the better rank."""
        if self._previous_issue is None:
            return {}
        previous_ids = players | {merged_id for merged_id, survivor in merged.items() if survivor in players}
        ranks: dict[int, int | None] = {}
        rows = OfficialRow.objects.filter(official=self._previous_issue, player_id__in=previous_ids)
        for player, rank in rows.values_list("player_id", "rank"):
            survivor = merged.get(player, player)
            known_rank = ranks.get(survivor)
            ranks[survivor] = (
                rank if known_rank is None or (rank is not None and rank < known_rank) else known_rank
            )
        return ranks


def _home_clubs(players: Any) -> dict[int, tuple[str, str]]:
    """Return (name of the home club, country) of these players, keyed by player id; "" for no club."""
    rows = Player.objects.filter(pk__in=set(players)).values_list("pk", "home_club__name", "country")
    return {pk: (club or "", country) for pk, club, country in rows}


@dataclass(frozen=True, slots=True)
class IssueLine:
    """An official list as a row in the list of all dates."""

    official: OfficialList

    @property
    def day_text(self) -> str:
        return date_format(self.official.day, "DATE_FORMAT")

    @property
    def replaces(self) -> int | None:
        return self.official.replaces.number if self.official.replaces is not None else None

    @property
    def replaced_by(self) -> int | None:
        successor = getattr(self.official, "replaced_by", None)
        return successor.number if successor is not None else None


def signed_document(official: OfficialList) -> bytes:
    """Return the bytes that were signed, from the rows as they were written."""
    rows = OfficialRow.objects.filter(official=official).order_by("position")
    fields = rows.values_list(
        "rank", "player__public_id", "rating", "deviation", "experience", "matches", "provisional"
    )
    return build_document(official.head, fields.iterator(chunk_size=CHUNK))


def build_document(head: dict[str, Any], rows: Any) -> bytes:
    """Return an official list as canonical JSON: ``head``, and for each player rank, public id and numbers.

    ``rows``: for each player (rank, public id, rating, deviation, experience, matches, whether provisional).
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
    """Return the public key that signs now, followed by the former keys that signed an official list."""
    used_keys = OfficialList.objects.order_by().values_list("key", flat=True).distinct()
    current_key = current_public_key()
    return [current_key, *sorted(set(used_keys) - {current_key})]


def published_days(rating_list: RatingList, since: date) -> set[date]:
    official_lists = OfficialList.objects.filter(rating_list=rating_list, day__gte=since)
    return set(official_lists.order_by().values_list("day", flat=True))
