"""Do what a command says, by one service, in one transaction, and only to the matches that were previewed."""

from dataclasses import dataclass
from typing import Any

from faults import Conflict
from people.actors import Actor
from tournaments.engine.desk.taking_back import UndoMethod, award_index
from tournaments.engine.desk.values import (
    AdjournCommand,
    AnnounceCommand,
    CallMatchCommand,
    ClockOffCommand,
    ClockOnCommand,
    Command,
    LatenessCommand,
    MatchActionCommand,
    ResultCommand,
    SwapTablesCommand,
)
from tournaments.engine.matches.adjourning import Adjournment
from tournaments.engine.matches.rulings import awards_from_json
from tournaments.engine.statuses import MatchAction
from tournaments.engine.trail.matches import (
    MatchAdjourned,
    MatchResumed,
    PointsAwarded,
    TableAssigned,
    TablesSwapped,
)
from tournaments.engine.trail.notices import AnnouncementMade, NoticeRestored
from tournaments.hall.services.calling import (
    call_next,
    callable_match_tables,
    move_match,
    set_table,
    undo_calls,
)
from tournaments.hall.services.tables import swap_tables
from tournaments.matches.services.reports import submit_report
from tournaments.matches.services.rulings import (
    add_clock,
    adjourn_match,
    award_for_lateness,
    remove_award,
    remove_clock,
    resume_match,
    undo_adjournment,
)
from tournaments.models import Event, Match, Report
from tournaments.notices.services.announcing import announce, withdraw_notice
from tournaments.repairs.services.take_back import undo_result
from tournaments.repairs.services.undo import undo_repair
from tournaments.selectors.hall.last_action import LastAction


@dataclass(frozen=True, slots=True)
class NextCall:
    """The match that the command “call” would call now, and its table."""

    match: Match
    table: int

    @property
    def mark(self) -> str:
        return f"call:{self.match.public_id}:{self.match.version}:{self.table}"


def next_call(event: Event) -> NextCall:
    """Return the match that has waited longest and can be called, with its table.

    Raises ``Conflict`` with the reason if no match can be called.
    """
    pk, table = next(iter(callable_match_tables(event).items()))
    return NextCall(Match.objects.select_related("round").get(pk=pk), table)


def run_command(*, actor: Actor, event: Event, command: Command, submission_key: str) -> None:
    """Do what a parsed command says, through the service of that action.

    ``submission_key``: a repeated command with the same key reports the same result once. Commands with a
    page of their own, or that need a look-up first, are not handled here.
    """
    arguments: dict[str, Any] = {"actor": actor, "event_id": event.pk}
    match command:
        case ResultCommand():
            submit_report(
                actor=actor,
                match_id=command.match.pk,
                entry=None,
                claim=command.claim,
                submission_key=submission_key,
                seen=command.match.version,
            )
        case CallMatchCommand():
            move_match(
                **arguments, match_id=command.match.pk, action=MatchAction.CALL, seen=command.match.version
            )
        case MatchActionCommand(action=MatchAction.RESUME):
            resume_match(**arguments, match_id=command.match.pk, seen=command.match.version)
        case MatchActionCommand():
            move_match(
                **arguments, match_id=command.match.pk, action=command.action, seen=command.match.version
            )
        case AdjournCommand():
            adjourned = Adjournment(command.score)
            adjourn_match(
                **arguments, match_id=command.match.pk, adjourned=adjourned, seen=command.match.version
            )
        case LatenessCommand():
            award_for_lateness(
                **arguments,
                match_id=command.match.pk,
                late=command.side,
                minutes=command.minutes,
                seen=command.match.version,
            )
        case ClockOnCommand():
            add_clock(**arguments, match_id=command.match.pk, score=command.score, seen=command.match.version)
        case ClockOffCommand():
            remove_clock(**arguments, match_id=command.match.pk, seen=command.match.version)
        case SwapTablesCommand():
            expected_versions = {match.pk: match.version for match in command.matches if match is not None}
            swap_tables(
                **arguments, first=command.tables[0], second=command.tables[1], seen=expected_versions
            )
        case AnnounceCommand():
            announce(**arguments, text=command.text)
        case _:
            raise TypeError(command)


def call_confirmed_match(*, actor: Actor, event: Event, previewed: NextCall) -> None:
    """Call the match that was previewed. Raises ``Conflict`` if another match is next now."""
    call_next(actor=actor, event_id=event.pk, match_id=previewed.match.pk)


def undo_action(*, actor: Actor, event: Event, last_action: LastAction) -> None:
    """Undo the last action of an event, by the service that undoes actions of its kind.

    Raises ``Conflict`` if something depends on it.
    """
    arguments: dict[str, Any] = {"actor": actor, "event_id": event.pk}
    match, action = last_action.match, last_action.last.done.action
    if last_action.last.method is UndoMethod.REPAIR:
        undo_repair(**arguments, audit_id=last_action.row.pk)
    elif isinstance(action, TablesSwapped):
        rows = Match.objects.filter(pk__in=[moved.pk for moved in action.moved])
        expected_versions = {row.pk: row.version for row in rows}
        swap_tables(**arguments, first=action.first, second=action.second, seen=expected_versions)
    elif isinstance(action, AnnouncementMade | NoticeRestored):
        withdraw_notice(**arguments, notice_id=action.notice)
    elif last_action.last.method is UndoMethod.CALLS:
        undo_calls(**arguments, audit_id=last_action.row.pk)
    elif match is None:
        raise Conflict("desk.undo_not_here", present=event, what=last_action.row.action)
    elif last_action.last.method is UndoMethod.RESULT:
        undo_result(**arguments, match_id=match.pk, seen=match.version)
    elif last_action.last.method is UndoMethod.SEND_BACK:
        move_match(**arguments, match_id=match.pk, action=MatchAction.SEND_BACK, seen=match.version)
    elif isinstance(action, TableAssigned):
        set_table(**arguments, match_id=match.pk, table=action.before, seen=match.version)
    elif isinstance(action, PointsAwarded):
        award_number = award_index(awards_from_json(match.awards), action)
        if award_number is None:
            raise Conflict("match.changed_meanwhile", present=match)
        remove_award(**arguments, match_id=match.pk, number=award_number, seen=match.version)
    elif last_action.last.method is UndoMethod.CLOCK:
        remove_clock(**arguments, match_id=match.pk, seen=match.version)
    elif isinstance(action, MatchAdjourned) and action.again and action.before is not None:
        adjourn_match(**arguments, match_id=match.pk, adjourned=action.before, seen=match.version)
    elif isinstance(action, MatchAdjourned):
        undo_adjournment(**arguments, match_id=match.pk, before=action.before, seen=match.version)
    elif isinstance(action, MatchResumed):
        adjourn_match(**arguments, match_id=match.pk, adjourned=action.adjourned, seen=match.version)
    else:
        raise Conflict("desk.undo_not_here", present=event, what=last_action.row.action)


def report_by_key(event: Event, match: str, submission_key: str) -> Report | None:
    """Return the report of this match (public id) that was sent earlier with this key, or None."""
    return (
        Report.objects.select_related("match")
        .filter(match__public_id=match, match__stage__division__event=event, submission_key=submission_key)
        .first()
    )
