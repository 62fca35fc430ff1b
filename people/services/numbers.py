"""Write federation numbers and outside ratings.

Set by the player or the home club, added by imported lists.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from faults import Conflict, Fault, Invalid, Missing, raise_faults
from people.actors import Actor
from people.models import Club, FederationNumber, OutsideRating, Player
from people.models.numbers import BODY_LIMIT, NUMBER_LIMIT
from people.numbers import ExternalProfile, FederationNumberValue, SourceRating, external_profiles
from people.permissions import can_decide_for, require_director
from people.rows import one_or_none
from people.services import audit
from people.services.players import lock_editable_player
from people.text import clean_line
from people.transactions import durable

NUMBERS_ACTION: Final = "player.numbers"
MAX_NUMBERS = 20  # of numbers, and of ratings, per player
MAX_OUTSIDE_RATING = 100_000


@durable
def set_numbers(
    *,
    actor: Actor,
    player_id: int,
    numbers: Sequence[FederationNumberValue],
    ratings: Sequence[SourceRating] | None = None,
    club_id: int | None = None,
    seen: str = "",
) -> ExternalProfile:
    """Replace all numbers of the player and, unless None, all outside ratings.

    Without ``club_id`` the actor is the player or their guardian, and may not set ratings; with it, a
    director of that club, which has to be the player's home. ``seen``: the ``OutsideProfile.version`` that
    the user saw; raises ``Conflict`` if it has changed. The audit log records that something changed, without
    the numbers.
    """
    club = one_or_none(Club.objects.filter(pk=club_id)) if club_id is not None else None
    if club_id is not None:
        if club is None:
            raise Missing("club.unknown")
        require_director(actor, club)
        player = lock_editable_player(actor, club, player_id)
    else:
        own_player = one_or_none(
            Player.objects.select_for_update(of=("self",)).filter(pk=player_id, merged_into=None)
        )
        if own_player is None or actor.user is None or not can_decide_for(actor.user, own_player):
            raise Missing("player.unknown")
        player, club = own_player, own_player.home_club
        if ratings is not None:
            raise Missing("player.unknown")
    before = external_profiles([player.pk]).get(player.pk, ExternalProfile())
    if seen and seen != before.version:
        raise Conflict("player.numbers_changed", name=player.name)
    after = _clean_profile(numbers, ratings or ())
    if ratings is None:
        after = replace(after, ratings=before.ratings)
    if (set(after.numbers), set(after.ratings)) == (set(before.numbers), set(before.ratings)):
        return before
    player_ids = [player.pk, *Player.objects.filter(merged_into=player).values_list("pk", flat=True)]
    FederationNumber.objects.filter(player__in=player_ids).delete()
    FederationNumber.objects.bulk_create(
        FederationNumber(
            player=player, federation=number.federation, number=number.number, valid_until=number.valid_until
        )
        for number in after.numbers
    )
    if ratings is not None:
        OutsideRating.objects.filter(player__in=player_ids).delete()
        OutsideRating.objects.bulk_create(
            OutsideRating(player=player, source=rating.source, value=rating.value, on=rating.on)
            for rating in after.ratings
        )
    data = {"numbers": len(after.numbers), "ratings": len(after.ratings)}
    audit.record_action(actor=actor, action=NUMBERS_ACTION, subject=player, club=club, data=data)
    return external_profiles([player.pk]).get(player.pk, ExternalProfile())


def add_numbers(
    player: Player, numbers: Iterable[FederationNumberValue], ratings: Iterable[SourceRating]
) -> int:
    """Add the numbers and ratings of an imported list to a player; return how many were new or changed.

    Known ones are skipped, but a number's last day is updated. At most ``MAX_NUMBERS`` are stored: of ratings
    the newest, of numbers the existing ones. Joins the caller's transaction; the caller has checked
    permissions and that the player is the club's own.
    """
    profile = _clean_profile(list(numbers), list(ratings))
    new_count = 0
    known_numbers = set(FederationNumber.objects.filter(player=player).values_list("federation", "number"))
    for number in profile.numbers:
        if len(known_numbers) >= MAX_NUMBERS and (number.federation, number.number) not in known_numbers:
            continue
        known_numbers.add((number.federation, number.number))
        row, is_new = FederationNumber.objects.get_or_create(
            player=player,
            federation=number.federation,
            number=number.number,
            defaults={"valid_until": number.valid_until},
        )
        if not is_new and number.valid_until is not None and row.valid_until != number.valid_until:
            row.valid_until, is_new = number.valid_until, True
            row.save(update_fields=["valid_until"])
        new_count += is_new
    for rating in profile.ratings:
        _rating, is_new = OutsideRating.objects.update_or_create(
            player=player, source=rating.source, on=rating.on, defaults={"value": rating.value}
        )
        new_count += is_new
    stored_ratings = OutsideRating.objects.filter(player=player).order_by("-on", "-pk")
    OutsideRating.objects.filter(
        pk__in=list(stored_ratings.values_list("pk", flat=True)[MAX_NUMBERS:])
    ).delete()
    return new_count


def _clean_profile(
    numbers: Sequence[FederationNumberValue], ratings: Sequence[SourceRating]
) -> ExternalProfile:
    """Return the profile with normalised texts. Raises ``Invalid`` with all errors found.

    Errors are at the fields ``number-1``, ``rating-1`` and so on.
    """
    faults: list[Fault] = []
    numbers_by_key: dict[tuple[str, str], FederationNumberValue] = {}
    ratings_by_key: dict[tuple[str, object], SourceRating] = {}
    for position, number in enumerate(numbers, start=1):
        clean_number = replace(
            number, federation=clean_line(number.federation), number=clean_line(number.number)
        )
        if not (
            0 < len(clean_number.federation) <= BODY_LIMIT and 0 < len(clean_number.number) <= NUMBER_LIMIT
        ):
            faults.append(Fault("player.number_odd", f"number-{position}", {"limit": NUMBER_LIMIT}))
        elif (clean_number.federation, clean_number.number) in numbers_by_key:
            faults.append(
                Fault("player.number_twice", f"number-{position}", {"number": str(clean_number.number)})
            )
        numbers_by_key[clean_number.federation, clean_number.number] = clean_number
    for position, rating in enumerate(ratings, start=1):
        clean_rating = replace(rating, source=clean_line(rating.source))
        if (
            not 0 < len(clean_rating.source) <= BODY_LIMIT
            or not -MAX_OUTSIDE_RATING < clean_rating.value < MAX_OUTSIDE_RATING
        ):
            faults.append(Fault("player.outside_odd", f"rating-{position}", {"limit": BODY_LIMIT}))
        elif (clean_rating.source, clean_rating.on) in ratings_by_key:
            faults.append(
                Fault("player.outside_twice", f"rating-{position}", {"source": clean_rating.source})
            )
        ratings_by_key[clean_rating.source, clean_rating.on] = clean_rating
    if len(numbers) > MAX_NUMBERS or len(ratings) > MAX_NUMBERS:
        raise Invalid("player.numbers_many", field="number-1", limit=MAX_NUMBERS)
    raise_faults(faults)
    return ExternalProfile(tuple(numbers_by_key.values()), tuple(ratings_by_key.values()))
