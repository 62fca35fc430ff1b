"""Director's page of the seeds of all entries: typed, filled in from a rating list, or cleared."""

from collections.abc import Mapping

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from faults import CrawfordError
from people.messages import messages_by_field
from people.numbers import external_ratings
from people.web.access import request_actor
from rating.selectors import club_lists, ratings_for
from tournaments.entries.services.entries import set_seeds
from tournaments.models import Event, Stage
from tournaments.selectors.entries import EntryRow, entries_by_division, entry_details
from tournaments.selectors.events.director import are_entries_open, linked_stages
from tournaments.shared.frames.access import event_form
from tournaments.shared.frames.director import INVALID_STATUS, render_event_page, render_refused_action
from tournaments.shared.frames.divisions import chosen_division

INVALID_SEED = -1
OUTSIDE_PREFIX = "outside:"  # before the name of a source outside of this site
ENTRY_RATINGS = "entries"  # not the public id of any rating list: those are longer


@event_form
def seeds(request: HttpRequest, event: Event) -> HttpResponse:
    """Show one field for each entry of the division; save all seeds or, if one is not valid, none."""
    stages = linked_stages(event)
    switch = chosen_division(request, event, stages)
    stage = switch.stage
    rows = [row for row in entries_by_division([stage.division_id])[stage.division_id] if not row.withdrawn]
    lists = club_lists(event.club_id)
    entry_ratings = _entry_ratings(stage.division_id)
    ratings_by_source = external_ratings([player.pk for row in rows for player in row.players])
    ratings: dict[int, float] = {}
    typed: dict[int, str] = {row.pk: str(row.seed or "") for row in rows}
    faults: dict[str, list[str]] = {}
    if request.method == "POST":
        requested_action = request.POST.get("do", "save")
        requested_list = request.POST.get("list", "")
        chosen_list = next((x for x in lists if x.public_id == requested_list), None)
        source_ratings = (
            ratings_by_source.get(requested_list.removeprefix(OUTSIDE_PREFIX))
            if requested_list.startswith(OUTSIDE_PREFIX)
            else None
        )
        if requested_action == "rating" and source_ratings is not None:
            ratings = _mean_ratings(rows, source_ratings)
            typed = _seeds_by_rating(rows, ratings)
            messages.info(request, _("Seeds are filled in by rating. Check them, then save."))
        elif requested_action == "rating" and (
            chosen_list is not None or (requested_list == ENTRY_RATINGS and entry_ratings)
        ):
            ratings = _list_ratings(rows, chosen_list.pk) if chosen_list is not None else entry_ratings
            typed = _seeds_by_rating(rows, ratings)
            messages.info(request, _("Seeds are filled in by rating. Check them, then save."))
        else:
            typed = (
                dict.fromkeys(typed, "")
                if requested_action == "clear"
                else {row.pk: request.POST.get(f"seed-{row.public_id}", "").strip()[:12] for row in rows}
            )
            new_seeds = {pk: _parse_seed(text) for pk, text in typed.items()}
            try:
                set_seeds(
                    actor=request_actor(request),
                    event_id=event.pk,
                    division_id=stage.division_id,
                    seeds=new_seeds,
                )
            except CrawfordError as error:
                if error.status != INVALID_STATUS:
                    return render_refused_action(request, error, back=switch.page_url(event, "entries"))
                faults = messages_by_field(error.faults)
            else:
                messages.success(request, _("Seeds saved."))
                return redirect(switch.page_url(event, "seeds"))
    context = {
        "divisions": switch.links(event, "seeds"),
        "query": switch.query,
        "stage": stage,
        "open": are_entries_open(stage, event),
        "blind": stage.draw_method == Stage.DrawMethod.BLIND,
        "lists": lists,
        "outside": [(f"{OUTSIDE_PREFIX}{source}", source) for source in ratings_by_source],
        "of_entries": ENTRY_RATINGS if entry_ratings else "",
        "chosen": request.POST.get("list", ""),
        "rows": [
            {
                "public_id": row.public_id,
                "name": row.name,
                "seed": typed[row.pk],
                "rating": f"{ratings[row.pk]:.2f}" if row.pk in ratings else "",
                "faults": faults.get(f"seed-{row.pk}", []),
            }
            for row in sorted(
                rows, key=lambda row: (_parse_seed(typed[row.pk]) or 100_000, row.name.casefold())
            )
        ],
        "faults": sorted({fault for field_faults in faults.values() for fault in field_faults}),
        "rated": bool(ratings),
    }
    return render_event_page(
        request,
        "entries/seeds.html",
        event,
        "entries",
        context,
        stages=stages,
        status=INVALID_STATUS if faults else 200,
    )


def _entry_ratings(division_id: int) -> dict[int, float]:
    """Return the ratings stored with the entries of a division, keyed by entry id.

    A team has the mean of its known ratings; entries without a rating are omitted.
    """
    ratings_by_entry: dict[int, list[float]] = {}
    for (entry_id, _player), detail in entry_details([division_id]).items():
        if detail.rating is not None:
            ratings_by_entry.setdefault(entry_id, []).append(detail.rating)
    return {entry_id: sum(values) / len(values) for entry_id, values in ratings_by_entry.items()}


def _list_ratings(rows: list[EntryRow], list_id: int) -> dict[int, float]:
    """Return the ratings of entries on a rating list, keyed by entry id.

    A team has the mean of its known ratings; entries without a rating are omitted.
    """
    return _mean_ratings(rows, ratings_for([player.pk for row in rows for player in row.players], list_id))


def _mean_ratings(rows: list[EntryRow], rating_by_player: Mapping[int, float]) -> dict[int, float]:
    entry_ratings = {
        row.pk: [rating_by_player[player.pk] for player in row.players if player.pk in rating_by_player]
        for row in rows
    }
    return {pk: sum(values) / len(values) for pk, values in entry_ratings.items() if values}


def _seeds_by_rating(rows: list[EntryRow], ratings: dict[int, float]) -> dict[int, str]:
    """Return seeds as text, keyed by entry id: 1 for the best rating, empty for entries without a rating.

    Equal ratings keep the order of entry.
    """
    rated = sorted((row for row in rows if row.pk in ratings), key=lambda row: -ratings[row.pk])
    unseeded = dict.fromkeys([row.pk for row in rows], "")
    return unseeded | {row.pk: str(number) for number, row in enumerate(rated, start=1)}


def _parse_seed(text: str) -> int | None:
    """Parse a typed seed: None if empty; if not a number, `INVALID_SEED`, which the service rejects."""
    if not text:
        return None
    return int(text) if text.isascii() and text.isdecimal() else INVALID_SEED
