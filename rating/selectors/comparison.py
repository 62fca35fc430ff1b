"""Compare how well rating systems would have predicted the newest results of a list. Writes nothing."""

from collections.abc import Sequence
from dataclasses import dataclass

from rating.formulas import SYSTEMS
from rating.formulas.forecasts import CalibrationBand, calibration, log_loss, predict_results
from rating.formulas.replay import RowKind
from rating.models import RatingList
from rating.selectors.rules import current_rule
from rating.store.reading import (
    counted_facts,
    facts_from_point,
    merged_players,
    read_extras,
    read_rows,
    superseded_fact_ids,
)
from rating.store.spans import counted_spans

MAX_RESULTS = 20_000  # the newest ones: about a second for all systems
MIN_RESULTS = 60  # with fewer judged, chance decides which system is best


@dataclass(frozen=True, slots=True)
class SystemForecast:
    """The accuracy of one rating system: its log-loss, and its calibration in bands of predicted chance.

    ``is_own_system``: True for the list's own system with the list's settings.
    """

    system: str
    is_own_system: bool
    log_loss: float
    bands: Sequence[CalibrationBand]


@dataclass(frozen=True, slots=True)
class SystemComparison:
    """The predictions of all rating systems that have predictions, best system first.

    ``judged_count``: the number of results whose predictions count; the first ``training_count`` results do
    not count.
    """

    training_count: int
    judged_count: int
    systems: list[SystemForecast]

    @property
    def has_enough_results(self) -> bool:
        return self.judged_count >= MIN_RESULTS


def compare_systems(rating_list: RatingList, *, limit: int = MAX_RESULTS) -> SystemComparison:
    """Return how well each rating system predicts each result of a list from the results before it.

    The list's own system has the list's settings, the others their defaults. The newest ``limit`` results are
    used; the first third of them is for training and is not judged.
    """
    facts = counted_facts(rating_list, counted_spans(rating_list))
    oldest_moment = facts.order_by("-moment").values_list("moment", flat=True)[limit : limit + 1].first()
    if oldest_moment is not None:
        facts = facts_from_point(facts, (oldest_moment, 0))
    rows = read_rows(facts, excluded_ids=superseded_fact_ids(), merges=merged_players())
    results = sum(row[2] == RowKind.RESULT for row in rows)
    training_count = results // 3
    if training_count == results:
        return SystemComparison(0, 0, [])
    own_rule = current_rule(rating_list)
    forecasts = []
    for system in SYSTEMS.values():
        if system.expect is None and not system.is_periodic:
            continue
        is_own = system == own_rule.system
        chances = predict_results(
            system,
            own_rule.parameters if is_own else system.read({}),
            rows,
            start=own_rule.start if is_own else system.start,
            extras=read_extras(facts, system),
        )[training_count:]
        forecasts.append(SystemForecast(system.code, is_own, log_loss(chances), calibration(chances)))
    return SystemComparison(
        training_count, results - training_count, sorted(forecasts, key=lambda forecast: forecast.log_loss)
    )
