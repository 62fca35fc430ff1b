"""Template contexts for the event's overview: matches in play, next and finished, and entries still in."""

from collections.abc import Mapping
from datetime import datetime
from typing import Final
from zoneinfo import ZoneInfo

from django.urls import reverse
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from tournaments.engine.brackets.consolation import CONSOLATION
from tournaments.engine.brackets.sections import SECTIONS
from tournaments.engine.brackets.structure import MAIN
from tournaments.engine.standings.ranking import Place
from tournaments.engine.statuses import AT_TABLE, NOT_STARTED, OVER, EventStatus, MatchStatus, StageStatus
from tournaments.engine.types import EntryId, ResultKind, Side
from tournaments.models import Event
from tournaments.selectors.access.visibility import VisibleEvent
from tournaments.selectors.draws import Draw, DrawnMatch
from tournaments.selectors.entries import EntryRow
from tournaments.selectors.events.detail import DivisionView, StageView
from tournaments.selectors.hall.forecast import MAX_DAYS, Forecast, load_forecast, round_up
from tournaments.selectors.matches.moments import StageTimes
from tournaments.selectors.standings.tables import is_round_based, rounds_settings
from tournaments.shared.fragments.cards import Context, is_unplayed, match_note, side_context
from tournaments.shared.fragments.rounds import between_rounds_message
from tournaments.shared.fragments.since import elapsed_time_context
from tournaments.shared.words.flights import section_name
from tournaments.shared.words.names import (
    clock_time,
    deadline_label,
    round_name_from_code,
    round_name_in_section,
)

RESULTS_SHOWN: Final = 8
_PLAYING_STATUSES: Final = frozenset(AT_TABLE) - frozenset(NOT_STARTED)  # the players are at the table
_SORT_LAST: Final = 10**9


def now_context(
    visible: VisibleEvent, division: DivisionView, view: StageView, limit: int, times: StageTimes
) -> Context:
    """Return the template context of at most ``limit`` matches in play or next, and of those just finished.

    ``times``: when matches were called, started and finished. Empty lists unless the event is running.
    """
    draw, event = view.draw, visible.event
    is_running = event.status == EventStatus.RUNNING and draw is not None
    at_once = is_round_based(view.stage) and rounds_settings(view.stage).all_at_once
    context = {
        "running": is_running and view.stage.status != StageStatus.FINISHED,
        "at_once": at_once,
        "between": between_rounds_message(draw) if is_running and draw is not None else "",
    }
    if draw is None or not is_running:
        return {**context, "playing": [], "next": [], "finished": [], "more": 0, "all_results": 0}
    matches = draw.now()
    playing = [match for match in matches if match.status in _PLAYING_STATUSES]
    playing.sort(key=lambda match: (match.table or _SORT_LAST, match.number))
    upcoming = [match for match in matches if match.status not in _PLAYING_STATUSES]
    forecast = load_forecast(event) if any(match.status is MatchStatus.READY for match in upcoming) else None
    upcoming.sort(key=lambda match: _call_order_key(match, forecast))
    deadlines = {round_.number: deadline_label(round_.deadline) for round_ in draw.rounds}
    countries = countries_of(division.entries)
    rows = [
        _match_row(match, event, countries, times, forecast, deadlines.get(match.round_number, ""))
        for match in (playing + upcoming)[:limit]
    ]
    match_by_pk = {match.pk: match for match in draw.matches}
    latest = times.latest.get(view.stage.pk, [])[:RESULTS_SHOWN]
    return {
        **context,
        "playing": rows[: len(playing)],
        "playing_count": len(playing),
        "next": rows[len(playing) :],
        "next_count": len(upcoming),
        "more": max(0, len(matches) - limit),
        "finished": [
            _result_row(match_by_pk[pk], event, finished_at)
            for pk, finished_at in latest
            if pk in match_by_pk
        ],
        "all_results": draw.played()[0],
    }


def _call_order_key(match: DrawnMatch, forecast: Forecast | None) -> tuple[bool, float, int, int]:
    """Return the sort key of a match: called matches first, then by expected start."""
    expected_start = forecast.begins.get(match.pk) if forecast is not None else None
    sort_time = expected_start.median.timestamp() if expected_start is not None else float(_SORT_LAST * 10)
    return match.status is not MatchStatus.CALLED, sort_time, match.table or _SORT_LAST, match.number


def countries_of(entries: tuple[EntryRow, ...]) -> dict[int, str]:
    """Return players' countries keyed by entry id, for entries of one player with a public page."""
    return {entry.pk: entry.players[0].country for entry in entries if entry.player_page_id}


def _match_row(
    match: DrawnMatch,
    event: Event,
    countries: Mapping[int, str],
    times: StageTimes,
    forecast: Forecast | None,
    deadline: str,
) -> Context:
    """Return the template context of a match for ``site/_match_rows.html``."""
    label, since = deadline or match_note(match), None
    if match.status is MatchStatus.PLAYING:
        since = elapsed_time_context(times.started.get(match.pk), event, "")
    elif match.status is MatchStatus.CALLED and match.pk in times.called:
        label = _("Called %(time)s") % {"time": clock_time(times.called[match.pk], event)}
    elif match.status is MatchStatus.READY and not label:
        expected_start = forecast.begins.get(match.pk) if forecast is not None else None
        if expected_start is not None:
            label = _("about %(time)s") % {"time": clock_time(round_up(expected_start.median), event)}
    return {
        "key": match.public_id,
        "url": reverse("public:match", args=[match.public_id]),
        "status": match.status.value,
        "table": match.table if match.status in AT_TABLE else None,
        "length": match.length,
        "round": round_name_in_section(match.section, match.round_code),
        "round_short": _short_round_name(match),
        "since": since,
        "words": label,
        "sides": [
            {**side_context(match, side), "country": countries.get(side.entry_id or 0, "")}
            for side in match.sides
        ],
    }


def _short_round_name(match: DrawnMatch) -> str:
    """Return a short name for narrow screens: the round in the main draw, the section in others."""
    if SECTIONS[match.section].fed_by:
        if match.section == CONSOLATION:
            return pgettext("consolation, abbreviated", "Cons.")
        return section_name(match.section)
    short_names = {
        "quarterfinal": pgettext("quarterfinal, abbreviated", "QF"),
        "semifinal": pgettext("semifinal, abbreviated", "SF"),
    }
    return short_names.get(match.round_code) or round_name_from_code(match.round_code)


def _result_row(match: DrawnMatch, event: Event, finished_at: datetime) -> Context:
    """Return the template context of a finished match for ``site/_results.html``.

    The winner is first, or side a without a winner.
    """
    first, second = match.sides if match.winner is not Side.B else match.sides[::-1]
    scores = match.scores if match.winner is not Side.B else match.scores[::-1]
    has_score = None not in scores and not is_unplayed(match) and match.result_kind != ResultKind.WALKOVER
    details = [round_name_in_section(match.section, match.round_code), match_note(match)]
    return {
        "key": match.public_id,
        "url": reverse("public:match", args=[match.public_id]),
        "clock": _end_time_text(finished_at, event),
        "iso": finished_at.isoformat(timespec="seconds"),
        "won": match.winner is not None,
        "first": {"name": first.name, "entry": first.entry_public_id},
        "second": {"name": second.name, "entry": second.entry_public_id},
        "score": f"{scores[0]}–{scores[1]}" if has_score else "",
        "words": ", ".join(filter(None, details)),
    }


def _end_time_text(finished_at: datetime, event: Event) -> str:
    """Return the time of day as text; for an event that lasts weeks, the date."""
    if (event.ends_on - event.starts_on).days < MAX_DAYS:
        return clock_time(finished_at, event)
    return date_format(finished_at.astimezone(ZoneInfo(event.timezone)), "MONTH_DAY_FORMAT")


def remaining_groups(
    event: Event, draw: Draw, section: str, entries: tuple[EntryRow, ...], places: Mapping[EntryId, Place]
) -> list[Context]:
    """Return template contexts of the entries with a match left in a section of the draw, grouped by round.

    In the main draw, the latest round comes first. Each name links to the path of the entry.
    """
    countries = countries_of(entries)
    remaining = [entry for entry in entries if entry.pk in places and not places[EntryId(entry.pk)].settled]
    round_by_entry: dict[int, tuple[int, str]] = {}
    if section == MAIN:
        for match in draw.matches:
            if match.status in OVER or SECTIONS[match.section].first_ranked_section != MAIN:
                continue
            name = round_name_in_section(match.section, match.round_code)
            for side in match.sides:
                if side.entry_id is not None:
                    round_by_entry.setdefault(side.entry_id, (match.round_number, name))
    groups: dict[tuple[int, str], list[EntryRow]] = {}
    for entry in remaining:
        groups.setdefault(round_by_entry.get(entry.pk, (0, section_name(section))), []).append(entry)
    return [
        {
            "name": name,
            "key": f"{section}-{number}",
            "entries": [
                {
                    "name": entry.name,
                    "url": reverse("public:way", args=[event.public_id, entry.public_id]),
                    "key": entry.public_id,
                    "country": countries.get(entry.pk, ""),
                }
                for entry in sorted(group_entries, key=lambda entry: entry.name.casefold())
            ],
        }
        for (number, name), group_entries in sorted(groups.items(), key=lambda group: -group[0][0])
    ]
