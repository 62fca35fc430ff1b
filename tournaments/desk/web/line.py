"""The desk line: one field. What it means is shown before anything is done, and only what was shown can be done.

A script asks for a preview at each pause and sends Enter together with the mark of what it showed; the server reads the line again and
goes on only if that mark is among its meanings. An Enter that was quicker than the preview has the mark `TYPED`, and is done if the line
has one meaning. Every sending has a key: the same key again gets the same answer. Without scripts the first sending shows a page with
what was understood, and the button on it does it.
"""

from http import HTTPStatus
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from faults import Conflict, CrawfordError, Fault, Invalid, Missing, NotAllowed
from people.messages import describe, describe_all
from people.services import repeats
from people.web.access import actor_of, user_of
from tournaments.desk.services.acting import NextCall, act, act_next_call, take_back, was_recorded
from tournaments.desk.web.reading import Heard, Known, hear
from tournaments.desk.web.words import Shape, ordered_names, row_words, score_words, table_words
from tournaments.engine.desk.tokens import LINE_LIMIT
from tournaments.engine.desk.values import DeskMatch, Result
from tournaments.engine.matches.result_kinds import RESULT_RULES, Winner
from tournaments.engine.types import ResultKind
from tournaments.hall.web.calling import came_from
from tournaments.models import Event, Report
from tournaments.models.report import KEY_LIMIT
from tournaments.selectors.hall.board import drawn_matches
from tournaments.selectors.hall.desk import holder_of
from tournaments.selectors.hall.last_action import LastAction
from tournaments.shared.frames.access import desk_form, helps
from tournaments.shared.frames.director import show
from tournaments.shared.frames.keys import new_key
from tournaments.shared.frames.quick import is_quick
from tournaments.shared.words.names import kind_note

MARK_LIMIT = 200
REFUSED = 409
TYPED = "typed"
TYPED_RESULT = "typed-result"  # as `TYPED`, if it is a result or opens a page: a line before it was rejected


@desk_form
def line(request: HttpRequest, event: Event) -> HttpResponse:
    """Show what the line means; with the mark of what was shown, do it."""
    fields = request.POST if request.method == "POST" else request.GET
    text = fields.get("line", "")[: LINE_LIMIT + 1]
    mark = request.POST.get("mark", "")[:MARK_LIMIT]
    if mark:
        # No database is asked for what no mark can hold.
        return _once(request, event, text, mark if mark.isascii() and mark.isprintable() else "-")
    return _shown(request, event, hear(event, user_of(request), text))


def _shown(
    request: HttpRequest, event: Event, heard: Heard, sentences: list[str] | None = None
) -> HttpResponse:
    """What was understood; ``sentences``: why nothing was done just now."""
    status = REFUSED if sentences else 200
    shape = heard.shape
    if sentences:
        shape["sentences"] = sentences
    if is_quick(request):
        return JsonResponse(shape, status=status)
    context = {"heard": shape, "back": came_from(request, event), "key": new_key()}
    return show(request, "desk/line.html", event, "matches", context, status=status)


def _once(request: HttpRequest, event: Event, text: str, mark: str) -> HttpResponse:
    """Do it, or give the answer that the same sending got before. A line that another account typed is not done."""
    user, key = user_of(request), request.POST.get("submission_key", "")
    if request.POST.get("account", str(user.pk)) != str(user.pk):
        return JsonResponse({"other_account": True}, status=REFUSED)
    if not is_quick(request) or not (0 < len(key) <= KEY_LIMIT and key.isprintable()):
        return _do(request, event, text, mark)
    scope = repeats.digest(b"desk line", f"{user.pk}:{event.pk}".encode(), key.encode())
    try:
        claimed = repeats.claim(scope=scope, sent=repeats.digest(text.encode(), mark.encode()))
    except Conflict as conflict:
        if conflict.code == "request.key_running":
            return JsonResponse(
                {"detail": describe_all(conflict)[0]}, status=503, headers={"Retry-After": "1"}
            )
        return JsonResponse({"done": _("Already done: %(line)s") % {"line": text}})
    except Invalid as error:
        return _shown(request, event, hear(event, user, text), describe_all(error))
    if claimed.status:
        return HttpResponse(claimed.body, content_type="application/json")
    with repeats.under(claimed):
        response = _do(request, event, text, mark)
    if response.status_code == HTTPStatus.OK:
        repeats.keep(claimed, status=response.status_code, body=response.content.decode())
    else:
        repeats.refused(claimed)
    return response


def _do(request: HttpRequest, event: Event, text: str, mark: str) -> HttpResponse:
    key = request.POST.get("submission_key", "")
    if mark in {TYPED, TYPED_RESULT}:
        heard = hear(event, user_of(request), text)
        if len(heard.meanings) != 1:
            return _shown(request, event, heard, heard.shape["sentences"] or [describe(Fault("desk.choose"))])
        known, shape = heard.meanings[0]
        chosen: tuple[Known, Shape] | None = (known, shape)
        if mark == TYPED_RESULT and not isinstance(known, Result) and not shape["go"]:
            return JsonResponse({"waits": True}, status=REFUSED)
    else:
        chosen = hear(event, user_of(request), text, mark).marked(mark)
    if chosen is None:
        if mark.startswith("result:") and 0 < len(key) <= KEY_LIMIT and key.isprintable():
            before = was_recorded(event, mark.split(":")[1], key)
            if before is not None and before.user_id == user_of(request).pk:
                return _done(request, event, _recorded_again(event, before))
        heard = hear(event, user_of(request), text)
        reasons = (Fault("desk.changed"),) if heard.meanings else heard.faults
        return _shown(request, event, heard, [describe(fault) for fault in reasons])
    known, shape = chosen
    if shape["go"] and helps(request):  # what has a page of its own is a director's
        return _not_theirs(request, event, text)
    if shape["go"]:
        return JsonResponse({"go": shape["go"]}) if is_quick(request) else redirect(shape["go"])
    try:
        _carry_out(request, event, known, key)
    except NotAllowed:
        if not helps(request):
            raise
        return _not_theirs(request, event, text)
    except Missing:
        raise
    except CrawfordError as error:
        again = hear(event, user_of(request), text)
        moved_on = isinstance(error, Conflict) and any(fault.code == "desk.already" for fault in again.faults)
        sentences = again.shape["sentences"] if moved_on else describe_all(error)
        return _shown(request, event, again, sentences)
    return _done(request, event, _answer(event, known, shape), str(shape["match"]))


def _not_theirs(request: HttpRequest, event: Event, text: str) -> HttpResponse:
    """Understood, and not for an assistant."""
    heard = hear(event, user_of(request), text)
    return _shown(request, event, heard, [describe(Fault("desk.directors"))])


def _carry_out(request: HttpRequest, event: Event, known: Known, key: str) -> None:
    actor = actor_of(request)
    if isinstance(known, NextCall):
        act_next_call(actor=actor, event=event, shown=known)
    elif isinstance(known, LastAction):
        take_back(actor=actor, event=event, found=known)
    else:
        act(actor=actor, event=event, meaning=known, submission_key=key)


def _done(request: HttpRequest, event: Event, words: str, match: str = "") -> HttpResponse:
    if is_quick(request):
        return JsonResponse({"done": words, "match": match})
    messages.success(request, words)
    return redirect(came_from(request, event))


def _answer(event: Event, known: Known, shape: Shape) -> str:
    """What was done, in a line: “Table 12: Bob Smith 7–3 Ann Lind · table 12 is free, next there: #74”."""
    if isinstance(known, Result):
        return _result_words(event, known.match, ordered_names(known), score_words(known), known.claim.kind)
    if isinstance(known, LastAction):
        return _("Undone: %(what)s") % {"what": row_words(known)}
    parts = [part for part in (shape["before"], shape["strong"], shape["after"]) if part]
    return " · ".join(parts)


def _result_words(
    event: Event, match: DeskMatch | Any, names: tuple[str, str], score: str, kind: ResultKind
) -> str:
    where = _("Table %(table)s") % {"table": match.table} if match.table else f"#{match.number}"
    words = f"{where}: {names[0]} {score} {names[1]}"
    if note := kind_note(kind):
        words += f" ({note})"
    if not match.table:
        return words
    holder = holder_of(event, match.table)
    return f"{words} · {table_words(match.table, holder[0] if holder is not None else None)}"


def _recorded_again(event: Event, report: Report) -> str:
    """The same answer to the same sending."""
    match = report.match
    (drawn,) = drawn_matches([match.pk])
    sides = list(zip((side.name for side in drawn.sides), (report.score_a, report.score_b), strict=True))
    nobody = RESULT_RULES[ResultKind(report.kind)].winner is Winner.NONE
    if not nobody and (
        report.winner_side == "b" or (not report.winner_side and report.score_b > report.score_a)
    ):
        sides.reverse()
    (winner, won), (loser, lost) = sides
    return _result_words(event, match, (winner, loser), f"{won}–{lost}", ResultKind(report.kind))
