"""Player's personal page, opened by personal link: next match, report, confirmation, objection.

The services decide what is allowed; their errors are displayed at the field.
"""

from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from faults import Conflict, CrawfordError, Missing, NotAllowed
from games.web.uploads import limit_upload
from people.messages import describe
from people.selectors import refresh_row
from people.snapshot import snapshot
from people.web.versioned import page_etag, versioned_response
from people.webpush import site_key
from tournaments.engine.statuses import DRAW_PUBLIC, EVENT_OVER
from tournaments.matches.services import reports
from tournaments.matches.services.objections import object_to_result
from tournaments.matches.services.reports import ReportOutcome
from tournaments.matches.web.answered import acknowledge_key
from tournaments.matches.web.arranging import arrangement_contexts
from tournaments.matches.web.attach_record import AttachedRecord, attachment_from_request
from tournaments.matches.web.before import before_match_contexts, call_context, check_in_context, ring_context
from tournaments.matches.web.link_phones import (
    access_context,
    add_decision_message,
    browser_access,
    code_from_form,
    enter_typed_code,
    request_access_context,
    with_device,
)
from tournaments.matches.web.own_match import match_context, open_match_context, side_labels
from tournaments.matches.web.player_forms import ConfirmReportForm, ObjectionForm, ReportForm
from tournaments.matches.web.waiting import path_and_meetings, waiting_message
from tournaments.models import Entry, Event
from tournaments.notices.web.shown import notice_contexts
from tournaments.selectors.access.links import entry_from_token
from tournaments.selectors.access.phones import RequestOrigin, link_actor
from tournaments.selectors.entries import CONFIRMED_STATUSES
from tournaments.selectors.event_dates import event_today
from tournaments.selectors.events.detail import stages_in
from tournaments.selectors.hall.forecast import forecast_version
from tournaments.selectors.matches.own import can_withdraw
from tournaments.selectors.matches.player import (
    MyMatch,
    OwnPlayer,
    my_event,
    my_match,
    own_players,
)
from tournaments.selectors.money import is_money
from tournaments.selectors.standings.tables import is_round_based
from tournaments.selectors.waiting import place_in_queue
from tournaments.shared.fragments.cards import Context
from tournaments.shared.fragments.returning import reinstatement_context
from tournaments.shared.fragments.since import expected_start_label
from tournaments.shared.frames.device import current_device, known_device
from tournaments.shared.frames.player import secret_view
from tournaments.shared.words.names import (
    event_dates_label,
)

# Faults of the phone, not of the report: the form is redisplayed with a field for the code.
PHONE_FAULT_CODES = frozenset({"phone.other", "phone.code_wrong", "phone.codes_often", "phone.too_many"})


@secret_view
@require_safe
def home(request: HttpRequest, token: str) -> HttpResponse:
    """Personal page with the current tasks of the link's holder, and past matches."""
    entry = entry_from_token(token)
    event = entry.division.event
    notices = notice_contexts(event, [entry.division_id])
    players = own_players(entry)
    versions = [
        *(event.version, event.club.version, entry.link_version, forecast_version(event), event_today(event)),
        *(known_device(request), request.user.pk),  # this phone's access, which changes only with the event
        *(notice["key"] for notice in notices),
        *players,
        *(getattr(entry, name, None) for name in ("last_word", "last_arranged", "open_check_in")),
    ]
    return versioned_response(
        request,
        versions,
        lambda: render_home(
            request, token, entry, etag=page_etag(request, versions), notices=notices, players=players
        ),
    )


@secret_view
@require_http_methods(["GET", "HEAD", "POST"])
@limit_upload()
@acknowledge_key
def report(request: HttpRequest, token: str, match: str) -> HttpResponse:
    """Page to report how a match ended. Buttons ``check`` and ``game`` only redisplay the form."""
    entry = entry_from_token(token)
    own_match = _own_match(request, entry, match)
    if request.method != "POST":
        if not own_match.can_report:
            return redirect("player:home", token)
        return _render_report(request, token, entry, own_match, ReportForm(match=own_match))
    attached = attachment_from_request(request, own_match.match, side_labels(own_match))
    form = ReportForm(request.POST, match=own_match)
    form.is_draft = "check" in request.POST or "game" in request.POST
    if "check" in request.POST:
        attached.check_and_hold()
        if attached.claim is not None:
            form.fill(attached.claim)
        status = 200 if attached.claim is not None else 422
        return _render_report(request, token, entry, own_match, form, attached, status=status)
    if tap := request.POST.get("game", ""):
        form.apply_tap(tap)
        attached.check_and_hold()
        return _render_report(request, token, entry, own_match, form, attached)
    if not form.is_valid() or attached.faults:
        attached.check_and_hold()
        return _render_report(request, token, entry, own_match, form, attached, status=422)
    phone = current_device(request, form.cleaned_data["submission_key"])
    try:
        if code_from_form(request):
            enter_typed_code(request, entry, phone)
        outcome = reports.submit_report(
            actor=link_actor(entry),
            match_id=own_match.match.pk,
            entry=entry,
            claim=form.claim(),
            submission_key=form.cleaned_data["submission_key"],
            note=form.cleaned_data["note"],
            sheet=form.sheet_rows(),
            record=attached.upload,
            phone=phone,
        )
    except Conflict as conflict:
        return _conflict_page(request, token, entry, conflict)
    except CrawfordError as error:
        if error.code in PHONE_FAULT_CODES:
            attached.check_and_hold()
            access = request_access_context(request, entry, phone, error)
            response = _render_report(
                request, token, entry, own_match, form, attached, access=access, status=error.status
            )
            return with_device(response, phone)
        if isinstance(error, NotAllowed):
            raise PermissionDenied(describe(error)) from error
        form.add_service_errors(error)
        attached.add_error_messages(error)
        return _render_report(request, token, entry, own_match, form, attached, status=error.status)
    attached.sent()
    return _reported_response(request, token, outcome, own_match, phone)


@secret_view
@acknowledge_key
def report_without_cookie(request: HttpRequest, token: str, match: str) -> HttpResponse:
    """Redisplay a report that was sent without the CSRF cookie: nothing is saved, and nothing is lost."""
    entry = entry_from_token(token)
    own_match = _own_match(request, entry, match)
    attached = attachment_from_request(request, own_match.match, side_labels(own_match))
    attached.check_and_hold()
    form = ReportForm(request.POST, match=own_match)
    return _render_report(request, token, entry, own_match, form, attached, no_cookie=True, status=403)


@secret_view
@require_POST
@acknowledge_key
def confirm_opponent_report(request: HttpRequest, token: str, match: str) -> HttpResponse:
    """Confirm the opponent's report. Field ``version``: the report that was displayed."""
    entry = entry_from_token(token)
    own_match = _own_match(request, entry, match)
    form = ConfirmReportForm(request.POST)
    if not form.is_valid():
        raise Missing("report.unknown")
    phone = current_device(request, form.cleaned_data["submission_key"])
    try:
        outcome = reports.confirm_report(
            actor=link_actor(entry),
            match_id=own_match.match.pk,
            entry=entry,
            version=form.cleaned_data["version"],
            submission_key=form.cleaned_data["submission_key"],
            phone=phone,
        )
    except Missing:
        raise
    except CrawfordError as error:
        if error.code in PHONE_FAULT_CODES:
            access = request_access_context(request, entry, phone, error)
            return with_device(render_home(request, token, entry, access=access, status=error.status), phone)
        return _conflict_page(request, token, entry, error)
    return _reported_response(request, token, outcome, own_match, phone)


@secret_view
@require_http_methods(["GET", "HEAD", "POST"])
def report_mistake(request: HttpRequest, token: str, match: str) -> HttpResponse:
    """Page to object to a confirmed result. The director is notified; the result does not change."""
    entry = entry_from_token(token)
    own_match = _own_match(request, entry, match)
    form = ObjectionForm(request.POST if request.method == "POST" else None)
    access: Context | None = None
    phone = current_device(request)
    if request.method == "POST" and form.is_valid():
        try:
            if code_from_form(request):
                enter_typed_code(request, entry, phone)
            object_to_result(
                actor=link_actor(entry),
                match_id=own_match.match.pk,
                entry=entry,
                text=form.cleaned_data["text"],
                phone=phone,
            )
        except CrawfordError as error:
            if error.code not in PHONE_FAULT_CODES:
                return _conflict_page(request, token, entry, error)
            access = request_access_context(request, entry, phone, error)
        else:
            messages.success(
                request,
                _("Mistake reported to the director. The result stays until the director changes it."),
            )
            return with_device(redirect("player:home", token), phone)
    if request.method != "POST" and (own_match.has_correction_request or not own_match.over):
        return redirect("player:home", token)
    context = {
        **link_page_context(token, entry),
        "form": form,
        "match": match_context(own_match),
        "door": access,
    }
    if access is not None:
        return with_device(render(request, "matches/object.html", context, status=403), phone)
    return render(request, "matches/object.html", context, status=422 if form.errors else 200)


def _own_match(request: HttpRequest, entry: Entry, public_id: str) -> MyMatch:
    """Return the entry's match; for a match of others, raises 403 in a POST and 404 otherwise."""
    own_match = my_match(entry, public_id)
    if own_match is None and request.method == "POST":
        raise PermissionDenied(describe(NotAllowed("report.not_your_match")))
    if own_match is None:
        raise Missing("match.unknown")
    return own_match


def _conflict_page(request: HttpRequest, token: str, entry: Entry, error: CrawfordError) -> HttpResponse:
    """Render the current personal page with the reason why the submission was rejected."""
    refresh_row(entry.division.event)
    return render_home(request, token, entry, error_message=describe(error), status=error.status)


@snapshot()
def render_home(
    request: HttpRequest,
    token: str,
    entry: Entry,
    *,
    etag: str = "",
    error_message: str = "",
    status: int = 200,
    notices: list[Context] | None = None,
    players: list[OwnPlayer] | None = None,
    access: Context | None = None,
    access_fault: str = "",
    typed_reason: str = "",
    hall_code: Context | None = None,
) -> HttpResponse:
    """Render the personal page.

    ``typed_reason``: submitted reason; ``hall_code``: submitted code and its error; ``error_message``,
    ``access_fault``: errors about the match and about this device's access; ``access``: known access context.
    """
    view = my_event(entry)
    before_by_match = before_match_contexts(entry, view.open + view.waiting, typed_reason)
    arrangements = arrangement_contexts(entry, view.open)
    if access is None:
        access = access_context(entry, browser_access(request, entry), fault=access_fault)
    event = entry.division.event
    is_over = event.status in EVENT_OVER
    place = view.place
    stages = stages_in(entry.division)
    any_matches = view.open or view.waiting or view.finished
    context = {
        **link_page_context(token, entry, notices, players),
        "etag": etag,
        "refused": error_message,
        "door": access,
        "push_url": reverse("player:link-push", args=[token]),
        "push_key": site_key(),
        "opened_url": reverse("player:link-opened", args=[token]),
        "may_leave": not is_over
        and entry.status in CONFIRMED_STATUSES
        and not any_matches
        and can_withdraw(entry),
        "open": [
            {
                **open_match_context(match),
                "talk": arrangements.get(pk),
                **call_context(match, before_by_match.get(pk)),
            }
            for match in view.open
            for pk in (match.match.pk,)
        ],
        "waiting": [
            {
                **match_context(match),
                "begins": expected_start_label(match.match.pk, event),
                "before": before_by_match.get(match.match.pk),
            }
            for match in view.waiting
        ],
        "finished": [{**match_context(match), "has_games": match.has_games} for match in view.finished],
        "any_games": any(match.has_games for match in view.finished),
        "check_in": check_in_context(entry, hall_code),
        **path_and_meetings(entry, view),
        **ring_context(view.open, before_by_match, event),
        "place": str(place) if place is not None and place.settled else "",
        "won_it": place is not None and place.settled and place.last == 1,
        "over": is_over,
        "queue": place_in_queue(entry),
        "back": reinstatement_context(entry),
        "waits_for": "" if is_over or view.open or view.waiting else waiting_message(entry, stages),
        "so_far": str(place) if place is not None and not place.settled else "",
        "has_points": any(is_money(stage) for stage in stages),
        "has_rounds": any(is_round_based(stage) for stage in stages),
        "has_draw": any(stage.status in DRAW_PUBLIC for stage in stages),
    }
    return render(request, "matches/home.html", context, status=status)


def _render_report(
    request: HttpRequest,
    token: str,
    entry: Entry,
    own_match: MyMatch,
    form: ReportForm,
    attached: AttachedRecord | None = None,
    *,
    access: Context | None = None,
    no_cookie: bool = False,
    status: int = 200,
) -> HttpResponse:
    form.focus_first_error()
    context = {
        **link_page_context(token, entry),
        "match": open_match_context(own_match, form, attached),
        "door": access,
        "no_cookie": no_cookie,
    }
    return render(request, "matches/report.html", context, status=status)


def link_page_context(
    token: str,
    entry: Entry,
    notices: list[Context] | None = None,
    players: list[OwnPlayer] | None = None,
) -> dict[str, Any]:
    """Return the template context common to all pages of a personal link."""
    event: Event = entry.division.event
    link_players = own_players(entry) if players is None else players
    return {
        "token": token,
        "entry": entry,
        "event": event,
        "club": event.club,
        "when": event_dates_label(event),
        "notices": notice_contexts(event, [entry.division_id]) if notices is None else notices,
        "own_pages": [public_id for public_id, _version, listed, _account in link_players if listed],
        "unclaimed": any(account is None for *_about, account in link_players),
    }


def _reported_response(
    request: HttpRequest, token: str, outcome: ReportOutcome, own_match: MyMatch, phone: RequestOrigin
) -> HttpResponse:
    """Redirect to the personal page with a message about the outcome."""
    add_decision_message(request, outcome, own_match)
    return with_device(redirect("player:home", token), phone)
