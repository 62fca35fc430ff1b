"""What the buttons on the draw page of a Swiss or round robin do; each answers with a sentence."""

import uuid
from collections.abc import Callable
from datetime import date
from typing import Any

from django.http import HttpRequest
from django.utils.dateparse import parse_date
from django.utils.translation import gettext as _

from faults import Invalid, Missing
from people.ids import row_number
from people.web.access import actor_of
from tournaments.engine.brackets.seeding import MAX_ENTRIES
from tournaments.engine.stages.swiss import REST_POINTS
from tournaments.leagues.services.seasons import Ruling, rule_unplayed
from tournaments.models import Entry, Event, Stage
from tournaments.rounds.services.deadlines import set_deadlines, spread
from tournaments.rounds.services.play_offs import (
    forget_play_offs,
    record_play_off,
    start_play_off,
    take_back_play_off,
)
from tournaments.rounds.services.requests import keep_apart, sit_out, swap_entries, undo_swaps
from tournaments.rounds.services.rounds import discard_pairing, end_stage, publish_round, take_back_round
from tournaments.selectors.entries import entry_ids, entry_of_division
from tournaments.selectors.matches.detail import match_of_stage
from tournaments.selectors.rounds.next import published_rounds
from tournaments.selectors.standings.tables import settings_of


def _where(request: HttpRequest, event: Event, stage: Stage) -> dict[str, Any]:
    return {"actor": actor_of(request), "event_id": event.pk, "stage_id": stage.pk}


def publish(request: HttpRequest, event: Event, stage: Stage) -> str:
    made = publish_round(
        **_where(request, event, stage),
        seen=request.POST.get("seen", ""),
        absent=drawn_anyway(request, stage),
    )
    if settings_of(stage).all_at_once:
        return _("All rounds are published. Good luck to all!")
    return _("Round %(number)s is published. Good luck to all!") % {"number": made.number}


def drawn_anyway(request: HttpRequest, stage: Stage) -> set[int]:
    """Ids of those whom the director saw missing, and draws nevertheless."""
    return set(entry_ids(stage.division_id, request.POST.getlist("absent")[:MAX_ENTRIES]).values())


def discard(request: HttpRequest, event: Event, stage: Stage) -> str:
    discard_pairing(**_where(request, event, stage))
    return _("The pairing has been discarded.")


def take_back(request: HttpRequest, event: Event, stage: Stage) -> str:
    take_back_round(**_where(request, event, stage))
    return _("The round is no longer published. Only directors can see it now.")


def end(request: HttpRequest, event: Event, stage: Stage) -> str:
    end_stage(**_where(request, event, stage))
    return _("That was the last round. The standings are final.")


def sit(request: HttpRequest, event: Event, stage: Stage) -> str:
    """Somebody sits out the next round, or plays it after all."""
    entry = _entry(request, stage, "entry")
    given = request.POST.get("points", "")
    # Nonsense becomes points that no round is worth, so that the service says which ones there are.
    points = None if given == "plays" else int(given) if given in {str(p) for p in REST_POINTS} else -1
    sit_out(**_where(request, event, stage), entry_id=entry.pk, points=points)
    if points is None:
        return _("%(name)s plays the next round.") % {"name": entry.name}
    return _("%(name)s sits out the next round.") % {"name": entry.name}


def apart(request: HttpRequest, event: Event, stage: Stage) -> str:
    first, second = _entry(request, stage, "first"), _entry(request, stage, "second")
    strictness = request.POST.get("strictness", "")
    keep_apart(**_where(request, event, stage), first_id=first.pk, second_id=second.pk, strictness=strictness)
    names = {"first": first.name, "second": second.name}
    if strictness == "ignore":
        return _("%(first)s and %(second)s may meet again.") % names
    return _("%(first)s and %(second)s are kept apart from now on.") % names


def swap(request: HttpRequest, event: Event, stage: Stage) -> str:
    first, second = _entry(request, stage, "first"), _entry(request, stage, "second")
    seen = request.POST.get("seen", "")
    swap_entries(**_where(request, event, stage), first_id=first.pk, second_id=second.pk, seen=seen)
    return _("%(first)s and %(second)s have swapped places.") % {"first": first.name, "second": second.name}


def unswap(request: HttpRequest, event: Event, stage: Stage) -> str:
    undo_swaps(**_where(request, event, stage))
    return _("All manual changes have been undone.")


def deadlines(request: HttpRequest, event: Event, stage: Stage) -> str:
    """Every date that came with the form; an empty one takes the deadline away."""
    days: dict[int, date | None] = {}
    for name, text in request.POST.items():
        number = name.removeprefix("deadline_")
        if number != name and number.isascii() and number.isdecimal() and len(number) < 4:
            days[int(number)] = _day(str(text), name) if str(text).strip() else None
    set_deadlines(**_where(request, event, stage), deadlines=days)
    return _("Deadlines saved.")


def spread_deadlines(request: HttpRequest, event: Event, stage: Stage) -> str:
    """One deadline for the first round, the others so many days apart; no rounds that were taken off the end."""
    first = _day(request.POST.get("first", ""), "first")
    text = request.POST.get("days", "")
    days = int(text) if text.isascii() and text.isdecimal() and len(text) < 5 else -1
    rounds = max(settings_of(stage).rounds, published_rounds(stage))
    set_deadlines(**_where(request, event, stage), deadlines=dict(spread(first, days, rounds)))
    return _("Deadlines saved.")


def start(request: HttpRequest, event: Event, stage: Stage) -> str:
    start_play_off(**_where(request, event, stage), entries=_ids(request, "entry"))
    return _("The play-off can start: its matches are on the board.")


def take_back_tie(request: HttpRequest, event: Event, stage: Stage) -> str:
    take_back_play_off(**_where(request, event, stage))
    return _("The play-off has been cancelled.")


def play_off(request: HttpRequest, event: Event, stage: Stage) -> str:
    record_play_off(**_where(request, event, stage), order=_ids(request, "order"))
    return _("Play-off order saved. The standings follow it.")


def forget_play_off(request: HttpRequest, event: Event, stage: Stage) -> str:
    forget_play_offs(**_where(request, event, stage))
    return _("The saved play-off orders have been removed. The players are tied again.")


def rule(request: HttpRequest, event: Event, stage: Stage) -> str:
    """Close a match that is overdue."""
    match = match_of_stage(stage, request.POST.get("match", "").replace("\0", ""))
    given = request.POST.get("ruling", "")
    if given not in set(Ruling):
        raise Invalid("ruling.odd", field="ruling")
    rule_unplayed(
        actor=actor_of(request),
        event_id=event.pk,
        rulings={match.pk: Ruling(given)},
        submission_key=f"rule-{uuid.uuid4().hex}",
    )
    return _("The match has been closed.")


def _ids(request: HttpRequest, field: str) -> list[int]:
    """Numbers of entries; nonsense becomes one that nobody has."""
    given = request.POST.getlist(field)
    return [row_number(pk) for pk in given]


def _entry(request: HttpRequest, stage: Stage, field: str) -> Entry:
    public_id = request.POST.get(field, "").replace("\0", "")
    entry = entry_of_division(stage.division_id, public_id)
    if entry is None:
        raise Missing("entry.unknown")
    return entry


def _day(text: str, field: str) -> date:
    try:
        found = parse_date(text.strip())
    except ValueError:
        found = None
    if found is None:
        raise Invalid("deadline.no_day", field=field)
    return found


ACTIONS: dict[str, Callable[[HttpRequest, Event, Stage], str]] = {
    "publish": publish,
    "discard": discard,
    "take-back": take_back,
    "end": end,
    "sit-out": sit,
    "keep-apart": apart,
    "swap": swap,
    "undo-swaps": unswap,
    "deadlines": deadlines,
    "spread-deadlines": spread_deadlines,
    "start-play-off": start,
    "take-back-play-off": take_back_tie,
    "play-off": play_off,
    "forget-play-off": forget_play_off,
    "rule": rule,
}
