"""Meanings of a command with their texts: parsed for a preview, and again when it is confirmed."""

from dataclasses import dataclass, field

from django.urls import reverse

from faults import Conflict, CrawfordError, Fault
from people.messages import describe
from people.models import User
from people.snapshot import snapshot
from tournaments.desk.services.acting import NextCall, next_call
from tournaments.desk.services.outlook import result_consequences
from tournaments.desk.web.words import (
    Context,
    command_context,
    consequence_lines,
    current_vocabulary,
    last_action_sentence,
    match_label,
    next_call_context,
    pairing_label,
    sent_back_text,
    undo_context,
)
from tournaments.engine.desk.reading import needs_entries, needs_reports, parse_command
from tournaments.engine.desk.taking_back import UndoMethod
from tournaments.engine.desk.values import (
    CallNextCommand,
    Command,
    CommandMatch,
    CommandRefusal,
    MatchCommand,
    ParsedCommands,
    ResultCommand,
    UndoCommand,
)
from tournaments.engine.types import Side
from tournaments.models import Event, Match, Report, Stage
from tournaments.selectors.events.director import find_match, linked_stages, report_rows
from tournaments.selectors.hall.board import drawn_matches
from tournaments.selectors.hall.desk import load_command_targets, load_finished_targets
from tournaments.selectors.hall.last_action import LastAction, last_action
from tournaments.selectors.repairs.corrections import correction_preview, has_later_play
from tournaments.shared.words.names import clock_time

MAX_COMMANDS = 9
ResolvedCommand = Command | NextCall | LastAction


@dataclass
class CommandPreview:
    """A line and all its possible meanings with their texts; or why it has none, and a link."""

    line: str
    meanings: list[tuple[ResolvedCommand, Context]] = field(default_factory=list)
    more: int = 0
    faults: tuple[Fault, ...] = ()
    about: str = ""
    go: str = ""

    @property
    def shape(self) -> Context:
        """Context for scripts and templates."""
        shapes = [shape for _meaning, shape in self.meanings]
        faults = (Fault("desk.choose"),) if len(shapes) > 1 else self.faults
        return {
            "line": self.line,
            "meanings": shapes,
            "more": self.more,
            "sentences": list(dict.fromkeys(describe(fault) for fault in faults)),
            "about": self.about,
            "go": self.go,
        }

    def marked(self, mark: str) -> tuple[ResolvedCommand, Context] | None:
        """Return the meaning that was previewed with this token, or None if the line no longer has it."""
        return next(((known, shape) for known, shape in self.meanings if shape["mark"] == mark), None)


@snapshot()
def preview_command(event: Event, user: User, line: str, mark: str | None = None) -> CommandPreview:
    """Parse a line without writing anything.

    ``mark``: the confirmed token. Then other meanings and consequences are not computed: only the matches
    that it names are read.
    """
    words = current_vocabulary()
    only = mark.split(":") if mark is not None else None
    stages = linked_stages(event)
    desk = load_command_targets(
        event,
        stages,
        entries=needs_entries(line, words),
        reports=needs_reports(line, words),
        only=only,
    )
    heard = CommandPreview(line)
    reading = parse_command(line, words, desk)
    if isinstance(reading, CommandRefusal):
        if mark is None:
            _explain_refusal(heard, event, reading, stages)
        return heard
    heard.more = max(0, len(reading.meanings) - MAX_COMMANDS)
    for meaning in reading.meanings[:MAX_COMMANDS]:
        try:
            heard.meanings.append(_resolve_command(event, user, meaning, stages, heard))
        except CrawfordError as error:
            heard.faults = error.faults
    if len(heard.meanings) == 1 and mark is None:
        known, shape = heard.meanings[0]
        if isinstance(known, ResultCommand):
            shape["follows"] = consequence_lines(known.match, result_consequences(event, known, desk))
    return heard


def _resolve_command(
    event: Event, user: User, meaning: Command, stages: list[Stage], heard: CommandPreview
) -> tuple[ResolvedCommand, Context]:
    """Return a meaning with its texts; “call” and “undo” are looked up.

    Raises the reason if they have no meaning.
    """
    if isinstance(meaning, CallNextCommand):
        found = next_call(event)
        (drawn,) = drawn_matches([found.match.pk])
        return found, next_call_context(found, " – ".join(side.name for side in drawn.sides))
    if isinstance(meaning, UndoCommand):
        last = last_action(event, user)
        if last is None:
            raise Conflict("desk.undo_nothing")
        return last, {**undo_context(last), "follows": _undo_consequences(event, last, heard)}
    return meaning, command_context(event, meaning, stages)


def _undo_consequences(event: Event, last: LastAction, heard: CommandPreview) -> list[str]:
    """Return what is undone together with the action. Raises the reason if it cannot be undone here."""
    heard.go = (
        _match_url(event, last.match) if last.match else reverse("director:audit", args=[event.public_id])
    )
    if last.last.way is UndoMethod.NONE:
        raise Conflict("desk.undo_not_here", what=last_action_sentence(last))
    if last.last.since is not None:
        raise Conflict("desk.undo_since", what=last_action_sentence(last))
    sent_back: list[str] = []
    if last.last.way is UndoMethod.RESULT and last.match is not None:
        found = correction_preview(last.match, None)
        if has_later_play(found):
            raise Conflict("desk.undo_choose")
        sent_back = [sent_back_text(match) for one in found.repairs.values() for match in one.sent_back]
    heard.go = ""
    return sent_back


def _explain_refusal(
    heard: CommandPreview, event: Event, reading: CommandRefusal, stages: list[Stage]
) -> None:
    """Set why the line has no meaning; for a match that is over, what was reported, by whom and when."""
    heard.faults = reading.faults
    if reading.match is not None:
        heard.about = f"{match_label(reading.match, stages)} · {pairing_label(reading.match)}"
        if reading.faults[0].code == "desk.adjourned_already":
            heard.go = _match_url(event, reading.match)
    if not reading.searched:
        return
    before = parse_command(heard.line, current_vocabulary(), load_finished_targets(event))
    if isinstance(before, ParsedCommands) and isinstance(before.meanings[0], MatchCommand):
        over = before.meanings[0].match
        found = find_match(event, over.public_id)
        if found is not None:
            heard.faults = (already_reported_fault(event, found, over.names),)
            heard.about = match_label(over, stages)
            heard.go = _match_url(event, found)


def already_reported_fault(event: Event, match: Match, names: tuple[str, str]) -> Fault:
    """Return the existing result as a fault: how the match ended, who reported it and when."""
    final = next((one for one in report_rows(match) if one.state == Report.State.CONFIRMED), None)
    first, second = (Side.B, Side.A) if match.winner_side == Side.B else (Side.A, Side.B)
    points = {Side.A: match.score_a, Side.B: match.score_b}
    named = {Side.A: names[0], Side.B: names[1]}
    return Fault(
        "desk.already",
        params={
            "winner": named[first],
            "loser": named[second],
            "score": f"{points[first]}–{points[second]}",
            "who": final.reporter if final is not None else "–",
            "time": clock_time(match.confirmed_at, event),
        },
    )


def _match_url(event: Event, match: Match | CommandMatch) -> str:
    return reverse("director:match", args=[event.public_id, match.public_id])
