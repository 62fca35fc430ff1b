"""Director's page of a match: reports, recording, decision and correction of the result, objections."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from faults import Conflict, CrawfordError, Missing
from games.web.uploads import limit_upload
from people.ids import PUBLIC_ID_LENGTH, parse_row_id
from people.messages import describe_all
from people.selectors import refresh_row
from people.web.access import request_actor
from people.web.faults import add_faults
from people.web.versioned import page_etag, versioned_response
from tournaments.engine.consents import Consent, Reply
from tournaments.engine.statuses import (
    AT_TABLE,
    NOT_STARTED,
    EventStatus,
    MatchStatus,
    allowed_actions,
    may_report,
)
from tournaments.engine.types import Claim, ResultKind, Side
from tournaments.hall.web.board import get_match_or_404
from tournaments.hall.web.narrowing import board_url
from tournaments.matches.services.objections import settle_objection
from tournaments.matches.services.publishing import set_record_visibility as settle_record_for
from tournaments.matches.services.reports import ReportOutcome, confirm_report, submit_report
from tournaments.matches.web.analysing import analysis_context, analysis_version
from tournaments.matches.web.arranging import conversation_context
from tournaments.matches.web.attach_record import AttachedRecord, attachment_from_request, empty_attachment
from tournaments.matches.web.before import answer_contexts
from tournaments.matches.web.result_form import ResultForm
from tournaments.matches.web.ruling_forms import RulingsPanel, rulings_panel
from tournaments.models import Event, Match, Report
from tournaments.selectors.access.phones import pending_devices
from tournaments.selectors.consents import combined_replies, replies_at_match
from tournaments.selectors.draws import DrawnMatch, drawn_match
from tournaments.selectors.events.director import (
    ReportRow,
    find_drawn_match,
    find_objection,
    objections_to,
    report_rows,
)
from tournaments.selectors.matches.claims import minimum_match_score
from tournaments.selectors.matches.sheets import build_score_sheet
from tournaments.selectors.rounds.deadlines import is_arranged
from tournaments.shared.fragments.cards import match_card
from tournaments.shared.fragments.record_links import record_links
from tournaments.shared.fragments.repairs import repair_context
from tournaments.shared.frames.access import event_action, is_helper, staff_action, staff_page
from tournaments.shared.frames.director import INVALID_STATUS, render_event_page, render_refused_action
from tournaments.shared.frames.keys import new_submission_key
from tournaments.shared.frames.quick import is_script_request, refusal_response, success_response
from tournaments.shared.words.consents import consent_badges
from tournaments.shared.words.moves import MATCH_ACTION_TEXTS, action_slug
from tournaments.shared.words.names import date_and_time, deadline_label, match_round_name, result_kind_note
from tournaments.shared.words.rulings import adjourned_context, match_clock_label
from tournaments.shared.words.sheets import sheet_context


@staff_page
def match(request: HttpRequest, event: Event, match: str) -> HttpResponse:
    """Page of a match with all its reports."""
    loaded_match = get_match_or_404(event, match)
    return versioned_response(
        request, _versions(event, loaded_match), lambda: match_page(request, event, loaded_match)
    )


def _versions(event: Event, loaded_match: Match) -> list[object]:
    """Return the values that make up the ETag of the page.

    Before a match, players get notices that do not change the event, so the page has a new version each
    minute. After the match, analyses change the page.
    """
    minute = int(timezone.now().timestamp()) // 60 if loaded_match.status in NOT_STARTED else 0
    analysis_state = analysis_version(loaded_match) if loaded_match.status == MatchStatus.CONFIRMED else ""
    return [event.version, event.club.version, minute, analysis_state]


def match_page(
    request: HttpRequest,
    event: Event,
    loaded_match: Match,
    form: ResultForm | None = None,
    status: int = 200,
    attached: AttachedRecord | None = None,
    rulings: RulingsPanel | None = None,
) -> HttpResponse:
    row = drawn_match(loaded_match)
    reports = [_report_context(report, row, loaded_match, event) for report in report_rows(loaded_match)]
    allowed = (
        {action.value for action in allowed_actions(row.status)}
        if event.status == EventStatus.RUNNING
        else set()
    )
    is_over = row.status is MatchStatus.CONFIRMED
    may_correct = is_over and not row.is_bye
    awaits_arrangement = row.status is MatchStatus.READY and is_arranged(loaded_match.stage, row)
    is_open = may_report(row.status) and event.status == EventStatus.RUNNING
    objections = objections_to(loaded_match)
    context: dict[str, Any] = {
        "etag": page_etag(request, _versions(event, loaded_match)),
        "match": loaded_match,
        "card": {
            **match_card(row, time="" if is_over else deadline_label(loaded_match.round.deadline)),
            "url": "",
            "round_name": match_round_name(loaded_match),
        },
        "arranged": awaits_arrangement,
        "entries": [
            {
                "name": side.name,
                "url": f"{reverse('director:entry', args=[event.public_id, side.entry_public_id])}?match={loaded_match.public_id}",
            }
            for side in row.sides
            if side.entry_id is not None
        ],
        "bye": row.is_bye,
        "claims": sorted(
            (report for report in reports if is_open and report["state"] == Report.State.OPEN),
            key=lambda report: str(report["side"]),
        ),
        "reports": reports,
        "one_device": any(report["one_device"] for report in reports),
        "asking": pending_devices(event, [side.entry_id for side in row.sides if side.entry_id is not None]),
        "answers": answer_contexts(loaded_match, event),
        "talk": conversation_context(loaded_match, event, can_read=not is_helper(request))
        if loaded_match.stage.by_arrangement
        else None,
        "objections": [
            {"row": objection, "when": date_and_time(objection.created_at, event)} for objection in objections
        ],
        "form": form
        if form is not None
        else result_form(event, loaded_match, row)
        if is_open or may_correct
        else None,
        "correcting": may_correct,
        "may_record": is_open,
        "moves": [
            {
                "word": action_slug(action),
                "words": text,
                "can": action.value in allowed and not awaits_arrangement,
            }
            for action, text in MATCH_ACTION_TEXTS.items()
        ],
        "may_move": not awaits_arrangement and not allowed.isdisjoint(MATCH_ACTION_TEXTS),
        "can_table": is_open and row.status in AT_TABLE,
        "rulings": rulings or rulings_panel(event, loaded_match, side_labels(row)),
        "adjourned": adjourned_context(loaded_match, side_labels(row)),
        "clock": "" if is_over else match_clock_label(loaded_match),
        "repair": repair_context(event, loaded_match),
        "played": date_and_time(loaded_match.played_at, event),
        "next": request.GET.get("next", "") or request.POST.get("next", ""),
        "key": new_submission_key(),
        "attached": attached or empty_attachment(loaded_match, side_labels(row)),
        "analysis": None if is_helper(request) else analysis_context(loaded_match),
        **_consents_context(loaded_match),
    }
    return render_event_page(request, "matches/director_match.html", event, "matches", context, status=status)


def _consents_context(loaded_match: Match) -> dict[str, Any]:
    """Return the template context of the players' consents, and of the game records with their visibility."""
    replies = combined_replies(replies_at_match(loaded_match))
    return {
        "agreed": consent_badges(replies),
        "records": record_links(loaded_match, directs=True, reply=replies[Consent.RECORD]),
        "minds": replies[Consent.RECORD] is Reply.NO,
    }


def side_labels(row: DrawnMatch) -> dict[Side, str]:
    """Return the name of each side for forms and sentences.

    Without an entry, it is "First side" or "Second side".
    """
    return {Side.A: row.sides[0].name or _("First side"), Side.B: row.sides[1].name or _("Second side")}


def result_form(event: Event, loaded_match: Match, row: DrawnMatch, data: Any = None) -> ResultForm:
    labels = side_labels(row)
    names = (labels[Side.A], labels[Side.B])
    initial: dict[str, Any] = {
        "submission_key": new_submission_key(),
        "kind": loaded_match.result_kind or ResultKind.PLAYED,
    }
    if row.status is MatchStatus.CONFIRMED:
        follows_from_score = loaded_match.length in {loaded_match.score_a, loaded_match.score_b}
        initial |= {
            "score_a": loaded_match.score_a,
            "score_b": loaded_match.score_b,
            "winner": "" if follows_from_score else loaded_match.winner_side,
        }
    else:
        minimum = minimum_match_score(loaded_match)
        initial |= {"score_a": minimum.a, "score_b": minimum.b}
    return ResultForm(data, match=loaded_match, names=names, zone=event.timezone, initial=initial)


def _report_context(report: ReportRow, row: DrawnMatch, loaded_match: Match, event: Event) -> dict[str, Any]:
    """Return the template context of a report; the winner follows from the score if none was given."""
    points = {Side.A: report.score_a, Side.B: report.score_b}
    winner = Side(report.winner_side) if report.winner_side else None
    claim = Claim(report.score_a, report.score_b, ResultKind(report.kind), winner)
    if winner is None and report.score_a != report.score_b:
        winner = max(points, key=lambda side: points[side])
    return {
        "version": report.version,
        "reporter": report.reporter or _("Director"),
        "by_director": report.by_director,
        "side": report.side,
        "a": report.score_a,
        "b": report.score_b,
        "winner": winner.value if winner is not None else "",
        "winner_name": row.sides[0 if winner is Side.A else 1].name if winner is not None else "",
        "kind": result_kind_note(report.kind),
        "note": report.note,
        "when": date_and_time(report.at, event),
        "state": report.state,
        "record": report.record,
        "one_device": report.is_same_device,
        "phone": report.phone,
        "sheet": sheet_context(build_score_sheet(loaded_match, report.score_sheet, claim)),
    }


@staff_action
@limit_upload()
def record_result(request: HttpRequest, event: Event, match: str) -> HttpResponse:
    """Record a result as staff, also to decide a dispute.

    With field ``check``, only the attached record is checked.
    """
    match_and_row = find_drawn_match(event, match)
    if match_and_row is None:
        raise Missing("match.unknown")
    loaded_match, row = match_and_row
    form = result_form(event, loaded_match, row, request.POST)
    attached = attachment_from_request(request, loaded_match, side_labels(row))
    if "check" in request.POST:
        attached.check_and_hold()
        if attached.claim is not None:
            form.fill(attached.claim)
        return match_page(
            request,
            event,
            loaded_match,
            form,
            200 if attached.claim is not None else INVALID_STATUS,
            attached,
        )
    if form.is_valid() and not attached.faults:
        data = form.cleaned_data
        try:
            outcome = submit_report(
                actor=request_actor(request),
                match_id=loaded_match.pk,
                entry=None,
                claim=form.claim(),
                submission_key=data["submission_key"],
                note=data["note"],
                sheet=form.sheet_rows(),
                played_at=data["played_at"],
                record=attached.upload,
            )
        except CrawfordError as error:
            if error.status != INVALID_STATUS:
                return render_refused_action(
                    request, error, back=match_url(event, loaded_match), match=loaded_match
                )
            add_faults(form, error, skipped_fields=("record",))
            attached.add_error_messages(error)
        else:
            attached.sent()
            return _recorded_response(request, event, row, outcome)
    if is_script_request(request):
        return refusal_response(_form_errors(form), INVALID_STATUS)
    attached.check_and_hold()
    return match_page(request, event, loaded_match, form, INVALID_STATUS, attached)


@staff_action
def accept_report(request: HttpRequest, event: Event, match: str) -> HttpResponse:
    """Make a player's report the result.

    Field ``seen``: version of the match that the director saw; if it has changed, nothing is confirmed (409).
    """
    loaded_match = get_match_or_404(event, match)
    version = _parse_version(request.POST.get("version", ""))
    if version is None:
        raise Missing("report.unknown")
    try:
        outcome = confirm_report(
            actor=request_actor(request),
            match_id=loaded_match.pk,
            entry=None,
            version=version,
            submission_key=request.POST.get("submission_key", ""),
            seen=_parse_version(request.POST.get("seen", "") or request.GET.get("seen", "")),
        )
    except CrawfordError as error:
        if (
            isinstance(error, Conflict)
            and not is_script_request(request)
            and may_report(MatchStatus(refresh_row(loaded_match).status))
        ):
            messages.error(request, " ".join(describe_all(error)))
            return match_page(request, event, loaded_match, status=error.status)  # with the current reports
        return render_refused_action(request, error, back=match_url(event, loaded_match), match=loaded_match)
    return _recorded_response(request, event, drawn_match(loaded_match), outcome)


def _recorded_response(
    request: HttpRequest, event: Event, row: DrawnMatch, outcome: ReportOutcome
) -> HttpResponse:
    """Redirect to the director's board at the next match; for a script return the result as text."""
    if outcome.repeated:
        message = _("Match %(number)s has already been recorded.")
    elif is_script_request(request):
        message = _("Match %(number)s: %(a)s %(score)s %(b)s.")
    else:
        message = _("Result of match %(number)s recorded.")
    labels = side_labels(row)
    params = {
        "number": row.number,
        "a": labels[Side.A],
        "b": labels[Side.B],
        "score": f"{outcome.report.score_a}–{outcome.report.score_b}",
    }
    next_id = request.POST.get("next", "")
    anchor = next_id if len(next_id) == PUBLIC_ID_LENGTH and next_id.isascii() and next_id.isalnum() else ""
    return success_response(request, message % params, board_url(event, match_public_id=anchor))


def _parse_version(text: str) -> int | None:
    """Parse the number of a version that a page sent back; None if it is not a number."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else None


def _form_errors(form: ResultForm) -> list[str]:
    """Return all errors of a form as lines of text; an error of a score field begins with its label."""
    return [
        f"{form.fields[name].label}: {fault}" if name in ("score_a", "score_b") else str(fault)
        for name, faults in form.errors.items()
        for fault in faults
    ]


@event_action
def resolve_objection(request: HttpRequest, event: Event, match: str) -> HttpResponse:
    """Mark a player's objection to the result as settled.

    Field ``objection``: database id of the objection.
    """
    loaded_match = get_match_or_404(event, match)
    objection = find_objection(loaded_match, parse_row_id(request.POST.get("objection", "")))
    if objection is None:
        raise Missing("objection.unknown")
    try:
        settle_objection(actor=request_actor(request), objection_id=objection.pk)
    except CrawfordError as error:
        return render_refused_action(request, error, back=match_url(event, loaded_match), match=loaded_match)
    messages.success(request, _("Correction request of %(name)s resolved.") % {"name": objection.entry.name})
    return redirect(match_url(event, loaded_match))


def match_url(event: Event, loaded_match: Match) -> str:
    return reverse("director:match", args=[event.public_id, loaded_match.public_id])


@event_action
def change_record_visibility(request: HttpRequest, event: Event, match: str) -> HttpResponse:
    """Set whether a game record is public, after the players were asked. Fields: ``report`` and ``shown``."""
    loaded_match = get_match_or_404(event, match)
    try:
        settle_record_for(
            actor=request_actor(request),
            match_id=loaded_match.pk,
            report_version=_parse_version(request.POST.get("report", "")) or 0,
            is_public=request.POST.get("shown") == "yes",
        )
    except CrawfordError as error:
        return render_refused_action(request, error, back=match_url(event, loaded_match), match=loaded_match)
    messages.success(request, _("Saved."))
    return redirect(match_url(event, loaded_match))
