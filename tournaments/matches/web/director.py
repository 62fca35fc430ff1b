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
from tournaments.selectors.access.phones import pending_phones
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
from tournaments.selectors.matches.sheets import build_sheet
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
    """The match with all its reports."""
    found = get_match_or_404(event, match)
    return versioned_response(request, _versions(event, found), lambda: match_page(request, event, found))


def _versions(event: Event, found: Match) -> list[object]:
    """Return the versions of the page.

    Before a match, players get notices that do not change the event, so the page has a new version each
    minute. After it, analyses change the page.
    """
    minute = int(timezone.now().timestamp()) // 60 if found.status in NOT_STARTED else 0
    analysed = analysis_version(found) if found.status == MatchStatus.CONFIRMED else ""
    return [event.version, event.club.version, minute, analysed]


def match_page(
    request: HttpRequest,
    event: Event,
    found: Match,
    form: ResultForm | None = None,
    status: int = 200,
    attached: AttachedRecord | None = None,
    rulings: RulingsPanel | None = None,
) -> HttpResponse:
    row = drawn_match(found)
    reports = [_report_context(report, row, found, event) for report in report_rows(found)]
    can = (
        {action.value for action in allowed_actions(row.status)}
        if event.status == EventStatus.RUNNING
        else set()
    )
    over = row.status is MatchStatus.CONFIRMED
    may_correct = over and not row.is_bye
    arranged = row.status is MatchStatus.READY and is_arranged(found.stage, row)
    open_now = may_report(row.status) and event.status == EventStatus.RUNNING
    objections = objections_to(found)
    context: dict[str, Any] = {
        "etag": page_etag(request, _versions(event, found)),
        "match": found,
        "card": {
            **match_card(row, time="" if over else deadline_label(found.round.deadline)),
            "url": "",
            "round_name": match_round_name(found),
        },
        "arranged": arranged,
        "entries": [
            {
                "name": side.name,
                "url": f"{reverse('director:entry', args=[event.public_id, side.entry_public_id])}?match={found.public_id}",
            }
            for side in row.sides
            if side.entry_id is not None
        ],
        "bye": row.is_bye,
        "claims": sorted(
            (report for report in reports if open_now and report["state"] == Report.State.OPEN),
            key=lambda report: str(report["side"]),
        ),
        "reports": reports,
        "one_device": any(report["one_device"] for report in reports),
        "asking": pending_phones(event, [side.entry_id for side in row.sides if side.entry_id is not None]),
        "answers": answer_contexts(found, event),
        "talk": conversation_context(found, event, reads=not is_helper(request))
        if found.stage.by_arrangement
        else None,
        "objections": [
            {"row": objection, "when": date_and_time(objection.created_at, event)} for objection in objections
        ],
        "form": form
        if form is not None
        else result_form(event, found, row)
        if open_now or may_correct
        else None,
        "correcting": may_correct,
        "may_record": open_now,
        "moves": [
            {"word": action_slug(action), "words": words, "can": action.value in can and not arranged}
            for action, words in MATCH_ACTION_TEXTS.items()
        ],
        "may_move": not arranged and not can.isdisjoint(MATCH_ACTION_TEXTS),
        "can_table": open_now and row.status in AT_TABLE,
        "rulings": rulings or rulings_panel(event, found, side_labels(row)),
        "adjourned": adjourned_context(found, side_labels(row)),
        "clock": "" if over else match_clock_label(found),
        "repair": repair_context(event, found),
        "played": date_and_time(found.played_at, event),
        "next": request.GET.get("next", "") or request.POST.get("next", ""),
        "key": new_submission_key(),
        "attached": attached or empty_attachment(found, side_labels(row)),
        "analysis": None if is_helper(request) else analysis_context(found),
        **_consents_context(found),
    }
    return render_event_page(request, "matches/director_match.html", event, "matches", context, status=status)


def _consents_context(found: Match) -> dict[str, Any]:
    """Return the players' consents, and the records with their visibility."""
    replies = combined_replies(replies_at_match(found))
    return {
        "agreed": consent_badges(replies),
        "records": record_links(found, directs=True, reply=replies[Consent.RECORD]),
        "minds": replies[Consent.RECORD] is Reply.NO,
    }


def side_labels(row: DrawnMatch) -> dict[Side, str]:
    """Return the names of both sides in forms and sentences."""
    return {Side.A: row.sides[0].name or _("First side"), Side.B: row.sides[1].name or _("Second side")}


def result_form(event: Event, found: Match, row: DrawnMatch, data: Any = None) -> ResultForm:
    named = side_labels(row)
    names = (named[Side.A], named[Side.B])
    initial: dict[str, Any] = {
        "submission_key": new_submission_key(),
        "kind": found.result_kind or ResultKind.PLAYED,
    }
    if row.status is MatchStatus.CONFIRMED:
        follows_from_score = found.length in {found.score_a, found.score_b}
        initial |= {
            "score_a": found.score_a,
            "score_b": found.score_b,
            "winner": "" if follows_from_score else found.winner_side,
        }
    else:
        least = minimum_match_score(found)
        initial |= {"score_a": least.a, "score_b": least.b}
    return ResultForm(data, match=found, names=names, zone=event.timezone, initial=initial)


def _report_context(report: ReportRow, row: DrawnMatch, found: Match, event: Event) -> dict[str, Any]:
    """Return a report with its texts and its winner."""
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
        "one_device": report.one_device,
        "phone": report.phone,
        "sheet": sheet_context(build_sheet(found, report.sheet, claim)),
    }


@staff_action
@limit_upload()
def record_result(request: HttpRequest, event: Event, match: str) -> HttpResponse:
    """Record a result, or decide a dispute by another score; or only check the record beside it."""
    drawn = find_drawn_match(event, match)
    if drawn is None:
        raise Missing("match.unknown")
    found, row = drawn
    form = result_form(event, found, row, request.POST)
    attached = attachment_from_request(request, found, side_labels(row))
    if "check" in request.POST:
        attached.check_and_hold()
        if attached.claim is not None:
            form.fill(attached.claim)
        return match_page(
            request, event, found, form, 200 if attached.claim is not None else INVALID_STATUS, attached
        )
    if form.is_valid() and not attached.faults:
        data = form.cleaned_data
        try:
            answer = submit_report(
                actor=request_actor(request),
                match_id=found.pk,
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
                return render_refused_action(request, error, back=match_url(event, found), match=found)
            add_faults(form, error, leave=("record",))
            attached.show(error)
        else:
            attached.sent()
            return _recorded_response(request, event, row, answer)
    if is_script_request(request):
        return refusal_response(_form_errors(form), INVALID_STATUS)
    attached.check_and_hold()
    return match_page(request, event, found, form, INVALID_STATUS, attached)


@staff_action
def accept_report(request: HttpRequest, event: Event, match: str) -> HttpResponse:
    """Make a player's report the result. With ``seen``, only if the match has not changed since."""
    found = get_match_or_404(event, match)
    version = _parse_version(request.POST.get("version", ""))
    if version is None:
        raise Missing("report.unknown")
    try:
        answer = confirm_report(
            actor=request_actor(request),
            match_id=found.pk,
            entry=None,
            version=version,
            submission_key=request.POST.get("submission_key", ""),
            seen=_parse_version(request.POST.get("seen", "") or request.GET.get("seen", "")),
        )
    except CrawfordError as error:
        if (
            isinstance(error, Conflict)
            and not is_script_request(request)
            and may_report(MatchStatus(refresh_row(found).status))
        ):
            messages.error(request, " ".join(describe_all(error)))
            return match_page(request, event, found, status=error.status)  # with the current reports
        return render_refused_action(request, error, back=match_url(event, found), match=found)
    return _recorded_response(request, event, drawn_match(found), answer)


def _recorded_response(
    request: HttpRequest, event: Event, row: DrawnMatch, answer: ReportOutcome
) -> HttpResponse:
    """Return to the board at the next line; for a script return the result itself."""
    if answer.repeated:
        words = _("Match %(number)s has already been recorded.")
    elif is_script_request(request):
        words = _("Match %(number)s: %(a)s %(score)s %(b)s.")
    else:
        words = _("Result of match %(number)s recorded.")
    named = side_labels(row)
    params = {
        "number": row.number,
        "a": named[Side.A],
        "b": named[Side.B],
        "score": f"{answer.report.score_a}–{answer.report.score_b}",
    }
    following = request.POST.get("next", "")
    at = (
        following
        if len(following) == PUBLIC_ID_LENGTH and following.isascii() and following.isalnum()
        else ""
    )
    return success_response(request, words % params, board_url(event, at=at))


def _parse_version(sent: str) -> int | None:
    """Parse a version that a page sent back."""
    return int(sent) if sent.isascii() and sent.isdecimal() and len(sent) < 10 else None


def _form_errors(form: ResultForm) -> list[str]:
    """Return all errors of a form for a line of the board; those of one side begin with its name."""
    return [
        f"{form.fields[name].label}: {fault}" if name in ("score_a", "score_b") else str(fault)
        for name, faults in form.errors.items()
        for fault in faults
    ]


@event_action
def resolve_objection(request: HttpRequest, event: Event, match: str) -> HttpResponse:
    """Settle an objection."""
    found = get_match_or_404(event, match)
    objection = find_objection(found, parse_row_id(request.POST.get("objection", "")))
    if objection is None:
        raise Missing("objection.unknown")
    try:
        settle_objection(actor=request_actor(request), objection_id=objection.pk)
    except CrawfordError as error:
        return render_refused_action(request, error, back=match_url(event, found), match=found)
    messages.success(request, _("Correction request of %(name)s resolved.") % {"name": objection.entry.name})
    return redirect(match_url(event, found))


def match_url(event: Event, found: Match) -> str:
    return reverse("director:match", args=[event.public_id, found.public_id])


@event_action
def change_record_visibility(request: HttpRequest, event: Event, match: str) -> HttpResponse:
    """Set whether a record is public, after the players were asked."""
    found = get_match_or_404(event, match)
    try:
        settle_record_for(
            actor=request_actor(request),
            match_id=found.pk,
            report=_parse_version(request.POST.get("report", "")) or 0,
            shown=request.POST.get("shown") == "yes",
        )
    except CrawfordError as error:
        return render_refused_action(request, error, back=match_url(event, found), match=found)
    messages.success(request, _("Saved."))
    return redirect(match_url(event, found))
