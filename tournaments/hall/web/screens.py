"""Director's page of displays: choose what a screen in the hall shows, and get its address and QR code."""

from typing import Any, Final
from urllib.parse import urlencode

from django import forms
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.engine.statuses import DRAW_PUBLIC
from tournaments.hall.web.public import MAX_PAGE_SECONDS, MIN_PAGE_SECONDS, PAGE_SECONDS
from tournaments.hall.web.wall import DEFAULT_PAGES
from tournaments.models import Event, Stage
from tournaments.selectors.access.links import display_key
from tournaments.selectors.events.director import linked_stages
from tournaments.selectors.money import is_money
from tournaments.shared.fragments.cards import Context
from tournaments.shared.fragments.qr import qr_svg
from tournaments.shared.frames.access import event_page
from tournaments.shared.frames.director import INVALID_STATUS, absolute_url, render_event_page
from tournaments.shared.frames.divisions import stage_name

# With more ready-made displays, each code is behind a link, because one takes 5 kB and 4 ms.
MAX_INLINE_QR_CODES: Final = 8
PAGE_CHOICES: Final = (
    ("calls", gettext_lazy("called players, by name and by table")),
    ("next", gettext_lazy("next matches")),
    ("rounds", gettext_lazy("next rounds and their times")),
    ("playing", gettext_lazy("current matches and tables")),
    ("tables", gettext_lazy("standings of stages played in rounds")),
)


class DisplayForm(forms.Form):
    """Settings of a display: divisions, pages and seconds for each page."""

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
        label=gettext_lazy("Pages"), choices=PAGE_CHOICES, widget=forms.CheckboxSelectMultiple
    )
    seconds = forms.IntegerField(
        label=gettext_lazy("Seconds per page"), min_value=MIN_PAGE_SECONDS, max_value=MAX_PAGE_SECONDS
    )

    def __init__(self, data: Any, *, stages: list[Stage]) -> None:
        divisions = {stage.division.position: stage.division for stage in stages}
        super().__init__(
            data,
            initial={
                "division": list(divisions),
                "show": list(DEFAULT_PAGES),
                "seconds": PAGE_SECONDS,
                "turn": "",
            },
        )
        field: Any = self.fields["division"]
        field.choices = [(position, str(division)) for position, division in divisions.items()]
        if len(divisions) < 2:
            del self.fields["division"], self.fields["turn"]
        self.all = set(divisions)

    def query(self) -> str:
        """Return the query string of the display, without parameters that have their default."""
        data = self.cleaned_data
        selected = sorted(data.get("division", []))
        parameters = {
            "division": ",".join(map(str, selected)) if selected and set(selected) != self.all else "",
            "turn": data.get("turn", "") if len(selected) != 1 else "",
            "show": ",".join(data["show"]) if tuple(data["show"]) != DEFAULT_PAGES else "",
            "seconds": str(data["seconds"]) if data["seconds"] != PAGE_SECONDS else "",
        }
        return urlencode({name: value for name, value in parameters.items() if value}, safe=",")


@event_page
def displays(request: HttpRequest, event: Event) -> HttpResponse:
    """Page with a form for a display, the configured display, and ready-made ones."""
    stages = linked_stages(event)
    form = DisplayForm(request.GET if "seconds" in request.GET else None, stages=stages)
    key = display_key(event)
    default_links = _default_displays(request, event, stages, key)
    chosen = [link for link in default_links if link["key"] == request.GET.get("code")]
    if form.is_valid():
        chosen = [_display_link(request, event, _("Your display"), form.query(), key)]
    context = {
        "form": form,
        "chosen": [_with_qr_code({**link, "key": "screen"}) for link in chosen],
        "screens": [_with_qr_code(link) for link in default_links]
        if len(default_links) <= MAX_INLINE_QR_CODES
        else default_links,
    }
    return render_event_page(
        request,
        "hall/screens.html",
        event,
        "screens",
        context,
        stages=stages,
        status=INVALID_STATUS if form.errors else 200,
    )


def _default_displays(request: HttpRequest, event: Event, stages: list[Stage], key: str) -> list[Context]:
    divisions = {stage.division.position: stage.division for stage in stages}
    queries = [("", _("All pages"))]
    if len(divisions) > 1:
        queries += [(f"division={position}", str(division)) for position, division in divisions.items()]
        queries.append(
            (
                "turn=divisions&show=calls,next,rounds,tables",
                _("Divisions one after another, with standings"),
            )
        )
    else:
        queries.append(("show=calls,next,rounds,tables", _("With standings, without current matches")))
    drawn_stages = [stage for stage in stages if stage.status in DRAW_PUBLIC]
    brackets = [
        _display_link(
            request,
            event,
            _("Draw: %(name)s") % {"name": stage_name(stage, stages) or str(stage)},
            query,
            key,
            "bracket",
        )
        for number, stage in enumerate(drawn_stages, start=1)
        if not is_money(stage)
        for query in [f"view=hall&stage={number}" if len(drawn_stages) > 1 else "view=hall"]
    ]
    return [*(_display_link(request, event, name, query, key) for query, name in queries), *brackets]


def _display_link(
    request: HttpRequest, event: Event, name: str, query: str, key: str, page: str = "hall"
) -> Context:
    path = reverse(f"public:{page}", args=[event.public_id])
    full_query = "&".join(part for part in (query, urlencode({"hall": key}) if key else "") if part)
    url = absolute_url(request, f"{path}?{full_query}" if full_query else path)
    return {
        "key": f"screen-{page}-{query}".replace("=", "-").replace("&", "-").replace(",", "-"),
        "name": name,
        "url": url,
    }


def _with_qr_code(screen: Context) -> Context:
    return {**screen, "qr": qr_svg(screen["url"])}
