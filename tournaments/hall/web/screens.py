"""The screens of a hall: a director says what each shows, and gets its address to type, to open or to scan."""

from typing import Any, Final
from urllib.parse import urlencode

from django import forms
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.engine.statuses import DRAW_SHOWN
from tournaments.hall.web.public import LONGEST, SHORTEST, STANDS
from tournaments.hall.web.wall import USUAL
from tournaments.models import Event, Stage
from tournaments.selectors.access.links import hall_key
from tournaments.selectors.events.director import stages_of
from tournaments.selectors.money import is_money
from tournaments.shared.fragments.cards import Shape
from tournaments.shared.fragments.qr import qr_svg
from tournaments.shared.frames.access import event_page
from tournaments.shared.frames.director import INVALID, absolute, show
from tournaments.shared.frames.divisions import stage_name

# So many ready-made screens stand with their codes; of more each has its own behind a link, for one is 5 kB and takes 4 ms.
CODES: Final = 8
SHOWN: Final = (
    ("calls", gettext_lazy("called players, by name and by table")),
    ("next", gettext_lazy("next matches")),
    ("rounds", gettext_lazy("next rounds and their times")),
    ("playing", gettext_lazy("current matches and tables")),
    ("tables", gettext_lazy("standings of stages played in rounds")),
)


class ScreenForm(forms.Form):
    """What a screen shows."""

    division = forms.TypedMultipleChoiceField(
        label=gettext_lazy("Divisions"), coerce=int, required=False, widget=forms.CheckboxSelectMultiple
    )
    turn = forms.ChoiceField(
        label=gettext_lazy("Multiple divisions"),
        choices=(
            ("", gettext_lazy("together")),
            ("divisions", gettext_lazy("one after another")),
        ),
        required=False,
    )
    show = forms.MultipleChoiceField(
        label=gettext_lazy("Pages"), choices=SHOWN, widget=forms.CheckboxSelectMultiple
    )
    seconds = forms.IntegerField(
        label=gettext_lazy("Seconds per page"), min_value=SHORTEST, max_value=LONGEST
    )

    def __init__(self, data: Any, *, stages: list[Stage]) -> None:
        divisions = {stage.division.position: stage.division for stage in stages}
        super().__init__(
            data, initial={"division": list(divisions), "show": list(USUAL), "seconds": STANDS, "turn": ""}
        )
        field: Any = self.fields["division"]
        field.choices = [(position, str(division)) for position, division in divisions.items()]
        if len(divisions) < 2:
            del self.fields["division"], self.fields["turn"]
        self.all = set(divisions)

    def query(self) -> str:
        """The address of the screen, without what is usual."""
        data = self.cleaned_data
        chosen = sorted(data.get("division", []))
        asked = {
            "division": ",".join(map(str, chosen)) if chosen and set(chosen) != self.all else "",
            "turn": data.get("turn", "") if len(chosen) != 1 else "",
            "show": ",".join(data["show"]) if tuple(data["show"]) != USUAL else "",
            "seconds": str(data["seconds"]) if data["seconds"] != STANDS else "",
        }
        return urlencode({name: value for name, value in asked.items() if value}, safe=",")


@event_page
def screens(request: HttpRequest, event: Event) -> HttpResponse:
    """One screen put together, and those that most halls have."""
    stages = stages_of(event)
    form = ScreenForm(request.GET if "seconds" in request.GET else None, stages=stages)
    key = hall_key(event)
    usual = _usual(request, event, stages, key)
    chosen = [one for one in usual if one["key"] == request.GET.get("code")]
    if form.is_valid():
        chosen = [_screen(request, event, _("Your display"), form.query(), key)]
    context = {
        "form": form,
        "chosen": [_with_code({**one, "key": "screen"}) for one in chosen],
        "screens": [_with_code(one) for one in usual] if len(usual) <= CODES else usual,
    }
    return show(
        request,
        "hall/screens.html",
        event,
        "screens",
        context,
        stages=stages,
        status=INVALID if form.errors else 200,
    )


def _usual(request: HttpRequest, event: Event, stages: list[Stage], key: str) -> list[Shape]:
    divisions = {stage.division.position: stage.division for stage in stages}
    found = [("", _("All pages"))]
    if len(divisions) > 1:
        found += [(f"division={position}", str(one)) for position, one in divisions.items()]
        found.append(
            (
                "turn=divisions&show=calls,next,rounds,tables",
                _("Divisions one after another, with standings"),
            )
        )
    else:
        found.append(("show=calls,next,rounds,tables", _("With standings, without current matches")))
    drawn = [stage for stage in stages if stage.status in DRAW_SHOWN]
    brackets = [
        _screen(
            request,
            event,
            _("Draw: %(name)s") % {"name": stage_name(stage, stages) or str(stage)},
            query,
            key,
            "bracket",
        )
        for number, stage in enumerate(drawn, start=1)
        if not is_money(stage)
        for query in [f"view=hall&stage={number}" if len(drawn) > 1 else "view=hall"]
    ]
    return [*(_screen(request, event, name, query, key) for query, name in found), *brackets]


def _screen(request: HttpRequest, event: Event, name: str, query: str, key: str, page: str = "hall") -> Shape:
    path = reverse(f"public:{page}", args=[event.public_id])
    full = "&".join(part for part in (query, urlencode({"hall": key}) if key else "") if part)
    url = absolute(request, f"{path}?{full}" if full else path)
    return {
        "key": f"screen-{page}-{query}".replace("=", "-").replace("&", "-").replace(",", "-"),
        "name": name,
        "url": url,
    }


def _with_code(screen: Shape) -> Shape:
    return {**screen, "qr": qr_svg(screen["url"])}
