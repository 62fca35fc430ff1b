"""The style guide with sample data: every component in every state, for developers of pages.

Served in DEBUG only (`config.urls`). It uses no database; the names are invented.
"""

from typing import TYPE_CHECKING, Any

from django import forms
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext_lazy as _

from config.sample_draws import sample_draw, sample_names
from tournaments.engine.brackets.consolation import FlightKind
from tournaments.engine.stages.elimination import Flight
from tournaments.engine.statuses import EventStatus, MatchStatus
from tournaments.shared.fragments.bracket import bracket_context

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise as StrPromise

Sample = dict[str, Any]

MATCH_STATUSES = tuple(status.value for status in MatchStatus)
SAMPLE_FLIGHTS = (Flight(FlightKind.PROGRESSIVE, (5,), 2), Flight(FlightKind.LAST_CHANCE, (3,)))
EVENT_STATUSES = tuple(status.value for status in EventStatus)


class SampleForm(forms.Form):
    """Form with one field of each kind."""

    name = forms.CharField(label=_("Name"), help_text=_("As it should appear on the draw."))
    email = forms.EmailField(label=_("E-mail"))
    country = forms.ChoiceField(
        label=_("Country"), required=False, choices=[("", "–"), ("dk", "Denmark"), ("tr", "Türkiye")]
    )
    notes = forms.CharField(label=_("Notes"), required=False, widget=forms.Textarea(attrs={"rows": 3}))
    score = forms.IntegerField(label=_("Points"), min_value=0, max_value=7, initial=4)
    draw = forms.ChoiceField(
        label=_("Draw"),
        choices=[("seeded", _("Seeded")), ("blind", _("Blind"))],
        widget=forms.RadioSelect,
        initial="seeded",
    )
    public = forms.BooleanField(
        label=_("Show this event on the public page"),
        required=False,
        help_text=_("You can change this later."),
    )


def _sample_side(key: str, entry: Sample | None, placeholder: "str | StrPromise" = "") -> Sample:
    base = entry or {"name": "", "seed": None, "entry": "", "is_bye": False}
    return {
        "key": key,
        "score": None,
        "winner": False,
        "placeholder": placeholder,
        "note": "",
        "url": "",
        **base,
    }


def _sample_matches() -> list[Sample]:
    names = sample_names(2 * len(MATCH_STATUSES))
    matches = []
    for number, status in enumerate(MATCH_STATUSES, 1):
        a = _sample_side("a", {"name": next(names), "seed": number, "url": "#", "note": "Copenhagen"})
        b = _sample_side("b", {"name": next(names), "seed": None, "url": "#"})
        if status == "waiting":
            b = _sample_side("b", None, _("Winner of match 12"))
        if status in {"reported", "disputed", "confirmed"}:
            a |= {"score": 7, "winner": status == "confirmed"}
            b |= {"score": 4}
        matches.append(
            {
                "public_id": f"card{number}", "number": number, "url": "#", "status": status, "length": 7,
                "table": number if status in {"called", "playing"} else None, "mine": status == "called",
                "round_name": _("Quarterfinals"), "time": "14:30" if status == "playing" else "", "note": "",
                "sides": [a, b],
            }
        )  # fmt: skip
    return matches


def _sample_event_rows() -> Sample:
    row = {
        "url": "#",
        "name": "Harbour Open",
        "place": "Old Customs House, Helsinki",
        "hour": "11:00",
        "entries": 21,
    }
    coming = {
        **row,
        "weekday": "Sat", "day": 28, "month": "Nov", "days": 2, "enter": "#", "left": 3, "few": True, "queued": 0,
        "until": "27 Nov",
    }  # fmt: skip
    return {
        "live": [{**row, "key": "live", "when": "Day 1 of 2"}],
        "coming": [{**coming, "key": "few"}, {**coming, "key": "full", "left": 0, "few": False, "queued": 4}],
        "over": [{**row, "key": "over", "weekday": "Mon", "day": 9, "month": "Nov", "winner": "Ada Abell"}],
    }


def sample_context(entries: int = 13, finished_rounds: int = 2) -> Sample:
    """Return the template context of styleguide.html.

    ``entries``, ``finished_rounds``: of the sample bracket.
    """
    faulty = SampleForm({"name": "", "email": "ada", "score": "9", "draw": "blind"}, auto_id="faulty_%s")
    tokens = (
        "paper surface sunk ink ink-muted line line-strong accent accent-soft oxblood point-light point-dark"
    )
    return {
        "bracket": bracket_context(
            sample_draw(entries, rounds=finished_rounds, flights=SAMPLE_FLIGHTS if entries > 7 else ()),
            "Bracket",
        ),
        "event_rows": _sample_event_rows(),
        "table_looks": ("playing", "called", "long", "reported", "disputed", "free", "closed"),
        "event_statuses": EVENT_STATUSES,
        "match_statuses": MATCH_STATUSES,
        "matches": _sample_matches(),
        "form": SampleForm(),
        "faulty": faulty,
        "swatches": tokens.split(),
        "crumbs": [("#", _("Events")), ("#", "Harbour Backgammon Club")],
        "page": Paginator(range(90), 10).page(3),
        "standings": [
            {
                "rank": n,
                "name": name,
                "wins": 9 - n,
                "losses": n,
                "points": 91 - 7 * n,
                "rating": f"{1712 - 31 * n}.4",
            }
            for n, name in enumerate(sample_names(6), 1)
        ],
        "icons": (
            "home calendar bracket trophy users user rating gear check close alert info clock place board qr link copy "
            "print menu theme plus minus search next previous down edit trash undo bell play flag eye lock leave file "
            "upload download mail dice screen"
        ).split(),
    }


def styleguide(request: HttpRequest) -> HttpResponse:
    """Page with all components; `?entries=64&played=3` shows another bracket."""
    entries = request.GET.get("entries", "")
    played = request.GET.get("played", "")
    context = sample_context(
        min(max(int(entries), 2), 1024) if entries.isdecimal() else 13,
        int(played) if played.isdecimal() else 2,
    )
    return render(request, "styleguide.html", context)
