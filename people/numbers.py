"""Read federation numbers and outside ratings; those of a merged player count for the remaining one."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import date

from django.db.models import Q

from people.models import FederationNumber, OutsideRating, Player


@dataclass(frozen=True, slots=True)
class Number:
    """A number of a player at a federation. ``valid_until``: its last day; None: unknown."""

    federation: str
    number: str
    valid_until: date | None = None

    def is_over(self, today: date) -> bool:
        return self.valid_until is not None and self.valid_until < today


@dataclass(frozen=True, slots=True)
class SourceRating:
    """A player's rating at a source, as of a day."""

    source: str
    value: float
    on: date


@dataclass(frozen=True, slots=True)
class OutsideProfile:
    """Everything known of a player at other bodies; the newest rating of each source first."""

    numbers: tuple[Number, ...] = ()
    ratings: tuple[SourceRating, ...] = ()

    @property
    def version(self) -> str:
        """Return a text that changes whenever the content does."""
        return repr((self.numbers, self.ratings))

    @property
    def present(self) -> tuple[SourceRating, ...]:
        """Return the newest rating of each source."""
        newest_by_source: dict[str, SourceRating] = {}
        for rating in self.ratings:
            newest_by_source.setdefault(rating.source, rating)
        return tuple(newest_by_source.values())


def outside_profiles(players: Collection[int]) -> dict[int, OutsideProfile]:
    """Return the profiles of players by id, without those of whom nothing is known; two queries."""
    owner_filter = Q(player__in=players) | Q(player__merged_into__in=players)
    numbers: dict[int, dict[Number, None]] = {}
    ratings: dict[int, dict[SourceRating, None]] = {}
    for row in (
        FederationNumber.objects.filter(owner_filter)
        .select_related("player")
        .order_by("federation", "number")
    ):
        number = Number(row.federation, row.number, row.valid_until)
        numbers.setdefault(_surviving_id(row.player), {})[number] = None
    for rating in (
        OutsideRating.objects.filter(owner_filter).select_related("player").order_by("source", "-on")
    ):
        source_rating = SourceRating(rating.source, rating.value, rating.on)
        ratings.setdefault(_surviving_id(rating.player), {})[source_rating] = None
    return {
        pk: OutsideProfile(tuple(numbers.get(pk, ())), tuple(ratings.get(pk, ())))
        for pk in numbers.keys() | ratings.keys()
    }


def outside_ratings(players: Collection[int]) -> dict[str, dict[int, float]]:
    """Return the newest rating of each source, by source and player."""
    ratings: dict[str, dict[int, float]] = {}
    for pk, profile in outside_profiles(players).items():
        for rating in profile.present:
            ratings.setdefault(rating.source, {})[pk] = rating.value
    return dict(sorted(ratings.items()))


def outside_labels(profile: OutsideProfile, today: date) -> Iterable[tuple[str, bool]]:
    """Yield “USBGF 123” for numbers, with whether expired, and “USBGF 1650.5” for the newest ratings."""
    for number in profile.numbers:
        yield f"{number.federation} {number.number}", number.is_over(today)
    for rating in profile.present:
        yield f"{rating.source} {rating.value:g} ({rating.on.isoformat()})", False


def _surviving_id(player: Player) -> int:
    return player.merged_into_id or player.pk
