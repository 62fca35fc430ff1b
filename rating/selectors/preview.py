"""Previews: how a match would change two ratings, and how a correction would change all. Writes nothing."""

from bisect import bisect_left
from collections.abc import Collection, Mapping
from copy import copy
from dataclasses import dataclass, field

from django.utils.translation import gettext

from faults import Missing
from people.rows import one_or_none
from rating.formulas import RatedMatch, System, get_system
from rating.formulas.glicko2 import Glicko, length_factor
from rating.formulas.glicko2 import expected_score as glicko_expected
from rating.formulas.master import division_weight
from rating.formulas.periods import DAY_MICROSECONDS, period_number, replay_periods
from rating.formulas.rateable import MAX_MATCH_LENGTH
from rating.formulas.replay import STATE_RATING, RareAttributes, Row, RowKind
from rating.models import Fact, FactKind, Generation, RatingList, Standing
from rating.selectors.periods import standings_before
from rating.selectors.rules import computed_rule, current_rule
from rating.selectors.shown import PlayerName, delta_text, percent_text, player_names, rating_text, sign_of
from rating.store.reading import (
    Point,
    changes_from,
    counted_facts,
    fact_extra,
    facts_from_point,
    ledger_positions,
    list_ids_counting,
    read_extras,
)
from rating.store.spans import Spans
from rating.store.tail import current_numbers, known_before, rate_tail, tail_rows
from rating.store.writing import RemovedChange, sort_changes


@dataclass(frozen=True, slots=True)
class Outcome:
    """By how much one result changes the ratings of the first and the second player."""

    first: float
    second: float

    @property
    def first_text(self) -> str:
        return delta_text(self.first)

    @property
    def second_text(self) -> str:
        return delta_text(self.second)

    @property
    def first_sign(self) -> int:
        return sign_of(self.first)

    @property
    def second_sign(self) -> int:
        return sign_of(self.second)


@dataclass(frozen=True, slots=True)
class WhatIf:
    """Preview of a match of two players: their ratings, and what each of the two results would change.

    ``chance``: the first player's, None if the system has none. The outcomes are None on lists whose ratings
    change only at the end of a period.
    """

    first: PlayerName
    second: PlayerName
    first_rating: float
    second_rating: float
    length: int
    chance: float | None
    first_wins: Outcome | None
    second_wins: Outcome | None

    @property
    def chance_text(self) -> str:
        return "" if self.chance is None else percent_text(self.chance)

    @property
    def other_chance_text(self) -> str:
        return "" if self.chance is None else percent_text(1.0 - self.chance)

    @property
    def first_text(self) -> str:
        return rating_text(self.first_rating)

    @property
    def second_text(self) -> str:
        return rating_text(self.second_rating)


def preview_match(
    list_id: int, first_id: int, second_id: int, length: int, *, weight: float = 1.0, division_rank: int = 1
) -> WhatIf:
    """Return how a match of two players would change their ratings now. Raises ``Missing``.

    A player without a rating has the start value. ``weight`` of the event and ``division_rank`` affect master
    points only.
    """
    rating_list = one_or_none(RatingList.objects.filter(pk=list_id))
    if rating_list is None:
        raise Missing("rating.list_unknown")
    names = player_names([first_id, second_id])
    if len(names) < 2:
        raise Missing("rating.player_unknown")
    rule = computed_rule(rating_list) or current_rule(rating_list)
    system, parameters = rule.system, rule.parameters
    standings = {
        s.player_id: s for s in Standing.objects.on(rating_list).filter(player_id__in=[first_id, second_id])
    }
    numbers = [
        (s.rating, s.experience) if (s := standings.get(pk)) else (rule.start, 0)
        for pk in (first_id, second_id)
    ]
    (first, first_experience), (second, second_experience) = numbers
    chance: float | None = None
    outcomes: list[Outcome] = []
    if system.work is not None:
        work = system.work
        weight = weight * division_weight(division_rank) if system.is_points_system else 1.0
        first_working = work(
            parameters, RatedMatch(first, first_experience, second, second_experience, length, weight)
        )
        second_working = work(
            parameters, RatedMatch(second, second_experience, first, first_experience, length, weight)
        )
        chance = first_working.expected
        outcomes = [
            Outcome(first_working.winner_change, first_working.loser_change),
            Outcome(second_working.loser_change, second_working.winner_change),
        ]
    elif system.is_periodic:
        first_glicko, second_glicko = (
            Glicko(s.rating, s.deviation or parameters["deviation"], s.volatility or 0.0)
            if (s := standings.get(pk))
            else Glicko(rule.start, parameters["deviation"], parameters["volatility"])
            for pk in (first_id, second_id)
        )
        chance = glicko_expected(first_glicko, second_glicko, length_factor(parameters, length))
    return WhatIf(
        first=names[first_id],
        second=names[second_id],
        first_rating=first,
        second_rating=second,
        length=length,
        chance=chance,
        first_wins=outcomes[0] if outcomes else None,
        second_wins=outcomes[1] if outcomes else None,
    )


@dataclass(frozen=True, slots=True)
class RatingEffect:
    """A player's rating on one list before (``now``) and after (``then``) a correction.

    None: the player is not on the list before, or no longer after it.
    """

    list_public_id: str
    list_name: str
    player_id: int
    player: PlayerName
    now: float | None
    then: float | None

    @property
    def delta(self) -> float:
        return (
            (self.then or 0.0) - (self.now or 0.0) if self.now is not None and self.then is not None else 0.0
        )

    @property
    def joins(self) -> bool:
        return self.now is None

    @property
    def leaves(self) -> bool:
        return self.then is None

    @property
    def now_text(self) -> str:
        return "" if self.now is None else rating_text(self.now)

    @property
    def then_text(self) -> str:
        return "" if self.then is None else rating_text(self.then)

    @property
    def delta_text(self) -> str:
        return delta_text(self.delta)

    @property
    def sign(self) -> int:
        return sign_of(self.delta)


# Results of a list rated again for a preview, a second's work. For older results the effect is unknown.
MAX_REPLAYED_FACTS = 50_000
MAX_DISPLAYED_EFFECTS = 40


@dataclass(frozen=True, slots=True)
class CorrectionPreview:
    """The effect of a correction: ``effects`` are the ratings that would change.

    ``notes`` are messages about lists where the effect is unknown.
    """

    effects: list[RatingEffect] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @property
    def shown(self) -> list[RatingEffect]:
        """Return the effects that fit on a page: the largest ones of each list."""
        count_by_list = {effect.list_public_id: 0 for effect in self.effects}
        displayed = []
        for effect in self.effects:
            count_by_list[effect.list_public_id] += 1
            if count_by_list[effect.list_public_id] * len(count_by_list) <= MAX_DISPLAYED_EFFECTS:
                displayed.append(effect)
        return displayed

    @property
    def total(self) -> int:
        return len(self.effects)


def preview_correction(
    *,
    source_key: str,
    winner_id: int | None = None,
    loser_id: int | None = None,
    length: int | None = None,
    void: bool = False,
    without: Collection[str] = (),
) -> CorrectionPreview:
    """Return what correcting or voiding a result would change, sorted by list, largest changes first.

    ``source_key``: the result; what is not given stays. ``void``: True to remove the result. ``without``:
    source keys of further results of the same club that are voided with it; unknown keys are ignored. Raises
    ``Missing``.
    """
    effective_facts = Fact.objects.filter(later__isnull=True).exclude(kind=FactKind.VOID)
    fact = effective_facts.filter(source_key=source_key).first()
    if fact is None:
        raise Missing("rating.fact_unknown")
    replaced_facts = [
        fact,
        *effective_facts.filter(source_key__in=set(without) - {source_key}, club_id=fact.club_id),
    ]
    row: Row | None = None
    if not void:
        newest_id = Fact.objects.order_by("-pk").values_list("pk", flat=True).first() or 0
        row = (
            newest_id + 1,
            fact.moment,
            int(RowKind.RESULT),
            winner_id or fact.winner_id or 0,
            loser_id or fact.loser_id or 0,
            length or fact.length,
        )
    preview = CorrectionPreview()
    lists = RatingList.objects.public().filter(pk__in=list_ids_counting(fact.club_id, fact.moment))
    for rating_list in lists.select_related("generation").order_by("-is_main", "name", "pk"):
        _preview_list(preview, rating_list, replaced_facts, row)
    return preview


def _counted_at_any_length(rating_list: RatingList, spans: Spans, facts: list[Fact]) -> list[Fact]:
    """Return those of ``facts`` that the list would count if match lengths did not matter."""
    any_length = copy(rating_list)
    any_length.shortest, any_length.longest = 1, MAX_MATCH_LENGTH
    counted = counted_facts(any_length, spans).filter(pk__in=[fact.pk for fact in facts])
    counted_ids = set(counted.values_list("pk", flat=True))
    return [fact for fact in facts if fact.pk in counted_ids]


def _preview_list(
    preview: CorrectionPreview, rating_list: RatingList, replaced_facts: list[Fact], row: Row | None
) -> None:
    """Add to ``preview`` the effect on one list, or a message if it cannot be computed.

    ``row`` replaces the first of ``replaced_facts``, the others are removed; None: all are removed.
    """
    generation = rating_list.generation
    if generation is None:
        return
    lengths = range(rating_list.shortest, rating_list.longest + 1)
    counted = _counted_at_any_length(rating_list, generation.clubs, replaced_facts)
    is_counted_after = row is not None and row[5] in lengths and replaced_facts[0] in counted
    affected = [
        fact for fact in counted if fact.length in lengths or (is_counted_after and fact == replaced_facts[0])
    ]
    if not affected:
        return
    first = min(affected, key=lambda fact: (fact.moment, fact.pk))
    list_params = {"list": rating_list.name}
    system = get_system(rating_list.system)
    if computed_rule(rating_list) != current_rule(rating_list):
        preview.notes.append(
            gettext("%(list)s: the rating rules have changed. All ratings are being recalculated.")
            % list_params
        )
        return
    periodic = system.is_periodic
    point: Point = (first.moment, 0)
    if periodic:
        days: int = system.read(rating_list.parameters)["period_days"]
        period = period_number(first.moment, days)
        point = (period * days * DAY_MICROSECONDS, 0)
        if period >= generation.closed:
            preview.notes.append(
                gettext("%(list)s: ratings change only at the end of this match’s rating period.")
                % list_params
            )
            return
    if facts_from_point(counted_facts(rating_list, generation.clubs), point)[
        MAX_REPLAYED_FACTS : MAX_REPLAYED_FACTS + 1
    ].exists():
        preview.notes.append(
            gettext(
                "%(list)s: too many later results to preview the changes. Ratings are updated a few seconds "
                "after the correction."
            )
            % list_params
        )
        return
    replaced_ids = {fact.pk for fact in replaced_facts}
    rows = [r for r in tail_rows(rating_list, generation, point) if r[0] not in replaced_ids]
    if row is not None and is_counted_after:
        rows = _replace_row(rows, row, replaced_facts[0])
    if periodic:
        corrected = _corrected_period_ratings(rating_list, generation, point, rows)
    else:
        corrected = _corrected_ratings(
            rating_list,
            generation,
            point,
            rows,
            {row[0]: _extra_for_replacement(replaced_facts[0], row, system)} if row else {},
        )
    preview.effects.extend(_effects(rating_list, generation, corrected, replaced_facts[0].club_id))


def _replace_row(rows: list[Row], row: Row, replaced: Fact) -> list[Row]:
    """Return ``rows`` with ``row`` at the position of the fact that it replaces."""
    places = ledger_positions(Fact.objects.filter(moment=replaced.moment))
    place = (replaced.moment, replaced.stands_at or replaced.pk)
    index = bisect_left(rows, place, key=lambda other: (other[1], places.get(other[0], other[0])))
    return [*rows[:index], row, *rows[index:]]


def _extra_for_replacement(replaced: Fact, row: Row, system: System) -> RareAttributes:
    """Return weight and PRs for a row that is not in the ledger yet: those of the fact that it replaces."""
    replacement = copy(replaced)
    replacement.winner_pr, replacement.loser_pr = replaced.pr_of(row[3]), replaced.pr_of(row[4])
    return fact_extra(replacement, system)


def _corrected_ratings(
    rating_list: RatingList,
    generation: Generation,
    point: Point,
    rows: list[Row],
    extras: dict[int, RareAttributes],
) -> dict[int, float | None]:
    """Return the ratings after the correction, keyed by player id; None for a player who leaves the list.

    ``extras``: rare attributes of a row that is not in the ledger yet, keyed by ledger number.
    """
    removed = sort_changes(
        [
            RemovedChange(*values)
            for values in changes_from(rating_list, point)
            .order_by()
            .values_list("fact_id", "moment", "player_id", "won", "before", "experience")
        ]
    )
    tail = rate_tail(rating_list, generation, point, removed, rows, extras)
    corrected: dict[int, float | None] = {
        player: float(state[STATE_RATING]) for player, state in tail.states.items()
    }
    absent_ids = {change.player for change in removed} - tail.present
    return corrected | dict.fromkeys(absent_ids - known_before(generation, absent_ids, point))


def _corrected_period_ratings(
    rating_list: RatingList, generation: Generation, point: Point, rows: list[Row]
) -> dict[int, float | None]:
    """Return the ratings after rating every period from that of the correction on again, keyed by player id.

    None for a player who leaves the list.
    """
    system = get_system(rating_list.system)
    parameters = system.read(rating_list.parameters)
    period = point[0] // (parameters["period_days"] * DAY_MICROSECONDS)
    players = set(changes_from(rating_list, point).order_by().values_list("player_id", flat=True).distinct())
    players |= {player for row in rows for player in row[3:5] if player}
    standings = standings_before(generation, players, period=period, days=parameters["period_days"])
    replay = replay_periods(
        rows,
        parameters,
        start=rating_list.start,
        end_period=generation.closed,
        extras=read_extras(facts_from_point(counted_facts(rating_list, generation.clubs), point), system),
        standings=standings,
    )
    return {p: s.glicko.rating if (s := replay.standings.get(p)) else None for p in players}


def _effects(
    rating_list: RatingList, generation: Generation, corrected: Mapping[int, float | None], club_id: int
) -> list[RatingEffect]:
    """Return the ratings that differ from the present ones, with names that directors of the club may see.

    ``corrected``: the ratings after the correction, keyed by player id.
    """
    current = {row[0]: row[1] for row in current_numbers(generation, set(corrected))}
    changed_ids = {player for player in corrected if current.get(player) != corrected[player]}
    names = player_names(changed_ids, club_id=club_id)
    effects = [
        RatingEffect(
            rating_list.public_id,
            rating_list.name,
            player,
            names[player],
            current.get(player),
            corrected[player],
        )
        for player in changed_ids
        if player in names
    ]
    effects.sort(key=lambda effect: (not effect.leaves, -abs(effect.delta), effect.player.name))
    return effects
