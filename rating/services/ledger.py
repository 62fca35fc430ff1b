"""Write facts, within the caller's transaction: a result and its fact commit or roll back together.

Idempotent: a source key names one fact for ever. A correction records a new fact under a new key that
supersedes the old one; nothing in the ledger changes. Each new fact leaves a ``Pending`` row for every list
that counts the club, and on commit a task is queued for each; if that message is lost, the sweep finds the
row.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone

from faults import Conflict, Fault, Invalid, Missing
from people.models import Player
from rating.formulas.rateable import MAX_MATCH_LENGTH, Discipline, ResultKind, is_rateable
from rating.models import Fact, FactKind, Pending
from rating.services.queue import queue_apply
from rating.store.moments import to_moment
from rating.store.reading import add_pending_everywhere, share_lock_club

MAX_WEIGHT = 100.0  # an event's weight
MAX_PR = 200.0  # higher than the error rate of any match played to its end


def record_result(
    *,
    source_key: str,
    club_id: int,
    winner_id: int,
    loser_id: int,
    length: int,
    winner_score: int,
    loser_score: int,
    kind: str,
    played_at: datetime,
    event_key: str = "",
    event_name: str = "",
    discipline: str = Discipline.STANDARD,
    event_weight: float = 1.0,
    division_rank: int = 1,
    winner_pr: float | None = None,
    loser_pr: float | None = None,
    players_known: bool = False,
) -> Fact | None:
    """Enter a result in the ledger. Returns None without writing if rule F12 excludes this kind from ratings.

    ``winner_pr`` and ``loser_pr``: error rates (lower is better) by an analysis; they affect Backgammon
    Galaxy's version 2 only. ``players_known``: True if the caller has just read both players, which saves a
    query.
    """
    if not is_rateable(_parse_kind(kind)):
        return None
    fact = Fact(
        kind=FactKind.RESULT,
        source_key=source_key,
        club_id=club_id,
        winner_id=winner_id,
        loser_id=loser_id,
        length=length,
        winner_score=winner_score,
        loser_score=loser_score,
        result_kind=kind,
        played_at=played_at,
        event_key=event_key,
        event_name=event_name[:160],
        discipline=discipline,
        event_weight=event_weight,
        division_rank=division_rank,
        winner_pr=winner_pr,
        loser_pr=loser_pr,
    )
    _check_result(fact, players_known=players_known)
    return add_fact(fact)


@transaction.atomic
def replace_result(
    *,
    source_key: str,
    replaces: str,
    winner_id: int,
    loser_id: int,
    length: int,
    winner_score: int,
    loser_score: int,
    kind: str = ResultKind.PLAYED,
    played_at: datetime | None = None,
    reason: str = "",
) -> Fact:
    """Enter a correction in the ledger: a new fact that supersedes the one with source key ``replaces``.

    Known error rates stay with their players if the winner changes. Raises ``Conflict`` if the result was
    superseded by another fact.
    """
    target = _lock_fact(replaces)
    if not is_rateable(_parse_kind(kind)):
        raise Invalid("rating.not_rateable", field="kind")
    fact = Fact(
        kind=FactKind.REPLACEMENT,
        source_key=source_key,
        target=target,
        club_id=target.club_id,
        winner_id=winner_id,
        loser_id=loser_id,
        length=length,
        winner_score=winner_score,
        loser_score=loser_score,
        result_kind=kind,
        played_at=played_at or target.played_at,
        event_key=target.event_key,
        event_name=target.event_name,
        discipline=target.discipline,
        event_weight=target.event_weight,
        division_rank=target.division_rank,
        winner_pr=target.pr_of(winner_id),
        loser_pr=target.pr_of(loser_id),
        reason=reason[:200],
    )
    fact.stands_at = ledger_position(target) if fact.played_at == target.played_at else None
    _check_result(fact)
    _refuse_superseded(target, source_key=source_key)
    return add_fact(fact)


@transaction.atomic
def void_result(*, source_key: str, reason: str = "") -> Fact:
    """Supersede a fact (a result, a replacement, a place or an opening) with a void, which is returned."""
    target = _lock_fact(source_key)
    void_key = f"void:{source_key}"
    _refuse_superseded(target, source_key=void_key)
    return add_fact(
        Fact(
            kind=FactKind.VOID,
            source_key=void_key,
            target=target,
            club_id=target.club_id,
            rating_list_id=target.rating_list_id,
            played_at=target.played_at,
            reason=reason[:200],
        )
    )


def ledger_position(fact: Fact) -> int:
    """Return the ledger number by which a fact is sorted among those of its time.

    A replacement takes over that of the fact that it replaces.
    """
    return fact.stands_at or fact.pk


def _parse_kind(kind: str) -> ResultKind:
    try:
        return ResultKind(kind)
    except ValueError:
        raise Invalid(faults=[Fault("rating.kind_unknown", "kind", {"kind": kind})]) from None


def result_faults(fact: Fact) -> list[Fault]:
    """Return everything that is invalid in a result and can be found without a query."""
    faults = common_faults(fact)
    if not 1 <= fact.length <= MAX_MATCH_LENGTH:
        faults.append(Fault("rating.length", "length"))
    elif fact.result_kind == ResultKind.PLAYED and fact.winner_score < fact.length:
        faults.append(Fault("rating.score", "winner_score", {"length": fact.length}))
    elif not 0 <= fact.loser_score < fact.length:  # lost on time, retired: any score below a win
        faults.append(Fault("rating.score", "loser_score", {"length": fact.length}))
    if fact.winner_id == fact.loser_id:
        faults.append(Fault("rating.same_player", "loser"))
    if fact.discipline not in set(Discipline):
        faults.append(Fault("rating.discipline_unknown", "discipline", {"discipline": fact.discipline}))
    faults.extend(
        Fault("rating.pr", name, {"limit": f"{MAX_PR:g}"})
        for name in ("winner_pr", "loser_pr")
        if (pr := getattr(fact, name)) is not None and not 0.0 <= pr <= MAX_PR  # also rejects nan
    )
    return faults


def common_faults(fact: Fact) -> list[Fault]:
    """Return the errors that a fact of any kind can have: in its time and its weights."""
    faults = []
    if timezone.is_naive(fact.played_at):
        faults.append(Fault("rating.naive_time", "played_at"))
    if not 0.0 <= fact.event_weight <= MAX_WEIGHT or fact.division_rank < 1:
        faults.append(Fault("rating.weight", "event_weight"))
    return faults


def _check_result(fact: Fact, *, players_known: bool = False) -> None:
    faults = result_faults(fact)
    if not faults and not players_known:
        known_count = Player.objects.filter(pk__in=[fact.winner_id, fact.loser_id]).count()
        if known_count < 2:
            faults.append(Fault("rating.player_unknown", "winner"))
    if faults:
        raise Invalid(faults=faults)


def _lock_fact(source_key: str) -> Fact:
    """Return the fact with this source key, locked, so that concurrent corrections wait for each other."""
    fact = (
        Fact.objects.select_for_update(of=("self",))
        .filter(source_key=source_key)
        .exclude(kind=FactKind.VOID)
        .first()
    )
    if fact is None:
        raise Missing("rating.fact_unknown")
    return fact


def _refuse_superseded(target: Fact, *, source_key: str) -> None:
    successor = Fact.objects.filter(target=target).first()
    if successor is not None and successor.source_key != source_key:
        raise Conflict("rating.taken_back", present={"by": successor.source_key})


MAX_KEY_LENGTH = 110  # room for the void's own key in the column

# Facts with the same key are equal if these agree.
_COMPARED_FIELDS = (
    "kind target_id club_id rating_list_id winner_id loser_id length winner_score loser_score result_kind played_at"
    " discipline event_key event_weight division_rank place tied field opening_rating opening_deviation"
    " opening_experience winner_pr loser_pr"
).split()


def add_fact(fact: Fact) -> Fact:
    """Write a checked fact, and make it pending on the lists that count it.

    If an equal fact has its source key, returns that one. Raises ``Conflict`` if another fact has the key, or
    if the equal fact was superseded.
    """
    if len(fact.source_key.removeprefix("void:")) > MAX_KEY_LENGTH:
        raise ValueError("a source key is too long")
    fact.moment = to_moment(fact.played_at)
    try:
        with transaction.atomic():
            fact.save()
    except IntegrityError:
        existing = Fact.objects.filter(source_key=fact.source_key).first()
        if existing is None:
            raise
        return _check_same_fact(existing, fact)
    list_ids = None if fact.rating_list_id is None else [fact.rating_list_id]
    queue_facts([fact], club_id=fact.club_id, list_ids=list_ids)
    return fact


def _check_same_fact(existing: Fact, fact: Fact) -> Fact:
    differences: dict[str, Any] = {
        name: str(getattr(existing, name))
        for name in _COMPARED_FIELDS
        if getattr(existing, name) != getattr(fact, name)
    }
    if differences:
        raise Conflict("rating.key_taken", present=differences)
    if fact.kind != FactKind.VOID and Fact.objects.filter(target=existing).exists():
        raise Conflict("rating.taken_back", present={"source_key": existing.source_key})
    return existing


def queue_facts(facts: Sequence[Fact], *, club_id: int, list_ids: Sequence[int] | None = None) -> None:
    """Make facts of one club pending on lists, and queue these lists on commit.

    ``list_ids``: by default all lists that count the facts. The club's row is locked before the lists are
    read: ``begin_rebuild`` waits for it, so a list created or changed meanwhile either finds the facts or is
    found here.
    """
    if not facts:
        return
    share_lock_club(club_id)
    if list_ids is None:
        # A superseding fact goes to all lists that may have its target, whatever its own time.
        ids_by_fact = [
            add_pending_everywhere(fact.pk, club_id, fact.moment if fact.target_id is None else None)
            for fact in facts
        ]
        list_ids = sorted({pk for fact_list_ids in ids_by_fact for pk in fact_list_ids})
    else:
        rows = [Pending(rating_list_id=pk, fact=fact) for pk in list_ids for fact in facts]
        Pending.objects.bulk_create(rows, batch_size=500)
    for pk in list_ids:
        queue_apply(pk)
