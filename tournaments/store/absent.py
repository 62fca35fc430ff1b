"""Matches against entries that have left: walk-overs, or struck."""

from people.actors import Actor
from tournaments.engine.brackets.correction import absence_claim
from tournaments.engine.lifecycle import EntryStatus, MatchStatus
from tournaments.engine.types import Claim, MatchNo, Score, Side
from tournaments.models import Event, MatchSlot, Stage
from tournaments.store.results import trace_absence
from tournaments.store.stage_rows import STRUCK, Ruling, StageRows


def pass_the_absent(actor: Actor, event: Event, stage: Stage) -> None:
    """After rounds of a round robin were published: matches of entries that have left are walk-overs, or struck."""
    ready = MatchSlot.objects.filter(match__stage=stage, match__status=MatchStatus.READY)
    gone = ready.filter(entry__status=EntryStatus.WITHDRAWN).values_list("match__number", "side", "entry_id")
    absent: dict[MatchNo, dict[Side, int]] = {}
    for number, side, entry_id in gone:
        absent.setdefault(MatchNo(number), {})[Side(side)] = entry_id
    if not absent:
        return
    rows = StageRows(event, stage, actor)
    given: dict[MatchNo, Claim] = {}
    for number, entries in absent.items():
        if set(entries.values()) & set(stage.options.get(STRUCK, ())):
            rows.strike(number)
        else:
            match = rows.matches[number]
            given[number] = absence_claim(match.length, Score(match.start_a, match.start_b), entries)
            rows.rule(number, Ruling(given[number]))
    rows.finish()
    for number, claim in given.items():
        trace_absence(event, rows.matches[number], claim)
