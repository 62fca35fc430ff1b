"""A player's own page, made for a phone in one hand: my next match, report, agree, object.

Thin: whether something may be said is decided by the services, and what they refuse is shown where it was typed.
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
from games.web.uploads import bounded
from people.messages import describe
from people.selectors import fresh
from people.snapshot import snapshot
from people.web.versioned import page_etag, versioned
from people.webpush import site_key
from tournaments.engine.matches.reporting import ReportPolicy
from tournaments.engine.statuses import DRAW_SHOWN, EVENT_OVER
from tournaments.engine.types import Side
from tournaments.matches.services import reports
from tournaments.matches.services.objections import object_to_result
from tournaments.matches.services.reports import Answer
from tournaments.matches.web.answered import answers_keys
from tournaments.matches.web.arranging import talk_shapes
from tournaments.matches.web.attach_record import Attached, attached_to, nothing_attached
from tournaments.matches.web.before import before_shapes, call_shape, check_in_shape, ringing
from tournaments.matches.web.claims import claim_shape
from tournaments.matches.web.link_phones import (
    door_shape,
    enter,
    shut_out,
    standing_here,
    tell_decision,
    typed_code,
    with_device,
)
from tournaments.matches.web.player_forms import AgreeForm, ObjectionForm, ReportForm
from tournaments.matches.web.waiting import arranged_shape, waiting_words, way_and_meetings
from tournaments.models import Entry, Event
from tournaments.notices.web.shown import notice_shapes
from tournaments.selectors.access.links import entry_of_token
from tournaments.selectors.access.phones import Phone, link_actor
from tournaments.selectors.entries import SPEAKING
from tournaments.selectors.events.detail import stages_in
from tournaments.selectors.hall.forecast import shown_forecast
from tournaments.selectors.matches.own import may_leave
from tournaments.selectors.matches.player import (
    MyMatch,
    OwnPlayer,
    my_event,
    my_match,
    own_players,
)
from tournaments.selectors.money import is_money
from tournaments.selectors.rounds.deadlines import today_at
from tournaments.selectors.standings.tables import in_rounds
from tournaments.selectors.waiting import place_in_queue
from tournaments.shared.fragments.cards import Shape, placeholder
from tournaments.shared.fragments.returning import way_back
from tournaments.shared.fragments.since import next_at
from tournaments.shared.frames.device import known_device, phone_of
from tournaments.shared.frames.keys import new_key
from tournaments.shared.frames.player import secret_view
from tournaments.shared.words.names import format_sentence, kind_note, round_in_part, when_words
from tournaments.shared.words.rulings import adjourned_shape, award_lines, clock_of_match

# What is refused of the phone and not of what was said: the form is shown again, with the way in.
OF_PHONES = frozenset({"phone.other", "phone.code_wrong", "phone.codes_often", "phone.too_many"})


@secret_view
@require_safe
def home(request: HttpRequest, token: str) -> HttpResponse:
    """What the holder of the link has to do now, and what is behind them."""
    entry = entry_of_token(token)
    event = entry.division.event
    notices = notice_shapes(event, [entry.division_id])
    players = own_players(entry)
    versions = [
        *(event.version, event.club.version, entry.link_version, shown_forecast(event), today_at(event)),
        *(known_device(request), request.user.pk),  # what this phone may, which changes with the event alone
        *(one["key"] for one in notices),
        *players,
        *(getattr(entry, name, None) for name in ("last_word", "last_arranged", "open_check_in")),
    ]
    return versioned(
        request,
        versions,
        lambda: draw_home(
            request, token, entry, etag=page_etag(request, versions), notices=notices, players=players
        ),
    )


@secret_view
@require_http_methods(["GET", "HEAD", "POST"])
@bounded()
@answers_keys
def report(request: HttpRequest, token: str, match: str) -> HttpResponse:
    """Say how a match ended."""
    entry = entry_of_token(token)
    mine = _mine(request, entry, match)
    if request.method != "POST":
        if not mine.can_report:
            return redirect("player:home", token)
        return _draw_report(request, token, entry, mine, ReportForm(match=mine))
    attached = attached_to(request, mine.match, _names(mine))
    form = ReportForm(request.POST, match=mine)
    form.is_draft = "check" in request.POST or "game" in request.POST
    if "check" in request.POST:
        attached.judge()
        if attached.claim is not None:
            form.fill(attached.claim)
        status = 200 if attached.claim is not None else 422
        return _draw_report(request, token, entry, mine, form, attached, status=status)
    if tap := request.POST.get("game", ""):
        form.tapped(tap)
        attached.judge()
        return _draw_report(request, token, entry, mine, form, attached)
    if not form.is_valid() or attached.faults:
        attached.judge()
        return _draw_report(request, token, entry, mine, form, attached, status=422)
    phone = phone_of(request, form.cleaned_data["submission_key"])
    try:
        if typed_code(request):
            enter(request, entry, phone)
        answer = reports.submit_report(
            actor=link_actor(entry),
            match_id=mine.match.pk,
            entry=entry,
            claim=form.claim(),
            submission_key=form.cleaned_data["submission_key"],
            note=form.cleaned_data["note"],
            sheet=form.sheet_rows(),
            record=attached.upload,
            phone=phone,
        )
    except Conflict as conflict:
        return _moved_on(request, token, entry, conflict)
    except CrawfordError as error:
        if error.code in OF_PHONES:
            attached.judge()
            door = shut_out(request, entry, phone, error)
            again = _draw_report(request, token, entry, mine, form, attached, door=door, status=error.status)
            return with_device(again, phone)
        if isinstance(error, NotAllowed):
            raise PermissionDenied(describe(error)) from error
        form.show(error)
        attached.show(error)
        return _draw_report(request, token, entry, mine, form, attached, status=error.status)
    attached.sent()
    return _answered(request, token, answer, mine, phone)


@secret_view
@answers_keys
def report_again(request: HttpRequest, token: str, match: str) -> HttpResponse:
    """The report of a browser that sent its form without its cookie: nothing is taken, and nothing that was typed is lost."""
    entry = entry_of_token(token)
    mine = _mine(request, entry, match)
    attached = attached_to(request, mine.match, _names(mine))
    attached.judge()
    form = ReportForm(request.POST, match=mine)
    return _draw_report(request, token, entry, mine, form, attached, no_cookie=True, status=403)


@secret_view
@require_POST
@answers_keys
def agree(request: HttpRequest, token: str, match: str) -> HttpResponse:
    """The opponent's report is right: one tap. It names the version that was read, so nothing else is agreed to."""
    entry = entry_of_token(token)
    mine = _mine(request, entry, match)
    form = AgreeForm(request.POST)
    if not form.is_valid():
        raise Missing("report.unknown")
    phone = phone_of(request, form.cleaned_data["submission_key"])
    try:
        answer = reports.agree(
            actor=link_actor(entry),
            match_id=mine.match.pk,
            entry=entry,
            version=form.cleaned_data["version"],
            submission_key=form.cleaned_data["submission_key"],
            phone=phone,
        )
    except Missing:
        raise
    except CrawfordError as error:
        if error.code in OF_PHONES:
            door = shut_out(request, entry, phone, error)
            return with_device(draw_home(request, token, entry, door=door, status=error.status), phone)
        return _moved_on(request, token, entry, error)
    return _answered(request, token, answer, mine, phone)


@secret_view
@require_http_methods(["GET", "HEAD", "POST"])
def object_to(request: HttpRequest, token: str, match: str) -> HttpResponse:
    """Tell the director that a confirmed result is wrong. Nothing changes by itself."""
    entry = entry_of_token(token)
    mine = _mine(request, entry, match)
    form = ObjectionForm(request.POST if request.method == "POST" else None)
    door: Shape | None = None
    phone = phone_of(request)
    if request.method == "POST" and form.is_valid():
        try:
            if typed_code(request):
                enter(request, entry, phone)
            object_to_result(
                actor=link_actor(entry),
                match_id=mine.match.pk,
                entry=entry,
                text=form.cleaned_data["text"],
                phone=phone,
            )
        except CrawfordError as error:
            if error.code not in OF_PHONES:
                return _moved_on(request, token, entry, error)
            door = shut_out(request, entry, phone, error)
        else:
            messages.success(
                request,
                _("Mistake reported to the director. The result stays until the director changes it."),
            )
            return with_device(redirect("player:home", token), phone)
    if request.method != "POST" and (mine.objected or not mine.over):
        return redirect("player:home", token)
    context = {**frame(token, entry), "form": form, "match": _shape(mine), "door": door}
    if door is not None:
        return with_device(render(request, "matches/object.html", context, status=403), phone)
    return render(request, "matches/object.html", context, status=422 if form.errors else 200)


def _mine(request: HttpRequest, entry: Entry, public_id: str) -> MyMatch:
    """The entry's own match. Another match is refused to a sender (403) and does not exist for a reader (404)."""
    found = my_match(entry, public_id)
    if found is None and request.method == "POST":
        raise PermissionDenied(describe(NotAllowed("report.not_your_match")))
    if found is None:
        raise Missing("match.unknown")
    return found


def _moved_on(request: HttpRequest, token: str, entry: Entry, error: CrawfordError) -> HttpResponse:
    """The page as it stands now, and why what was sent did not count."""
    fresh(entry.division.event)
    return draw_home(request, token, entry, refused=describe(error), status=error.status)


@snapshot()
def draw_home(
    request: HttpRequest,
    token: str,
    entry: Entry,
    *,
    etag: str = "",
    refused: str = "",
    status: int = 200,
    notices: list[Shape] | None = None,
    players: list[OwnPlayer] | None = None,
    door: Shape | None = None,
    door_fault: str = "",
    typed: str = "",
    hall_code: Shape | None = None,
) -> HttpResponse:
    """The personal page: ``refused`` and ``door_fault`` say why something was not taken, of the match or of this phone; ``typed``: the
    reason that came with it; ``hall_code``: what was typed for the code of the hall, and why it was not taken.
    """
    view = my_event(entry)
    before = before_shapes(entry, view.open + view.waiting, typed)
    talks = talk_shapes(entry, view.open)
    if door is None:
        door = door_shape(entry, standing_here(request, entry), fault=door_fault)
    event = entry.division.event
    over = event.status in EVENT_OVER
    place = view.place
    stages = stages_in(entry.division)
    played = view.open or view.waiting or view.finished
    context = {
        **frame(token, entry, notices, players),
        "etag": etag,
        "refused": refused,
        "door": door,
        "push_url": reverse("player:link-push", args=[token]),
        "push_key": site_key(),
        "opened_url": reverse("player:link-opened", args=[token]),
        "may_leave": not over and entry.status in SPEAKING and not played and may_leave(entry),
        "open": [
            {**_open(match), "talk": talks.get(pk), **call_shape(match, before.get(pk))}
            for match in view.open
            for pk in (match.match.pk,)
        ],
        "waiting": [
            {**_shape(match), "begins": next_at(match.match.pk, event), "before": before.get(match.match.pk)}
            for match in view.waiting
        ],
        "finished": [{**_shape(match), "has_games": match.has_games} for match in view.finished],
        "any_games": any(match.has_games for match in view.finished),
        "check_in": check_in_shape(entry, hall_code),
        **way_and_meetings(entry, view),
        **ringing(view.open, before, event),
        "place": str(place) if place is not None and place.settled else "",
        "won_it": place is not None and place.settled and place.last == 1,
        "over": over,
        "queue": place_in_queue(entry),
        "back": way_back(entry),
        "waits_for": "" if over or view.open or view.waiting else waiting_words(entry, stages),
        "so_far": str(place) if place is not None and not place.settled else "",
        "has_points": any(is_money(stage) for stage in stages),
        "has_rounds": any(in_rounds(stage) for stage in stages),
        "has_draw": any(stage.status in DRAW_SHOWN for stage in stages),
    }
    return render(request, "matches/home.html", context, status=status)


def _draw_report(
    request: HttpRequest,
    token: str,
    entry: Entry,
    mine: MyMatch,
    form: ReportForm,
    attached: Attached | None = None,
    *,
    door: Shape | None = None,
    no_cookie: bool = False,
    status: int = 200,
) -> HttpResponse:
    form.focus_fault()
    context = {
        **frame(token, entry),
        "match": _open(mine, form, attached),
        "door": door,
        "no_cookie": no_cookie,
    }
    return render(request, "matches/report.html", context, status=status)


def frame(
    token: str,
    entry: Entry,
    notices: list[Shape] | None = None,
    players: list[OwnPlayer] | None = None,
) -> dict[str, Any]:
    """What every page behind the link shows."""
    event: Event = entry.division.event
    own = own_players(entry) if players is None else players
    return {
        "token": token,
        "entry": entry,
        "event": event,
        "club": event.club,
        "when": when_words(event),
        "notices": notice_shapes(event, [entry.division_id]) if notices is None else notices,
        "own_pages": [public_id for public_id, _version, listed, _account in own if listed],
        "unclaimed": any(account is None for *_about, account in own),
    }


def _shape(match: MyMatch) -> Shape:
    """A match for the templates, own side first."""
    row = match.row
    scores = row.scores if match.me is row.sides[0] else row.scores[::-1]
    return {
        "public_id": row.public_id,
        "number": row.number,
        "status": row.status.value,
        "round_name": round_in_part(row.section, row.round_code),
        "length": row.length,
        "table": row.table,
        "me": match.me.name,
        "opponent": match.other.name or placeholder(match.other),
        "opponent_id": match.other.entry_public_id,
        "side": match.side.value,
        "other_side": match.side.other.value,
        "mine": scores[0],
        "theirs": scores[1],
        "won": row.winner is match.side,
        "decided": row.winner is not None,
        "note": kind_note(row.result_kind),
        "rules": format_sentence(match.match.stage),
        "clock": clock_of_match(match.match),
        "awards": award_lines(match.match, _names(match)),
        "adjourned": adjourned_shape(match.match, _names(match), seen_by=match.side),
        "objected": match.objected,
        "may_object": match.over and row.status.value == "confirmed",
    }


def _names(match: MyMatch) -> dict[Side, str]:
    return {match.side: match.me.name, match.side.other: match.other.name or placeholder(match.other)}


def _open(match: MyMatch, form: ReportForm | None = None, attached: Attached | None = None) -> Shape:
    """A match without a result: what both said, and the forms that fit."""
    policy = match.match.stage.report_policy
    return {
        **_shape(match),
        **arranged_shape(match),
        "can_report": match.can_report,
        "own_report": claim_shape(match, match.mine),
        "their_report": claim_shape(match, match.theirs),
        "director_decides": policy == ReportPolicy.DIRECTOR_ONLY,
        "settles": policy == ReportPolicy.SINGLE_REPORT_SETTLES,
        "agree_key": new_key(),
        "form": form or ReportForm(match=match),
        "attached": attached or nothing_attached(match.match, _names(match)),
    }


def _answered(request: HttpRequest, token: str, answer: Answer, mine: MyMatch, phone: Phone) -> HttpResponse:
    """Back to the personal page."""
    tell_decision(request, answer, mine)
    return with_device(redirect("player:home", token), phone)
