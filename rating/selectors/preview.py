"""What would happen: the change at stake in a match, and what a correction would do to the ratings. Writes nothing."""

from copy import copy
from dataclasses import dataclass

from people.errors import Missing
from rating.formulas import Meeting, system_named
from rating.formulas.glicko2 import Glicko
from rating.formulas.glicko2 import expected as glicko_expected
from rating.formulas.rateable import LONGEST
from rating.formulas.replay import RATING, Act, Row
from rating.models import Fact, FactKind, RatingList, Standing
from rating.selectors.shown import Name, delta_text, names_of, percent_text, rating_text, sign_of
from rating.services.tail import present_numbers, rate_tail, tail_rows
from rating.store.reading import Point, changes_from, counted, lists_counting
from rating.store.writing import TakenChange


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one result would do to both."""

    first: float
    second: float

    @property
    def first_text(self) -> str:
        return delta_text(self.first)

    @property
    def second_text(self) -> str:
        return delta_text(self.second)


@dataclass(frozen=True, slots=True)
class WhatIf:
    """Before a match: the chance of the first player (None where the system has none), and both outcomes.

    On lists that change at the close of a period only, the outcomes are not known before it (None).
    """

    first: Name
    second: Name
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


def expected(list_id: int, first_id: int, second_id: int, length: int) -> WhatIf:
    """The change at stake when two players meet now; who has no rating yet enters with the start value."""
    rating_list = RatingList.objects.filter(pk=list_id).first()
    if rating_list is None:
        raise Missing("rating.list_unknown")
    names = names_of([first_id, second_id])
    if len(names) < 2:
        raise Missing("rating.player_unknown")
    system = system_named(rating_list.system)
    parameters = system.read(rating_list.parameters)
    standings = {
        s.player_id: s for s in Standing.objects.on(rating_list).filter(player_id__in=[first_id, second_id])
    }
    numbers = [
        (s.rating, s.experience) if (s := standings.get(pk)) else (rating_list.start, 0)
        for pk in (first_id, second_id)
    ]
    (first, first_experience), (second, second_experience) = numbers
    chance: float | None = None
    outcomes: list[Outcome] = []
    if system.work is not None:
        work = system.work
        up = work(parameters, Meeting(first, first_experience, second, second_experience, length))
        down = work(parameters, Meeting(second, second_experience, first, first_experience, length))
        chance = up.expected
        outcomes = [
            Outcome(up.winner_change, up.loser_change),
            Outcome(down.loser_change, down.winner_change),
        ]
    elif system.periodic:
        own, other = (
            Glicko(s.rating, s.deviation or parameters["deviation"], s.volatility or 0.0)
            if (s := standings.get(pk))
            else Glicko(rating_list.start, parameters["deviation"], parameters["volatility"])
            for pk in (first_id, second_id)
        )
        chance = glicko_expected(own, other)
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
class Effect:
    """A rating that a correction would change."""

    list_public_id: str
    list_name: str
    player_id: int
    player: Name
    now: float | None
    then: float | None

    @property
    def delta(self) -> float:
        return (
            (self.then or 0.0) - (self.now or 0.0) if self.now is not None and self.then is not None else 0.0
        )

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


def effects_of_correction(
    *,
    source_key: str,
    winner_id: int | None = None,
    loser_id: int | None = None,
    length: int | None = None,
    void: bool = False,
) -> list[Effect]:
    """Ratings now and with the result of ``source_key`` corrected or taken back; largest changes first.

    Lists whose ratings change at the close of a period show nothing: their rebuild tells.
    """
    fact = Fact.objects.filter(source_key=source_key, later__isnull=True).exclude(kind=FactKind.VOID).first()
    if fact is None:
        raise Missing("rating.fact_unknown")
    row: Row | None = None
    if not void:
        # A replacement gets a later number, so at the same moment it comes last.
        newest = Fact.objects.order_by("-pk").values_list("pk", flat=True).first() or 0
        row = (
            newest + 1,
            fact.moment,
            int(Act.RESULT),
            winner_id or fact.winner_id or 0,
            loser_id or fact.loser_id or 0,
            length or fact.length,
        )
    effects: list[Effect] = []
    lists = RatingList.objects.filter(pk__in=lists_counting(fact.club_id), archived=False)
    for rating_list in lists.select_related("generation").order_by("-is_main", "name", "pk"):
        effects += _effects_on(rating_list, fact, row)
    return effects


def _counts(rating_list: RatingList, fact: Fact, length: int) -> bool:
    """Whether the list would count the result if it were of this length: its event, day and kind of play decide too."""
    if not rating_list.shortest <= length <= rating_list.longest:
        return False
    any_length = copy(rating_list)
    any_length.shortest, any_length.longest = 1, LONGEST
    return counted(any_length, [fact.club_id]).filter(pk=fact.pk).exists()


def _effects_on(rating_list: RatingList, fact: Fact, row: Row | None) -> list[Effect]:
    generation = rating_list.generation
    if generation is None or system_named(rating_list.system).rate is None:
        return []
    point: Point = (fact.moment, fact.pk)
    rows = [r for r in tail_rows(rating_list, generation, point) if r[0] != fact.pk]
    if row is not None and _counts(rating_list, fact, row[5]):
        rows = sorted([*rows, row], key=lambda r: (r[1], r[0]))
    taken = [
        TakenChange(*values)
        for values in changes_from(rating_list, point)
        .order_by("moment", "fact_id")
        .values_list("fact_id", "moment", "player_id", "won", "before", "experience")
    ]
    tail = rate_tail(rating_list, generation, point, taken, rows)
    players = set(tail.states)
    now = {row[0]: row[1] for row in present_numbers(generation, players)}
    names = names_of(players, everybody=True)
    effects = [
        Effect(
            rating_list.public_id,
            rating_list.name,
            player,
            names[player],
            now.get(player),
            float(state[RATING]),
        )
        for player, state in tail.states.items()
        if player in names and now.get(player) != state[RATING]
    ]
    effects.sort(key=lambda effect: (-abs(effect.delta), effect.player.name))
    return effects
