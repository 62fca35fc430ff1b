"""Undo of a result recorded by mistake: the match is unfinished again, at its table if that is still free.

It is a correction without a new result, if no match that depends on it was played; otherwise the director
corrects the result and chooses the repair.
"""

from dataclasses import replace

from faults import Conflict, Missing
from people.actors import Actor
from people.rows import one_or_none
from people.transactions import durable
from tournaments.engine.changes.next_state import ClearResult, StageChange
from tournaments.engine.changes.state import RULING_COLUMNS
from tournaments.engine.statuses import MatchAction
from tournaments.engine.types import MatchNo, ResultKind
from tournaments.models import Match
from tournaments.repairs.services.correct import write_correction
from tournaments.selectors.repairs.corrections import correction_preview, has_later_play
from tournaments.store.load import load_stage
from tournaments.store.lock import lock_for_director
from tournaments.store.matches import check_match_step
from tournaments.store.repairs import StageRepair, change_from_consequence, require_published_draw
from tournaments.store.results import current_match_state
from tournaments.store.tables import release_reserved_tables


@durable
def undo_result(*, actor: Actor, event_id: int, match_id: int, seen: int) -> Match:
    """Undo the result of a match, in one step that can itself be undone.

    ``seen``: the version of the match that the user saw; raises ``Conflict`` if it has changed.
    """
    event = lock_for_director(actor, event_id)
    match = one_or_none(
        Match.objects.select_related("stage").filter(pk=match_id, stage__division__event=event)
    )
    if match is None:
        raise Missing("match.unknown")
    if seen != match.version:
        raise Conflict("correction.changed_meanwhile", present=current_match_state(match))
    check_match_step(match, MatchAction.CORRECT)
    if match.result_kind == ResultKind.BYE:
        raise Conflict("correction.no_result", present=current_match_state(match))
    require_published_draw(event, match.stage)
    preview = correction_preview(match, None)
    if has_later_play(preview):
        raise Conflict("correction.choose_repair", present=current_match_state(match))
    chosen_repair = next(iter(preview.repairs))
    loaded_stage, number = load_stage(match.stage), MatchNo(match.number)
    consequence = preview.repairs[chosen_repair].consequence
    change: StageChange = (
        change_from_consequence(preview.draw, consequence) if consequence is not None else ClearResult(number)
    )
    state_after = loaded_stage.after(change, present=current_match_state(match))
    if match.table is not None:
        release_reserved_tables(event, called_ids=(), tables=[match.table])
    # Earlier rulings on the match stay valid, and the players keep their table.
    match_after = state_after.match(number).written(**{name: getattr(match, name) for name in RULING_COLUMNS})
    state_after = replace(state_after, matches={**state_after.matches, number: match_after})
    return write_correction(
        event, actor, StageRepair(loaded_stage, state_after), match, preview, chosen_repair
    )
