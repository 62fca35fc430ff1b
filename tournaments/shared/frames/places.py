"""Navigation of a director's pages of an event: at most eight sections, each with its pages as tabs."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from tournaments.models import Event, Stage
from tournaments.selectors.events.counts import EventCounts


@dataclass(frozen=True, slots=True)
class Tab:
    """A page of the navigation.

    ``code``: by which the page names itself; ``key``: opens the page after ``g``; ``alert``: the count is
    open work; ``note``: present value of a setting; ``under``: code of the tab under which a page without its
    own tab appears.
    """

    code: str
    name: str
    url: str
    key: str = ""
    count: int = 0
    alert: bool = False
    note: str = ""
    under: str = ""


@dataclass(frozen=True, slots=True)
class NavSection:
    """A section of the navigation, which links to the first of its ``tabs``.

    ``is_here``: it contains the current page.
    """

    name: str
    icon: str
    tabs: tuple[Tab, ...]
    key: str
    is_here: bool
    count: int = 0
    alert: int = 0
    tab: str = ""  # the code of the tab of the present page
    has_notes: bool = False  # its tabs are shown beside the page, with present values

    @property
    def url(self) -> str:
        return self.tabs[0].url


@dataclass(frozen=True, slots=True)
class EventNavigation:
    """Facts that decide which sections an event has. ``tab``: code of the current page."""

    event: Event
    counts: EventCounts
    stage: Stage | None
    divisions: int
    has_points: bool
    has_matches: bool
    is_league: bool
    helps: bool
    tab: str


def navigation_sections(about: EventNavigation) -> list[NavSection]:
    """Return the sections of an event for a director or an assistant."""
    found = []
    for name, icon, key, tabs in _helper_sections(about) if about.helps else _director_sections(about):
        shown = tuple(one for one in tabs if one is not None)
        if shown:
            here = next((one for one in shown if one.code == about.tab), None)
            found.append(
                NavSection(
                    name,
                    icon,
                    shown,
                    key,
                    is_here=here is not None,
                    count=max((one.count for one in shown if not one.alert), default=0),
                    alert=sum(one.count for one in shown if one.alert),
                    tab=(here.under or here.code) if here is not None else "",
                    has_notes=any(one.note for one in shown),
                )
            )
    return found


_SectionRows = Iterator[tuple[str, str, str, tuple[Tab | None, ...]]]


def _tab(
    event: Event, code: str, name: str, key: str = "", view: str = "", count: int = 0, **more: Any
) -> Tab:
    return Tab(code, name, reverse(f"director:{view or code}", args=[event.public_id]), key, count, **more)


def _director_sections(about: EventNavigation) -> _SectionRows:
    event, counts, tab = about.event, about.counts, partial(_tab, about.event)
    yield _("Overview"), "home", "o", (tab("overview", _("Overview"), view="event"),)
    yield (
        _("Players"),
        "users",
        "p",
        (
            tab("entries", _("Entries"), "e", count=counts.entries),
            tab("matrix", _("All divisions"), "v"),
            tab("check-in", _("Check-in"), "h") if counts.checks_in or about.tab == "check-in" else None,
            tab("expected", _("Pending approval"), "n", count=counts.expected + counts.asking, alert=True),
            tab("links", _("Personal links"), "l"),
        ),
    )
    in_rounds = about.stage is not None and about.stage.system in Stage.IN_ROUNDS
    yield (
        _("Draws") if about.has_matches else _("Points"),
        "bracket",
        "d",
        (
            tab("draw", _("Rounds") if in_rounds else _("Draw")) if about.has_matches else None,
            tab("money", _("Points"), "i") if about.has_points else None,
            tab("season", _("Season"), "j") if about.is_league else None,
        ),
    )
    if about.has_matches:
        yield (
            _("Matches"),
            "board",
            "m",
            (
                tab("matches", _("Matches"), view="board", count=counts.urgent, alert=True),
                tab("holdups", _("Delays"), "y"),
                tab("analyses", _("Analyses"), "z"),
                tab("quiz", _("Event positions"))
                if event.status == "finished" or about.tab == "quiz"
                else None,
            ),
        )
    yield _("Prizes"), "trophy", "f", (tab("prizes", _("Prizes")),)
    yield (
        _("Displays and print"),
        "screen",
        "w",
        (
            tab("screens", _("Displays")),
            tab("print", _("Print"), "t", view="papers"),
            tab("notices", _("Announcements"), "u"),
        ),
    )
    yield _("Settings"), "gear", "s", tuple(_settings_tabs(about))
    yield (
        _("Activity"),
        "clock",
        "a",
        (
            tab("at-desk", _("Activity"), count=counts.notes, alert=True),
            tab("audit", _("Audit log"), "r"),
        ),
    )


def _settings_tabs(about: EventNavigation) -> Iterator[Tab]:
    """Yield the sections of an event's settings, each with its present value."""
    event, tab = about.event, partial(_tab, about.event)

    def section(code: str, name: str, note: str) -> Tab:
        url = reverse("director:settings-section", args=[event.public_id, code])
        return Tab(code, name, url, note=note)

    divisions = ngettext("%(count)s division", "%(count)s divisions", about.divisions)
    yield tab("settings", _("Details"), note=event.place or str(_("Name, dates, place")))
    yield section(
        "schedule",
        _("Schedule"),
        ngettext("%(count)s table", "%(count)s tables", event.tables) % {"count": event.tables},
    )
    if about.has_matches:
        yield tab("how-long", _("How long will it take?"), "q", under="schedule")
    yield tab("divisions", _("Divisions and format"), "k", note=divisions % {"count": about.divisions})
    yield section("registration", _("Registration"), _("Open") if event.registration_open else _("Closed"))
    yield tab("columns", _("Custom fields"), "x", under="registration")
    yield section("visibility", _("Visibility"), event.get_visibility_display())
    if about.has_matches:
        yield tab("rules", _("Rules and penalties"), note=_("Lateness, clocks, ratings"))
    notice = ngettext(
        "Up-next notice %(count)s minute before",
        "Up-next notice %(count)s minutes before",
        event.word_minutes,
    )
    yield section(
        "notifications",
        _("Notifications"),
        notice % {"count": event.word_minutes} if event.word_minutes else pgettext("notices", "Off"),
    )
    yield tab("helpers", _("Assistants"), "b", note=_("Access to this event"))
    yield tab("again", _("Duplicate or cancel event"), "c", note=_("Template, series"))


def _helper_sections(about: EventNavigation) -> _SectionRows:
    counts, tab = about.counts, partial(_tab, about.event, alert=True)
    yield _("Matches"), "board", "m", (tab("matches", _("Matches"), view="board", count=counts.urgent),)
    yield (
        _("Players"),
        "users",
        "p",
        (
            tab("expected", _("Pending approval"), "e", count=counts.asking),
            tab("check-in", _("Check-in"), "h") if counts.checks_in or about.tab == "check-in" else None,
            tab("matrix", _("All divisions"), "v"),
        ),
    )
    yield _("Activity"), "clock", "a", (tab("at-desk", _("Activity"), count=counts.for_helpers),)
