"""Rating changes caused by results, for match pages, and explained in full for the page "Why?"."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import QuerySet
from django.urls import reverse

from faults import Missing
from people.rows import one_or_none
from rating.formulas import ChangeCalculation, RatedMatch
from rating.models import Change, Fact, FactKind, Pending, RatingList
from rating.selectors.periods import PlayerPeriod, player_periods
from rating.selectors.rules import RatingRule, computed_rule, current_rule
from rating.selectors.shown import PlayerName, delta_text, player_names, rating_text, sign_of
from rating.store.reading import fact_extra, list_ids_counting


@dataclass(frozen=True, slots=True)
class SideChange:
    """What a rating change did to one of the two players, as numbers and texts.

    ``experience``: that before the match. ``won``: 1 or 0, None for an opening or a place.
    """

    player_id: int
    player: PlayerName
    won: int | None
    before: float
    after: float
    experience: int
    deviation: float | None = None

    @property
    def delta(self) -> float:
        return self.after - self.before

    @property
    def before_text(self) -> str:
        return rating_text(self.before)

    @property
    def after_text(self) -> str:
        return rating_text(self.after)

    @property
    def delta_text(self) -> str:
        return delta_text(self.delta)

    @property
    def sign(self) -> int:
        return sign_of(self.delta)


@dataclass(frozen=True, slots=True)
class FactChange:
    """The effect of one fact on one list; ``loser`` is None for an opening or a place.

    ``fact_number`` is the ledger number; ``url`` the address of the page that explains the change.
    """

    list_public_id: str
    list_name: str
    fact_number: int
    winner: SideChange
    loser: SideChange | None
    url: str


@dataclass(frozen=True, slots=True)
class ChangeExplanation:
    """What the page "Why?" shows about one fact on one list.

    ``change`` is None while the fact is not rated. ``rolled_back`` is the void or replacement that removed the
    fact.
    """

    rating_list: RatingList
    fact: Fact
    change: FactChange | None
    working: ChangeCalculation | None
    periods: list[PlayerPeriod]  # of both players, on lists that change at the close of a period
    weight: float
    taken_back: Fact | None
    waiting: bool  # to be rated in a moment
    rule: RatingRule | None  # by which the change was made; None if unknown
    rule_changed: bool  # the list has another one now and is being rebuilt


def effective_source_keys(source_keys: Iterable[str]) -> frozenset[str]:
    """Return those of these source keys whose fact is in the ledger and has not been superseded."""
    return frozenset(_effective_facts(source_keys).values_list("source_key", flat=True))


def rated_players(source_keys: Iterable[str]) -> dict[str, tuple[int, int]]:
    """Return (winner id, loser id) of the effective facts with these source keys, keyed by source key."""
    rows = _effective_facts(source_keys).values_list("source_key", "winner_id", "loser_id")
    return {key: (winner, loser) for key, winner, loser in rows if winner is not None and loser is not None}


def _effective_facts(source_keys: Iterable[str]) -> QuerySet[Fact]:
    """Return the facts with these source keys that have not been superseded."""
    return Fact.objects.filter(source_key__in=list(source_keys), later__isnull=True).exclude(
        kind=FactKind.VOID
    )


def changes_by_source_key(source_keys: Iterable[str]) -> dict[str, list[FactChange]]:
    """Return the effects of facts on all public lists that count them, keyed by the fact's source key.

    Lists of the facts' own clubs come first, then those of federations. Keys of facts that are not rated or
    that are superseded are left out.
    """
    facts = {
        fact.pk: fact
        for fact in Fact.objects.filter(source_key__in=list(source_keys)).exclude(kind=FactKind.VOID)
    }
    clubs = {fact.club_id for fact in facts.values()}
    counting = {club: set(list_ids_counting(club)) for club in clubs}
    list_ids = {pk for lists in counting.values() for pk in lists}
    changes_by_key: dict[str, list[FactChange]] = {}
    lists = RatingList.objects.public().filter(pk__in=list_ids).select_related("generation")
    # The lists of the results' own clubs come first, those of federations follow.
    for rating_list in sorted(lists, key=lambda x: (x.club_id not in clubs, not x.is_main, x.name, x.pk)):
        counted = [fact for fact in facts.values() if rating_list.pk in counting[fact.club_id]]
        for number, change in changes_by_fact(rating_list, counted).items():
            changes_by_key.setdefault(facts[number].source_key, []).append(change)
    return changes_by_key


def changes_by_fact(rating_list: RatingList, facts: Iterable[Fact]) -> dict[int, FactChange]:
    """Return the effects of these facts on one list, keyed by ledger number; unrated facts are left out."""
    facts = list(facts)
    if rating_list.generation is None or not facts:
        return {}
    rows = list(
        Change.objects.of(rating_list.generation).filter(
            moment__in={fact.moment for fact in facts}, fact_id__in={fact.pk for fact in facts}
        )
    )
    names = player_names(row.player_id for row in rows)
    sides: dict[int, list[SideChange]] = {}
    for row in rows:
        sides.setdefault(row.fact_id, []).append(
            SideChange(
                row.player_id,
                names[row.player_id],
                row.won,
                row.before,
                row.after,
                row.experience,
                row.deviation,
            )
        )
    change_by_fact = {}
    for number, fact_sides in sides.items():
        fact_sides.sort(key=lambda side: -(side.won if side.won is not None else 1))
        change_by_fact[number] = FactChange(
            rating_list.public_id,
            rating_list.name,
            number,
            fact_sides[0],
            fact_sides[1] if len(fact_sides) > 1 else None,
            reverse("rating:why", args=[rating_list.public_id, number]),
        )
    return change_by_fact


def explain_change(rating_list: RatingList, number: int) -> ChangeExplanation:
    """Return the explanation of the fact with ledger number ``number`` on the list.

    Raises ``Missing`` if the list does not count such a fact.
    """
    fact = one_or_none(
        Fact.objects.select_related("winner", "loser", "target").filter(pk=number).exclude(kind=FactKind.VOID)
    )
    if fact is None or rating_list.pk not in _list_ids_of(fact):
        raise Missing("rating.fact_unknown")
    change = changes_by_fact(rating_list, [fact]).get(fact.pk)
    rule, current = computed_rule(rating_list), current_rule(rating_list)
    return ChangeExplanation(
        rating_list=rating_list,
        fact=fact,
        change=change,
        working=_working(rule, fact, change),
        periods=_periods(rating_list, rule, fact, change),
        weight=fact_extra(fact, (rule or current).system).weight,
        taken_back=Fact.objects.filter(target=fact).first(),
        waiting=rating_list.needs_rebuild
        or Pending.objects.filter(rating_list=rating_list, fact=fact, applied=False).exists(),
        rule=rule,
        rule_changed=rule != current,
    )


def _periods(
    rating_list: RatingList, rule: RatingRule | None, fact: Fact, change: FactChange | None
) -> list[PlayerPeriod]:
    if rule is None or change is None or change.loser is None or not rule.system.is_periodic:
        return []
    return player_periods(rating_list, rule, fact, [change.winner.player_id, change.loser.player_id])


def _list_ids_of(fact: Fact) -> list[int]:
    return (
        list_ids_counting(fact.club_id, fact.moment) if fact.rating_list_id is None else [fact.rating_list_id]
    )


def _working(rule: RatingRule | None, fact: Fact, change: FactChange | None) -> ChangeCalculation | None:
    if rule is None or rule.system.work is None or change is None or change.loser is None:
        return None
    return rule.system.work(
        rule.parameters,
        RatedMatch(
            winner=change.winner.before,
            winner_experience=change.winner.experience,
            loser=change.loser.before,
            loser_experience=change.loser.experience,
            length=fact.length,
            weight=fact_extra(fact, rule.system).weight,
        ),
    )
