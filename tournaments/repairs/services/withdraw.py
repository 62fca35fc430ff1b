"""Withdrawals of entries after the draw: before, during or after a match of the entry.

The entry's present match becomes a walkover for the other side, or ends with the current score (retired);
further matches become walkovers when they are due (``store.results``). A Swiss no longer pairs the entry. In
a round robin the director chooses: its results stay and the rest are walkovers, or all are struck.
"""

from collections.abc import Mapping

from faults import Conflict, Missing
from people.actors import Actor
from people.rows import one_or_none
from people.transactions import durable
from tournaments.engine.changes.next_state import Ruling, SetResult, StageChange, VoidMatch
from tournaments.engine.changes.trail import PreviousEntry
from tournaments.engine.matches.reporting import Reporter
from tournaments.engine.standings.leaving import WithdrawnResults
from tournaments.engine.statuses import OVER, EntryAction, EntryStatus, EventStatus, next_status
from tournaments.engine.trail.repairs import EntryWithdrawnAfterDraw
from tournaments.engine.types import Claim
from tournaments.models import Entry, Event, Match
from tournaments.selectors.repairs.withdrawals import StageWithdrawal, has_stages_left, withdrawal_preview
from tournaments.store.arranged import strike_entry
from tournaments.store.claims import check_claim
from tournaments.store.event_state import step_entry
from tournaments.store.load import load_stage
from tournaments.store.lock import lock_for_director
from tournaments.store.repairs import StageRepair, change_from_consequence, record_repair


@durable
def withdraw_after_draw(
    *,
    actor: Actor,
    event_id: int,
    entry_id: int,
    claims: Mapping[int, Claim] | None = None,
    leaving: WithdrawnResults | None = None,
    seen: str = "",
) -> Entry:
    """Withdraw an entry from all stages that are not over, in one step that can be undone.

    ``claims``: how its present match ended if not by a walkover, keyed by stage id. ``leaving``: what becomes
    of its results in a round robin. ``seen``: the version of the preview; raises ``Conflict`` if it has
    changed.
    """
    event = lock_for_director(actor, event_id)
    return withdraw_after_draw_locked(
        actor, event, entry_id, claims=claims, leaving=leaving, expected_version=seen
    )


def withdraw_after_draw_locked(
    actor: Actor,
    event: Event,
    entry_id: int,
    *,
    claims: Mapping[int, Claim] | None = None,
    leaving: WithdrawnResults | None = None,
    expected_version: str = "",
) -> Entry:
    """Withdraw an entry, as `withdraw_after_draw`, for a service that has locked ``event``."""
    entry = one_or_none(
        Entry.objects.select_for_update(of=("self",)).filter(pk=entry_id, division__event=event)
    )
    if entry is None:
        raise Missing("entry.unknown")
    previous_entry = PreviousEntry(entry.status, entry.name, entry.seed)
    next_status(EntryStatus(entry.status), EntryAction.WITHDRAW)
    if event.status != EventStatus.RUNNING or not has_stages_left(entry):
        raise Conflict("entry.not_drawn", present=event)
    preview = withdrawal_preview(entry, claims=claims, results_rule=leaving)
    if expected_version and expected_version != preview.version:
        raise Conflict("correction.changed_meanwhile", present=previous_entry)
    for stage in preview.stages:
        if stage.draw.stage.pk in (claims or {}):
            _check_claims(stage)
    step_entry(entry, EntryAction.WITHDRAW)
    entry.save(update_fields=["status"])
    round_counts = {
        stage.draw.stage.pk: len(stage.draw.rounds) + len(stage.draw.play_offs) for stage in preview.stages
    }
    record_repair(
        event,
        *[_stage_without_entry(stage, entry) for stage in preview.stages],
        actor=actor,
        action=EntryWithdrawnAfterDraw(name=entry.name, leaving=leaving),
        subject=entry,
        entries={entry.pk: previous_entry},
        rounds=round_counts,
    )
    return entry


def _check_claims(stage: StageWithdrawal) -> None:
    now = stage.now
    if now is not None and now.number in stage.claims:
        match = Match.objects.get(pk=now.pk)
        check_claim(match, stage.claims[now.number], Reporter.DIRECTOR)


def _stage_without_entry(withdrawal: StageWithdrawal, entry: Entry) -> StageRepair:
    """Return a stage after the withdrawal of the entry, to be saved.

    Its unfinished matches can be changed by later opponents, so an undo depends on them.
    """
    stage = withdrawal.draw.stage
    loaded_stage = load_stage(stage)
    rulings = {number: Ruling(claim) for number, claim in withdrawal.claims.items()}
    changes: list[StageChange] = [SetResult(number, ruling) for number, ruling in rulings.items()]
    if withdrawal.cascade.consequence is not None:
        changes = [change_from_consequence(withdrawal.draw, withdrawal.cascade.consequence, rulings)]
    changes += [VoidMatch(number) for number in withdrawal.struck_match_numbers]
    entry_matches = [match for match in withdrawal.draw.matches if match.side_of(entry.pk) is not None]
    if withdrawal.struck_match_numbers:
        strike_entry(stage, entry.pk)
    return StageRepair(
        loaded_stage,
        loaded_stage.after(*changes),
        [match.number for match in entry_matches if match.status not in OVER],
    )
