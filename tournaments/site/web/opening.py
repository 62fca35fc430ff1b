"""Template contexts of an event's public page before its first draw.

They cover place, time, registration, format, prizes and entries. Prizes, schedule and contact stay on the
page afterwards.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import Final
from urllib.parse import urlencode
from zoneinfo import ZoneInfo

from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format, time_format
from django.utils.translation import gettext as _

from people.models import Club
from rating.models import RatingList
from rating.selectors import club_lists, is_weighted, ratings_for
from tournaments.engine.brackets.structure import MAIN
from tournaments.engine.statuses import EVENT_UPCOMING, EventStatus, StageStatus
from tournaments.models import CheckIn, Division, Event, Stage
from tournaments.selectors.access.visibility import is_listed
from tournaments.selectors.check_in import check_ins_by_day
from tournaments.selectors.entries import EntryRow
from tournaments.selectors.event_dates import event_date
from tournaments.selectors.events.detail import DivisionView
from tournaments.selectors.events.heads import DivisionSummary
from tournaments.selectors.hall.forecast import MAX_DAYS, load_end_forecast, round_up
from tournaments.selectors.prizes import event_prizes, prize_sections
from tournaments.selectors.waiting import place_counts_by_division
from tournaments.shared.fragments.cards import Context, url_builder
from tournaments.shared.words.flights import section_name
from tournaments.shared.words.formats import format_line
from tournaments.shared.words.limits import limit_label
from tournaments.shared.words.names import clock_time, entry_title
from tournaments.shared.words.prizes import place_prize_labels

MAX_COLUMNS: Final = 4  # as many columns of prizes as fit on a phone
PLAYERS_SHOWN: Final = 24  # per division; the page of all entries has the others
_MAP_URL: Final = "https://www.openstreetmap.org/search"


def has_no_draw_yet(event: Event, summaries: Iterable[DivisionSummary]) -> bool:
    """Return whether the event is upcoming or cancelled and has no visible draw."""
    return event.status in {*EVENT_UPCOMING, EventStatus.CANCELLED} and not any(
        summary.shown for summary in summaries
    )


def rating_list_of(event: Event) -> RatingList | None:
    """Return the club's first rating list that is not a list of points; None without one."""
    return next(
        (rating_list for rating_list in club_lists(event.club_id) if not is_weighted(rating_list)), None
    )


def before_draw_context(
    event: Event,
    divisions: Sequence[DivisionView],
    summaries: Sequence[DivisionSummary],
    ratings: RatingList | None,
) -> Context:
    """Return the context for ``site/_event_open.html``.

    ``ratings``: the list whose ratings are displayed with the players, or None.
    """
    panel = entry_panel_context(event, [(summary.division, summary.stages) for summary in summaries])
    entry_by_division = {row["pk"]: row for row in panel["divisions"]} if panel else {}
    players = [
        row.players[0].pk for division in divisions for row in division.active_entries if row.player_page_id
    ]
    ratings_by_player = ratings_for(players, ratings.pk) if ratings is not None and players else {}
    offers = [
        {
            "key": f"division-{division.division.pk}",
            "number": number,
            "name": division.division.name,
            "limit": limit_label(division.division),
            "format": format_line([view.stage for view in division.stages], len(division.active_entries)),
            "entry": entry_by_division.get(division.division.pk),
            **_players_context(division.active_entries, ratings_by_player),
        }
        for number, division in enumerate(divisions, start=1)
    ]
    return {
        "entry": panel,
        "offers": offers,
        "entry_count": sum(len(division.active_entries) for division in divisions),
        "rated_by": ratings.name if ratings is not None and ratings_by_player else "",
        "info": info_context(event, divisions, is_upcoming=True),
    }


def _players_context(entries: Sequence[EntryRow], rated: Mapping[int, float]) -> Context:
    """Return the template context of the first entries, sorted by rating, then of those without one by name.

    ``rated``: ratings keyed by player id.
    """

    def rating_of(entry: EntryRow) -> float | None:
        return rated.get(entry.players[0].pk) if entry.player_page_id else None

    def order(entry: EntryRow) -> tuple[bool, float, str]:
        rating = rating_of(entry)
        return rating is None, -(rating or 0), entry.name.casefold()

    url = url_builder("public:player")
    rows = [
        {
            "key": entry.public_id,
            "name": entry_title(entry),
            "url": url(entry.player_page_id),
            "country": entry.players[0].country if entry.player_page_id else "",
            "rating": round(rating) if (rating := rating_of(entry)) is not None else "",
        }
        for entry in sorted(entries, key=order)[:PLAYERS_SHOWN]
    ]
    return {"players": rows, "count": len(entries), "more": max(0, len(entries) - PLAYERS_SHOWN)}


def entry_panel_context(
    event: Event, divisions: Sequence[tuple[Division, Sequence[Stage]]]
) -> Context | None:
    """Return the template context of the entry panel with places, closing time and address. One query.

    None if nobody can enter. An empty ``url`` means that players enter by the registration link only.
    """
    if not event.registration_open:
        return None
    now = timezone.now()
    open_divisions = [division for division, stages in divisions if _accepts_entries(division, stages, now)]
    if not open_divisions:
        return None
    counts = place_counts_by_division(event)
    rows = [_places_context(division, *counts.get(division.pk, (0, 0)), event) for division in open_divisions]
    all_limited = all(row["places"] is not None for row in rows)
    places, places_left = sum(row["places"] or 0 for row in rows), sum(row["left"] or 0 for row in rows)
    deadlines = {division.entries_until for division in open_divisions}
    return {
        "url": reverse("public:enter", args=[event.public_id]) if is_listed(event) else "",
        "divisions": rows,
        "names": [str(division) for division in open_divisions]
        if len(divisions) > len(open_divisions)
        else [],
        "places": places if all_limited else None,
        "left": places_left,
        "taken": places - places_left,
        "full": all_limited and places_left == 0,
        "until": _until_text(next(iter(deadlines)), event) if len(deadlines) == 1 else "",
        "each": len(deadlines) > 1,
    }


def _accepts_entries(division: Division, stages: Sequence[Stage], now: datetime) -> bool:
    """Return whether players can enter the division now, by rows that are already loaded.

    The condition is that of `joinable_divisions`.
    """
    is_closed = division.entries_until is not None and division.entries_until < now
    return not is_closed and all(stage.status == StageStatus.SETUP for stage in stages)


def _places_context(division: Division, held_places: int, queued: int, event: Event) -> Context:
    capacity = division.capacity
    places_left = None if capacity is None else 0 if queued else max(0, capacity - held_places)
    return {
        "pk": division.pk,
        "places": capacity,
        "left": places_left,
        "queued": queued,
        "until": _until_text(division.entries_until, event),
    }


def _until_text(deadline: datetime | None, event: Event) -> str:
    """Return the time as “Thu 10 December, 20:00” in the event's time zone; empty without a deadline."""
    if deadline is None:
        return ""
    local_time = deadline.astimezone(ZoneInfo(event.timezone))
    return _("%(day)s, %(time)s") % {"day": short_day(local_time.date()), "time": clock_time(deadline, event)}


def short_day(day: date) -> str:
    """Return a date as “Thu 10 December”."""
    return _("%(weekday)s %(day)s") % {
        "weekday": date_format(day, "D"),
        "day": date_format(day, "MONTH_DAY_FORMAT"),
    }


def info_context(event: Event, divisions: Sequence[DivisionView], *, is_upcoming: bool = False) -> Context:
    """Return the template context of place, hours, prizes and schedule.

    ``is_upcoming``: True before the event; adds its check-ins, which costs a query.
    """
    days = (event.ends_on - event.starts_on).days + 1
    check_ins = (
        check_ins_by_day([division.division.pk for division in divisions])
        if is_upcoming and days <= MAX_DAYS
        else {}
    )
    first_check_ins = [
        by_date[event.starts_on] for by_date in check_ins.values() if event.starts_on in by_date
    ]
    return {
        "weekdays": _weekdays_text(event) if days <= MAX_DAYS else "",
        "begins": time_format(event.opens_at, "TIME_FORMAT") if event.opens_at else "",
        "check_in": _check_in_hours(first_check_ins[0], event) if first_check_ins else "",
        "place": event.place or event.club.city,
        "town": event.club.city if event.place and event.club.city not in event.place else "",
        "map": map_url(event.place, event.club),
        "prizes": _prize_tables(event, divisions),
        "schedule": _schedule(event, divisions, check_ins) if days <= MAX_DAYS else [],
    }


def map_url(place: str, club: Club) -> str:
    """Return the address of a map of the place; empty if neither place nor town is known."""
    query = ", ".join(dict.fromkeys(filter(None, (place, club.city, club.country))))
    return f"{_MAP_URL}?{urlencode({'query': query})}" if place or club.city else ""


def _weekdays_text(event: Event) -> str:
    first, last = date_format(event.starts_on, "l"), date_format(event.ends_on, "l")
    return (
        first
        if event.starts_on == event.ends_on
        else _("%(first)s to %(last)s") % {"first": first, "last": last}
    )


def _check_in_hours(check_in: CheckIn, event: Event) -> str:
    start_text = clock_time(check_in.opens_at, event)
    return f"{start_text}–{clock_time(check_in.closes_at, event)}" if check_in.closes_at else start_text


def _prize_tables(event: Event, divisions: Sequence[DivisionView]) -> list[Context]:
    """Return tables of places and prizes with a column for each section.

    A few divisions with one column each share a table; otherwise each has its own.
    """
    tables: list[tuple[str, list[tuple[str, list[str]]]]] = []
    for division in divisions:
        stages = [view.stage for view in division.stages]
        prizes = event_prizes(event, stages)
        columns = [
            (_part_name(stages, stage, section), place_prize_labels(prizes, prizes.of(stage, section)))
            for stage in stages
            for section in prize_sections(stage)
            if prizes.of(stage, section).prizes.places
        ]
        if columns:
            tables.append((division.division.name, columns))
    if len(tables) > 1 and all(len(columns) == 1 for _name, columns in tables) and len(tables) <= MAX_COLUMNS:
        shared_columns = [(name, columns[0][1]) for name, columns in tables]
        return [{"name": "", **_prize_rows(shared_columns)}]
    return [{"name": name, **_prize_rows(columns)} for name, columns in tables]


def _part_name(stages: Sequence[Stage], stage: Stage, section: str) -> str:
    if section != MAIN:
        return section_name(section)
    return str(stage) if len(stages) > 1 else _("Prize")


def _prize_rows(columns: Sequence[tuple[str, list[str]]]) -> Context:
    """Return the rows of a prize table; places that are equal in all columns share a row: “3–4”."""
    row_count = max(len(labels) for _name, labels in columns)
    rows: list[tuple[int, int, list[str]]] = []
    for place in range(1, row_count + 1):
        cells = [labels[place - 1] if place <= len(labels) else "" for _name, labels in columns]
        if rows and rows[-1][2] == cells:
            rows[-1] = (rows[-1][0], place, cells)
        else:
            rows.append((place, place, cells))
    return {
        "heads": [name for name, _words in columns],
        "rows": [
            {"place": str(a) if a == b else f"{a}–{b}", "shared": a != b, "cells": cells}
            for a, b, cells in rows
        ],
    }


def _schedule(
    event: Event, divisions: Sequence[DivisionView], check_ins: Mapping[int, Mapping[date, CheckIn]]
) -> list[Context]:
    """Return the schedule, one template context for each day; empty if no time is known."""
    names = {division.division.pk: division.division.name for division in divisions}
    forecast = load_end_forecast(event)
    days = []
    for number in range((event.ends_on - event.starts_on).days + 1):
        day = event.starts_on + timedelta(days=number)
        rows = [
            (
                _check_in_hours(by_date[day], event),
                _check_in_label(names.get(pk, "")),
                by_date[day].opens_at.isoformat(),
            )
            for pk, by_date in check_ins.items()
            if day in by_date
        ]
        day_rows = [(hours, label) for hours, label, _order in sorted(rows, key=lambda row: row[2])]
        if event.opens_at:
            label = _("First match") if number == 0 else _("Play begins")
            day_rows.append((time_format(event.opens_at, "TIME_FORMAT"), label))
        if event.break_from and event.break_until:
            hours = [time_format(moment, "TIME_FORMAT") for moment in (event.break_from, event.break_until)]
            day_rows.append(("–".join(hours), _("Break")))
        if event.closes_at:
            day_rows.append((time_format(event.closes_at, "TIME_FORMAT"), _("Last matches start")))
        if forecast is not None and forecast.opens is not None:
            end = round_up(forecast.ends.median)
            if event_date(event, end) == day:
                day_rows.append((_("about %(time)s") % {"time": clock_time(end, event)}, _("Expected end")))
        if day_rows:
            days.append({"day": short_day(day), "rows": day_rows})
    return days


def _check_in_label(division: str) -> str:
    return _("Check-in, %(division)s") % {"division": division} if division else _("Check-in")
