"""Federation numbers and outside ratings on pages: of one's own, and of a player of the club."""

from dataclasses import dataclass
from datetime import date
from typing import Any, Final

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.dateparse import parse_date
from django.utils.translation import gettext as _

from faults import Conflict, CrawfordError, Invalid, Missing
from people.messages import describe_all
from people.models import Player
from people.numbers import Known, Number, Rated, known_of
from people.selectors import player_in_directory, player_of_user, wards_of
from people.services.numbers import MOST, set_numbers
from people.web.access import actor_of, directed_club, form_page, user_of

BLANK: Final = 2  # rows for new ones
LONGEST: Final = 120


@dataclass(frozen=True, slots=True)
class Typed:
    """The rows of the form as they were sent: texts, before anything is understood."""

    numbers: tuple[tuple[str, str, str], ...]
    ratings: tuple[tuple[str, str, str], ...]


@form_page
def of_player(request: HttpRequest, club: str, player: str) -> HttpResponse:
    """Of a player of the club, for its directors."""
    found, role = directed_club(request, club)
    edited = player_in_directory(found, player)
    context = {"club": found, "role": role, "tab": "players", "player": edited, "rated": True}
    return _form(request, edited, context, found.pk, reverse("people:player", args=[club, player]))


@form_page
def own(request: HttpRequest) -> HttpResponse:
    """Of the player who is signed in, or of a minor for whom they speak; ratings are shown, and written by directors."""
    user = user_of(request)
    mine = player_of_user(user.pk)
    people = [*([mine] if mine is not None and not mine.minor else []), *wards_of(user.pk)]
    wanted = request.GET.get("player", "")
    player = next((one for one in people if wanted in ("", one.public_id)), None)
    if player is None:
        raise Missing("player.unknown")
    context = {"player": player, "people": people if len(people) > 1 else [], "rated": False}
    return _form(request, player, context, None, f"{request.path}?player={player.public_id}")


def _form(
    request: HttpRequest, player: Player, context: dict[str, Any], club: int | None, back: str
) -> HttpResponse:
    known = known_of([player.pk]).get(player.pk, Known())
    typed, faults, status = _as_typed(known), [], 200
    seen = known.version
    if request.method == "POST":
        typed, seen = _sent(request), request.POST.get("seen", "")[:20_000]
        try:
            numbers = [_number(place, row) for place, row in enumerate(typed.numbers, start=1)]
            ratings = None
            if club is not None:
                ratings = [_rated(place, row) for place, row in enumerate(typed.ratings, start=1)]
            set_numbers(
                actor=actor_of(request),
                player_id=player.pk,
                numbers=numbers,
                ratings=ratings,
                club_id=club,
                seen=seen,
            )
        except CrawfordError as error:
            if not isinstance(error, Invalid | Conflict):
                raise
            faults, status = describe_all(error), error.status
        else:
            messages.success(request, _("Saved."))
            return redirect(back)
    context |= {
        "seen": seen,
        "faults": faults,
        "numbers": _numbered(typed.numbers),
        "ratings": _numbered(typed.ratings),
        "shown": known.ratings,
        "back": back,
    }
    template = "people/player_numbers.html" if club is not None else "people/own_numbers.html"
    return render(request, template, context, status=status)


def _numbered(rows: tuple[tuple[str, str, str], ...]) -> list[tuple[int, tuple[str, str, str]]]:
    blank = [("", "", "")] * max(0, min(BLANK, MOST - len(rows)))
    return list(enumerate([*rows, *blank], start=1))


def _as_typed(known: Known) -> Typed:
    return Typed(
        tuple(
            (one.federation, one.number, one.valid_until.isoformat() if one.valid_until else "")
            for one in known.numbers
        ),
        tuple((one.source, f"{one.value:.10g}", one.on.isoformat()) for one in known.ratings),
    )


def _sent(request: HttpRequest) -> Typed:
    def text(name: str) -> str:
        return request.POST.get(name, "").replace("\0", "")[:LONGEST].strip()

    def rows(*names: str) -> tuple[tuple[str, str, str], ...]:
        found = []
        for number in range(1, 2 * MOST + BLANK + 1):  # of two who were merged there may be twice as many
            first, second, third = (text(f"{name}-{number}") for name in names)
            if first or second or third:
                found.append((first, second, third))
        return tuple(found)

    return Typed(rows("federation", "number", "until"), rows("source", "value", "on"))


def _day(text: str) -> date | None:
    try:
        return parse_date(text) if text else None
    except ValueError:
        return None


def _number(place: int, row: tuple[str, str, str]) -> Number:
    until = _day(row[2])
    if row[2] and until is None:
        raise Invalid("player.day_odd", field=f"number-{place}", day=row[2])
    return Number(row[0], row[1], until)


def _rated(place: int, row: tuple[str, str, str]) -> Rated:
    on = _day(row[2])
    if on is None:
        raise Invalid("player.day_odd", field=f"rating-{place}", day=row[2] or "–")
    try:
        return Rated(row[0], float(row[1].replace(",", ".")), on)
    except ValueError:
        raise Invalid("player.outside_odd", field=f"rating-{place}", limit=40) from None
