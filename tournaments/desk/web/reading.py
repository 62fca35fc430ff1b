"""Meanings of a typed command with their texts: parsed for a preview, and again when it is confirmed."""

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
    """A typed text and all its possible meanings, each with its template context.

    Without a meaning, ``faults`` say why, and ``page_link`` is a link. ``more``: number of further meanings.
    """

    line: str
    meanings: list[tuple[ResolvedCommand, Context]] = field(default_factory=list)
    more: int = 0
    faults: tuple[Fault, ...] = ()
    about: str = ""
    page_link: str = ""

    @property
    def context(self) -> Context:
        """Context for scripts and templates."""
        contexts = [context for _meaning, context in self.meanings]
        faults = (Fault("desk.choose"),) if len(contexts) > 1 else self.faults
        return {
            "line": self.line,
            "meanings": contexts,
            "more": self.more,
            "sentences": list(dict.fromkeys(describe(fault) for fault in faults)),
            "about": self.about,
            "go": self.page_link,
        }

    def marked(self, token: str) -> tuple[ResolvedCommand, Context] | None:
        """Return the meaning that was previewed with this token, or None if the text no longer has it."""
        return next(
            ((command, context) for command, context in self.meanings if context["mark"] == token), None
        )


@snapshot()
def preview_command(event: Event, user: User, line: str, token: str | None = None) -> CommandPreview:
    """Parse a typed text without writing anything.

    ``token``: that of a confirmed preview. Then other meanings and consequences are not computed: only the
    matches that the token names are read.
    """
    vocabulary = current_vocabulary()
    token_parts = token.split(":") if token is not None else None
    stages = linked_stages(event)
    targets = load_command_targets(
        event,
        stages,
        with_entries=needs_entries(line, vocabulary),
        with_reports=needs_reports(line, vocabulary),
        public_ids=token_parts,
    )
    preview = CommandPreview(line)
    parsed = parse_command(line, vocabulary, targets)
    if isinstance(parsed, CommandRefusal):
        if token is None:
            _explain_refusal(preview, event, parsed, stages)
        return preview
    preview.more = max(0, len(parsed.commands) - MAX_COMMANDS)
    for command in parsed.commands[:MAX_COMMANDS]:
        try:
            preview.meanings.append(_resolve_command(event, user, command, stages, preview))
        except CrawfordError as error:
            preview.faults = error.faults
    if len(preview.meanings) == 1 and token is None:
        resolved, context = preview.meanings[0]
        if isinstance(resolved, ResultCommand):
            context["follows"] = consequence_lines(
                resolved.match, result_consequences(event, resolved, targets)
            )
    return preview


def _resolve_command(
    event: Event, user: User, command: Command, stages: list[Stage], preview: CommandPreview
) -> tuple[ResolvedCommand, Context]:
    """Return a meaning with its template context; “call” and “undo” are looked up.

    Raises ``CrawfordError`` with the reason if there is nothing to call or undo.
    """
    if isinstance(command, CallNextCommand):
        called = next_call(event)
        (drawn_match,) = drawn_matches([called.match.pk])
        return called, next_call_context(called, " – ".join(side.name for side in drawn_match.sides))
    if isinstance(command, UndoCommand):
        last = last_action(event, user)
        if last is None:
            raise Conflict("desk.undo_nothing")
        return last, {**undo_context(last), "follows": _undo_consequences(event, last, preview)}
    return command, command_context(event, command, stages)


def _undo_consequences(event: Event, last: LastAction, preview: CommandPreview) -> list[str]:
    """Return texts about what is undone together with the action.

    Raises ``Conflict`` with the reason if it cannot be undone from the command bar.
    """
    preview.page_link = (
        _match_url(event, last.match) if last.match else reverse("director:audit", args=[event.public_id])
    )
    if last.last.method is UndoMethod.NONE:
        raise Conflict("desk.undo_not_here", what=last_action_sentence(last))
    if last.last.since is not None:
        raise Conflict("desk.undo_since", what=last_action_sentence(last))
    sent_back_texts: list[str] = []
    if last.last.method is UndoMethod.RESULT and last.match is not None:
        correction = correction_preview(last.match, None)
        if has_later_play(correction):
            raise Conflict("desk.undo_choose")
        sent_back_texts = [
            sent_back_text(match)
            for repair in correction.repairs.values()
            for match in repair.returned_matches
        ]
    preview.page_link = ""
    return sent_back_texts


def _explain_refusal(
    preview: CommandPreview, event: Event, refusal: CommandRefusal, stages: list[Stage]
) -> None:
    """Set why the text has no meaning; for a match that is over, what was reported, by whom and when."""
    preview.faults = refusal.faults
    if refusal.match is not None:
        preview.about = f"{match_label(refusal.match, stages)} · {pairing_label(refusal.match)}"
        if refusal.faults[0].code == "desk.adjourned_already":
            preview.page_link = _match_url(event, refusal.match)
    if not refusal.may_be_finished:
        return
    parsed = parse_command(preview.line, current_vocabulary(), load_finished_targets(event))
    if isinstance(parsed, ParsedCommands) and isinstance(parsed.commands[0], MatchCommand):
        finished_match = parsed.commands[0].match
        match = find_match(event, finished_match.public_id)
        if match is not None:
            preview.faults = (already_reported_fault(event, match, finished_match.names),)
            preview.about = match_label(finished_match, stages)
            preview.page_link = _match_url(event, match)


def already_reported_fault(event: Event, match: Match, names: tuple[str, str]) -> Fault:
    """Return the existing result as a fault: how the match ended, who reported it and when."""
    confirmed = next((row for row in report_rows(match) if row.state == Report.State.CONFIRMED), None)
    first, second = (Side.B, Side.A) if match.winner_side == Side.B else (Side.A, Side.B)
    points = {Side.A: match.score_a, Side.B: match.score_b}
    name_by_side = {Side.A: names[0], Side.B: names[1]}
    return Fault(
        "desk.already",
        params={
            "winner": name_by_side[first],
            "loser": name_by_side[second],
            "score": f"{points[first]}–{points[second]}",
            "who": confirmed.reporter if confirmed is not None else "–",
            "time": clock_time(match.confirmed_at, event),
        },
    )


def _match_url(event: Event, match: Match | CommandMatch) -> str:
    return reverse("director:match", args=[event.public_id, match.public_id])
