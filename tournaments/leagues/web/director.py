"""Director's pages of a league: progress of the season, unplayed matches, the next season."""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from faults import CrawfordError, Missing
from people.countries import countries
from people.messages import describe_all
from people.web.access import request_actor
from people.web.faults import add_faults
from people.web.forms import DateField
from tournaments.engine.lists.reader import MAX_TEXT_LENGTH, parse_list
from tournaments.engine.statuses import IN_PROGRESS, MatchStatus
from tournaments.engine.types import EntryId
from tournaments.leagues.services.seasons import (
    MAX_PROMOTED,
    NextSeasonDetails,
    UnplayedRuling,
    create_next_season,
    plan_next_season,
    rule_unplayed_matches,
    set_promotion_counts,
)
from tournaments.leagues.web.public import zone_context
from tournaments.models import Event
from tournaments.selectors.leagues import (
    NextSeason,
    Season,
    SeasonMove,
    following_season,
    load_season,
    unplayed_matches,
)
from tournaments.shared.fragments.cards import Context
from tournaments.shared.frames.access import event_form
from tournaments.shared.frames.director import INVALID_STATUS, render_event_page, render_refused_action
from tournaments.shared.frames.keys import new_submission_key
from tournaments.shared.words.names import round_name

CONFLICT_STATUS = 409
# Statuses of open matches that are displayed, because something has happened in them.
_DISPLAYED_STATUSES = tuple(status for status in IN_PROGRESS if status is not MatchStatus.CALLED)


@event_form
def season(request: HttpRequest, event: Event) -> HttpResponse:
    """Page of the season: unplayed matches, and how many entries are promoted and relegated."""
    found_season = _season_or_404(event)
    form = PromotionForm(request.POST or None, season=found_season)
    if request.method == "POST" and form.is_valid():
        try:
            set_promotion_counts(actor=request_actor(request), event_id=event.pk, moving=form.moving())
        except CrawfordError as error:
            if error.status != INVALID_STATUS:
                return render_refused_action(request, error, back=_season_url("season", event))
            add_faults(form, error)
        else:
            messages.success(request, _("Saved. The standings show promotion and relegation."))
            return redirect(_season_url("season", event))
    unplayed = unplayed_matches(event)
    context = {
        "season": found_season,
        "form": form,
        "borders": len(found_season.divisions) > 1,
        "unplayed": len(unplayed),
        "overdue": sum(row.overdue for row in unplayed),
        "to_publish": [
            (table.division.name or event.name, table.rounds_to_publish)
            for table in found_season.divisions
            if table.draw is None or table.rounds_to_publish
        ],
        "before": event.follows,
        "after": following_season(event),
    }
    return render_event_page(
        request,
        "leagues/season.html",
        event,
        "season",
        context,
        status=INVALID_STATUS if form.errors else 200,
    )


@event_form
def unplayed_page(request: HttpRequest, event: Event) -> HttpResponse:
    """Page to rule on matches without a result, several at once."""
    _season_or_404(event)
    faults: list[str] = []
    status = 200
    rows = unplayed_matches(event)
    if request.method == "POST":
        rulings = {
            row.match.pk: UnplayedRuling(ruling)
            for row in rows
            if (ruling := request.POST.get(f"match-{row.match.public_id}", "")) in set(UnplayedRuling)
        }
        key = request.POST.get("submission_key", "")
        try:
            ruled_ids = rule_unplayed_matches(
                actor=request_actor(request), event_id=event.pk, rulings=rulings, submission_key=key
            )
        except CrawfordError as error:
            if error.status != INVALID_STATUS:
                return render_refused_action(request, error, back=_season_url("unplayed", event))
            faults, status = describe_all(error), INVALID_STATUS
        else:
            messages.success(
                request,
                ngettext(
                    "%(count)s match now has a result.", "%(count)s matches now have results.", len(ruled_ids)
                )
                % {"count": len(ruled_ids)},
            )
            return redirect(_season_url("unplayed" if len(ruled_ids) < len(rows) else "season", event))
    context = {
        "faults": faults,
        "key": new_submission_key(),
        "rows": [
            {
                "public_id": row.match.public_id,
                "number": row.match.number,
                "division": row.match.stage.division.name,
                "round": round_name(row.match.round),
                "deadline": row.deadline,
                "overdue": row.overdue,
                "status": row.match.status if row.match.status in _DISPLAYED_STATUSES else "",
                "names": row.names,
                "chosen": request.POST.get(f"match-{row.match.public_id}", ""),
                "choices": [
                    (
                        UnplayedRuling.WALKOVER_A.value,
                        _("%(name)s wins by walkover") % {"name": row.names[0]},
                    ),
                    (
                        UnplayedRuling.WALKOVER_B.value,
                        _("%(name)s wins by walkover") % {"name": row.names[1]},
                    ),
                    (UnplayedRuling.DOUBLE_WALKOVER.value, _("Neither came: no points")),
                    (UnplayedRuling.UNFINISHED.value, _("Not finished: half a point each")),
                ],
            }
            for row in rows
        ],
    }
    return render_event_page(request, "leagues/season_unplayed.html", event, "season", context, status=status)


@event_form
def next_season(request: HttpRequest, event: Event) -> HttpResponse:
    """Page to preview the next season any number of times, then create it."""
    found_season = _season_or_404(event)
    if not found_season.is_over or following_season(event) is not None:
        return redirect(_season_url("season", event))
    if request.method != "POST":
        return _next_season_page(
            request,
            event,
            found_season,
            NextSeasonForm(initial=_default_initial(event)),
            _default_details(found_season),
            None,
        )
    form = NextSeasonForm(request.POST)
    moving_form = PromotionForm(request.POST, season=found_season)
    details = _details_from_form(request, found_season)
    faults: list[str] = []
    plan: NextSeason | None = None
    status = INVALID_STATUS
    if all([form.is_valid(), moving_form.is_valid()]):
        details = replace(
            details,
            **{name: form.cleaned_data[name] for name in ("name", "starts_on", "ends_on")},
            moving=moving_form.moving(),
            newcomers=_parse_names(form.cleaned_data["newcomers"]),
        )
        try:
            plan = plan_next_season(found_season, details)
            if request.POST.get("do") == "create":
                created = create_next_season(
                    actor=request_actor(request),
                    event_id=event.pk,
                    details=details,
                    expected_version=request.POST.get("seen", ""),
                )
                messages.success(
                    request,
                    _(
                        "%(name)s has been created as a draft. Only you can see it. Check its entries and settings, "
                        "then make the draw."
                    )
                    % {"name": created.name},
                )
                return redirect("director:event", created.public_id)
            status = 200
        except CrawfordError as error:
            if error.status == CONFLICT_STATUS and error.code != "season.changed":
                return render_refused_action(request, error, back=_season_url("season", event))
            status = error.status
            other_faults = [fault for fault in error.faults if fault.field not in form.fields]
            add_faults(form, error, skipped_fields={fault.field or "" for fault in other_faults})
            faults = (
                describe_all(type(error)(faults=other_faults))
                if other_faults and status == INVALID_STATUS
                else []
            )
            if status == CONFLICT_STATUS:
                faults = describe_all(error)
    return _next_season_page(
        request,
        event,
        found_season,
        form,
        details,
        plan,
        moving_form=moving_form,
        faults=faults,
        status=status,
    )


class PromotionForm(forms.Form):
    """Form with the numbers of entries that change places at each border of the divisions."""

    def __init__(self, data: Any = None, *, season: Season, **kwargs: Any) -> None:
        super().__init__(data, **kwargs)
        names = [table.division.name for table in season.divisions]
        for number, (upper, lower, default) in enumerate(
            zip(names, names[1:], season.moving, strict=False), start=1
        ):
            self.fields[f"moving-{number}"] = forms.IntegerField(
                label=_("Between %(upper)s and %(lower)s") % {"upper": upper, "lower": lower},
                min_value=0,
                max_value=MAX_PROMOTED,
                initial=default,
                widget=forms.NumberInput(attrs={"inputmode": "numeric"}),
            )

    def moving(self) -> list[int]:
        return [self.cleaned_data[name] for name in self.fields]


class NextSeasonForm(forms.Form):
    """Form with name, dates and new players of the next season."""

    name = forms.CharField(label=gettext_lazy("Name"), max_length=120)
    starts_on = DateField(label=gettext_lazy("First day"))
    ends_on = DateField(label=gettext_lazy("Last day"))
    newcomers = forms.CharField(
        label=gettext_lazy("New players"),
        required=False,
        max_length=MAX_TEXT_LENGTH,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=gettext_lazy(
            "One name per line. New players start in the last division; players the club already knows are "
            "recognised."
        ),
    )


def _next_season_page(
    request: HttpRequest,
    event: Event,
    found_season: Season,
    form: NextSeasonForm,
    details: NextSeasonDetails,
    plan: NextSeason | None,
    *,
    moving_form: PromotionForm | None = None,
    faults: Sequence[str] = (),
    status: int = 200,
) -> HttpResponse:
    if plan is None and status == 200:
        plan = plan_next_season(found_season, details)
    context = {
        "form": form,
        "moving_form": moving_form or PromotionForm(season=found_season),
        "borders": len(found_season.divisions) > 1,
        "teams": found_season.divisions[-1].division.team_size > 1,
        "divisions": [_table_context(table, details) for table in found_season.divisions],
        "ties": [_tie_context(found_season, tied, details) for tied in plan.undecided_ties] if plan else [],
        "decided": [(pk, number) for pk, number in _decided_order(found_season, details, plan)],
        "next": _next_season_context(found_season, plan, details)
        if plan and not plan.undecided_ties
        else None,
        "seen": plan.version if plan else "",
        "faults": list(faults),
    }
    return render_event_page(request, "leagues/season_next.html", event, "season", context, status=status)


def _table_context(table: Any, details: NextSeasonDetails) -> Context:
    """Return the template context of a division's final table, with a box for each entry that may leave."""
    rows = []
    first = 1
    for tied in table.places:
        last = first + len(tied) - 1
        for entry in tied:
            row = table.entries[entry]
            rows.append(
                {
                    "place": str(first) if first == last else f"{first}–{last}",
                    "public_id": row.public_id,
                    "name": row.name,
                    "withdrawn": row.withdrawn,
                    "leaves": entry in details.leaving_entry_ids,
                }
            )
        first = last + 1
    return {"name": table.division.name, "rows": rows}


def _tie_context(found_season: Season, tied: Sequence[EntryId], details: NextSeasonDetails) -> Context:
    """Return the context of a place shared across a border, with a number for each entry on it."""
    division = next(table.division for table in found_season.divisions if tied[0] in table.entries)
    return {
        "division": division.name,
        "numbers": list(range(1, len(tied) + 1)),
        "rows": [
            {
                "public_id": found_season.row(entry).public_id,
                "name": found_season.row(entry).name,
                "chosen": details.tie_order.get(entry, 0),
            }
            for entry in tied
        ],
    }


def _decided_order(
    found_season: Season, details: NextSeasonDetails, plan: NextSeason | None
) -> list[tuple[str, int]]:
    """Return the decided order on shared places as pairs of public id and number, for hidden fields."""
    undecided_ids = {entry for tied in plan.undecided_ties for entry in tied} if plan else set()
    return [
        (found_season.row(EntryId(pk)).public_id, number)
        for pk, number in details.tie_order.items()
        if pk not in undecided_ids
    ]


def _next_season_context(found_season: Season, plan: NextSeason, details: NextSeasonDetails) -> list[Context]:
    """Return the contexts of the divisions of the next season: names, each with promotion or relegation."""
    stays_context = {"words": "", "mark": "", "tone": ""}
    contexts: list[Context] = [
        {
            "name": table.division.name,
            "rows": [
                {
                    "name": found_season.row(place.entry).name,
                    "move": stays_context if place.move is SeasonMove.STAYS else zone_context(place.move),
                }
                for place in places
            ],
        }
        for table, places in zip(found_season.divisions, plan.divisions, strict=True)
    ]
    new_context = {"words": _("new"), "mark": "+", "tone": "is-info"}
    contexts[-1]["rows"] += [{"name": name, "move": new_context} for name in details.newcomers]
    return contexts


def _details_from_form(request: HttpRequest, found_season: Season) -> NextSeasonDetails:
    """Return the details that the form sends: who leaves, and who ranks higher on a shared place."""
    leaving: set[int] = set()
    higher: dict[int, int] = {}
    for entry in found_season.ranked_entries:
        public_id = found_season.row(entry).public_id
        if request.POST.get(f"leaves-{public_id}"):
            leaving.add(entry)
        posted = request.POST.get(f"higher-{public_id}", "")
        if posted.isascii() and posted.isdecimal() and len(posted) < 4 and int(posted):
            higher[entry] = int(posted)
    return replace(_default_details(found_season), leaving_entry_ids=frozenset(leaving), tie_order=higher)


def _default_details(found_season: Season) -> NextSeasonDetails:
    """Return the details to begin with: withdrawn entries leave."""
    event = found_season.event
    return NextSeasonDetails(
        name=event.name,
        starts_on=event.starts_on,
        ends_on=event.ends_on,
        moving=found_season.moving,
        leaving_entry_ids=found_season.withdrawn,
    )


def _default_initial(event: Event) -> dict[str, Any]:
    """Return initial values for the form.

    The name with its number increased by one, and dates after this season.
    """
    starts_on = event.ends_on + timedelta(days=1)
    number = re.search(r"\d+(?!.*\d)", event.name, re.ASCII)
    name = event.name
    if number is not None and len(number[0]) < 9:
        name = f"{name[: number.start()]}{int(number[0]) + 1}{name[number.end() :]}"
    return {"name": name, "starts_on": starts_on, "ends_on": starts_on + (event.ends_on - event.starts_on)}


def _parse_names(text: str) -> list[str]:
    """Return the names in a typed list; other lines are included, so that they are rejected."""
    parsed = parse_list(text, countries())
    return [*(person.name for person in parsed.people), *(line for _, line in parsed.other_lines)]


def _season_or_404(event: Event) -> Season:
    found_season = load_season(event)
    if found_season is None:
        raise Missing("season.no_league")
    return found_season


def _season_url(page: str, event: Event) -> str:
    return reverse(f"director:{page}", args=[event.public_id])
