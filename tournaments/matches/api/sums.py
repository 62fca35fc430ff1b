"""What the decisions of a side come to, as the API has it: the same for one match (`matches.api.analyses`) and for many (`site.api.analyses`).

Ratings are not among it: that of a single match stands there however few its decisions are, over several matches it needs enough of them.
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


def play_sums(whole: Performance) -> PlaySumFields:
    """The fields that both have in common."""
    cube = whole.cube_errors
    return PlaySumFields(
        decisions=whole.counted,
        checker_decisions=whole.checker_counted,
        cube_decisions=whole.cube_counted,
        errors=whole.errors[ErrorClass.ERROR],
        blunders=whole.errors[ErrorClass.BLUNDER],
        missed_doubles=cube[CubeError.MISSED_DOUBLE],
        wrong_doubles=cube[CubeError.WRONG_DOUBLE],
        wrong_takes=cube[CubeError.WRONG_TAKE],
        wrong_passes=cube[CubeError.WRONG_PASS],
    )


def rating_margin(*, estimated: bool) -> float:
    """What `Margin` says."""
    return PR_MARGIN if estimated else 0.0
