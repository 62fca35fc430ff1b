"""Read players' federation numbers and outside ratings; those of a merged duplicate count for the player."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import date

from django.db.models import Q

from people.models import FederationNumber, OutsideRating, Player


@dataclass(frozen=True, slots=True)
class FederationNumberValue:
    """A player's number as a member of a federation. ``valid_until``: its last valid day; None: unknown."""

    federation: str
    number: str
    valid_until: date | None = None

    def is_over(self, today: date) -> bool:
        return self.valid_until is not None and self.valid_until < today


@dataclass(frozen=True, slots=True)
class SourceRating:
    """A player's rating by another organisation (``source``), as of the day ``on``."""

    source: str
    value: float
    on: date


@dataclass(frozen=True, slots=True)
class ExternalProfile:
    """All federation numbers of a player, and all ratings by other organisations.

    The ratings of each organisation are in order, the newest first.
    """

    numbers: tuple[FederationNumberValue, ...] = ()
    ratings: tuple[SourceRating, ...] = ()

    @property
    def version(self) -> str:
        """Return a text that changes whenever a number or rating does."""
        return repr((self.numbers, self.ratings))

    @property
    def present(self) -> tuple[SourceRating, ...]:
        """Return the newest rating of each source."""
        newest_by_source: dict[str, SourceRating] = {}
        for rating in self.ratings:
            newest_by_source.setdefault(rating.source, rating)
        return tuple(newest_by_source.values())


def external_profiles(players: Collection[int]) -> dict[int, ExternalProfile]:
    """Return the profiles of players, as a dictionary keyed by player id; two queries.

    ``players``: ids. Players without numbers and ratings are left out.
    """
    owner_filter = Q(player__in=players) | Q(player__merged_into__in=players)
    numbers: dict[int, dict[FederationNumberValue, None]] = {}
    ratings: dict[int, dict[SourceRating, None]] = {}
    for row in (
        FederationNumber.objects.filter(owner_filter)
        .select_related("player")
        .order_by("federation", "number")
    ):
        number = FederationNumberValue(row.federation, row.number, row.valid_until)
        numbers.setdefault(_surviving_id(row.player), {})[number] = None
    for rating in (
        OutsideRating.objects.filter(owner_filter).select_related("player").order_by("source", "-on")
    ):
        source_rating = SourceRating(rating.source, rating.value, rating.on)
        ratings.setdefault(_surviving_id(rating.player), {})[source_rating] = None
    return {
        pk: ExternalProfile(tuple(numbers.get(pk, ())), tuple(ratings.get(pk, ())))
        for pk in numbers.keys() | ratings.keys()
    }


def external_ratings(players: Collection[int]) -> dict[str, dict[int, float]]:
    """Return the newest ratings: for each source a dictionary of ratings keyed by player id."""
    ratings: dict[str, dict[int, float]] = {}
    for pk, profile in external_profiles(players).items():
        for rating in profile.present:
            ratings.setdefault(rating.source, {})[pk] = rating.value
    return dict(sorted(ratings.items()))


def external_labels(profile: ExternalProfile, today: date) -> Iterable[tuple[str, bool]]:
    """Yield a label for each number and newest rating of a player, and whether the number has expired.

    Labels are such as “USBGF 123” and “USBGF 1650.5 (2026-05-01)”.
    """
    for number in profile.numbers:
        yield f"{number.federation} {number.number}", number.is_over(today)
    for rating in profile.present:
        yield f"{rating.source} {rating.value:g} ({rating.on.isoformat()})", False


def _surviving_id(player: Player) -> int:
    return player.merged_into_id or player.pk
