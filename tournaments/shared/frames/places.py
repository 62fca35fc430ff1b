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
    """A page in the navigation, shown as a tab of its section.

    ``code``: the page's own name for itself; ``key``: opens the page when typed after ``g``; ``alert``:
    ``count`` is work to be done; ``note``: present value of a setting; ``shown_tab_code``: code of the tab
    that is highlighted instead, for a page that is no tab in its own right.
    """

    code: str
    name: str
    url: str
    key: str = ""
    count: int = 0
    alert: bool = False
    note: str = ""
    shown_tab_code: str = ""


@dataclass(frozen=True, slots=True)
class NavSection:
    """A section of the navigation, which links to the first of its ``tabs``.

    ``is_here``: the section contains the current page; ``alert``: number of things to be done in it; ``key``:
    opens the section when typed after ``g``.
    """

    name: str
    icon: str
    tabs: tuple[Tab, ...]
    key: str
    is_here: bool
    count: int = 0
    alert: int = 0
    current_tab_code: str = ""  # the code of the tab of the present page
    has_notes: bool = False  # its tabs are shown beside the page, with present values

    @property
    def url(self) -> str:
        return self.tabs[0].url


@dataclass(frozen=True, slots=True)
class EventNavigation:
    """Facts about an event and the user that decide which sections the navigation has.

    ``stage``: stage that the pages show by default; ``divisions``: number of divisions; ``helps``: the user
    is only an assistant; ``current_tab_code``: code of the current page.
    """

    event: Event
    counts: EventCounts
    stage: Stage | None
    divisions: int
    has_points: bool
    has_matches: bool
    is_league: bool
    helps: bool
    current_tab_code: str


def navigation_sections(navigation: EventNavigation) -> list[NavSection]:
    """Return the sections of the navigation that a director or an assistant sees, without empty ones."""
    sections = []
    for name, icon, key, tabs in (
        _helper_sections(navigation) if navigation.helps else _director_sections(navigation)
    ):
        visible_tabs = tuple(tab for tab in tabs if tab is not None)
        if visible_tabs:
            current_tab = next((tab for tab in visible_tabs if tab.code == navigation.current_tab_code), None)
            sections.append(
                NavSection(
                    name,
                    icon,
                    visible_tabs,
                    key,
                    is_here=current_tab is not None,
                    count=max((tab.count for tab in visible_tabs if not tab.alert), default=0),
                    alert=sum(tab.count for tab in visible_tabs if tab.alert),
                    current_tab_code=(current_tab.shown_tab_code or current_tab.code)
                    if current_tab is not None
                    else "",
                    has_notes=any(tab.note for tab in visible_tabs),
                )
            )
    return sections


_SectionRows = Iterator[tuple[str, str, str, tuple[Tab | None, ...]]]


def _tab(
    event: Event, code: str, name: str, key: str = "", view: str = "", count: int = 0, **extra: Any
) -> Tab:
    return Tab(code, name, reverse(f"director:{view or code}", args=[event.public_id]), key, count, **extra)


def _director_sections(navigation: EventNavigation) -> _SectionRows:
    event, counts, tab = navigation.event, navigation.counts, partial(_tab, navigation.event)
    yield _("Overview"), "home", "o", (tab("overview", _("Overview"), view="event"),)
    yield (
        _("Players"),
        "users",
        "p",
        (
            tab("entries", _("Entries"), "e", count=counts.entries),
            tab("matrix", _("All divisions"), "v"),
            tab("check-in", _("Check-in"), "h")
            if counts.has_check_in or navigation.current_tab_code == "check-in"
            else None,
            tab(
                "expected",
                _("Pending approval"),
                "n",
                count=counts.expected + counts.pending_devices,
                alert=True,
            ),
            tab("links", _("Personal links"), "l"),
        ),
    )
    in_rounds = navigation.stage is not None and navigation.stage.system in Stage.IN_ROUNDS
    yield (
        _("Draws") if navigation.has_matches else _("Points"),
        "bracket",
        "d",
        (
            tab("draw", _("Rounds") if in_rounds else _("Draw")) if navigation.has_matches else None,
            tab("money", _("Points"), "i") if navigation.has_points else None,
            tab("season", _("Season"), "j") if navigation.is_league else None,
        ),
    )
    if navigation.has_matches:
        yield (
            _("Matches"),
            "board",
            "m",
            (
                tab("matches", _("Matches"), view="board", count=counts.urgent, alert=True),
                tab("holdups", _("Delays"), "y"),
                tab("analyses", _("Analyses"), "z"),
                tab("quiz", _("Position quiz"))
                if event.status == "finished" or navigation.current_tab_code == "quiz"
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
    yield _("Settings"), "gear", "s", tuple(_settings_tabs(navigation))
    yield (
        _("Activity"),
        "clock",
        "a",
        (
            tab("at-desk", _("Activity"), count=counts.notes, alert=True),
            tab("audit", _("Audit log"), "r"),
        ),
    )


def _settings_tabs(navigation: EventNavigation) -> Iterator[Tab]:
    """Yield a tab for each page of settings, most with the present value of the setting."""
    event, tab = navigation.event, partial(_tab, navigation.event)

    def section(code: str, name: str, note: str) -> Tab:
        url = reverse("director:settings-section", args=[event.public_id, code])
        return Tab(code, name, url, note=note)

    divisions = ngettext("%(count)s division", "%(count)s divisions", navigation.divisions)
    yield tab("settings", _("Details"), note=event.place or str(_("Name, dates, place")))
    yield section(
        "schedule",
        _("Schedule"),
        ngettext("%(count)s table", "%(count)s tables", event.tables) % {"count": event.tables},
    )
    if navigation.has_matches:
        yield tab("how-long", _("How long will it take?"), "q", shown_tab_code="schedule")
    yield tab("divisions", _("Divisions and format"), "k", note=divisions % {"count": navigation.divisions})
    yield section("registration", _("Registration"), _("Open") if event.registration_open else _("Closed"))
    yield tab("columns", _("Custom fields"), "x", shown_tab_code="registration")
    yield section("visibility", _("Visibility"), event.get_visibility_display())
    if navigation.has_matches:
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


def _helper_sections(navigation: EventNavigation) -> _SectionRows:
    counts, tab = navigation.counts, partial(_tab, navigation.event, alert=True)
    yield _("Matches"), "board", "m", (tab("matches", _("Matches"), view="board", count=counts.urgent),)
    yield (
        _("Players"),
        "users",
        "p",
        (
            tab("expected", _("Pending approval"), "e", count=counts.pending_devices),
            tab("check-in", _("Check-in"), "h")
            if counts.has_check_in or navigation.current_tab_code == "check-in"
            else None,
            tab("matrix", _("All divisions"), "v"),
        ),
    )
    yield _("Activity"), "clock", "a", (tab("at-desk", _("Activity"), count=counts.for_helpers),)
