"""API: sums of the decisions of a side, for `matches.api.analyses` (one match) and `site.api.analyses`.

Ratings are not included: that of a single match is always given, one over several matches needs enough
decisions.
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
    """The fields of `SumsOfPlay`."""

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
    """Decisions that count, and errors among them."""

    decisions: Annotated[int, field_description("Number of decisions that count.")]
    checker_decisions: Annotated[int, field_description("Number of checker plays among them.")]
    cube_decisions: Annotated[int, field_description("Number of cube decisions among them.")]
    errors: Annotated[int, field_description("From 0.020 of equity lost, not including blunders.")]
    blunders: Annotated[int, field_description("From 0.080 of equity lost.")]
    missed_doubles: int
    wrong_doubles: int
    wrong_takes: int
    wrong_passes: int


def play_sums(performance: Performance) -> PlaySumFields:
    """Return the fields that both sums share."""
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
    """Return the value of `Margin`."""
    return PR_MARGIN if estimated else 0.0
