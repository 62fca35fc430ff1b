"""How play is measured, for whoever reads a PR: what it is, whose it is, and how far to trust it."""

from typing import Any, Final

from django.http import HttpRequest, HttpResponse

from games.records.performance import LIMITS, ErrorClass
from games.records.summing import ENOUGH
from games.web.analysed import FURTHEST, MARGIN, MATCHES_COMPARED, rounded
from tournaments.shared.frames.public import public_page, public_view

# GNU Backgammon beside what eXtreme Gammon had stored in nine matches (docs/records.md): level, away on average, ratings within 1.
TRIAL: Final = (("0-ply", 1.22, 8), ("1-ply", 1.10, 9), ("2-ply", 0.36, 17))
RATINGS: Final = 18


@public_view
def measuring(request: HttpRequest) -> HttpResponse:
    """The same for everybody."""
    return public_page(request, "matches/measuring.html", _context, versions=[])


def _context() -> dict[str, Any]:
    limits = {kind: limit for limit, kind in LIMITS}
    return {
        "mean": rounded(MARGIN, 1),
        "most": rounded(FURTHEST, 1),
        "compared": MATCHES_COMPARED,
        "enough": ENOUGH,
        "error": rounded(limits[ErrorClass.ERROR], 3),
        "blunder": rounded(limits[ErrorClass.BLUNDER], 3),
        "trial": [
            {"level": level, "mean": rounded(mean, 2), "near": near, "all": RATINGS}
            for level, mean, near in TRIAL
        ],
    }
