"""What the line has understood, in words: for the script as JSON, for the page without scripts as a template reads it."""

from typing import Any

from django.urls import reverse
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from people.web.trail import facts_of, sentence_of
from tournaments.desk.services.acting import NextCall
from tournaments.desk.services.outlook import Move, Outlook
from tournaments.engine.desk.reading import printed
from tournaments.engine.desk.values import (
    Adjourn,
    CallMatch,
    DeskMatch,
    Help,
    Late,
    Meaning,
    OfMatch,
    Out,
    PutClockOn,
    Result,
    Say,
    Step,
    Swap,
    TakeClockOff,
)
from tournaments.engine.desk.vocabulary import ENGLISH, Vocabulary, vocabulary
from tournaments.engine.matches.result_kinds import RESULT_RULES, ScoreShape
from tournaments.engine.matches.rulings import clock_rule, reserve
from tournaments.engine.statuses import MatchAction
from tournaments.engine.types import ResultKind, Side
from tournaments.models import Event, Stage
from tournaments.selectors.draws import DrawnMatch
from tournaments.selectors.hall.last_action import LastAction
from tournaments.shared.frames.divisions import stage_name
from tournaments.shared.words.names import kind_note, round_in_part
from tournaments.shared.words.rulings import clock_time_words, points_for

Shape = dict[str, Any]


def own_words() -> Vocabulary:
    """The words of the line in the language of the page."""
    return vocabulary(get_language() or ENGLISH)


def match_words(match: DeskMatch, stages: list[Stage]) -> str:
    """“Table 12 · #74”, with the stage where an event has several."""
    parts = [_("Table %(table)s") % {"table": match.table}] if match.table is not None else []
    parts.append(f"#{match.number}")
    own = next((stage for stage in stages if stage.pk == match.stage), None)
    if own is not None and len(stages) > 1:
        parts.append(stage_name(own, stages))
    return " · ".join(part for part in parts if part)


def pair_words(match: DeskMatch) -> str:
    """“Bob Smith – Ann Lind, to 7”."""
    words = {"a": match.names[0], "b": match.names[1], "length": match.length}
    return _("%(a)s – %(b)s, to %(length)s") % words


def meaning_shape(event: Event, meaning: Meaning, stages: list[Stage]) -> Shape:
    """One meaning: what stands before what is to be seen at once, this, what stands behind it, and how it is confirmed."""
    shape = {
        **_parts(event, meaning, stages),
        "mark": meaning.mark,
        "line": printed(meaning, own_words()),
    }
    match = meaning.match if isinstance(meaning, OfMatch) else None
    return {"match": match.public_id if match is not None else "", **shape}


def _parts(event: Event, meaning: Meaning, stages: list[Stage]) -> Shape:
    match meaning:
        case Result():
            return _result(meaning, stages)
        case CallMatch():
            table = meaning.match.table
            words = (
                _("to table %(table)s") % {"table": table}
                if table
                else _("no table is free: call without a table")
            )
            named = _("Call %(match)s") % {"match": f"#{meaning.match.number}"}
            return _three(named, " – ".join(meaning.match.names), words)
        case Step():
            return _three(
                match_words(meaning.match, stages), " – ".join(meaning.match.names), _stepped(meaning)
            )
        case Adjourn():
            named, score = pair_words(meaning.match), f"{meaning.score.a}–{meaning.score.b}"
            words = _("is adjourned at %(score)s and resumes later; its table becomes free")
            return _three(match_words(meaning.match, stages), named, words % {"score": score})
        case Late():
            other = meaning.match.name(meaning.side.other)
            points = (
                points_for(meaning.penalty.points, other)
                if meaning.penalty.points
                else _("no penalty points yet")
            )
            late = {"name": meaning.match.name(meaning.side), "minutes": meaning.minutes}
            return _three(
                match_words(meaning.match, stages), _("%(name)s is %(minutes)s minutes late") % late, points
            )
        case PutClockOn():
            return _three(
                match_words(meaning.match, stages), pair_words(meaning.match), _clocked(meaning, stages)
            )
        case TakeClockOff():
            return _three(
                match_words(meaning.match, stages),
                pair_words(meaning.match),
                _("continues without a clock"),
            )
        case Out():
            url = reverse("director:leave", args=[event.public_id, meaning.entry.public_id])
            text = _("withdraws from the event. A page first shows the consequences.")
            return {**_three("", meaning.entry.name, text), "go": url}
        case Swap():
            return _three("", _swapped(meaning), _moved(meaning))
        case Say():
            where = _("on the displays, all pages and phones, until you remove it")
            return _three(_("Announce"), meaning.text, where)
        case Help():
            return {
                **_three("", _("All commands"), ""),
                "go": reverse("director:line-help", args=[event.public_id]),
            }
        case _:
            raise TypeError(meaning)


def _three(before: str, strong: str, after: str) -> Shape:
    return {"before": before, "strong": strong, "after": after, "go": ""}


def _stepped(meaning: Step) -> str:
    """What becomes of the match."""
    return {
        MatchAction.START: _("starts now"),
        MatchAction.SEND_BACK: _("returns to the queue; its table becomes free"),
        MatchAction.RESUME: _("resumes: it is ready for a table"),
    }[meaning.action]


def _clocked(meaning: PutClockOn, stages: list[Stage]) -> str:
    """What a clock means for both; at a known score what they have left."""
    if meaning.score is None:
        return _("is played with a clock from the next game")
    stage = next(stage for stage in stages if stage.pk == meaning.match.stage)
    rule = clock_rule(stage.settings.conduct, stage.division.team_size)
    words = _("is played with a clock from %(a)s–%(b)s: reserve %(reserve)s for each side")
    left = clock_time_words(reserve(meaning.match.length, rule, meaning.score))
    return words % {"a": meaning.score.a, "b": meaning.score.b, "reserve": left}


def _result(meaning: Result, stages: list[Stage]) -> Shape:
    match, kind = meaning.match, meaning.claim.kind
    before = match_words(match, stages)
    if meaning.claimed_by:
        by = {"name": match.name(meaning.claimed_by[0])}
        before += " · " + (
            _("as both players reported") if len(meaning.claimed_by) > 1 else _("as %(name)s reported") % by
        )
    first, second = ordered_names(meaning)
    words = {"loser": second, "length": match.length, "minutes": meaning.late, "kind": kind_note(kind)}
    if meaning.winner is None:
        text = _("%(kind)s: no winner") % words
        return _three(before, f"{first} {score_words(meaning)} {second}", text)
    if meaning.late is not None:
        text = _("advances: %(loser)s is %(minutes)s minutes late and loses the match (%(kind)s)") % words
        return _three(before, first, text)
    rule = RESULT_RULES[kind]
    if kind is ResultKind.PLAYED:
        return _three(before, f"{first} {score_words(meaning)}", _("%(loser)s, to %(length)s") % words)
    if rule.shape is ScoreShape.NOT_PLAYED:
        return _three(before, first, _("advances: %(kind)s, %(loser)s does not play") % words)
    text = _("wins against %(loser)s, to %(length)s: %(kind)s") % words
    return _three(before, f"{first} {score_words(meaning)}", text)


def ordered_names(meaning: Result) -> tuple[str, str]:
    """The winner and the other; where nobody has won, both from the left."""
    first = meaning.winner or Side.A
    return meaning.match.name(first), meaning.match.name(first.other)


def score_words(meaning: Result) -> str:
    """“7–3”, the winner’s points first."""
    first = meaning.winner or Side.A
    return f"{meaning.claim.score.of(first)}–{meaning.claim.score.of(first.other)}"


def _swapped(meaning: Swap) -> str:
    return _("Swap tables %(first)s and %(second)s") % {
        "first": meaning.tables[0],
        "second": meaning.tables[1],
    }


def _moved(meaning: Swap) -> str:
    first, second = meaning.tables
    moves = [
        _("#%(number)s %(names)s to table %(table)s")
        % {"number": match.number, "names": " – ".join(match.names), "table": table}
        for match, table in zip(meaning.matches, (second, first), strict=True)
        if match is not None
    ]
    return "; ".join(moves)


def next_call_shape(found: NextCall, names: str) -> Shape:
    """Who is called next, and to which table."""
    named = _("Call %(match)s") % {"match": f"#{found.match.number}"}
    shape = _three(named, names, _("to table %(table)s") % {"table": found.table})
    return {**shape, "mark": found.mark, "line": "", "match": found.match.public_id}


def take_back_shape(found: LastAction) -> Shape:
    """What “undo” takes back, as the trail tells it."""
    mark = f"undo:{found.row.pk}:{found.match.version if found.match is not None else '-'}"
    shape = _three(_("Undo"), row_words(found), "")
    return {**shape, "mark": mark, "line": "", "match": found.match.public_id if found.match else ""}


def sent_back_words(match: DrawnMatch) -> str:
    """What becomes of a match that somebody leaves again who came into it."""
    return _("match %(number)s returns to the queue") % {"number": match.number}


def row_words(found: LastAction) -> str:
    """The sentence of the trail for the last action."""
    subject = str(found.match.number) if found.match is not None else ""
    return sentence_of(found.row.action, facts_of(found.row, subject))


def outlook_words(match: DeskMatch, outlook: Outlook) -> list[str]:
    """What follows from a result, one sentence part for each matter."""
    words = [_move(move) for move in outlook.moves]
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
        words.append(table_words(match.table, outlook.next))
    return words


def table_words(table: int, number: int | None) -> str:
    """“table 12 is free, next there: #76”."""
    if number is None:
        return _("table %(table)s becomes free") % {"table": table}
    return _("table %(table)s becomes free, next there: #%(number)s") % {"table": table, "number": number}


def _move(move: Move) -> str:
    text = {
        "name": move.name,
        "number": move.number,
        "round": round_in_part(move.section, move.code),
        "other": move.against,
        "before": move.waits_for,
    }
    if move.against:
        return _("%(name)s plays #%(number)s (%(round)s) against %(other)s") % text
    if move.waits_for:
        return _("%(name)s plays #%(number)s (%(round)s), waits for #%(before)s") % text
    return _("%(name)s plays #%(number)s (%(round)s)") % text
