"""How an event goes on by chance when there is nothing left to play: a draw, a round, the end of a stage."""

from faults import CrawfordError
from tournaments.checks.simulation import arranging
from tournaments.checks.simulation.checking_in import left_out_or_drawn
from tournaments.checks.simulation.coming import buy_back, close_lines
from tournaments.checks.simulation.hall import Hall
from tournaments.draws.services.draws import discard_draw, draw_stage, publish_draw
from tournaments.draws.services.starting import start_full
from tournaments.engine.new_entry import NewEntry, WhenFull
from tournaments.engine.statuses import HOLDS_PLACE, TO_PLAY, UNDER_WAY, StageStatus
from tournaments.entries.services.entries import add_entry
from tournaments.events.services.divisions import DivisionDetails, remove_division, update_division
from tournaments.events.services.stages import remove_stage
from tournaments.models import Division, Match, Stage
from tournaments.rounds.services.rounds import end_stage, pair_next_round, publish_round, seated_in
from tournaments.selectors.check_in import entries_in_draw
from tournaments.selectors.draws import draw_of
from tournaments.selectors.repairs.late import lines_held
from tournaments.selectors.rounds.next import may_pair, next_round, rounds_to_publish
from tournaments.selectors.standings.feeds import feed_is_ready
from tournaments.selectors.standings.sources import stages_fed_by
from tournaments.selectors.standings.tables import in_rounds, is_swiss

MOST_JACKPOTS = 4


def stage_to_bring_forward(hall: Hall) -> Stage | None:
    """The stage that has nothing to play until it is drawn or paired; one that takes losers, as soon as these are known."""
    stages = hall.stages
    for stage in stages:
        early = stage.status == StageStatus.SETUP and not stage.settings.feed.by_result
        if early and stage.fed_by is not None and feed_is_ready(stage):
            return stage
    for stage in stages:
        if stage.status == StageStatus.FINISHED:
            continue
        if Match.objects.filter(stage=stage, status__in=TO_PLAY).exists() and stage.status in UNDER_WAY:
            return None
        return stage
    return None


def bring_forward(hall: Hall) -> str:
    """Draw or pair; what cannot go on because too many have gone home is ended, taken off the plan, or joined."""
    stage = stage_to_bring_forward(hall)
    if stage is None:
        return "nothing to bring forward"
    if stage.status in UNDER_WAY and lines_held(draw_of(stage)):
        if hall.rng.random() < 0.5:
            return buy_back(hall)
        return close_lines(hall, stage)
    try:
        if stage.division.starts_when_full and stage.status == StageStatus.SETUP:
            return _jackpot(hall, stage.division)
        return _draw(hall, stage) if not in_rounds(stage) else _pair(hall, stage)
    except CrawfordError:
        where = {**hall.where, "stage_id": stage.pk}
        if stage.fed_by is not None and stage.status == StageStatus.SETUP:
            while fed := stages_fed_by(stage):  # who waits for it cannot be drawn either
                stage = fed[-1]
            remove_stage(**hall.where, stage_id=stage.pk)
            return "a stage less"
        if not in_rounds(stage):
            return _one_more(hall, stage)
        end_stage(**where)
        return "the end of the rounds"


def _one_more(hall: Hall, stage: Stage) -> str:
    """A draw was taken back and too few are left for another: somebody comes at the last moment."""
    if stage.status == StageStatus.DRAWN:
        discard_draw(**hall.where, stage_id=stage.pk)
    late = NewEntry(name=f"Late {hall.key()}")
    add_entry(**hall.where, division_id=stage.division_id, entry=late, when_full=WhenFull.ADD)
    return f"{late.name} making up the number"


def _jackpot(hall: Hall, division: Division) -> str:
    """It is filled and starts by itself; in the end the one that opened last is taken away, or drawn with those who are there."""
    there = hall.event.divisions.count()
    enough = there >= MOST_JACKPOTS or hall.rng.random() < 0.4
    if enough and there > 1 and not division.entries.exists():
        remove_division(**hall.where, division_id=division.pk)
        return "a jackpot less"
    room = division.capacity or 0
    missing = room - division.entries.filter(status__in=HOLDS_PLACE).count()
    for _ in range(missing):
        add_entry(**hall.where, division_id=division.pk, entry=NewEntry(name=f"Pot {hall.key()}"))
    if not start_full():
        update_division(
            **hall.where, division_id=division.pk, division=DivisionDetails(name=division.name, capacity=room)
        )
        return "a jackpot that starts by hand"
    return "a jackpot that starts"


def _draw(hall: Hall, stage: Stage) -> str:
    where = {**hall.where, "stage_id": stage.pk}
    draw_stage(**where, seed=_chance(hall))
    if hall.rng.random() < 0.2:
        discard_draw(**where)
        draw_stage(**where, seed=_chance(hall))
    absent = left_out_or_drawn(hall, stage, entries_in_draw(stage))
    if absent is None:
        return "a draw without those who are missing"
    publish_draw(**where, absent=absent)
    return "the draw"


def _pair(hall: Hall, stage: Stage) -> str:
    where, draw = {**hall.where, "stage_id": stage.pk}, draw_of(stage)
    found = next_round(stage, draw) if may_pair(stage, draw) else None
    if found is None or (is_swiss(stage) and hall.rng.random() < 0.1):
        found = pair_next_round(**where, seed=_chance(hall))
    if is_swiss(stage) and hall.rng.random() < 0.3:
        found = arranging.change_places(hall, stage, found)
    now = Stage.objects.select_related("division", "fed_by").get(pk=stage.pk)
    shown = [found] if is_swiss(stage) else rounds_to_publish(now, draw_of(now))
    absent = left_out_or_drawn(hall, now, seated_in(shown))
    if absent is None:
        return "a pairing without those who are missing"
    publish_round(**where, seen=found.version, absent=absent)
    return f"round {found.number}"


def _chance(hall: Hall) -> int:
    return hall.rng.randrange(10**6)
