"""Director's page of a points league.

Options, form for the next session, standings and cancelled sessions.
"""

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from faults import CrawfordError, Missing
from people.messages import describe, describe_all
from people.snapshot import snapshot
from people.web.access import request_actor
from people.web.faults import add_faults
from people.web.forms import DateField
from tournaments.engine.standings.money import MAX_DOUBLES, MAX_SESSIONS, MoneySettings
from tournaments.engine.statuses import EVENT_OVER, EventStatus, StageStatus
from tournaments.models import Event, MoneySession, Stage
from tournaments.money_play.services.sessions import (
    MAX_NOTE_LENGTH,
    SessionDetails,
    finish_points_league,
    open_points_league,
    record_session,
    reopen_points_league,
    restore_session,
    strike_session,
    undo_open_points_league,
    update_money_settings,
)
from tournaments.selectors.entries import EntryRow, entries_by_division
from tournaments.selectors.event_dates import event_today
from tournaments.selectors.events.director import linked_stages
from tournaments.selectors.money import PlayedSession, PointsLeague, is_money, points_league
from tournaments.shared.fragments.money import points_league_context, points_league_rule_rows, session_context
from tournaments.shared.frames.access import event_action, event_form
from tournaments.shared.frames.director import INVALID_STATUS, render_event_page, render_refused_action
from tournaments.shared.frames.keys import new_submission_key

CONFLICT_STATUS = 409
_SIGN_TRANSLATION = str.maketrans({"−": "-", "–": "-", "‐": "-", "‑": "-", "＋": "+"})


class MoneyForm(forms.Form):
    """Form for the options of a points league, which can be set before the first session."""

    jacoby = forms.BooleanField(
        label=gettext_lazy("Jacoby rule"),
        required=False,
        help_text=gettext_lazy("Gammons and backgammons count only after a double."),
    )
    beavers = forms.BooleanField(label=gettext_lazy("Beavers"), required=False)
    raccoons = forms.BooleanField(label=gettext_lazy("Raccoons"), required=False)
    automatic_doubles = forms.IntegerField(
        label=gettext_lazy("Automatic doubles per game"), min_value=0, max_value=MAX_DOUBLES
    )
    min_sessions = forms.IntegerField(
        label=gettext_lazy("Sessions needed for a place"),
        min_value=1,
        max_value=MAX_SESSIONS,
        help_text=gettext_lazy(
            "Players with fewer sessions are listed below the standings, without a place."
        ),
    )

    def settings(self) -> MoneySettings:
        return MoneySettings(**self.cleaned_data)


class SessionForm(forms.Form):
    """Form for a session, without the fields for the players' points.

    ``seen``: the number of the last session that the user saw; ``corrects``: public id of the session that
    this one replaces.
    """

    played_on = DateField(label=gettext_lazy("Date"))
    note = forms.CharField(
        label=pgettext_lazy("to a session", "Note"), required=False, max_length=MAX_NOTE_LENGTH
    )
    outsider = forms.BooleanField(
        label=gettext_lazy("A guest from outside the league played"),
        required=False,
        help_text=gettext_lazy("Only then may the total differ from zero."),
    )
    submission_key = forms.CharField(max_length=64, widget=forms.HiddenInput)
    seen = forms.IntegerField(min_value=0, max_value=100_000, widget=forms.HiddenInput)
    corrects = forms.SlugField(required=False, max_length=16, widget=forms.HiddenInput)


@dataclass
class _FormState:
    """The forms of the page with their errors.

    ``points``: the entered text of each player's points, keyed by the entry's public id. ``at``: errors of
    these texts, keyed by entry id. ``faults``: errors without a field. ``answer``: HTTP status.
    """

    session: SessionForm
    points: Mapping[str, str] = field(default_factory=dict)
    money: MoneyForm | None = None
    faults: list[str] = field(default_factory=list)
    at: dict[int, list[str]] = field(default_factory=dict)
    answer: int = 200


@event_form
def money(request: HttpRequest, event: Event) -> HttpResponse:
    """Page of a points league with the form for its next session; POST records the session."""
    stages, stage, place = _stage_from_request(request, event)
    league = points_league(stage)
    entries = tuple(entries_by_division([stage.division_id])[stage.division_id])
    if request.method != "POST":
        return _page(
            request, event, stages, league, entries, place, _initial_state(request, event, league, entries)
        )
    form_state = _FormState(SessionForm(request.POST), _points_from_form(request, entries))
    scores = _parse_scores(form_state, entries)
    if not form_state.session.is_valid() or form_state.at:
        form_state.answer = INVALID_STATUS
        return _page(request, event, stages, league, entries, place, form_state)
    data = form_state.session.cleaned_data
    corrected_session = _session_or_404(league, data["corrects"]) if data["corrects"] else None
    try:
        session = record_session(
            actor=request_actor(request),
            event_id=event.pk,
            stage_id=stage.pk,
            details=SessionDetails(
                played_on=data["played_on"], scores=scores, note=data["note"], outsider=data["outsider"]
            ),
            submission_key=data["submission_key"],
            seen=data["seen"],
            corrects=corrected_session.row.pk if corrected_session is not None else None,
        )
    except CrawfordError as error:
        if error.status == CONFLICT_STATUS and error.code == "money.session_meanwhile":
            form_state.faults, form_state.answer = describe_all(error), CONFLICT_STATUS
            league = points_league(stage)
            form_state.session.data = {**request.POST.dict(), "seen": league.latest}
            return _page(request, event, stages, league, entries, place, form_state)
        if error.status != INVALID_STATUS:
            return render_refused_action(request, error, back=_league_url(event, place))
        _assign_faults(form_state, error)
        return _page(request, event, stages, league, entries, place, form_state)
    messages.success(request, _("Session %(number)s saved.") % {"number": session.number})
    return redirect(_league_url(event, place))


def _initial_state(
    request: HttpRequest, event: Event, league: PointsLeague, entries: tuple[EntryRow, ...]
) -> _FormState:
    """Return an empty session form.

    With ``?correct=ID``, a form with the values of the session to be replaced.
    """
    today = event_today(event)
    initial: dict[str, Any] = {
        "played_on": min(max(today, event.starts_on), event.ends_on),
        "submission_key": new_submission_key(),
        "seen": league.latest,
    }
    public_id = request.GET.get("correct", "")
    corrected_session = _session_or_404(league, public_id) if public_id else None
    if corrected_session is None:
        return _FormState(SessionForm(initial=initial))
    initial |= {
        "played_on": corrected_session.row.played_on,
        "note": corrected_session.row.note,
        "outsider": bool(corrected_session.outside),
        "corrects": public_id,
    }
    points = {
        entry.public_id: str(corrected_session.scores[pk])
        for entry in entries
        for pk in corrected_session.scores
        if pk == entry.pk
    }
    return _FormState(SessionForm(initial=initial), points)


def _points_from_form(request: HttpRequest, entries: tuple[EntryRow, ...]) -> dict[str, str]:
    return {
        entry.public_id: request.POST.get(f"points-{entry.public_id}", "").strip()[:12] for entry in entries
    }


def _parse_scores(form_state: _FormState, entries: tuple[EntryRow, ...]) -> dict[int, int]:
    """Return the points of each entry that played, keyed by entry id.

    Text that is not an integer adds an error to its field in ``form_state`` and is left out.
    """
    scores = {}
    for entry in entries:
        text = form_state.points[entry.public_id].replace(" ", "").translate(_SIGN_TRANSLATION)
        if not text:
            continue
        digits = text.removeprefix("-").removeprefix("+")
        if digits.isascii() and digits.isdecimal() and len(text) - len(digits) <= 1:
            scores[entry.pk] = int(text)
        else:
            form_state.at[entry.pk] = [_("Enter whole points, for example 8 or −5.")]
    return scores


def _assign_faults(form_state: _FormState, error: CrawfordError) -> None:
    """Add each error of a refused session to its form field, to the player's points, or to the page."""
    form_state.answer = INVALID_STATUS
    for fault in error.faults:
        field_name, _sep, pk = (fault.field or "").partition("-")
        if field_name == "points" and pk.isdecimal():
            form_state.at.setdefault(int(pk), []).append(describe(fault))
        elif fault.field in form_state.session.fields:
            form_state.session.add_error(fault.field, describe(fault))
        else:
            form_state.faults.append(describe(fault))


@snapshot()
def _page(
    request: HttpRequest,
    event: Event,
    stages: list[Stage],
    league: PointsLeague,
    entries: tuple[EntryRow, ...],
    place: int,
    typed: _FormState,
) -> HttpResponse:
    stage = league.stage
    is_in_setup = stage.status == StageStatus.SETUP
    is_running = event.status == EventStatus.RUNNING and stage.status == StageStatus.RUNNING
    corrected_id = str(typed.session["corrects"].value() or "")
    corrected_session = _session_or_404(league, corrected_id) if corrected_id else None
    context = {
        "money_number": place,
        "others": [
            (number, str(other.division))
            for number, other in enumerate(stages, start=1)
            if is_money(other) and number != place
        ],
        "money_stage": stage,
        "agreed": points_league_rule_rows(league.settings),
        "money_form": (typed.money or MoneyForm(initial=asdict(league.settings))) if is_in_setup else None,
        "may_start": is_in_setup and event.status not in EVENT_OVER,
        "running": is_running,
        "can_take_back": is_running and not league.sessions,
        "can_finish": is_running and bool(league.counted),
        "can_reopen": stage.status == StageStatus.FINISHED and event.status != EventStatus.CANCELLED,
        "session_form": typed.session,
        "corrected": corrected_session.row.number if corrected_session is not None else None,
        "seats": [
            {
                "public_id": entry.public_id,
                "name": entry.name,
                "value": typed.points.get(entry.public_id, ""),
                "faults": typed.at.get(entry.pk, []),
            }
            for entry in entries
            if not entry.withdrawn or typed.points.get(entry.public_id)
        ],
        "faults": typed.faults,
        "table": points_league_context(league, entries),
        "sessions": [session_context(session, entries) for session in reversed(league.sessions)],
    }
    return render_event_page(
        request, "money_play/money.html", event, "money", context, stages=stages, status=typed.answer
    )


@event_action
def league_action(request: HttpRequest, event: Event, action: str) -> HttpResponse:
    """Start or finish the league, undo either, cancel or restore a session, or change the options."""
    stages, stage, place = _stage_from_request(request, event)
    if action == "settings":
        return _save_settings(request, event, stages, stage, place)
    arguments = {"actor": request_actor(request), "event_id": event.pk, "stage_id": stage.pk}
    if action in _SESSION_ACTIONS:
        session = _session_or_404(points_league(stage), request.POST.get("session", ""))
        service, message = _SESSION_ACTIONS[action]
        arguments["session_id"] = session.row.pk
    elif action in _ACTIONS:
        service, message = _ACTIONS[action]
    else:
        raise Missing("money.action_unknown")
    try:
        result = service(**arguments)
    except CrawfordError as error:
        return render_refused_action(request, error, back=_league_url(event, place))
    number = result.number if isinstance(result, MoneySession) else ""
    messages.success(request, str(message) % {"number": number})
    return redirect(_league_url(event, place))


_ACTIONS: dict[str, tuple[Callable[..., Any], Any]] = {
    "open": (
        open_points_league,
        gettext_lazy("The league has started. Record each session after it is played."),
    ),
    "take-back": (undo_open_points_league, gettext_lazy("The start of the league has been undone.")),
    "finish": (finish_points_league, gettext_lazy("The league is over. The standings are final.")),
    "reopen": (reopen_points_league, gettext_lazy("The league has resumed.")),
}
_SESSION_ACTIONS: dict[str, tuple[Callable[..., Any], Any]] = {
    "strike": (strike_session, gettext_lazy("Session %(number)s no longer counts.")),
    "restore": (restore_session, gettext_lazy("Session %(number)s counts again.")),
}


def _save_settings(
    request: HttpRequest, event: Event, stages: list[Stage], stage: Stage, place: int
) -> HttpResponse:
    form = MoneyForm(request.POST)
    if form.is_valid():
        try:
            update_money_settings(
                actor=request_actor(request), event_id=event.pk, stage_id=stage.pk, settings=form.settings()
            )
        except CrawfordError as error:
            if error.status != INVALID_STATUS:
                return render_refused_action(request, error, back=_league_url(event, place))
            add_faults(form, error)
        else:
            messages.success(request, _("Settings saved."))
            return redirect(_league_url(event, place))
    if stage.status != StageStatus.SETUP:
        return redirect(_league_url(event, place))
    league = points_league(stage)
    entries = tuple(entries_by_division([stage.division_id])[stage.division_id])
    form_state = _initial_state(request, event, league, entries)
    form_state.money, form_state.answer = form, INVALID_STATUS
    return _page(request, event, stages, league, entries, place, form_state)


def _stage_from_request(request: HttpRequest, event: Event) -> tuple[list[Stage], Stage, int]:
    """Return all stages of the event, the money play stage that the request names, and its position from 1.

    Without ``stage`` in the request, the first money play stage. Raises ``Missing`` if there is none.
    """
    stages = linked_stages(event)
    places = {str(number): number for number, stage in enumerate(stages, start=1) if is_money(stage)}
    requested = request.POST.get("stage") or request.GET.get("stage") or next(iter(places), "")
    if requested not in places:
        raise Missing("stage.unknown")
    place = places[requested]
    return stages, stages[place - 1], place


def _session_or_404(league: PointsLeague, public_id: str) -> PlayedSession:
    session = next((played for played in league.sessions if played.row.public_id == public_id), None)
    if session is None:
        raise Missing("money.unknown")
    return session


def _league_url(event: Event, place: int) -> str:
    return f"{reverse('director:money', args=[event.public_id])}?stage={place}"
