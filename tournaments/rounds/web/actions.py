"""Actions of the draw page of a Swiss or round robin.

Each function carries out a POST and returns a success message.
"""

import uuid
from collections.abc import Callable
from datetime import date
from typing import Any

from django.http import HttpRequest
from django.utils.dateparse import parse_date
from django.utils.translation import gettext as _

from faults import Invalid, Missing
from people.ids import parse_row_id
from people.web.access import request_actor
from tournaments.engine.brackets.seeding import MAX_ENTRIES
from tournaments.engine.stages.swiss import REST_POINTS
from tournaments.leagues.services.seasons import UnplayedRuling, rule_unplayed_matches
from tournaments.models import Entry, Event, Stage
from tournaments.rounds.services.deadlines import evenly_spaced_deadlines, set_deadlines
from tournaments.rounds.services.play_offs import (
    cancel_play_off,
    discard_recorded_play_offs,
    record_play_off,
    start_play_off,
)
from tournaments.rounds.services.requests import keep_apart, sit_out, swap_entries, undo_swaps
from tournaments.rounds.services.rounds import discard_pairing, end_stage, publish_round, unpublish_round
from tournaments.selectors.entries import find_entry, ids_by_public_id
from tournaments.selectors.matches.detail import match_of_stage
from tournaments.selectors.rounds.next import published_rounds
from tournaments.selectors.standings.tables import rounds_settings


def _service_arguments(request: HttpRequest, event: Event, stage: Stage) -> dict[str, Any]:
    return {"actor": request_actor(request), "event_id": event.pk, "stage_id": stage.pk}


def publish_next_round(request: HttpRequest, event: Event, stage: Stage) -> str:
    published_round = publish_round(
        **_service_arguments(request, event, stage),
        seen=request.POST.get("seen", ""),
        absent=absent_ids_from_form(request, stage),
    )
    if rounds_settings(stage).all_at_once:
        return _("All rounds are published. Good luck to all!")
    return _("Round %(number)s is published. Good luck to all!") % {"number": published_round.number}


def absent_ids_from_form(request: HttpRequest, stage: Stage) -> set[int]:
    """Return the ids of entries in field ``absent``, which play although they are not checked in."""
    return set(ids_by_public_id(stage.division_id, request.POST.getlist("absent")[:MAX_ENTRIES]).values())


def discard_next_pairing(request: HttpRequest, event: Event, stage: Stage) -> str:
    discard_pairing(**_service_arguments(request, event, stage))
    return _("The pairing has been discarded.")


def unpublish_last_round(request: HttpRequest, event: Event, stage: Stage) -> str:
    unpublish_round(**_service_arguments(request, event, stage))
    return _("The round is no longer published. Only directors can see it now.")


def end_stage_early(request: HttpRequest, event: Event, stage: Stage) -> str:
    end_stage(**_service_arguments(request, event, stage))
    return _("That was the last round. The standings are final.")


def set_sit_out(request: HttpRequest, event: Event, stage: Stage) -> str:
    """Let an entry sit out the next round for the chosen points, or play it after all."""
    entry = _entry_from_form(request, stage, "entry")
    posted = request.POST.get("points", "")
    # Invalid text becomes impossible points, so that the service lists the possible ones.
    points = None if posted == "plays" else int(posted) if posted in {str(p) for p in REST_POINTS} else -1
    sit_out(**_service_arguments(request, event, stage), entry_id=entry.pk, points=points)
    if points is None:
        return _("%(name)s plays the next round.") % {"name": entry.name}
    return _("%(name)s sits out the next round.") % {"name": entry.name}


def keep_pair_apart(request: HttpRequest, event: Event, stage: Stage) -> str:
    first, second = _entry_from_form(request, stage, "first"), _entry_from_form(request, stage, "second")
    strictness = request.POST.get("strictness", "")
    keep_apart(
        **_service_arguments(request, event, stage),
        first_id=first.pk,
        second_id=second.pk,
        strictness=strictness,
    )
    names = {"first": first.name, "second": second.name}
    if strictness == "ignore":
        return _("%(first)s and %(second)s may meet again.") % names
    return _("%(first)s and %(second)s are kept apart from now on.") % names


def swap_two_entries(request: HttpRequest, event: Event, stage: Stage) -> str:
    first, second = _entry_from_form(request, stage, "first"), _entry_from_form(request, stage, "second")
    expected_version = request.POST.get("seen", "")
    swap_entries(
        **_service_arguments(request, event, stage),
        first_id=first.pk,
        second_id=second.pk,
        seen=expected_version,
    )
    return _("%(first)s and %(second)s have swapped places.") % {"first": first.name, "second": second.name}


def undo_manual_swaps(request: HttpRequest, event: Event, stage: Stage) -> str:
    undo_swaps(**_service_arguments(request, event, stage))
    return _("All manual changes have been undone.")


def save_deadlines(request: HttpRequest, event: Event, stage: Stage) -> str:
    """Save the deadlines of the rounds in the form; an empty date removes a deadline."""
    days: dict[int, date | None] = {}
    for name, text in request.POST.items():
        number = name.removeprefix("deadline_")
        if number != name and number.isascii() and number.isdecimal() and len(number) < 4:
            days[int(number)] = _parse_day(str(text), name) if str(text).strip() else None
    set_deadlines(**_service_arguments(request, event, stage), deadlines=days)
    return _("Deadlines saved.")


def spread_deadlines(request: HttpRequest, event: Event, stage: Stage) -> str:
    """Set deadlines at equal distances, from the first round's date and the number of days in the form."""
    first = _parse_day(request.POST.get("first", ""), "first")
    text = request.POST.get("days", "")
    days = int(text) if text.isascii() and text.isdecimal() and len(text) < 5 else -1
    rounds = max(rounds_settings(stage).rounds, published_rounds(stage))
    set_deadlines(
        **_service_arguments(request, event, stage),
        deadlines=dict(evenly_spaced_deadlines(first, days, rounds)),
    )
    return _("Deadlines saved.")


def begin_play_off(request: HttpRequest, event: Event, stage: Stage) -> str:
    start_play_off(**_service_arguments(request, event, stage), entries=_entry_row_ids(request, "entry"))
    return _("The play-off can start: its matches are on the board.")


def cancel_started_play_off(request: HttpRequest, event: Event, stage: Stage) -> str:
    cancel_play_off(**_service_arguments(request, event, stage))
    return _("The play-off has been cancelled.")


def save_play_off_order(request: HttpRequest, event: Event, stage: Stage) -> str:
    record_play_off(**_service_arguments(request, event, stage), order=_entry_row_ids(request, "order"))
    return _("Play-off order saved. The standings follow it.")


def discard_play_off_orders(request: HttpRequest, event: Event, stage: Stage) -> str:
    discard_recorded_play_offs(**_service_arguments(request, event, stage))
    return _("The saved play-off orders have been removed. The players are tied again.")


def rule_overdue_match(request: HttpRequest, event: Event, stage: Stage) -> str:
    """Close an overdue match in the way that the director chose (field ``ruling``)."""
    match = match_of_stage(stage, request.POST.get("match", "").replace("\0", ""))
    ruling = request.POST.get("ruling", "")
    if ruling not in set(UnplayedRuling):
        raise Invalid("ruling.odd", field="ruling")
    rule_unplayed_matches(
        actor=request_actor(request),
        event_id=event.pk,
        rulings={match.pk: UnplayedRuling(ruling)},
        submission_key=f"rule-{uuid.uuid4().hex}",
    )
    return _("The match has been closed.")


def _entry_row_ids(request: HttpRequest, field: str) -> list[int]:
    """Return the database ids of entries in a field; an invalid value becomes an id that does not exist."""
    posted = request.POST.getlist(field)
    return [parse_row_id(pk) for pk in posted]


def _entry_from_form(request: HttpRequest, stage: Stage, field: str) -> Entry:
    public_id = request.POST.get(field, "").replace("\0", "")
    entry = find_entry(stage.division_id, public_id)
    if entry is None:
        raise Missing("entry.unknown")
    return entry


def _parse_day(text: str, field: str) -> date:
    try:
        day = parse_date(text.strip())
    except ValueError:
        day = None
    if day is None:
        raise Invalid("deadline.no_day", field=field)
    return day


ACTIONS: dict[str, Callable[[HttpRequest, Event, Stage], str]] = {
    "publish": publish_next_round,
    "discard": discard_next_pairing,
    "take-back": unpublish_last_round,
    "end": end_stage_early,
    "sit-out": set_sit_out,
    "keep-apart": keep_pair_apart,
    "swap": swap_two_entries,
    "undo-swaps": undo_manual_swaps,
    "deadlines": save_deadlines,
    "spread-deadlines": spread_deadlines,
    "start-play-off": begin_play_off,
    "take-back-play-off": cancel_started_play_off,
    "play-off": save_play_off_order,
    "forget-play-off": discard_play_off_orders,
    "rule": rule_overdue_match,
}
