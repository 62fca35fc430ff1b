"""Rating limit of a division on forms that add entries: text, warnings, and reason for an exception."""

from collections.abc import Collection, Sequence
from typing import Any

from django.contrib import messages
from django.http import HttpRequest
from django.utils.translation import gettext as _

from people.models import Player
from tournaments.engine.limits import MAX_REASON_LENGTH, LimitComparison, LimitVerdict
from tournaments.engine.new_entry import WhenFull
from tournaments.engine.statuses import ENTRY_ON_WAITING_LIST
from tournaments.models import Division, Entry, Event
from tournaments.selectors.limits import verdicts_by_division
from tournaments.selectors.matches.detail import players_of_entries
from tournaments.shared.words.limits import limit_label, outside_limit_message, verdict_label


def overrule_reason(request: HttpRequest) -> str:
    """Return the reason typed for admitting an entry despite the rating limit.

    Repeated spaces become one, and a long text is cut.
    """
    return " ".join(request.POST.get("overrule", "").replace("\0", "").split())[: 2 * MAX_REASON_LENGTH]


def limit_context(request: HttpRequest, division: Division) -> dict[str, Any]:
    """Return the template context for ``shared/_overrule.html``.

    It has the rating limit of the division, and the reason typed for an exception.
    """
    return {
        "limit": limit_label(division),
        "limit_outside": outside_limit_message(division),
        "overrule": overrule_reason(request),
    }


def when_full_choice(request: HttpRequest) -> WhenFull:
    """Return what the director chose for a full division: ask (also if nothing was chosen), add or wait."""
    chosen = request.POST.get("when_full", "")
    return WhenFull(chosen) if chosen in set(WhenFull) else WhenFull.ASK


def warn_about_entries(
    request: HttpRequest, event: Event, entries: Sequence[Entry], max_warnings: int | None = None
) -> None:
    """Add messages to the next page about ``entries`` that were just admitted.

    They name the entries on the waiting list and up to ``max_warnings`` (None: all) ratings outside the limit
    or unknown.
    """
    waiting = [entry.name for entry in entries if entry.status in ENTRY_ON_WAITING_LIST]
    if waiting:
        messages.info(request, _("On the waiting list: %(names)s.") % {"names": ", ".join(waiting)})
    for warning in limit_warnings(event, entries)[:max_warnings]:
        messages.warning(request, warning)


def limit_warnings(event: Event, entries: Sequence[Entry]) -> list[str]:
    """Return a warning such as “Ann: 1620 is above the limit” for each player whose rating does not fit.

    An unknown rating, or one more than a year old, also gives a warning. Empty without a limit.
    """
    divisions = {entry.division_id: entry.division for entry in entries}
    division_warnings = [
        limit_warnings_by_entry(event, division, [entry.pk for entry in entries if entry.division_id == pk])
        for pk, division in divisions.items()
    ]
    return [
        warning
        for entry_warnings in division_warnings
        for warnings in entry_warnings.values()
        for warning in warnings
    ]


def player_limit_warnings(event: Event, division: Division, player: Player | None, name: str) -> list[str]:
    """Return the warnings about the rating limit for a player who is about to enter ``division``.

    Empty if all is well.

    ``player``: None for a new player called ``name``, whose rating is unknown.
    """
    if not division.limit_source:
        return []
    if player is None:
        return _verdict_warnings(name, LimitVerdict(LimitComparison.UNKNOWN))
    return _verdict_warnings(
        name, verdicts_by_division(event, [division], [player.pk])[division.pk][player.pk]
    )


def limit_warnings_by_entry(
    event: Event, division: Division, entries: Collection[int]
) -> dict[int, list[str]]:
    """Return the warnings about the rating limit, keyed by entry id; empty if the division has no limit.

    ``entries``: ids of entries of ``division``.
    """
    if not division.limit_source or not entries:
        return {}
    players = players_of_entries(entries)
    verdicts = verdicts_by_division(
        event, [division], [player.pk for team in players.values() for player in team]
    )
    return {
        entry_id: [
            warning
            for player in team
            for warning in _verdict_warnings(player.name, verdicts[division.pk][player.pk])
        ]
        for entry_id, team in players.items()
    }


def _verdict_warnings(name: str, verdict: LimitVerdict) -> list[str]:
    if verdict.fit is LimitComparison.INSIDE and not verdict.is_rating_old:
        return []
    return [_("%(name)s: %(what)s") % {"name": name, "what": verdict_label(verdict)}]
