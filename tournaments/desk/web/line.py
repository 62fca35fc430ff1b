"""The command bar, a single field.

A command is previewed before it is done; only previewed commands are done.

A script requests a preview at each pause and sends Enter with the token of the preview; the server parses the
text again and goes on only if one of its meanings has that token. An Enter before the preview has the token
`TYPED_SOURCE`, and the command is done if the text has exactly one meaning. Every submission has a key: the
same key again returns the same response. Without scripts the first submission shows a page with the meaning
and a button that does it.
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
from people.web.access import request_actor, request_user
from tournaments.desk.services.acting import (
    NextCall,
    call_confirmed_match,
    report_by_key,
    run_command,
    undo_action,
)
from tournaments.desk.web.reading import CommandPreview, ResolvedCommand, preview_command
from tournaments.desk.web.words import (
    Context,
    last_action_sentence,
    ordered_names,
    score_text,
    table_freed_text,
)
from tournaments.engine.desk.tokens import MAX_COMMAND_LENGTH
from tournaments.engine.desk.values import CommandMatch, ResultCommand
from tournaments.engine.matches.result_kinds import RESULT_RULES, WinnerRule
from tournaments.engine.types import ResultKind
from tournaments.hall.web.calling import return_url
from tournaments.models import Event, Report
from tournaments.models.report import KEY_LIMIT
from tournaments.selectors.hall.board import drawn_matches
from tournaments.selectors.hall.desk import table_holder
from tournaments.selectors.hall.last_action import LastAction
from tournaments.shared.frames.access import is_helper, staff_form
from tournaments.shared.frames.director import render_event_page
from tournaments.shared.frames.keys import new_submission_key
from tournaments.shared.frames.quick import is_script_request
from tournaments.shared.words.names import result_kind_note

MAX_TOKEN_LENGTH = 200
CONFLICT_STATUS = 409
TYPED_SOURCE = "typed"
TYPED_RESULT_SOURCE = (
    "typed-result"  # as `TYPED_SOURCE`, but only for results and pages: the line before it was rejected
)


@staff_form
def command_bar(request: HttpRequest, event: Event) -> HttpResponse:
    """Preview the meanings of the typed text; with the token of a preview, do the command."""
    fields = request.POST if request.method == "POST" else request.GET
    text = fields.get("line", "")[: MAX_COMMAND_LENGTH + 1]
    token = request.POST.get("mark", "")[:MAX_TOKEN_LENGTH]
    if token:
        # Invalid characters cannot be in a token and must not reach the database.
        return _run_idempotent(
            request, event, text, token if token.isascii() and token.isprintable() else "-"
        )
    return _render_preview(request, event, preview_command(event, request_user(request), text))


def _render_preview(
    request: HttpRequest, event: Event, preview: CommandPreview, sentences: list[str] | None = None
) -> HttpResponse:
    """Return the preview as JSON or page; ``sentences``: why the command was not done."""
    status = CONFLICT_STATUS if sentences else 200
    preview_context = preview.context
    if sentences:
        preview_context["sentences"] = sentences
    if is_script_request(request):
        return JsonResponse(preview_context, status=status)
    context = {"heard": preview_context, "back": return_url(request, event), "key": new_submission_key()}
    return render_event_page(request, "desk/line.html", event, "matches", context, status=status)


def _run_idempotent(request: HttpRequest, event: Event, text: str, token: str) -> HttpResponse:
    """Do the command, or return the stored response to its submission key.

    Text typed by another account is rejected.
    """
    user, key = request_user(request), request.POST.get("submission_key", "")
    if request.POST.get("account", str(user.pk)) != str(user.pk):
        return JsonResponse({"other_account": True}, status=CONFLICT_STATUS)
    if not is_script_request(request) or not (0 < len(key) <= KEY_LIMIT and key.isprintable()):
        return _run_command(request, event, text, token)
    scope = repeats.digest(b"desk line", f"{user.pk}:{event.pk}".encode(), key.encode())
    try:
        claimed = repeats.claim_key(scope=scope, request_digest=repeats.digest(text.encode(), token.encode()))
    except Conflict as conflict:
        if conflict.code == "request.key_running":
            return JsonResponse(
                {"detail": describe_all(conflict)[0]}, status=503, headers={"Retry-After": "1"}
            )
        return JsonResponse({"done": _("Already done: %(line)s") % {"line": text}})
    except Invalid as error:
        return _render_preview(request, event, preview_command(event, user, text), describe_all(error))
    if claimed.status:
        return HttpResponse(claimed.body, content_type="application/json")
    with repeats.mark_done_on_commit(claimed):
        response = _run_command(request, event, text, token)
    if response.status_code == HTTPStatus.OK:
        repeats.save_response(claimed, status=response.status_code, body=response.content.decode())
    else:
        repeats.discard_claim(claimed)
    return response


def _run_command(request: HttpRequest, event: Event, text: str, token: str) -> HttpResponse:
    key = request.POST.get("submission_key", "")
    if token in {TYPED_SOURCE, TYPED_RESULT_SOURCE}:
        preview = preview_command(event, request_user(request), text)
        if len(preview.meanings) != 1:
            return _render_preview(
                request, event, preview, preview.context["sentences"] or [describe(Fault("desk.choose"))]
            )
        command, preview_context = preview.meanings[0]
        chosen: tuple[ResolvedCommand, Context] | None = (command, preview_context)
        if (
            token == TYPED_RESULT_SOURCE
            and not isinstance(command, ResultCommand)
            and not preview_context["go"]
        ):
            return JsonResponse({"waits": True}, status=CONFLICT_STATUS)
    else:
        chosen = preview_command(event, request_user(request), text, token).marked(token)
    if chosen is None:
        if token.startswith("result:") and 0 < len(key) <= KEY_LIMIT and key.isprintable():
            earlier_report = report_by_key(event, token.split(":")[1], key)
            if earlier_report is not None and earlier_report.user_id == request_user(request).pk:
                return _success_response(request, event, _repeated_result_message(event, earlier_report))
        preview = preview_command(event, request_user(request), text)
        reasons = (Fault("desk.changed"),) if preview.meanings else preview.faults
        return _render_preview(request, event, preview, [describe(fault) for fault in reasons])
    command, preview_context = chosen
    if preview_context["go"] and is_helper(request):  # commands with a page of their own are for directors
        return _refuse_assistant(request, event, text)
    if preview_context["go"]:
        return (
            JsonResponse({"go": preview_context["go"]})
            if is_script_request(request)
            else redirect(preview_context["go"])
        )
    try:
        _execute(request, event, command, key)
    except NotAllowed:
        if not is_helper(request):
            raise
        return _refuse_assistant(request, event, text)
    except Missing:
        raise
    except CrawfordError as error:
        new_preview = preview_command(event, request_user(request), text)
        is_done_already = isinstance(error, Conflict) and any(
            fault.code == "desk.already" for fault in new_preview.faults
        )
        sentences = new_preview.context["sentences"] if is_done_already else describe_all(error)
        return _render_preview(request, event, new_preview, sentences)
    return _success_response(
        request, event, _success_message(event, command, preview_context), str(preview_context["match"])
    )


def _refuse_assistant(request: HttpRequest, event: Event, text: str) -> HttpResponse:
    """Return the preview with a message that only directors may use this command."""
    preview = preview_command(event, request_user(request), text)
    return _render_preview(request, event, preview, [describe(Fault("desk.directors"))])


def _execute(request: HttpRequest, event: Event, command: ResolvedCommand, key: str) -> None:
    actor = request_actor(request)
    if isinstance(command, NextCall):
        call_confirmed_match(actor=actor, event=event, previewed=command)
    elif isinstance(command, LastAction):
        undo_action(actor=actor, event=event, last_action=command)
    else:
        run_command(actor=actor, event=event, command=command, submission_key=key)


def _success_response(request: HttpRequest, event: Event, message: str, match: str = "") -> HttpResponse:
    if is_script_request(request):
        return JsonResponse({"done": message, "match": match})
    messages.success(request, message)
    return redirect(return_url(request, event))


def _success_message(event: Event, command: ResolvedCommand, preview_context: Context) -> str:
    """Return what was done: “Table 12: Bob Smith 7–3 Ann Lind · table 12 is free, next there: #74”."""
    if isinstance(command, ResultCommand):
        return _result_message(
            event, command.match, ordered_names(command), score_text(command), command.claim.kind
        )
    if isinstance(command, LastAction):
        return _("Undone: %(what)s") % {"what": last_action_sentence(command)}
    parts = [
        part
        for part in (preview_context["before"], preview_context["strong"], preview_context["after"])
        if part
    ]
    return " · ".join(parts)


def _result_message(
    event: Event, match: CommandMatch | Any, names: tuple[str, str], score: str, kind: ResultKind
) -> str:
    place_label = _("Table %(table)s") % {"table": match.table} if match.table else f"#{match.number}"
    message = f"{place_label}: {names[0]} {score} {names[1]}"
    if note := result_kind_note(kind):
        message += f" ({note})"
    if not match.table:
        return message
    holder = table_holder(event, match.table)
    return f"{message} · {table_freed_text(match.table, holder[0] if holder is not None else None)}"


def _repeated_result_message(event: Event, report: Report) -> str:
    """Return the success message for a result that was submitted before."""
    match = report.match
    (drawn_match,) = drawn_matches([match.pk])
    sides = list(
        zip((side.name for side in drawn_match.sides), (report.score_a, report.score_b), strict=True)
    )
    has_no_winner = RESULT_RULES[ResultKind(report.kind)].winner is WinnerRule.NONE
    if not has_no_winner and (
        report.winner_side == "b" or (not report.winner_side and report.score_b > report.score_a)
    ):
        sides.reverse()
    (winner, winner_points), (loser, loser_points) = sides
    return _result_message(
        event, match, (winner, loser), f"{winner_points}–{loser_points}", ResultKind(report.kind)
    )
