"""The style guide's page and its sample data: every component in every state, for those who build pages.

Served in DEBUG only (`config.urls`). Nothing here touches the database; the names are made up.
"""

from collections.abc import Iterator
from itertools import cycle
from typing import TYPE_CHECKING, Any

from django import forms
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext_lazy as _

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise as StrPromise

Sample = dict[str, Any]

_FIRST = "Ada Bruno Clara Dario Elif Farid Greta Hugo Ines Jonas Kaya Lars Mira Nadim Olga Pavel".split()
_LAST = "Abell Brandt Castellanos Dahl Ekström Fischer Grønbæk Haddad Ivanov Jensen Köroğlu Lindqvist".split()
_FULL_LENGTH = 7

MATCH_STATUSES = ("waiting", "ready", "called", "playing", "reported", "disputed", "confirmed", "void")
EVENT_STATUSES = ("draft", "open", "running", "finished", "cancelled")


class SampleForm(forms.Form):
    """One field of each kind."""

    name = forms.CharField(label=_("Name"), help_text=_("As it shall stand on the draw."))
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


def _names(count: int) -> Iterator[str]:
    for number in range(count):
        yield f"{_FIRST[number * 7 % len(_FIRST)]} {_LAST[(number + number // 16) * 5 % len(_LAST)]}"


def _side(key: str, entry: Sample | None, placeholder: "str | StrPromise" = "") -> Sample:
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


def _seed_order(size: int) -> list[int]:
    order = [1]
    while len(order) < size:
        total = 2 * len(order) + 1
        order = [seed for best in order for seed in (best, total - best)]
    return order


def sample_bracket(entries: int, *, finished_rounds: int = 2) -> Sample:
    """A seeded bracket in which the first rounds are played and the next one is under way."""
    size = 2
    while size < entries:
        size *= 2
    people = [
        {"name": name, "seed": n, "entry": f"e{n}", "is_bye": False}
        for n, name in enumerate(_names(entries), 1)
    ]
    bye = {"name": "", "seed": None, "entry": "", "is_bye": True}
    line: list[Sample | None] = [people[seed - 1] if seed <= entries else bye for seed in _seed_order(size)]
    rounds: list[Sample] = []
    states = cycle(("playing", "called", "ready", "reported", "playing", "disputed"))
    number = 0
    while len(line) > 1:
        depth = len(rounds)
        matches, following = [], []
        for a, b in zip(line[::2], line[1::2], strict=True):
            number += 1
            sides = [_side("a", a, _("To be known")), _side("b", b, _("To be known"))]
            winner = None
            status = "waiting"
            if a is not None and b is not None:
                if b["is_bye"] or depth < finished_rounds:
                    upset = number % 5 == 0 and not b["is_bye"]
                    winner = b if upset else a
                    loser_points = number * 3 % _FULL_LENGTH
                    for side, entry in zip(sides, (a, b), strict=True):
                        side["winner"] = entry is winner
                        if not b["is_bye"]:
                            side["score"] = _FULL_LENGTH if entry is winner else loser_points
                    status = "confirmed"
                else:
                    status = next(states)
            following.append(winner)
            table = number if status in {"called", "playing"} else None
            note = _("Walk-over") if status == "confirmed" and number % 11 == 0 else ""
            matches.append(
                {
                    "public_id": f"m{number}", "number": number, "url": f"#match-{number}", "status": status,
                    "table": table, "length": _FULL_LENGTH, "round_name": "", "time": "", "note": note,
                    "mine": False, "sides": sides,
                }
            )  # fmt: skip
        names = {1: _("Final"), 2: _("Semi-finals"), 4: _("Quarter-finals")}
        name = names.get(len(matches), f"Round of {2 * len(matches)}")
        rounds.append(
            {"number": depth + 1, "name": name, "length": _FULL_LENGTH, "join": "pairs", "matches": matches}
        )
        line = following
    third = None
    if len(rounds) > 1 and line[0]:
        losers = [side for match in rounds[-2]["matches"] for side in match["sides"] if not side["winner"]]
        sides = [{**losers[0], "key": "a", "score": 7, "winner": True}, {**losers[1], "key": "b", "score": 5}]
        third = {
            "public_id": "third",
            "number": number + 1,
            "url": "#",
            "status": "confirmed",
            "sides": sides,
        }
    champion = {"name": line[0]["name"], "url": "#"} if line[0] else None
    return {
        "title": _("Bracket"),
        "rounds": rounds,
        "size": len(rounds),
        "champion": champion,
        "third_place": third,
    }


def _sample_matches() -> list[Sample]:
    names = _names(2 * len(MATCH_STATUSES))
    matches = []
    for number, status in enumerate(MATCH_STATUSES, 1):
        a = _side("a", {"name": next(names), "seed": number, "url": "#", "note": "Copenhagen"})
        b = _side("b", {"name": next(names), "seed": None, "url": "#"})
        if status == "waiting":
            b = _side("b", None, _("Winner of match 12"))
        if status in {"reported", "disputed", "confirmed"}:
            a |= {"score": 7, "winner": status == "confirmed"}
            b |= {"score": 4}
        matches.append(
            {
                "public_id": f"card{number}", "number": number, "url": "#", "status": status, "length": 7,
                "table": number if status in {"called", "playing"} else None, "mine": status == "called",
                "round_name": _("Quarter-finals"), "time": "14:30" if status == "playing" else "", "note": "",
                "sides": [a, b],
            }
        )  # fmt: skip
    return matches


def sample_context(entries: int = 13, finished_rounds: int = 2) -> Sample:
    """All that styleguide.html shows."""
    faulty = SampleForm({"name": "", "email": "ada", "score": "9", "draw": "blind"}, auto_id="faulty_%s")
    tokens = (
        "paper surface sunk ink ink-muted line line-strong accent accent-soft oxblood point-light point-dark"
    )
    return {
        "bracket": sample_bracket(entries, finished_rounds=finished_rounds),
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
            for n, name in enumerate(_names(6), 1)
        ],
        "icons": (
            "home calendar bracket trophy users user rating gear check close alert info clock place board qr link copy "
            "print menu theme plus minus search next previous down edit trash undo bell play flag eye lock leave file "
            "upload download mail dice screen"
        ).split(),
    }


def styleguide(request: HttpRequest) -> HttpResponse:
    """The page itself; ?entries=64&played=3 draws another bracket."""
    entries = request.GET.get("entries", "")
    played = request.GET.get("played", "")
    context = sample_context(
        min(max(int(entries), 2), 1024) if entries.isdecimal() else 13,
        int(played) if played.isdecimal() else 2,
    )
    return render(request, "styleguide.html", context)
