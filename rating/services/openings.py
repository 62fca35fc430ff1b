"""Opening ratings of players to be merged: which of them stay, and restoring those that a merge voided."""

from collections.abc import Collection

from django.db import transaction

from faults import Conflict
from people.actors import Actor
from rating.models import Fact, FactKind
from rating.selectors.merging import opening_facts_by_list
from rating.services.corrections import void_fact
from rating.services.ledger import add_fact, ledger_position
from rating.store.reading import share_lock_club


def lock_clubs_of_openings(openings: Collection[int]) -> None:
    """Lock the clubs of these facts (ids), as all writers to the ledger do, before players are locked."""
    for club in sorted({fact.club_id for fact in Fact.objects.filter(pk__in=openings)}):
        share_lock_club(club)


@transaction.atomic
def remove_other_openings(
    *, actor: Actor, stay: Collection[int], keep: int, duplicate: int, reason: str = ""
) -> tuple[int, ...]:
    """Void the openings of both players on the lists of the openings ``stay``, except ``stay``.

    Returns the ledger numbers of the voided ones; ``stay`` are ledger numbers, too. Call this function before
    the merge. The actor must direct the clubs of these lists. Raises ``Conflict`` if one of ``stay`` is not
    an effective opening of the two players.
    """
    if not stay:
        return ()
    openings_by_list = [
        facts for facts in opening_facts_by_list(keep, duplicate).values() if {f.pk for f in facts} & {*stay}
    ]
    opening_ids = [fact.pk for facts in openings_by_list for fact in facts]
    if {*stay} - {*opening_ids} or len(openings_by_list) < len({*stay}):
        raise Conflict("rating.opening_not_there")
    removed_ids = [pk for pk in opening_ids if pk not in stay]
    for number in removed_ids:
        void_fact(actor=actor, number=number, reason=reason)
    return tuple(removed_ids)


@transaction.atomic
def restore_openings(*, removed_ids: Collection[int]) -> None:
    """Enter openings again that ``remove_other_openings`` voided, with the same time and position.

    ``removed_ids``: their ledger numbers.
    """
    for fact in Fact.objects.filter(pk__in=removed_ids, kind=FactKind.OPENING).order_by("pk"):
        add_fact(
            Fact(
                kind=FactKind.OPENING,
                source_key=f"opening:again:{fact.pk}",
                club_id=fact.club_id,
                rating_list_id=fact.rating_list_id,
                winner_id=fact.winner_id,
                opening_rating=fact.opening_rating,
                opening_deviation=fact.opening_deviation,
                opening_experience=fact.opening_experience,
                played_at=fact.played_at,
                stands_at=ledger_position(fact),
                reason=fact.reason,
            )
        )
