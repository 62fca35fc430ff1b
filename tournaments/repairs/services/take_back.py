"""Take a result back that should not have been recorded: the match is open again, at its table if nobody was called there.

It is a correction without another result, as long as nothing was played on it; where later matches were, the director corrects it
and chooses what becomes of them.
"""

from dataclasses import replace

from faults import Conflict, Missing
from people.actors import Actor
from people.rows import one_or_none
from people.transactions import durable
from tournaments.engine.changes.next_state import Change, Reset
from tournaments.engine.changes.state import RULED
from tournaments.engine.statuses import MatchAction
from tournaments.engine.types import MatchNo, ResultKind
from tournaments.models import Match
from tournaments.repairs.services.correct import write_correction
from tournaments.selectors.repairs.corrections import correction_preview, is_built_on
from tournaments.store.load import load
from tournaments.store.lock import lock_for_director
from tournaments.store.matches import refuse_step
from tournaments.store.repairs import StageRepair, must_be_shown, settle
from tournaments.store.results import present_of
from tournaments.store.tables import give_up_kept_tables


@durable
def take_back_result(*, actor: Actor, event_id: int, match_id: int, seen: int) -> Match:
    """The result counts no more, in one step that can be undone. ``seen``: the version of the match that was looked at."""
    event = lock_for_director(actor, event_id)
    match = one_or_none(
        Match.objects.select_related("stage").filter(pk=match_id, stage__division__event=event)
    )
    if match is None:
        raise Missing("match.unknown")
    if seen != match.version:
        raise Conflict("correction.changed_meanwhile", present=present_of(match))
    refuse_step(match, MatchAction.CORRECT)
    if match.result_kind == ResultKind.BYE:
        raise Conflict("correction.no_result", present=present_of(match))
    must_be_shown(event, match.stage)
    found = correction_preview(match, None)
    if is_built_on(found):
        raise Conflict("correction.choose_repair", present=present_of(match))
    chosen = next(iter(found.repairs))
    hand, number = load(match.stage), MatchNo(match.number)
    done = found.repairs[chosen].consequence
    change: Change = settle(found.draw, done) if done is not None else Reset(number)
    after = hand.after(change, present=present_of(match))
    if match.table is not None:
        give_up_kept_tables(event, called=(), tables=[match.table])
    # What was ruled about it before it had a result still holds, and its two sit where they sat.
    back = after.match(number).written(**{name: getattr(match, name) for name in RULED})
    after = replace(after, matches={**after.matches, number: back})
    return write_correction(event, actor, StageRepair(hand, after), match, found, chosen)
