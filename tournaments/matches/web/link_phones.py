"""Whether the phone in the hand may speak by a personal link, in words and as a form; nothing of it shows while one phone is all there is."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from faults import Conflict, CrawfordError, Invalid
from people.messages import describe
from tournaments.engine.matches.reporting import ReportPolicy
from tournaments.matches.services.phones import ask_desk, enter_code
from tournaments.matches.services.reports import Answer
from tournaments.models import Entry
from tournaments.selectors.access.phones import Phone, Speaks, Standing, is_player_of, standing_of
from tournaments.selectors.matches.player import MyMatch
from tournaments.shared.fragments.cards import Shape
from tournaments.shared.frames.device import keep_device, known_device
from tournaments.shared.frames.player import too_often
from tournaments.shared.words.names import day_and_time
from tournaments.shared.words.phones import WAY_WORDS

TRIES, PERIOD = 40, 600
CODE_LIMIT = 40


def standing_here(request: HttpRequest, entry: Entry, device: str = "") -> Standing:
    """What this browser is to the link; one in which the player is signed in is shut out by none."""
    found = standing_of(entry, device or known_device(request))
    user = request.user
    shut = found.speaks in {Speaks.ASKS, Speaks.OTHER}
    if shut and user.is_authenticated and is_player_of(entry, user.pk):
        return Standing(Speaks.FREE, found.number, found.phones)
    return found


def door_shape(entry: Entry, standing: Standing, *, fault: str = "", typed: str = "") -> Shape:
    """For the templates: ``shut`` where other phones speak and this one may not."""
    event = entry.division.event
    return {
        "shut": standing.speaks in {Speaks.ASKS, Speaks.OTHER},
        "asks": standing.speaks is Speaks.ASKS,
        "speaks": standing.speaks is Speaks.YES,
        "number": standing.number,
        "phones": [
            {
                "number": one.number,
                "way": WAY_WORDS[one.way],
                "since": day_and_time(one.since, event),
                "here": one.number == standing.number,
            }
            for one in standing.phones
        ],
        "fault": fault,
        "typed": typed,
    }


def typed_code(request: HttpRequest) -> str:
    """The code that stands in the form, if there is one."""
    return request.POST.get("phone_code", "").replace("\0", "")[:CODE_LIMIT].strip()


def enter(request: HttpRequest, entry: Entry, phone: Phone) -> None:
    """Let the phone in by the code in the form. Counted by address, too: whoever guesses at many links at once is stopped there."""
    if too_often(request, "phone-code", limit=TRIES, seconds=PERIOD):
        raise Invalid("phone.codes_often", field="code")
    enter_code(entry=entry, phone=phone, code=typed_code(request))


def shut_out(request: HttpRequest, entry: Entry, phone: Phone, error: CrawfordError) -> Shape:
    """The door for a phone whose word was not taken: the desk is told that it asks, and the form stands there again as it was typed."""
    fault = describe(error)
    try:
        ask_desk(entry=entry, phone=phone)
    except Conflict as too_many:
        fault = f"{fault} {describe(too_many)}"
    standing = standing_here(request, entry, phone.device)
    return door_shape(entry, standing, fault=fault, typed=typed_code(request))


def with_device(response: HttpResponse, phone: Phone) -> HttpResponse:
    """From now on this browser is known by its name."""
    keep_device(response, phone.device)
    return response


def tell_decision(request: HttpRequest, answer: Answer, mine: MyMatch) -> None:
    """What became of the report, in one sentence."""
    opponent = {"name": mine.other.name}
    if answer.decision == "confirmed":
        messages.success(request, _("The result is confirmed. Thank you!"))
    elif answer.decision == "disputed":
        messages.warning(
            request,
            _("You and %(name)s reported different results. The director will come to you.") % opponent,
        )
    elif mine.match.stage.report_policy == ReportPolicy.DIRECTOR_ONLY:
        messages.success(request, _("Sent. The director has to confirm it."))
    else:
        messages.success(request, _("Sent. %(name)s has to confirm it.") % opponent)
