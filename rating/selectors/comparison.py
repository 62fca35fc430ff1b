"""Which system would have foretold a list's own results best. Reads the newest of them, writes nothing."""

from collections.abc import Sequence
from dataclasses import dataclass

from rating.formulas import SYSTEMS
from rating.formulas.forecasts import Band, calibration, foretell, log_loss
from rating.formulas.replay import Act
from rating.models import RatingList
from rating.selectors.rules import present_rule
from rating.store.reading import counted, from_point, merged_players, read_extras, read_rows, taken_back
from rating.store.spans import spans_counted

MOST = 20_000  # results that are looked at, the newest: about a second for all systems
FEWEST = 60  # with fewer judged, chance decides which system is best


@dataclass(frozen=True, slots=True)
class Foretold:
    """How well a system did: its log-loss, and how often the favourites of each chance have won."""

    system: str
    is_the_lists: bool
    log_loss: float
    bands: Sequence[Band]


@dataclass(frozen=True, slots=True)
class Comparison:
    """All systems that foretell anything, the best first; ``judged``: how many results, after ``learnt`` that nobody is judged by."""

    learnt: int
    judged: int
    systems: list[Foretold]

    @property
    def tells_enough(self) -> bool:
        return self.judged >= FEWEST


def compare_systems(rating_list: RatingList, *, most: int = MOST) -> Comparison:
    """Each result that the list counts is foretold from those before it, by the list's rule and by every other system as it
    begins; the first third teaches all of them who is who and is not judged.
    """
    facts = counted(rating_list, spans_counted(rating_list))
    oldest = facts.order_by("-moment").values_list("moment", flat=True)[most : most + 1].first()
    if oldest is not None:
        facts = from_point(facts, (oldest, 0))
    rows = read_rows(facts, without=taken_back(), merges=merged_players())
    results = sum(row[2] == Act.RESULT for row in rows)
    learnt = results // 3
    if learnt == results:
        return Comparison(0, 0, [])
    own = present_rule(rating_list)
    found = []
    for system in SYSTEMS.values():
        if system.expect is None and not system.periodic:
            continue
        ours = system == own.system
        chances = foretell(
            system,
            own.parameters if ours else system.read({}),
            rows,
            start=own.start if ours else system.start,
            extras=read_extras(facts, system),
        )[learnt:]
        found.append(Foretold(system.code, ours, log_loss(chances), calibration(chances)))
    return Comparison(learnt, results - learnt, sorted(found, key=lambda one: one.log_loss))
