"""Manual corrections of imported results in the ledger. Results of events are corrected at their match."""

from django.db import transaction

from faults import Invalid, Missing
from people.actors import Actor
from people.models import Player
from people.permissions import require_director
from people.rows import one_or_none
from people.selectors import players_for_club
from people.services import audit
from rating.formulas.rateable import ResultKind
from rating.models import Fact, FactKind
from rating.services.ledger import replace_result, void_result

CORRECTABLE_PREFIXES = ("csv:", "opening:", "hand:")


def can_be_corrected(fact: Fact) -> bool:
    """Return whether the fact was imported or entered by hand; facts of events are corrected at the event."""
    return fact.source_key.startswith(CORRECTABLE_PREFIXES)


@transaction.atomic
def correct_fact(
    *,
    actor: Actor,
    number: int,
    winner: str,
    loser: str,
    length: int,
    kind: str = "",
    winner_score: int | None = None,
    loser_score: int | None = None,
    reason: str = "",
) -> Fact:
    """Replace the result with ledger number ``number`` by another one.

    ``winner`` and ``loser`` are public ids. What is not given stays: how the match ended (``kind``), and the
    score if it fits the length. Idempotent for the same correction. Raises ``Conflict`` if the result was
    corrected or voided otherwise meanwhile.
    """
    fact = _correctable_fact(actor, number)
    if fact.kind not in {FactKind.RESULT, FactKind.REPLACEMENT}:
        raise Invalid("rating.not_rateable")
    player_by_id = {
        player.public_id: player
        for player in players_for_club(fact.club).filter(public_id__in=[winner, loser])
    }
    if winner not in player_by_id or loser not in player_by_id:
        raise Invalid("rating.player_unknown", field="winner")
    kind = kind or fact.result_kind
    if winner_score is None:
        winner_score = length if kind == ResultKind.PLAYED else min(fact.winner_score, length)
    if loser_score is None:
        loser_score = min(fact.loser_score, length - 1)
    is_repeated = Fact.objects.filter(target=fact).exists()
    replacement = replace_result(
        source_key=f"hand:{fact.pk}",
        replaces=fact.source_key,
        winner_id=player_by_id[winner].pk,
        loser_id=player_by_id[loser].pk,
        length=length,
        winner_score=winner_score,
        loser_score=loser_score,
        kind=kind,
        reason=reason,
    )
    if not is_repeated:
        _record_audit(actor, "ledger.replace", fact, {"by": replacement.pk, "reason": reason})
    return replacement


@transaction.atomic
def void_fact(*, actor: Actor, number: int, reason: str = "") -> Fact:
    """Remove the fact with ledger number ``number`` by a void, which is returned. Idempotent."""
    fact = _correctable_fact(actor, number)
    is_repeated = Fact.objects.filter(target=fact).exists()
    void = void_result(source_key=fact.source_key, reason=reason)
    if not is_repeated:
        _record_audit(actor, "ledger.void", fact, {"by": void.pk, "reason": reason})
    return void


def _correctable_fact(actor: Actor, number: int) -> Fact:
    fact = one_or_none(Fact.objects.select_related("club").filter(pk=number).exclude(kind=FactKind.VOID))
    if fact is None:
        raise Missing("rating.fact_unknown")
    require_director(actor, fact.club)
    if not can_be_corrected(fact):
        raise Invalid("rating.kept_elsewhere")
    return fact


def _record_audit(actor: Actor, action: str, fact: Fact, data: dict[str, object]) -> None:
    names: dict[int | None, str] = dict(
        Player.objects.filter(pk__in=[fact.winner_id, fact.loser_id]).values_list("pk", "name")
    )
    audit.record_action(
        actor=actor,
        action=action,
        subject=fact,
        club=fact.club,
        data={**data, "winner": names.get(fact.winner_id), "loser": names.get(fact.loser_id)},
    )
