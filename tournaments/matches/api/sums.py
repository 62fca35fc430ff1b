"""API: counts of a player's decisions and errors, used by `matches.api.analyses` and `site.api.analyses`.

The first is about one match, the second about several. Ratings are not included, because their conditions
differ: a single match always has one, several matches only with enough decisions.
"""

from typing import Annotated, TypedDict

from games.records.performance import CubeError, ErrorClass, Performance
from games.web.analysed import MATCHES_COMPARED, MAX_PR_DIFFERENCE, PR_MARGIN
from people.api.answers import Answer, field_description

Margin = Annotated[
    float,
    field_description(
        f"For an estimate: its average difference from eXtreme Gammon's own rating in the {MATCHES_COMPARED} matches that were"
        f" compared, {PR_MARGIN}. This is not a limit: the furthest was {MAX_PR_DIFFERENCE}. 0 if the rating is eXtreme Gammon's own."
    ),
]


class PlaySumFields(TypedDict):
    """The keyword arguments for the fields of `SumsOfPlay`."""

    decisions: int
    checker_decisions: int
    cube_decisions: int
    errors: int
    blunders: int
    missed_doubles: int
    wrong_doubles: int
    wrong_takes: int
    wrong_passes: int


class SumsOfPlay(Answer, frozen=True):
    """Numbers of decisions that count for the performance rating, and of the errors among them."""

    decisions: Annotated[int, field_description("Number of decisions that count.")]
    checker_decisions: Annotated[int, field_description("Number of checker plays among them.")]
    cube_decisions: Annotated[int, field_description("Number of cube decisions among them.")]
    errors: Annotated[int, field_description("From 0.020 of equity lost, not including blunders.")]
    blunders: Annotated[int, field_description("From 0.080 of equity lost.")]
    missed_doubles: int
    wrong_doubles: int
    wrong_takes: int
    wrong_passes: int


def decision_counts(performance: Performance) -> PlaySumFields:
    """Return the counts of ``performance`` as keyword arguments for `SumsOfPlay`."""
    cube_errors = performance.cube_errors
    return PlaySumFields(
        decisions=performance.counted,
        checker_decisions=performance.checker_counted,
        cube_decisions=performance.cube_counted,
        errors=performance.errors[ErrorClass.ERROR],
        blunders=performance.errors[ErrorClass.BLUNDER],
        missed_doubles=cube_errors[CubeError.MISSED_DOUBLE],
        wrong_doubles=cube_errors[CubeError.WRONG_DOUBLE],
        wrong_takes=cube_errors[CubeError.WRONG_TAKE],
        wrong_passes=cube_errors[CubeError.WRONG_PASS],
    )


def rating_margin(*, estimated: bool) -> float:
    """Return the value for a `Margin` field: the average error of an estimated rating, else 0."""
    return PR_MARGIN if estimated else 0.0
