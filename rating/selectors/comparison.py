"""Compare how well systems would have predicted a list's newest results. Writes nothing."""

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
    """The accuracy of a system: log-loss, and the share of wins of favourites by predicted chance."""

    system: str
    is_the_lists: bool
    log_loss: float
    bands: Sequence[CalibrationBand]


@dataclass(frozen=True, slots=True)
class SystemComparison:
    """All systems with predictions, the best first.

    ``judged``: the number of results predicted after the first ``training_count``, which are not judged.
    """

    training_count: int
    judged: int
    systems: list[SystemForecast]

    @property
    def tells_enough(self) -> bool:
        return self.judged >= MIN_RESULTS


def compare_systems(rating_list: RatingList, *, limit: int = MAX_RESULTS) -> SystemComparison:
    """Predict each result that the list counts from those before it, by the list's rule and by other systems.

    Other systems have their defaults. The first third of the results is for training and is not judged.
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
        if system.expect is None and not system.periodic:
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
