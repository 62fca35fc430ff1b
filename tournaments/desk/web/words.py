"""Texts of a parsed command: as JSON for the script, as context for the page without scripts."""

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
    """Return “Table 12 · #74”, with the stage if the event has several."""
    parts = [_("Table %(table)s") % {"table": match.table}] if match.table is not None else []
    parts.append(f"#{match.number}")
    own = next((stage for stage in stages if stage.pk == match.stage), None)
    if own is not None and len(stages) > 1:
        parts.append(stage_name(own, stages))
    return " · ".join(part for part in parts if part)


def pairing_label(match: CommandMatch) -> str:
    """Return “Bob Smith – Ann Lind, to 7”."""
    words = {"a": match.names[0], "b": match.names[1], "length": match.length}
    return _("%(a)s – %(b)s, to %(length)s") % words


def command_context(event: Event, meaning: Command, stages: list[Stage]) -> Context:
    """Return a meaning: its main text, the text before and after it, and its token."""
    shape = {
        **_command_parts(event, meaning, stages),
        "mark": meaning.mark,
        "line": format_command(meaning, current_vocabulary()),
    }
    match = meaning.match if isinstance(meaning, MatchCommand) else None
    return {"match": match.public_id if match is not None else "", **shape}


def _command_parts(event: Event, meaning: Command, stages: list[Stage]) -> Context:
    match meaning:
        case ResultCommand():
            return _result_parts(meaning, stages)
        case CallMatchCommand():
            table = meaning.match.table
            words = (
                _("to table %(table)s") % {"table": table}
                if table
                else _("no table is free: call without a table")
            )
            named = _("Call %(match)s") % {"match": f"#{meaning.match.number}"}
            return _text_parts(named, " – ".join(meaning.match.names), words)
        case MatchActionCommand():
            return _text_parts(
                match_label(meaning.match, stages), " – ".join(meaning.match.names), _step_text(meaning)
            )
        case AdjournCommand():
            named, score = pairing_label(meaning.match), f"{meaning.score.a}–{meaning.score.b}"
            words = _("is adjourned at %(score)s and resumes later; its table becomes free")
            return _text_parts(match_label(meaning.match, stages), named, words % {"score": score})
        case LatenessCommand():
            other = meaning.match.name(meaning.side.other)
            points = (
                points_label(meaning.penalty.points, other)
                if meaning.penalty.points
                else _("no penalty points yet")
            )
            late = {"name": meaning.match.name(meaning.side), "minutes": meaning.minutes}
            return _text_parts(
                match_label(meaning.match, stages), _("%(name)s is %(minutes)s minutes late") % late, points
            )
        case ClockOnCommand():
            return _text_parts(
                match_label(meaning.match, stages), pairing_label(meaning.match), _clock_text(meaning, stages)
            )
        case ClockOffCommand():
            return _text_parts(
                match_label(meaning.match, stages),
                pairing_label(meaning.match),
                _("continues without a clock"),
            )
        case WithdrawCommand():
            url = reverse("director:leave", args=[event.public_id, meaning.entry.public_id])
            text = _("withdraws from the event. A page first shows the consequences.")
            return {**_text_parts("", meaning.entry.name, text), "go": url}
        case SwapTablesCommand():
            return _text_parts("", _swap_text(meaning), _table_moves_text(meaning))
        case AnnounceCommand():
            where = _("on the displays, all pages and phones, until you remove it")
            return _text_parts(_("Announce"), meaning.text, where)
        case HelpCommand():
            return {
                **_text_parts("", _("All commands"), ""),
                "go": reverse("director:line-help", args=[event.public_id]),
            }
        case _:
            raise TypeError(meaning)


def _text_parts(before: str, strong: str, after: str) -> Context:
    return {"before": before, "strong": strong, "after": after, "go": ""}


def _step_text(meaning: MatchActionCommand) -> str:
    """Return what happens to the match."""
    return {
        MatchAction.START: _("starts now"),
        MatchAction.SEND_BACK: _("returns to the queue; its table becomes free"),
        MatchAction.RESUME: _("resumes: it is ready for a table"),
    }[meaning.action]


def _clock_text(meaning: ClockOnCommand, stages: list[Stage]) -> str:
    """Return the effect of a clock; at a known score the remaining time of both."""
    if meaning.score is None:
        return _("is played with a clock from the next game")
    stage = next(stage for stage in stages if stage.pk == meaning.match.stage)
    rule = clock_rule_for(stage.settings.conduct, stage.division.team_size)
    words = _("is played with a clock from %(a)s–%(b)s: reserve %(reserve)s for each side")
    left = duration_label(reserve_seconds(meaning.match.length, rule, meaning.score))
    return words % {"a": meaning.score.a, "b": meaning.score.b, "reserve": left}


def _result_parts(meaning: ResultCommand, stages: list[Stage]) -> Context:
    match, kind = meaning.match, meaning.claim.kind
    before = match_label(match, stages)
    if meaning.claimed_by:
        by = {"name": match.name(meaning.claimed_by[0])}
        before += " · " + (
            _("as both players reported") if len(meaning.claimed_by) > 1 else _("as %(name)s reported") % by
        )
    first, second = ordered_names(meaning)
    words = {"loser": second, "length": match.length, "minutes": meaning.late, "kind": result_kind_note(kind)}
    if meaning.winner is None:
        text = _("%(kind)s: no winner") % words
        return _text_parts(before, f"{first} {score_text(meaning)} {second}", text)
    if meaning.late is not None:
        text = _("advances: %(loser)s is %(minutes)s minutes late and loses the match (%(kind)s)") % words
        return _text_parts(before, first, text)
    rule = RESULT_RULES[kind]
    if kind is ResultKind.PLAYED:
        return _text_parts(before, f"{first} {score_text(meaning)}", _("%(loser)s, to %(length)s") % words)
    if rule.shape is ScoreRule.NOT_PLAYED:
        return _text_parts(before, first, _("advances: %(kind)s, %(loser)s does not play") % words)
    text = _("wins against %(loser)s, to %(length)s: %(kind)s") % words
    return _text_parts(before, f"{first} {score_text(meaning)}", text)


def ordered_names(meaning: ResultCommand) -> tuple[str, str]:
    """Return the winner and the loser; without a winner, both from the left."""
    first = meaning.winner or Side.A
    return meaning.match.name(first), meaning.match.name(first.other)


def score_text(meaning: ResultCommand) -> str:
    """Return “7–3”, the winner's points first."""
    first = meaning.winner or Side.A
    return f"{meaning.claim.score.of(first)}–{meaning.claim.score.of(first.other)}"


def _swap_text(meaning: SwapTablesCommand) -> str:
    return _("Swap tables %(first)s and %(second)s") % {
        "first": meaning.tables[0],
        "second": meaning.tables[1],
    }


def _table_moves_text(meaning: SwapTablesCommand) -> str:
    first, second = meaning.tables
    moves = [
        _("#%(number)s %(names)s to table %(table)s")
        % {"number": match.number, "names": " – ".join(match.names), "table": table}
        for match, table in zip(meaning.matches, (second, first), strict=True)
        if match is not None
    ]
    return "; ".join(moves)


def next_call_context(found: NextCall, names: str) -> Context:
    """Return the match that is called next, and its table."""
    named = _("Call %(match)s") % {"match": f"#{found.match.number}"}
    shape = _text_parts(named, names, _("to table %(table)s") % {"table": found.table})
    return {**shape, "mark": found.mark, "line": "", "match": found.match.public_id}


def undo_context(found: LastAction) -> Context:
    """Return what “undo” undoes, in the words of the audit log."""
    mark = f"undo:{found.row.pk}:{found.match.version if found.match is not None else '-'}"
    shape = _text_parts(_("Undo"), last_action_sentence(found), "")
    return {**shape, "mark": mark, "line": "", "match": found.match.public_id if found.match else ""}


def sent_back_text(match: DrawnMatch) -> str:
    """Return what happens to the next match of a player who leaves it."""
    return _("match %(number)s returns to the queue") % {"number": match.number}


def last_action_sentence(found: LastAction) -> str:
    """Return the audit log's sentence about the last action."""
    subject = str(found.match.number) if found.match is not None else ""
    return action_sentence(found.row.action, sentence_facts(found.row, subject))


def consequence_lines(match: CommandMatch, outlook: ResultConsequences) -> list[str]:
    """Return what follows from a result, one phrase for each consequence."""
    words = [_next_match_text(move) for move in outlook.moves]
    words += [_("%(name)s is out") % {"name": name} for name in outlook.out]
    if outlook.left is not None:
        words.append(
            ngettext(
                "%(count)s match of the round is left",
                "%(count)s matches of the round are left",
                outlook.left,
            )
            % {"count": outlook.left}
            if outlook.left
            else _("the round has finished")
        )
    if match.table is not None:
        words.append(table_freed_text(match.table, outlook.next))
    return words


def table_freed_text(table: int, number: int | None) -> str:
    """Return “table 12 becomes free, next there: #76”."""
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
