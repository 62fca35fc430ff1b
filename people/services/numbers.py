"""Write federation numbers and outside ratings: set by the player or the home club, added by lists."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from faults import Conflict, Fault, Invalid, Missing, raise_faults
from people.actors import Actor
from people.models import Club, FederationNumber, OutsideRating, Player
from people.models.numbers import BODY_LIMIT, NUMBER_LIMIT
from people.numbers import Number, OutsideProfile, SourceRating, outside_profiles
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
    numbers: Sequence[Number],
    ratings: Sequence[SourceRating] | None = None,
    club_id: int | None = None,
    seen: str = "",
) -> OutsideProfile:
    """Replace all numbers of the player and, unless None, all outside ratings.

    Without ``club_id`` the actor is the player or their guardian, and may not set ratings (403); with it, a
    director of that club, which has to be the player's home. ``seen``: the expected
    ``OutsideProfile.version``; another one now is a conflict (409). The audit log records that something
    changed, without the numbers.
    """
    club = one_or_none(Club.objects.filter(pk=club_id)) if club_id is not None else None
    if club_id is not None:
        if club is None:
            raise Missing("club.unknown")
        require_director(actor, club)
        player = lock_editable_player(actor, club, player_id)
    else:
        found = one_or_none(
            Player.objects.select_for_update(of=("self",)).filter(pk=player_id, merged_into=None)
        )
        if found is None or actor.user is None or not can_decide_for(actor.user, found):
            raise Missing("player.unknown")
        player, club = found, found.home_club
        if ratings is not None:
            raise Missing("player.unknown")
    before = outside_profiles([player.pk]).get(player.pk, OutsideProfile())
    if seen and seen != before.version:
        raise Conflict("player.numbers_changed", name=player.name)
    after = _clean_profile(numbers, ratings or ())
    if ratings is None:
        after = replace(after, ratings=before.ratings)
    if (set(after.numbers), set(after.ratings)) == (set(before.numbers), set(before.ratings)):
        return before
    whose = [player.pk, *Player.objects.filter(merged_into=player).values_list("pk", flat=True)]
    FederationNumber.objects.filter(player__in=whose).delete()
    FederationNumber.objects.bulk_create(
        FederationNumber(
            player=player, federation=one.federation, number=one.number, valid_until=one.valid_until
        )
        for one in after.numbers
    )
    if ratings is not None:
        OutsideRating.objects.filter(player__in=whose).delete()
        OutsideRating.objects.bulk_create(
            OutsideRating(player=player, source=one.source, value=one.value, on=one.on)
            for one in after.ratings
        )
    data = {"numbers": len(after.numbers), "ratings": len(after.ratings)}
    audit.record_action(actor=actor, action=NUMBERS_ACTION, subject=player, club=club, data=data)
    return outside_profiles([player.pk]).get(player.pk, OutsideProfile())


def add_numbers(player: Player, numbers: Iterable[Number], ratings: Iterable[SourceRating]) -> int:
    """Add the numbers and ratings of an imported list to a player; return how many were new.

    Known ones are skipped, but a number's last day is updated. At most ``MAX_NUMBERS`` are kept: of ratings
    the newest, of numbers the existing ones. Joins the caller's transaction; the caller has checked
    permissions and that the player is the club's own.
    """
    clean = _clean_profile(list(numbers), list(ratings))
    new = 0
    known = set(FederationNumber.objects.filter(player=player).values_list("federation", "number"))
    for one in clean.numbers:
        if len(known) >= MAX_NUMBERS and (one.federation, one.number) not in known:
            continue
        known.add((one.federation, one.number))
        row, made = FederationNumber.objects.get_or_create(
            player=player,
            federation=one.federation,
            number=one.number,
            defaults={"valid_until": one.valid_until},
        )
        if not made and one.valid_until is not None and row.valid_until != one.valid_until:
            row.valid_until, made = one.valid_until, True
            row.save(update_fields=["valid_until"])
        new += made
    for rated in clean.ratings:
        _rating, made = OutsideRating.objects.update_or_create(
            player=player, source=rated.source, on=rated.on, defaults={"value": rated.value}
        )
        new += made
    newest = OutsideRating.objects.filter(player=player).order_by("-on", "-pk")
    OutsideRating.objects.filter(pk__in=list(newest.values_list("pk", flat=True)[MAX_NUMBERS:])).delete()
    return new


def _clean_profile(numbers: Sequence[Number], ratings: Sequence[SourceRating]) -> OutsideProfile:
    """Return the profile with single blanks. Raises all faults, at ``number-1``, ``rating-1`` (from 1)."""
    faults: list[Fault] = []
    kept: dict[tuple[str, str], Number] = {}
    rated: dict[tuple[str, object], SourceRating] = {}
    for place, one in enumerate(numbers, start=1):
        tidy = replace(one, federation=clean_line(one.federation), number=clean_line(one.number))
        if not (0 < len(tidy.federation) <= BODY_LIMIT and 0 < len(tidy.number) <= NUMBER_LIMIT):
            faults.append(Fault("player.number_odd", f"number-{place}", {"limit": NUMBER_LIMIT}))
        elif (tidy.federation, tidy.number) in kept:
            faults.append(Fault("player.number_twice", f"number-{place}", {"number": str(tidy.number)}))
        kept[tidy.federation, tidy.number] = tidy
    for place, other in enumerate(ratings, start=1):
        found = replace(other, source=clean_line(other.source))
        if (
            not 0 < len(found.source) <= BODY_LIMIT
            or not -MAX_OUTSIDE_RATING < found.value < MAX_OUTSIDE_RATING
        ):
            faults.append(Fault("player.outside_odd", f"rating-{place}", {"limit": BODY_LIMIT}))
        elif (found.source, found.on) in rated:
            faults.append(Fault("player.outside_twice", f"rating-{place}", {"source": found.source}))
        rated[found.source, found.on] = found
    if len(numbers) > MAX_NUMBERS or len(ratings) > MAX_NUMBERS:
        raise Invalid("player.numbers_many", field="number-1", limit=MAX_NUMBERS)
    raise_faults(faults)
    return OutsideProfile(tuple(kept.values()), tuple(rated.values()))
