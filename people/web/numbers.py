"""Pages of federation numbers and outside ratings: the user's own, and those of players of the club."""

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
from people.numbers import ExternalProfile, FederationNumberValue, SourceRating, external_profiles
from people.selectors import player_in_directory, player_of_user, wards_of
from people.services.numbers import MAX_NUMBERS, set_numbers
from people.web.access import directed_club, form_view, request_actor, request_user

BLANK_ROWS: Final = 2  # for new ones
MAX_CELL_LENGTH: Final = 120


@dataclass(frozen=True, slots=True)
class NumbersInput:
    """The rows of the form as they were sent: three texts each, before parsing."""

    numbers: tuple[tuple[str, str, str], ...]
    ratings: tuple[tuple[str, str, str], ...]


@form_view
def player_numbers(request: HttpRequest, club: str, player: str) -> HttpResponse:
    """Page for directors to edit the numbers and ratings of a player of the club."""
    club_object, role = directed_club(request, club)
    player_object = player_in_directory(club_object, player)
    context = {"club": club_object, "role": role, "tab": "players", "player": player_object, "rated": True}
    return _render_numbers_form(
        request, player_object, context, club_object.pk, reverse("people:player", args=[club, player])
    )


@form_view
def own_numbers(request: HttpRequest) -> HttpResponse:
    """Page to edit one's own or a ward's numbers; ratings are read-only, as directors set them."""
    user = request_user(request)
    own_player = player_of_user(user.pk)
    people = [*([own_player] if own_player is not None and not own_player.minor else []), *wards_of(user.pk)]
    requested_id = request.GET.get("player", "")
    player = next((person for person in people if requested_id in ("", person.public_id)), None)
    if player is None:
        raise Missing("player.unknown")
    context = {"player": player, "people": people if len(people) > 1 else [], "rated": False}
    return _render_numbers_form(request, player, context, None, f"{request.path}?player={player.public_id}")


def _render_numbers_form(
    request: HttpRequest, player: Player, context: dict[str, Any], club_id: int | None, back_url: str
) -> HttpResponse:
    profile = external_profiles([player.pk]).get(player.pk, ExternalProfile())
    entered, faults, status = _input_from_profile(profile), [], 200
    expected_version = profile.version
    if request.method == "POST":
        entered, expected_version = _input_from_request(request), request.POST.get("seen", "")[:20_000]
        try:
            numbers = [_parse_number(position, row) for position, row in enumerate(entered.numbers, start=1)]
            ratings = None
            if club_id is not None:
                ratings = [
                    _parse_rating(position, row) for position, row in enumerate(entered.ratings, start=1)
                ]
            set_numbers(
                actor=request_actor(request),
                player_id=player.pk,
                numbers=numbers,
                ratings=ratings,
                club_id=club_id,
                seen=expected_version,
            )
        except CrawfordError as error:
            if not isinstance(error, Invalid | Conflict):
                raise
            faults, status = describe_all(error), error.status
        else:
            messages.success(request, _("Saved."))
            return redirect(back_url)
    context |= {
        "seen": expected_version,
        "faults": faults,
        "numbers": _numbered_rows(entered.numbers),
        "ratings": _numbered_rows(entered.ratings),
        "shown": profile.ratings,
        "back": back_url,
    }
    template = "people/player_numbers.html" if club_id is not None else "people/own_numbers.html"
    return render(request, template, context, status=status)


def _numbered_rows(rows: tuple[tuple[str, str, str], ...]) -> list[tuple[int, tuple[str, str, str]]]:
    blank_rows = [("", "", "")] * max(0, min(BLANK_ROWS, MAX_NUMBERS - len(rows)))
    return list(enumerate([*rows, *blank_rows], start=1))


def _input_from_profile(profile: ExternalProfile) -> NumbersInput:
    return NumbersInput(
        tuple(
            (number.federation, number.number, number.valid_until.isoformat() if number.valid_until else "")
            for number in profile.numbers
        ),
        tuple((rating.source, f"{rating.value:.10g}", rating.on.isoformat()) for rating in profile.ratings),
    )


def _input_from_request(request: HttpRequest) -> NumbersInput:
    def text(name: str) -> str:
        return request.POST.get(name, "").replace("\0", "")[:MAX_CELL_LENGTH].strip()

    def rows(*names: str) -> tuple[tuple[str, str, str], ...]:
        filled_rows = []
        for number in range(1, 2 * MAX_NUMBERS + BLANK_ROWS + 1):  # merged players may have twice as many
            first, second, third = (text(f"{name}-{number}") for name in names)
            if first or second or third:
                filled_rows.append((first, second, third))
        return tuple(filled_rows)

    return NumbersInput(rows("federation", "number", "until"), rows("source", "value", "on"))


def _parse_date(text: str) -> date | None:
    try:
        return parse_date(text) if text else None
    except ValueError:
        return None


def _parse_number(position: int, row: tuple[str, str, str]) -> FederationNumberValue:
    until = _parse_date(row[2])
    if row[2] and until is None:
        raise Invalid("player.day_odd", field=f"number-{position}", day=row[2])
    return FederationNumberValue(row[0], row[1], until)


def _parse_rating(position: int, row: tuple[str, str, str]) -> SourceRating:
    on = _parse_date(row[2])
    if on is None:
        raise Invalid("player.day_odd", field=f"rating-{position}", day=row[2] or "–")
    try:
        return SourceRating(row[0], float(row[1].replace(",", ".")), on)
    except ValueError:
        raise Invalid("player.outside_odd", field=f"rating-{position}", limit=40) from None
