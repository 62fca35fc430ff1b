"""Public page that explains the PR (performance rating): definition, origin and reliability."""

from typing import Any, Final

from django.http import HttpRequest, HttpResponse

from games.records.performance import ERROR_LIMITS, ErrorClass
from games.records.summing import MIN_DECISIONS
from games.web.analysed import MATCHES_COMPARED, MAX_PR_DIFFERENCE, PR_MARGIN, format_rounded
from tournaments.shared.frames.public import public_page, public_view

# GNU Backgammon compared with eXtreme Gammon in nine matches (docs/records.md):
# level, mean difference, number of ratings within 1.
ENGINE_COMPARISON: Final = (("0-ply", 1.22, 8), ("1-ply", 1.10, 9), ("2-ply", 0.36, 17))
COMPARED_RATINGS: Final = 18


@public_view
def rating_explanation(request: HttpRequest) -> HttpResponse:
    """Page that explains the PR, with the same content for everyone."""
    return public_page(request, "matches/measuring.html", _context, versions=[])


def _context() -> dict[str, Any]:
    limits = {kind: limit for limit, kind in ERROR_LIMITS}
    return {
        "mean": format_rounded(PR_MARGIN, 1),
        "most": format_rounded(MAX_PR_DIFFERENCE, 1),
        "compared": MATCHES_COMPARED,
        "enough": MIN_DECISIONS,
        "error": format_rounded(limits[ErrorClass.ERROR], 3),
        "blunder": format_rounded(limits[ErrorClass.BLUNDER], 3),
        "trial": [
            {"level": level, "mean": format_rounded(mean, 2), "near": near_count, "all": COMPARED_RATINGS}
            for level, mean, near_count in ENGINE_COMPARISON
        ],
    }
