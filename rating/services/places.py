"""Write final places to the ledger, for lists of master points: all places of a field at once.

Facts are never changed: a corrected place is voided, and the right one is entered under a key with the next
number. Idempotent.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction

from faults import Invalid
from rating.formulas.registry import SYSTEMS
from rating.models import Fact, FactKind, RatingList
from rating.services.ledger import common_faults, queue_facts
from rating.store.moments import to_moment
from rating.store.reading import list_ids_counting, source_key_prefix_q

BATCH = 500
POINTS_SYSTEMS = [code for code, system in SYSTEMS.items() if system.is_points_system]


@dataclass(frozen=True, slots=True)
class FinalPlace:
    """A player's final place, shared by ``tied`` players."""

    player_id: int
    place: int
    tied: int = 1


@dataclass(frozen=True, slots=True)
class PlaceField:
    """What all places of one field of players have in common.

    ``key``: the permanent beginning of their source keys; ``size``: the number of players.
    """

    key: str
    club_id: int
    size: int
    played_at: datetime
    event_key: str = ""
    event_weight: float = 1.0
    division_rank: int = 1


def are_places_counted(*, key: str, club_id: int) -> bool:
    """Return whether final places matter for the club or the field.

    True if a list of master points counts the club's results, or if the ledger has places of the field
    (``key``).
    """
    return points_list_ids(club_id) != [] or Fact.objects.filter(source_key_prefix_q(f"{key}:")).exists()


def points_list_ids(club_id: int) -> list[int]:
    """Return the ids of lists of master points that count the club's results."""
    lists = RatingList.objects.filter(pk__in=list_ids_counting(club_id), system__in=POINTS_SYSTEMS)
    return list(lists.order_by("pk").values_list("pk", flat=True))


@transaction.atomic
def sync_places(*, field: PlaceField, places: Sequence[FinalPlace]) -> int:
    """Make ``places`` the final places of the field, voiding others; return how many facts were written.

    Joins the caller's transaction; the caller makes sure that nothing else changes the field. Without
    ``places`` the field has no final places again.
    """
    existing = list(Fact.objects.filter(source_key_prefix_q(f"{field.key}:"), kind=FactKind.PLACE))
    list_ids = points_list_ids(field.club_id)
    if not existing and not list_ids:
        return 0
    superseded_ids = set(
        Fact.objects.filter(target__in=[fact.pk for fact in existing]).values_list("target_id", flat=True)
    )
    attempts = Counter(fact.winner_id for fact in existing)
    new_by_player: dict[int | None, Fact] = {
        place.player_id: _build_fact(field, place, attempts[place.player_id] + 1) for place in places
    }
    obsolete = []
    for fact in existing:
        if fact.pk in superseded_ids:
            continue
        new_fact = new_by_player.get(fact.winner_id)
        if new_fact is not None and _is_same_place(fact, new_fact):
            del new_by_player[fact.winner_id]
        else:
            obsolete.append(fact)
    new_facts = [*map(_build_void, obsolete), *new_by_player.values()]
    Fact.objects.bulk_create(new_facts, batch_size=BATCH)
    queue_facts(new_facts, club_id=field.club_id, list_ids=list_ids)
    return len(new_facts)


def _build_fact(field: PlaceField, place: FinalPlace, attempt: int) -> Fact:
    fact = Fact(
        kind=FactKind.PLACE,
        source_key=f"{field.key}:{place.player_id}:{attempt}",
        club_id=field.club_id,
        winner_id=place.player_id,
        place=place.place,
        tied=place.tied,
        field=field.size,
        played_at=field.played_at,
        event_key=field.event_key,
        event_weight=field.event_weight,
        division_rank=field.division_rank,
    )
    if place.place < 1 or place.tied < 1 or field.size < 2 or place.place + place.tied - 1 > field.size:
        raise Invalid("rating.place", field="place")
    faults = common_faults(fact)
    if faults:
        raise Invalid(faults=faults)
    fact.moment = to_moment(fact.played_at)
    return fact


def _is_same_place(fact: Fact, other: Fact) -> bool:
    names = "place tied field moment event_key event_weight division_rank club_id".split()
    return all(getattr(fact, name) == getattr(other, name) for name in names)


def _build_void(target: Fact) -> Fact:
    return Fact(
        kind=FactKind.VOID,
        source_key=f"void:{target.source_key}",
        target=target,
        club_id=target.club_id,
        played_at=target.played_at,
        moment=target.moment,
    )
