"""Compare the stored ratings of a list with a fresh computation from the ledger, bit for bit."""

from dataclasses import dataclass

from django.db import transaction

from rating.formulas.replay import Step
from rating.models import Change, Generation, Standing
from rating.services.locks import lock_list
from rating.services.rebuild import read_all_rows
from rating.store.clean import compute_list
from rating.store.writing import StandingRow

MAX_DIFFERENCES = 1000  # that are listed


@dataclass(frozen=True, slots=True)
class Difference:
    """A difference between the stored and the computed ratings.

    ``what``: "generation", "standing" or "change"; ``where``: (player id,) or (ledger number, player id).
    None: missing.
    """

    what: str
    where: tuple[int, ...]
    stored: object
    computed: object


def check_list(*, list_id: int, limit: int = MAX_DIFFERENCES) -> list[Difference]:
    """Compute the list anew and return the differences from the stored ratings, at most ``limit``.

    Writes nothing.
    """
    with transaction.atomic():
        rating_list = lock_list(list_id)
        generation = rating_list.generation
        if generation is None:
            return [Difference("generation", (), None, "a rebuild")]
        steps, standings = compute_list(rating_list, generation, read_all_rows(rating_list, generation))
        return (_compare_standings(generation, standings) + _compare_steps(generation, steps))[:limit]


def _compare_standings(generation: Generation, computed: list[StandingRow]) -> list[Difference]:
    stored = {
        row[0]: StandingRow(*row)
        for row in Standing.objects.filter(generation=generation).values_list(
            "player_id",
            "rating",
            "experience",
            "matches",
            "wins",
            "moment",
            "deviation",
            "volatility",
        )
    }
    computed_by_player = {row.player: row for row in computed}
    return [
        Difference("standing", (player,), stored.get(player), computed_by_player.get(player))
        for player in sorted(stored.keys() | computed_by_player.keys())
        if stored.get(player) != computed_by_player.get(player)
    ]


def _compare_steps(generation: Generation, steps: list[Step]) -> list[Difference]:
    computed_values: dict[tuple[int, int], tuple[float, float, int]] = {}
    while steps:  # a million of them: each is released before the next one is converted
        fact, _moment, player, before, after, experience, other, *other_values = steps.pop()
        computed_values[fact, player] = (before, after, experience)
        if other:
            computed_values[fact, other] = (other_values[0], other_values[1], other_values[2])  # type: ignore[assignment]
    differences = []
    for fact, player, before, after, experience in (
        Change.objects.of(generation)
        .values_list("fact_id", "player_id", "before", "after", "experience")
        .iterator(chunk_size=10_000)
    ):
        stored = (before, after, experience)
        computed = computed_values.pop((fact, player), None)
        if computed != stored:
            differences.append(Difference("change", (fact, player), stored, computed))
    differences.extend(Difference("change", key, None, value) for key, value in computed_values.items())
    return differences
