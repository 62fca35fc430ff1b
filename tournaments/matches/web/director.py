"""One match for the director: what was said, record or decide its result, correct it, see to objections."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from faults import Conflict, CrawfordError, Missing
from games.web.uploads import bounded
from people.ids import LENGTH, row_number
from people.messages import describe_all
from people.selectors import fresh
from people.web.access import actor_of
from people.web.faults import add_faults
from people.web.versioned import page_etag, versioned
from tournaments.engine.consents import Consent, Reply
from tournaments.engine.statuses import (
    AT_TABLE,
    AWAITED,
    EventStatus,
    MatchStatus,
    allowed_actions,
    may_report,
)
from tournaments.engine.types import Claim, ResultKind, Side
from tournaments.hall.web.board import match_or_missing
from tournaments.hall.web.narrowing import board_address
from tournaments.matches.services.objections import settle_objection
from tournaments.matches.services.publishing import settle_record as settle_record_for
from tournaments.matches.services.reports import Answer, agree, submit_report
from tournaments.matches.web.analysing import for_desk, version_for_desk
from tournaments.matches.web.arranging import talk_for_desk
from tournaments.matches.web.attach_record import Attached, attached_to, nothing_attached
from tournaments.matches.web.before import answer_shapes
from tournaments.matches.web.result_form import ResultForm
from tournaments.matches.web.ruling_forms import Rulings, rulings_of
from tournaments.models import Event, Match, Report
from tournaments.selectors.access.phones import phones_asking
from tournaments.selectors.consents import at_match, for_all
from tournaments.selectors.draws import DrawnMatch, drawn_match
from tournaments.selectors.events.director import (
    ReportRow,
    drawn_match_of_event,
    objection_to,
    objections_to,
    reports_of,
)
from tournaments.selectors.matches.claims import least_of
from tournaments.selectors.matches.sheets import sheet_of
from tournaments.selectors.rounds.deadlines import is_arranged
from tournaments.shared.fragments.cards import match_card
from tournaments.shared.fragments.record_links import record_links
from tournaments.shared.fragments.repairs import repair_shape
from tournaments.shared.frames.access import desk_action, desk_page, event_action, helps
from tournaments.shared.frames.director import INVALID, not_done, show
from tournaments.shared.frames.keys import new_key
from tournaments.shared.frames.quick import done, is_quick, refused_in_a_line
from tournaments.shared.words.consents import badges
from tournaments.shared.words.moves import MOVE_WORDS, word_of
from tournaments.shared.words.names import day_and_time, due_words, kind_note, round_of
from tournaments.shared.words.rulings import adjourned_shape, clock_of_match
from tournaments.shared.words.sheets import sheet_shape


@desk_page
def match(request: HttpRequest, event: Event, match: str) -> HttpResponse:
    """The match with everything that was said about it."""
    found = match_or_missing(event, match)
    return versioned(request, _versions(event, found), lambda: match_page(request, event, found))


def _versions(event: Event, found: Match) -> list[object]:
    """Before a match begins its players are told things that change no event: then the page is a new one each minute. So do analyses after it."""
    minute = int(timezone.now().timestamp()) // 60 if found.status in AWAITED else 0
    analysed = version_for_desk(found) if found.status == MatchStatus.CONFIRMED else ""
    return [event.version, event.club.version, minute, analysed]


def match_page(
    request: HttpRequest,
    event: Event,
    found: Match,
    form: ResultForm | None = None,
    status: int = 200,
    attached: Attached | None = None,
    rulings: Rulings | None = None,
) -> HttpResponse:
    row = drawn_match(found)
    reports = [_report_shape(report, row, found, event) for report in reports_of(found)]
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
            **match_card(row, time="" if over else due_words(found.round.deadline)),
            "url": "",
            "round_name": round_of(found),
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
        "asking": phones_asking(event, [side.entry_id for side in row.sides if side.entry_id is not None]),
        "answers": answer_shapes(found, event),
        "talk": talk_for_desk(found, event, reads=not helps(request)) if found.stage.by_arrangement else None,
        "objections": [
            {"row": objection, "when": day_and_time(objection.created_at, event)} for objection in objections
        ],
        "form": form
        if form is not None
        else result_form(event, found, row)
        if open_now or may_correct
        else None,
        "correcting": may_correct,
        "may_record": open_now,
        "moves": [
            {"word": word_of(action), "words": words, "can": action.value in can and not arranged}
            for action, words in MOVE_WORDS.items()
        ],
        "may_move": not arranged and not can.isdisjoint(MOVE_WORDS),
        "can_table": open_now and row.status in AT_TABLE,
        "rulings": rulings or rulings_of(event, found, names_of(row)),
        "adjourned": adjourned_shape(found, names_of(row)),
        "clock": "" if over else clock_of_match(found),
        "repair": repair_shape(event, found),
        "played": day_and_time(found.played_at, event),
        "next": request.GET.get("next", "") or request.POST.get("next", ""),
        "key": new_key(),
        "attached": attached or nothing_attached(found, names_of(row)),
        "analysis": None if helps(request) else for_desk(found),
        **_agreed(found),
    }
    return show(request, "matches/director_match.html", event, "matches", context, status=status)


def _agreed(found: Match) -> dict[str, Any]:
    """What the players agree to, and the records with whether everybody may read them."""
    replies = for_all(at_match(found))
    return {
        "agreed": badges(replies),
        "records": record_links(found, directs=True, reply=replies[Consent.RECORD]),
        "minds": replies[Consent.RECORD] is Reply.NO,
    }


def names_of(row: DrawnMatch) -> dict[Side, str]:
    """What both sides are called in forms and sentences."""
    return {Side.A: row.sides[0].name or _("First side"), Side.B: row.sides[1].name or _("Second side")}


def result_form(event: Event, found: Match, row: DrawnMatch, data: Any = None) -> ResultForm:
    named = names_of(row)
    names = (named[Side.A], named[Side.B])
    initial: dict[str, Any] = {
        "submission_key": new_key(),
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
        least = least_of(found)
        initial |= {"score_a": least.a, "score_b": least.b}
    return ResultForm(data, match=found, names=names, zone=event.timezone, initial=initial)


def _report_shape(report: ReportRow, row: DrawnMatch, found: Match, event: Event) -> dict[str, Any]:
    """A report in words, with whom it makes the winner."""
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
        "kind": kind_note(report.kind),
        "note": report.note,
        "when": day_and_time(report.at, event),
        "state": report.state,
        "record": report.record,
        "one_device": report.one_device,
        "phone": report.phone,
        "sheet": sheet_shape(sheet_of(found, report.sheet, claim)),
    }


@desk_action
@bounded()
def result(request: HttpRequest, event: Event, match: str) -> HttpResponse:
    """Record a result, or decide a dispute with a score of the director's own; or only check the record beside it."""
    drawn = drawn_match_of_event(event, match)
    if drawn is None:
        raise Missing("match.unknown")
    found, row = drawn
    form = result_form(event, found, row, request.POST)
    attached = attached_to(request, found, names_of(row))
    if "check" in request.POST:
        attached.judge()
        if attached.claim is not None:
            form.fill(attached.claim)
        return match_page(
            request, event, found, form, 200 if attached.claim is not None else INVALID, attached
        )
    if form.is_valid() and not attached.faults:
        data = form.cleaned_data
        try:
            answer = submit_report(
                actor=actor_of(request),
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
            if error.status != INVALID:
                return not_done(request, error, back=address(event, found), match=found)
            add_faults(form, error, leave=("record",))
            attached.show(error)
        else:
            attached.sent()
            return _recorded(request, event, row, answer)
    if is_quick(request):
        return refused_in_a_line(_reasons_in(form), INVALID)
    attached.judge()
    return match_page(request, event, found, form, INVALID, attached)


@desk_action
def decide(request: HttpRequest, event: Event, match: str) -> HttpResponse:
    """“This one is right”: the director makes a player's report the result. With ``seen``, of the match, if nothing was said since."""
    found = match_or_missing(event, match)
    version = _number(request.POST.get("version", ""))
    if version is None:
        raise Missing("report.unknown")
    try:
        answer = agree(
            actor=actor_of(request),
            match_id=found.pk,
            entry=None,
            version=version,
            submission_key=request.POST.get("submission_key", ""),
            seen=_number(request.POST.get("seen", "") or request.GET.get("seen", "")),
        )
    except CrawfordError as error:
        if (
            isinstance(error, Conflict)
            and not is_quick(request)
            and may_report(MatchStatus(fresh(found).status))
        ):
            messages.error(request, " ".join(describe_all(error)))
            return match_page(request, event, found, status=error.status)  # with what is reported now
        return not_done(request, error, back=address(event, found), match=found)
    return _recorded(request, event, drawn_match(found), answer)


def _recorded(request: HttpRequest, event: Event, row: DrawnMatch, answer: Answer) -> HttpResponse:
    """Back to the board, where the next line is; a script is told the result itself."""
    if answer.repeated:
        words = _("Match %(number)s has already been recorded.")
    elif is_quick(request):
        words = _("Match %(number)s: %(a)s %(score)s %(b)s.")
    else:
        words = _("Result of match %(number)s recorded.")
    named = names_of(row)
    params = {
        "number": row.number,
        "a": named[Side.A],
        "b": named[Side.B],
        "score": f"{answer.report.score_a}–{answer.report.score_b}",
    }
    following = request.POST.get("next", "")
    at = following if len(following) == LENGTH and following.isascii() and following.isalnum() else ""
    return done(request, words % params, board_address(event, at=at))


def _number(sent: str) -> int | None:
    """A version that a page has sent back."""
    return int(sent) if sent.isascii() and sent.isdecimal() and len(sent) < 10 else None


def _reasons_in(form: ResultForm) -> list[str]:
    """Everything that is wrong in a form, for a line: what concerns one side begins with its name."""
    return [
        f"{form.fields[name].label}: {fault}" if name in ("score_a", "score_b") else str(fault)
        for name, faults in form.errors.items()
        for fault in faults
    ]


@event_action
def settle(request: HttpRequest, event: Event, match: str) -> HttpResponse:
    """An objection has been seen to."""
    found = match_or_missing(event, match)
    objection = objection_to(found, row_number(request.POST.get("objection", "")))
    if objection is None:
        raise Missing("objection.unknown")
    try:
        settle_objection(actor=actor_of(request), objection_id=objection.pk)
    except CrawfordError as error:
        return not_done(request, error, back=address(event, found), match=found)
    messages.success(request, _("Correction request of %(name)s resolved.") % {"name": objection.entry.name})
    return redirect(address(event, found))


def address(event: Event, found: Match) -> str:
    return reverse("director:match", args=[event.public_id, found.public_id])


@event_action
def settle_record(request: HttpRequest, event: Event, match: str) -> HttpResponse:
    """The players were asked whether everybody may read their games; or somebody minds after all."""
    found = match_or_missing(event, match)
    try:
        settle_record_for(
            actor=actor_of(request),
            match_id=found.pk,
            report=_number(request.POST.get("report", "")) or 0,
            shown=request.POST.get("shown") == "yes",
        )
    except CrawfordError as error:
        return not_done(request, error, back=address(event, found), match=found)
    messages.success(request, _("Saved."))
    return redirect(address(event, found))
