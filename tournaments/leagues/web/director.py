"""The director's pages of a league: where the season stands, matches that nobody played, and the season that follows."""

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
from people.web.access import actor_of
from people.web.faults import add_faults
from people.web.forms import DateField
from tournaments.engine.lists.reader import LONGEST_TEXT, read_list
from tournaments.engine.statuses import BEGUN, MatchStatus
from tournaments.engine.types import EntryId
from tournaments.leagues.services.seasons import (
    MOST_MOVING,
    NextSeasonDetails,
    Ruling,
    create_season,
    planned_season,
    rule_unplayed,
    set_moving,
)
from tournaments.leagues.web.public import zone_words
from tournaments.models import Event
from tournaments.selectors.leagues import (
    Move,
    NextSeason,
    Season,
    season_after,
    season_of,
    unplayed_matches,
)
from tournaments.shared.fragments.cards import Shape
from tournaments.shared.frames.access import event_form
from tournaments.shared.frames.director import INVALID, not_done, show
from tournaments.shared.frames.keys import new_key
from tournaments.shared.words.names import round_name

MOVED_ON = 409
# What has happened to a match that is not over: not everything that is open was forgotten.
_SHOWN = tuple(status for status in BEGUN if status is not MatchStatus.CALLED)


@event_form
def season(request: HttpRequest, event: Event) -> HttpResponse:
    """What is open before the season is over, and how many go up and down."""
    found = _season(event)
    form = MovingForm(request.POST or None, season=found)
    if request.method == "POST" and form.is_valid():
        try:
            set_moving(actor=actor_of(request), event_id=event.pk, moving=form.moving())
        except CrawfordError as error:
            if error.status != INVALID:
                return not_done(request, error, back=_address("season", event))
            add_faults(form, error)
        else:
            messages.success(request, _("Saved. The standings show promotion and relegation."))
            return redirect(_address("season", event))
    unplayed = unplayed_matches(event)
    context = {
        "season": found,
        "form": form,
        "borders": len(found.divisions) > 1,
        "unplayed": len(unplayed),
        "overdue": sum(row.overdue for row in unplayed),
        "to_publish": [
            (table.division.name or event.name, table.rounds_to_publish)
            for table in found.divisions
            if table.draw is None or table.rounds_to_publish
        ],
        "before": event.follows,
        "after": season_after(event),
    }
    return show(
        request, "leagues/season.html", event, "season", context, status=INVALID if form.errors else 200
    )


@event_form
def unplayed(request: HttpRequest, event: Event) -> HttpResponse:
    """Every match without a result, with one tap for each that nobody played; several are sent at once."""
    _season(event)
    faults: list[str] = []
    status = 200
    rows = unplayed_matches(event)
    if request.method == "POST":
        rulings = {
            row.match.pk: Ruling(given)
            for row in rows
            if (given := request.POST.get(f"match-{row.match.public_id}", "")) in set(Ruling)
        }
        key = request.POST.get("submission_key", "")
        try:
            ruled = rule_unplayed(
                actor=actor_of(request), event_id=event.pk, rulings=rulings, submission_key=key
            )
        except CrawfordError as error:
            if error.status != INVALID:
                return not_done(request, error, back=_address("unplayed", event))
            faults, status = describe_all(error), INVALID
        else:
            messages.success(
                request,
                ngettext(
                    "%(count)s match now has a result.", "%(count)s matches now have results.", len(ruled)
                )
                % {"count": len(ruled)},
            )
            return redirect(_address("unplayed" if len(ruled) < len(rows) else "season", event))
    context = {
        "faults": faults,
        "key": new_key(),
        "rows": [
            {
                "public_id": row.match.public_id,
                "number": row.match.number,
                "division": row.match.stage.division.name,
                "round": round_name(row.match.round),
                "deadline": row.deadline,
                "overdue": row.overdue,
                "status": row.match.status if row.match.status in _SHOWN else "",
                "names": row.names,
                "chosen": request.POST.get(f"match-{row.match.public_id}", ""),
                "choices": [
                    (Ruling.WALKOVER_A.value, _("%(name)s wins by walkover") % {"name": row.names[0]}),
                    (Ruling.WALKOVER_B.value, _("%(name)s wins by walkover") % {"name": row.names[1]}),
                    (Ruling.DOUBLE_WALKOVER.value, _("Neither came: no points")),
                    (Ruling.UNFINISHED.value, _("Not finished: half a point each")),
                ],
            }
            for row in rows
        ],
    }
    return show(request, "leagues/season_unplayed.html", event, "season", context, status=status)


@event_form
def following(request: HttpRequest, event: Event) -> HttpResponse:
    """Who plays where next season: looked at as often as wanted, then made."""
    found = _season(event)
    if not found.is_over or season_after(event) is not None:
        return redirect(_address("season", event))
    if request.method != "POST":
        return _following(request, event, found, NextSeasonForm(initial=_usual(event)), _first(found), None)
    form = NextSeasonForm(request.POST)
    moving_form = MovingForm(request.POST, season=found)
    details = _details(request, found)
    faults: list[str] = []
    planned: NextSeason | None = None
    status = INVALID
    if all([form.is_valid(), moving_form.is_valid()]):
        details = replace(
            details,
            **{name: form.cleaned_data[name] for name in ("name", "starts_on", "ends_on")},
            moving=moving_form.moving(),
            newcomers=_names(form.cleaned_data["newcomers"]),
        )
        try:
            planned = planned_season(found, details)
            if request.POST.get("do") == "create":
                made = create_season(
                    actor=actor_of(request),
                    event_id=event.pk,
                    details=details,
                    seen=request.POST.get("seen", ""),
                )
                messages.success(
                    request,
                    _(
                        "%(name)s has been created as a draft. Only you can see it. Check its entries and settings, "
                        "then make the draw."
                    )
                    % {"name": made.name},
                )
                return redirect("director:event", made.public_id)
            status = 200
        except CrawfordError as error:
            if error.status == MOVED_ON and error.code != "season.changed":
                return not_done(request, error, back=_address("season", event))
            status = error.status
            others = [fault for fault in error.faults if fault.field not in form.fields]
            add_faults(form, error, leave={fault.field or "" for fault in others})
            faults = describe_all(type(error)(faults=others)) if others and status == INVALID else []
            if status == MOVED_ON:
                faults = describe_all(error)
    return _following(
        request, event, found, form, details, planned, moving_form=moving_form, faults=faults, status=status
    )


class MovingForm(forms.Form):
    """How many change places at each border of the divisions."""

    def __init__(self, data: Any = None, *, season: Season, **kwargs: Any) -> None:
        super().__init__(data, **kwargs)
        names = [table.division.name for table in season.divisions]
        for number, (upper, lower, usual) in enumerate(
            zip(names, names[1:], season.moving, strict=False), start=1
        ):
            self.fields[f"moving-{number}"] = forms.IntegerField(
                label=_("Between %(upper)s and %(lower)s") % {"upper": upper, "lower": lower},
                min_value=0,
                max_value=MOST_MOVING,
                initial=usual,
                widget=forms.NumberInput(attrs={"inputmode": "numeric"}),
            )

    def moving(self) -> list[int]:
        return [self.cleaned_data[name] for name in self.fields]


class NextSeasonForm(forms.Form):
    """What the next season is called, when it is, and who is new."""

    name = forms.CharField(label=gettext_lazy("Name"), max_length=120)
    starts_on = DateField(label=gettext_lazy("First day"))
    ends_on = DateField(label=gettext_lazy("Last day"))
    newcomers = forms.CharField(
        label=gettext_lazy("New players"),
        required=False,
        max_length=LONGEST_TEXT,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=gettext_lazy(
            "One name per line. New players start in the last division; players the club already knows are "
            "recognised."
        ),
    )


def _following(
    request: HttpRequest,
    event: Event,
    found: Season,
    form: NextSeasonForm,
    details: NextSeasonDetails,
    planned: NextSeason | None,
    *,
    moving_form: MovingForm | None = None,
    faults: Sequence[str] = (),
    status: int = 200,
) -> HttpResponse:
    if planned is None and status == 200:
        planned = planned_season(found, details)
    context = {
        "form": form,
        "moving_form": moving_form or MovingForm(season=found),
        "borders": len(found.divisions) > 1,
        "teams": found.divisions[-1].division.team_size > 1,
        "divisions": [_table_shape(table, details) for table in found.divisions],
        "ties": [_tie_shape(found, shared, details) for shared in planned.undecided] if planned else [],
        "decided": [(pk, number) for pk, number in _order_given(found, details, planned)],
        "next": _next_shape(found, planned, details) if planned and not planned.undecided else None,
        "seen": planned.version if planned else "",
        "faults": list(faults),
    }
    return show(request, "leagues/season_next.html", event, "season", context, status=status)


def _table_shape(table: Any, details: NextSeasonDetails) -> Shape:
    """A division as it ended, with a tick for everybody who leaves."""
    rows = []
    first = 1
    for shared in table.places:
        last = first + len(shared) - 1
        for entry in shared:
            row = table.entries[entry]
            rows.append(
                {
                    "place": str(first) if first == last else f"{first}–{last}",
                    "public_id": row.public_id,
                    "name": row.name,
                    "withdrawn": row.withdrawn,
                    "leaves": entry in details.leaving,
                }
            )
        first = last + 1
    return {"name": table.division.name, "rows": rows}


def _tie_shape(found: Season, shared: Sequence[EntryId], details: NextSeasonDetails) -> Shape:
    """A place that is shared over a border, with a number for each who shares it."""
    division = next(table.division for table in found.divisions if shared[0] in table.entries)
    return {
        "division": division.name,
        "numbers": list(range(1, len(shared) + 1)),
        "rows": [
            {
                "public_id": found.row(entry).public_id,
                "name": found.row(entry).name,
                "chosen": details.higher.get(entry, 0),
            }
            for entry in shared
        ],
    }


def _order_given(
    found: Season, details: NextSeasonDetails, planned: NextSeason | None
) -> list[tuple[str, int]]:
    """Decisions that are made already: they go with the form, so that they are not asked again."""
    asked = {entry for shared in planned.undecided for entry in shared} if planned else set()
    return [
        (found.row(EntryId(pk)).public_id, number) for pk, number in details.higher.items() if pk not in asked
    ]


def _next_shape(found: Season, planned: NextSeason, details: NextSeasonDetails) -> list[Shape]:
    """The divisions of the next season by names, each with what becomes of it."""
    stays = {"words": "", "mark": "", "tone": ""}
    shapes: list[Shape] = [
        {
            "name": table.division.name,
            "rows": [
                {
                    "name": found.row(one.entry).name,
                    "move": stays if one.move is Move.STAYS else zone_words(one.move),
                }
                for one in placed
            ],
        }
        for table, placed in zip(found.divisions, planned.divisions, strict=True)
    ]
    new = {"words": _("new"), "mark": "+", "tone": "is-info"}
    shapes[-1]["rows"] += [{"name": name, "move": new} for name in details.newcomers]
    return shapes


def _details(request: HttpRequest, found: Season) -> NextSeasonDetails:
    """What the form says about entries: who leaves, and who stands higher on a shared place."""
    leaving: set[int] = set()
    higher: dict[int, int] = {}
    for entry in found.in_it:
        public_id = found.row(entry).public_id
        if request.POST.get(f"leaves-{public_id}"):
            leaving.add(entry)
        given = request.POST.get(f"higher-{public_id}", "")
        if given.isascii() and given.isdecimal() and len(given) < 4 and int(given):
            higher[entry] = int(given)
    return replace(_first(found), leaving=frozenset(leaving), higher=higher)


def _first(found: Season) -> NextSeasonDetails:
    """What is proposed before the director has said anything: whoever withdrew leaves."""
    event = found.event
    return NextSeasonDetails(
        name=event.name,
        starts_on=event.starts_on,
        ends_on=event.ends_on,
        moving=found.moving,
        leaving=found.withdrawn,
    )


def _usual(event: Event) -> dict[str, Any]:
    """The name with its number one higher, the days after this season's."""
    begins = event.ends_on + timedelta(days=1)
    number = re.search(r"\d+(?!.*\d)", event.name, re.ASCII)
    name = event.name
    if number is not None and len(number[0]) < 9:
        name = f"{name[: number.start()]}{int(number[0]) + 1}{name[number.end() :]}"
    return {"name": name, "starts_on": begins, "ends_on": begins + (event.ends_on - event.starts_on)}


def _names(text: str) -> list[str]:
    """The names on a list; what is none is refused as it stands."""
    read = read_list(text, countries())
    return [*(person.name for person in read.people), *(stated for _, stated in read.nobody)]


def _season(event: Event) -> Season:
    found = season_of(event)
    if found is None:
        raise Missing("season.no_league")
    return found


def _address(page: str, event: Event) -> str:
    return reverse(f"director:{page}", args=[event.public_id])
