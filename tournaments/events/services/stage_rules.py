"""Match conditions of a stage (called conduct) beside its system, and where its matches are played.

They are lateness and slow play (rule F15), clocks (F11), errors in play and their correction (F7, F16), the
cube after the Crawford game (F3) and whether results are rated (F12).
"""

from dataclasses import asdict, replace

from faults import Conflict
from games.rules.policies import SlipRules
from people.actors import Actor
from people.transactions import durable
from tournaments.engine.matches.rulings import (
    ClockRule,
    ClockUse,
    LatenessRule,
    MatchConditions,
    SlowPlayRule,
)
from tournaments.engine.statuses import (
    EVENT_OVER,
    MatchStatus,
)
from tournaments.engine.trail.divisions import ConductSet
from tournaments.engine.types import ResultKind
from tournaments.models import Match, Stage
from tournaments.selectors.access.versions import settings_version
from tournaments.store.lock import get_stage, lock_for_director, record_action, refuse_if_changed
from tournaments.store.tables import set_by_arrangement


@durable
def set_conduct(
    *,
    actor: Actor,
    event_id: int,
    stage_id: int,
    lateness: LatenessRule,
    clocks: ClockRule | None,
    rated: bool,
    slips: SlipRules | None = None,
    by_arrangement: bool | None = None,
    clock_use: ClockUse | None = None,
    slow: SlowPlayRule | None = None,
    holland: bool | None = None,
    seen: str = "",
) -> Stage:
    """Set the match conditions of a stage and return the stage. They may change while the stage is played.

    ``lateness``, ``slow``: penalties (rule F15); ``clocks``: times (F11), None without clocks; ``rated``:
    whether results count for ratings (F12); ``slips``: illegal plays and limits for corrections (F7, F16);
    ``holland``: rule for the cube after the Crawford game (F3). ``by_arrangement``: True makes ready matches
    give back their tables, False makes them wait for one. None leaves ``by_arrangement``, ``clock_use``,
    ``slow``, ``slips`` or ``holland`` unchanged. ``seen``: `conduct_version` that the director saw.

    Raises ``Conflict`` if the rules have changed since ``seen``, the event is over, or ``rated`` changes
    after a result.
    """
    event = lock_for_director(actor, event_id)
    stage = get_stage(event, stage_id)
    if event.status in EVENT_OVER:
        raise Conflict("conduct.over", present=event)
    refuse_if_changed(seen, conduct_version(stage), stage.status, stage)
    before = stage.settings.conduct
    if rated is not before.rated and _has_results(stage):
        raise Conflict("conduct.rated_fixed", present=stage)
    new_conduct = MatchConditions(
        lateness,
        clocks,
        rated,
        clock_use or before.clock_use,
        slow or before.slow,
        slips or before.slips,
        before.holland if holland is None else holland,
    )
    stage.settings = replace(stage.settings, conduct=new_conduct)
    stage.save(update_fields=["kept_settings"])
    arrangement_changed = by_arrangement is not None and by_arrangement is not stage.by_arrangement
    if arrangement_changed and stage.system != Stage.System.MONEY:
        set_by_arrangement(event, stage, by_arrangement=bool(by_arrangement))
    action = _conduct_action(
        before, new_conduct, by_arrangement=stage.by_arrangement if arrangement_changed else None
    )
    record_action(event, actor=actor, action=action, subject=stage)
    return stage


def _conduct_action(
    before: MatchConditions, after: MatchConditions, *, by_arrangement: bool | None
) -> ConductSet:
    """Return the audit action, with the new values of those rules that changed."""
    slips, old_slips = after.slips, before.slips
    overtime = after.clocks.overtime if after.clocks is not None else 0
    old_overtime = before.clocks.overtime if before.clocks is not None else 0
    return ConductSet(
        by_arrangement=by_arrangement,
        clocks=_clocks_code(after) if _clocks_code(after) != _clocks_code(before) else "",
        moves=slips.moves if slips.moves is not old_slips.moves else None,
        start=slips.start if slips.start is not old_slips.start else None,
        score=slips.score if slips.score is not old_slips.score else None,
        overtime=overtime if overtime != old_overtime else None,
        holland=after.holland if after.holland is not before.holland else None,
    )


def conduct_version(stage: Stage) -> str:
    """Return the version (a hash) of a stage's match conditions and of where its matches are played."""
    return settings_version({**asdict(stage.settings.conduct), "by_arrangement": stage.by_arrangement})


def _clocks_code(conduct: MatchConditions) -> str:
    return conduct.clock_use.value if conduct.clocks is not None else "without"


def _has_results(stage: Stage) -> bool:
    confirmed_matches = Match.objects.filter(stage=stage, status=MatchStatus.CONFIRMED)
    return confirmed_matches.exclude(result_kind=ResultKind.BYE).exists()
