"""Choice of the division that a page shows, links between divisions, and the format of each stage as text.

An event with one division shows neither links nor the name of the division.
"""

from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext as _

from faults import Missing
from people.ids import parse_row_id
from tournaments.models import Division, Event, Stage
from tournaments.selectors.entries import active_entry_counts
from tournaments.selectors.prizes import Prizes, event_prizes
from tournaments.selectors.standings.sources import feeds_among
from tournaments.selectors.standings.tables import is_round_based
from tournaments.shared.fragments.standings import condition_rows
from tournaments.shared.words.feeds import participants_label
from tournaments.shared.words.limits import limit_rows
from tournaments.shared.words.names import format_labels, lengths_label, location_rows
from tournaments.shared.words.prizes import prize_rows
from tournaments.shared.words.sections import bracket_rows


def division_page_url(event: Event, page: str, division_id: int | None) -> str:
    """Return the address of a director's page for the division with the id ``division_id``.

    ``page``: URL name without ``director:``. Without a division the page shows its default division or all of
    them.
    """
    url = reverse(f"director:{page}", args=[event.public_id])
    return url if division_id is None else f"{url}?division={division_id}"


@dataclass(frozen=True, slots=True)
class DivisionSwitch:
    """The division that a page shows, and all divisions of the event to choose from.

    ``stage``: first stage of the shown division, which new entries join; ``counts``: number of active
    entries, keyed by division id; ``query``: query string that keeps the choice in links.
    """

    division: Division
    stage: Stage
    divisions: tuple[Division, ...]
    counts: dict[int, int]

    @property
    def has_several_divisions(self) -> bool:
        return len(self.divisions) > 1

    @property
    def query(self) -> str:
        return f"?division={self.division.pk}" if self.has_several_divisions else ""

    def links(self, event: Event, page: str) -> list[dict[str, Any]]:
        """Return the links to a page for all divisions, for ``shared/_divisions.html``.

        ``page``: URL name without ``director:``. Empty if the event has only one division.
        """
        if not self.has_several_divisions:
            return []
        return [
            {
                "name": division.name,
                "count": self.counts.get(division.pk, 0),
                "url": division_page_url(event, page, division.pk),
                "current": division.pk == self.division.pk,
            }
            for division in self.divisions
        ]

    def page_url(self, event: Event, page: str) -> str:
        """Return the address of a director's page for the shown division.

        ``page``: URL name without ``director:``.
        """
        return division_page_url(event, page, self.division.pk if self.has_several_divisions else None)


def chosen_division(request: HttpRequest, event: Event, stages: list[Stage]) -> DivisionSwitch:
    """Return the `DivisionSwitch` for the division that the request names, by default the first.

    The parameter ``division`` of the address or the form names it. Raises ``Missing`` if the event has no
    such division.
    """
    divisions = [stage.division_id for stage in stages]
    requested_id = request.GET.get("division") or request.POST.get("division", "")
    if requested_id and parse_row_id(requested_id) not in divisions:
        raise Missing("division.unknown")
    return division_switch(int(requested_id) if requested_id else next(iter(divisions), 0), event, stages)


def division_switch(
    division_id: int, event: Event, stages: list[Stage], counts: dict[int, int] | None = None
) -> DivisionSwitch:
    """Return the `DivisionSwitch` for the division with the id ``division_id``.

    ``counts``: number of active entries, keyed by division id; None: loaded with one query. Raises
    ``Missing`` if no stage in ``stages`` belongs to the division.
    """
    divisions = {stage.division_id: stage.division for stage in stages}
    if division_id not in divisions:
        raise Missing("stage.unknown")
    first = next(stage for stage in stages if stage.division_id == division_id)
    return DivisionSwitch(
        divisions[division_id],
        first,
        tuple(divisions.values()),
        active_entry_counts(event) if counts is None else counts,
    )


def stage_contexts(stages: list[Stage]) -> list[dict[str, Any]]:
    """Return the template context of each stage: format, match lengths and conditions, for a summary."""
    several = len(stages) > 1
    names = {stage.pk: stage_name(stage, stages) for stage in stages}
    prizes = event_prizes(stages[0].division.event, stages) if stages else None
    return [
        {
            "stage": stage,
            "name": names[stage.pk] if several else "",
            "format": ", ".join(format_labels(stage)),
            "lengths": lengths_label(stage.lengths),
            "conditions": stage_conditions(stage, stages, prizes),
        }
        for stage in stages
    ]


def stage_name(stage: Stage, stages: list[Stage]) -> str:
    """Return “Open · Groups”: division and stage, each only if needed to distinguish the event's stages."""
    division_stages = [other for other in stages if other.division_id == stage.division_id]
    has_divisions = len(division_stages) < len(stages)
    own_name = str(stage) if len(division_stages) > 1 or not stage.division.name else ""
    return " · ".join(part for part in ((stage.division.name if has_divisions else ""), own_name) if part)


def stage_conditions(
    stage: Stage, stages: list[Stage], prizes: Prizes | None = None
) -> list[tuple[str, str]]:
    """Return what is fixed before the start of the stage (rule F13), as (label, value) pairs.

    These are rating limits, participants, settings of the system, prizes and location; not the system itself,
    rules of play and match lengths.
    """
    rows = [] if stage.fed_by_id is not None else limit_rows(stage.division)
    if stage.fed_by_id is not None:
        rows.append((_("Participants"), participants_label(feeds_among(stage, stages))))
    if is_round_based(stage):
        rows += condition_rows(stage)
    elif stage.system in Stage.ELIMINATIONS:
        rows += bracket_rows(stage.system, stage.settings.bracket)
    if prizes is not None:
        rows += prize_rows(prizes, stage)
    return [*rows, *location_rows(stage)]
