"""Texts about a parsed command: as JSON for the script, as context for the page without scripts."""

from typing import Any

from django.urls import reverse
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from people.web.trail import action_sentence, sentence_facts
from tournaments.desk.services.acting import NextCall
from tournaments.desk.services.outlook import NextMatch, ResultConsequences
from tournaments.engine.desk.reading import format_command
from tournaments.engine.desk.values import (
    AdjournCommand,
    AnnounceCommand,
    CallMatchCommand,
    ClockOffCommand,
    ClockOnCommand,
    Command,
    CommandMatch,
    HelpCommand,
    LatenessCommand,
    MatchActionCommand,
    MatchCommand,
    ResultCommand,
    SwapTablesCommand,
    WithdrawCommand,
)
from tournaments.engine.desk.vocabulary import ENGLISH, Vocabulary, vocabulary_for
from tournaments.engine.matches.result_kinds import RESULT_RULES, ScoreRule
from tournaments.engine.matches.rulings import clock_rule_for, reserve_seconds
from tournaments.engine.statuses import MatchAction
from tournaments.engine.types import ResultKind, Side
from tournaments.models import Event, Stage
from tournaments.selectors.draws import DrawnMatch
from tournaments.selectors.hall.last_action import LastAction
from tournaments.shared.frames.divisions import stage_name
from tournaments.shared.words.names import result_kind_note, round_name_in_section
from tournaments.shared.words.rulings import duration_label, points_label

Context = dict[str, Any]


def current_vocabulary() -> Vocabulary:
    """Return the command words in the language of the page."""
    return vocabulary_for(get_language() or ENGLISH)


def match_label(match: CommandMatch, stages: list[Stage]) -> str:
    """Return a match's label, such as “Table 12 · #74”, with the stage if the event has several."""
    parts = [_("Table %(table)s") % {"table": match.table}] if match.table is not None else []
    parts.append(f"#{match.number}")
    match_stage = next((stage for stage in stages if stage.pk == match.stage), None)
    if match_stage is not None and len(stages) > 1:
        parts.append(stage_name(match_stage, stages))
    return " · ".join(part for part in parts if part)


def pairing_label(match: CommandMatch) -> str:
    """Return who plays and the length, such as “Bob Smith – Ann Lind, to 7”."""
    params = {"a": match.names[0], "b": match.names[1], "length": match.length}
    return _("%(a)s – %(b)s, to %(length)s") % params


def command_context(event: Event, command: Command, stages: list[Stage]) -> Context:
    """Return the context of one meaning: its main text, the text before and after it, and its token."""
    context = {
        **_command_parts(event, command, stages),
        "mark": command.mark,
        "line": format_command(command, current_vocabulary()),
    }
    match = command.match if isinstance(command, MatchCommand) else None
    return {"match": match.public_id if match is not None else "", **context}


def _command_parts(event: Event, command: Command, stages: list[Stage]) -> Context:
    match command:
        case ResultCommand():
            return _result_parts(command, stages)
        case CallMatchCommand():
            table = command.match.table
            action_text = (
                _("to table %(table)s") % {"table": table}
                if table
                else _("no table is free: call without a table")
            )
            heading = _("Call %(match)s") % {"match": f"#{command.match.number}"}
            return _text_parts(heading, " – ".join(command.match.names), action_text)
        case MatchActionCommand():
            return _text_parts(
                match_label(command.match, stages), " – ".join(command.match.names), _step_text(command)
            )
        case AdjournCommand():
            heading, score = pairing_label(command.match), f"{command.score.a}–{command.score.b}"
            action_text = _("is adjourned at %(score)s and resumes later; its table becomes free")
            return _text_parts(match_label(command.match, stages), heading, action_text % {"score": score})
        case LatenessCommand():
            other = command.match.name(command.side.other)
            points = (
                points_label(command.penalty.points, other)
                if command.penalty.points
                else _("no penalty points yet")
            )
            params = {"name": command.match.name(command.side), "minutes": command.minutes}
            return _text_parts(
                match_label(command.match, stages), _("%(name)s is %(minutes)s minutes late") % params, points
            )
        case ClockOnCommand():
            return _text_parts(
                match_label(command.match, stages), pairing_label(command.match), _clock_text(command, stages)
            )
        case ClockOffCommand():
            return _text_parts(
                match_label(command.match, stages),
                pairing_label(command.match),
                _("continues without a clock"),
            )
        case WithdrawCommand():
            url = reverse("director:leave", args=[event.public_id, command.entry.public_id])
            text = _("withdraws from the event. A page first shows the consequences.")
            return {**_text_parts("", command.entry.name, text), "go": url}
        case SwapTablesCommand():
            return _text_parts("", _swap_text(command), _table_moves_text(command))
        case AnnounceCommand():
            audience = _("on the displays, all pages and phones, until you remove it")
            return _text_parts(_("Announce"), command.text, audience)
        case HelpCommand():
            return {
                **_text_parts("", _("All commands"), ""),
                "go": reverse("director:line-help", args=[event.public_id]),
            }
        case _:
            raise TypeError(command)


def _text_parts(before: str, strong: str, after: str) -> Context:
    return {"before": before, "strong": strong, "after": after, "go": ""}


def _step_text(command: MatchActionCommand) -> str:
    """Return the text about the effect of starting a match, returning it to the queue, or resuming it."""
    return {
        MatchAction.START: _("starts now"),
        MatchAction.SEND_BACK: _("returns to the queue; its table becomes free"),
        MatchAction.RESUME: _("resumes: it is ready for a table"),
    }[command.action]


def _clock_text(command: ClockOnCommand, stages: list[Stage]) -> str:
    """Return the text about the effect of a clock; at a known score with the remaining time of both sides."""
    if command.score is None:
        return _("is played with a clock from the next game")
    stage = next(stage for stage in stages if stage.pk == command.match.stage)
    rule = clock_rule_for(stage.settings.conduct, stage.division.team_size)
    text = _("is played with a clock from %(a)s–%(b)s: reserve %(reserve)s for each side")
    reserve = duration_label(reserve_seconds(command.match.length, rule, command.score))
    return text % {"a": command.score.a, "b": command.score.b, "reserve": reserve}


def _result_parts(command: ResultCommand, stages: list[Stage]) -> Context:
    match, kind = command.match, command.claim.kind
    before = match_label(match, stages)
    if command.claimed_by:
        reporter = {"name": match.name(command.claimed_by[0])}
        before += " · " + (
            _("as both players reported")
            if len(command.claimed_by) > 1
            else _("as %(name)s reported") % reporter
        )
    first, second = ordered_names(command)
    params = {
        "loser": second,
        "length": match.length,
        "minutes": command.late,
        "kind": result_kind_note(kind),
    }
    if command.winner is None:
        text = _("%(kind)s: no winner") % params
        return _text_parts(before, f"{first} {score_text(command)} {second}", text)
    if command.late is not None:
        text = _("advances: %(loser)s is %(minutes)s minutes late and loses the match (%(kind)s)") % params
        return _text_parts(before, first, text)
    rule = RESULT_RULES[kind]
    if kind is ResultKind.PLAYED:
        return _text_parts(before, f"{first} {score_text(command)}", _("%(loser)s, to %(length)s") % params)
    if rule.score_rule is ScoreRule.NOT_PLAYED:
        return _text_parts(before, first, _("advances: %(kind)s, %(loser)s does not play") % params)
    text = _("wins against %(loser)s, to %(length)s: %(kind)s") % params
    return _text_parts(before, f"{first} {score_text(command)}", text)


def ordered_names(command: ResultCommand) -> tuple[str, str]:
    """Return the names of winner and loser; without a winner, of the left and the right side."""
    first = command.winner or Side.A
    return command.match.name(first), command.match.name(first.other)


def score_text(command: ResultCommand) -> str:
    """Return the score, such as “7–3”, with the winner's points first."""
    first = command.winner or Side.A
    return f"{command.claim.score.of(first)}–{command.claim.score.of(first.other)}"


def _swap_text(command: SwapTablesCommand) -> str:
    return _("Swap tables %(first)s and %(second)s") % {
        "first": command.tables[0],
        "second": command.tables[1],
    }


def _table_moves_text(command: SwapTablesCommand) -> str:
    first, second = command.tables
    moves = [
        _("#%(number)s %(names)s to table %(table)s")
        % {"number": match.number, "names": " – ".join(match.names), "table": table}
        for match, table in zip(command.matches, (second, first), strict=True)
        if match is not None
    ]
    return "; ".join(moves)


def next_call_context(call: NextCall, names: str) -> Context:
    """Return the context of the match that would be called next, with its table."""
    heading = _("Call %(match)s") % {"match": f"#{call.match.number}"}
    context = _text_parts(heading, names, _("to table %(table)s") % {"table": call.table})
    return {**context, "mark": call.mark, "line": "", "match": call.match.public_id}


def undo_context(undone: LastAction) -> Context:
    """Return the context of what “undo” would undo, with the sentence of the audit log."""
    token = f"undo:{undone.row.pk}:{undone.match.version if undone.match is not None else '-'}"
    context = _text_parts(_("Undo"), last_action_sentence(undone), "")
    return {**context, "mark": token, "line": "", "match": undone.match.public_id if undone.match else ""}


def sent_back_text(match: DrawnMatch) -> str:
    """Return a phrase such as “match 12 returns to the queue”, for a called match that loses a player."""
    return _("match %(number)s returns to the queue") % {"number": match.number}


def last_action_sentence(undone: LastAction) -> str:
    """Return the audit log's sentence about the last action."""
    subject = str(undone.match.number) if undone.match is not None else ""
    return action_sentence(undone.row.action, sentence_facts(undone.row, subject))


def consequence_lines(match: CommandMatch, consequences: ResultConsequences) -> list[str]:
    """Return the consequences of a result, one phrase for each."""
    lines = [_next_match_text(move) for move in consequences.moves]
    lines += [_("%(name)s is out") % {"name": name} for name in consequences.out]
    if consequences.left is not None:
        lines.append(
            ngettext(
                "%(count)s match of the round is left",
                "%(count)s matches of the round are left",
                consequences.left,
            )
            % {"count": consequences.left}
            if consequences.left
            else _("the round has finished")
        )
    if match.table is not None:
        lines.append(table_freed_text(match.table, consequences.next_at_table))
    return lines


def table_freed_text(table: int, number: int | None) -> str:
    """Return a phrase such as “table 12 becomes free, next there: #76”; ``number``: of the next match."""
    if number is None:
        return _("table %(table)s becomes free") % {"table": table}
    return _("table %(table)s becomes free, next there: #%(number)s") % {"table": table, "number": number}


def _next_match_text(move: NextMatch) -> str:
    text = {
        "name": move.name,
        "number": move.number,
        "round": round_name_in_section(move.section, move.code),
        "other": move.against,
        "before": move.waits_for,
    }
    if move.against:
        return _("%(name)s plays #%(number)s (%(round)s) against %(other)s") % text
    if move.waits_for:
        return _("%(name)s plays #%(number)s (%(round)s), waits for #%(before)s") % text
    return _("%(name)s plays #%(number)s (%(round)s)") % text
