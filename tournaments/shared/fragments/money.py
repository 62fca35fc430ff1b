"""Template contexts of a points league: rules, table and sessions; and the table as CSV."""

from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from people.spreadsheets import csv_text
from tournaments.engine.standings.money import MoneySettings, MoneyStanding
from tournaments.engine.standings.ranking import Place
from tournaments.engine.types import EntryId
from tournaments.selectors.entries import EntryRow
from tournaments.selectors.money import PlayedSession, PointsLeague
from tournaments.shared.fragments.cards import Context, medal_rank, player_urls_by_entry


def signed_points(points: int | None) -> str:
    """Return points with a sign: “+8”, “−5”, “0”; a dash for None."""
    if points is None:
        return "–"
    return f"+{points}" if points > 0 else f"−{-points}" if points else "0"


def average_label(row: MoneyStanding) -> str:
    """Return the average points per session with a sign and one decimal: “+1.5”; a dash without sessions."""
    if row.average is None:
        return "–"
    tenths = round(row.average * 10)
    whole, part = divmod(abs(tenths), 10)
    return f"{'+' if tenths > 0 else '−' if tenths else ''}{whole}.{part}"


def points_league_rule_rows(settings: MoneySettings) -> list[tuple[str, str]]:
    """Return what a points league fixes before its first session (rule F13), as (label, value) pairs."""
    doubles = settings.automatic_doubles
    return [
        (_("Jacoby rule"), _yes_or_no(value=settings.jacoby)),
        (_("Beavers"), _yes_or_no(value=settings.beavers)),
        (_("Raccoons"), _yes_or_no(value=settings.raccoons)),
        (
            _("Automatic doubles"),
            ngettext("%(count)s per game", "%(count)s per game", doubles) % {"count": doubles}
            if doubles
            else _("no"),
        ),
        (_("Sessions needed for a place"), str(settings.min_sessions)),
    ]


def _yes_or_no(*, value: bool) -> str:
    return _("yes") if value else _("no")


def points_league_context(league: PointsLeague, entries: tuple[EntryRow, ...]) -> Context:
    """Return the template context of the table of a points league for ``shared/_points.html``."""
    by_pk = {entry.pk: entry for entry in entries}
    pages = player_urls_by_entry(entries)
    places = league.places()
    min_sessions = league.settings.min_sessions
    rows = []
    for row in league.rows:
        entry = by_pk[row.entry]
        place = places.get(row.entry)
        missing = min_sessions - row.sessions
        rows.append(
            {
                "key": entry.public_id,
                "place": str(place) if place is not None else "–",
                "medal": medal_rank(place) if place is not None else "",
                "name": entry.name,
                "url": pages.get(entry.pk, ""),
                "withdrawn": entry.withdrawn,
                "points": signed_points(row.points),
                "sessions": row.sessions,
                "average": average_label(row),
                "best": signed_points(row.best),
                "missing": ngettext("%(count)s session to go", "%(count)s sessions to go", missing)
                % {"count": missing}
                if place is None
                else "",
            }
        )
    return {"final": league.stage.status == "finished", "rows": rows, "sessions": len(league.counted)}


def champions(league: PointsLeague, entries: tuple[EntryRow, ...]) -> list[EntryRow]:
    """Return the entries that share first place, empty until the league is over."""
    winner_ids = {entry for entry, place in league.places().items() if place.settled and place.first == 1}
    return [entry for entry in entries if EntryId(entry.pk) in winner_ids]


def sessions_context(league: PointsLeague, entries: tuple[EntryRow, ...]) -> Context:
    """Return the context of all sessions, with each player's points and running total after each session.

    There is one row for each player, in the order of the table. Cancelled sessions are listed under
    ``struck``.
    """
    by_pk = {entry.pk: entry for entry in entries}
    return {
        "heads": [session_context(session, entries) for session in league.counted],
        "rows": [
            {
                "key": by_pk[row.entry].public_id,
                "name": by_pk[row.entry].name,
                "cells": [
                    {
                        "points": signed_points(points) if points is not None else "",
                        "total": signed_points(total),
                    }
                    for points, total in league.points_and_totals(row.entry)
                ],
                "points": signed_points(row.points),
            }
            for row in league.rows
            if row.sessions
        ],
        "struck": [session_context(session, entries) for session in league.sessions if session.is_struck],
    }


def session_context(session: PlayedSession, entries: tuple[EntryRow, ...]) -> Context:
    """Return the template context of one session of a points league.

    It has date and note of the session, and pairs of name and points, most points first.
    """
    names = {entry.pk: entry.name for entry in entries}
    scores = sorted(session.scores.items(), key=lambda item: (-item[1], item[0]))
    return {
        "public_id": session.row.public_id,
        "number": session.row.number,
        "day": date_format(session.row.played_on, "j M"),
        "date": date_format(session.row.played_on, "DATE_FORMAT"),
        "note": session.row.note,
        "struck": session.is_struck,
        "outside": signed_points(session.outside) if session.outside else "",
        "scores": [(names[entry], signed_points(points)) for entry, points in scores],
    }


def points_league_csv(league: PointsLeague, entries: tuple[EntryRow, ...]) -> str:
    """Return the table of a points league as CSV, with one column for each counted session.

    A name that a spreadsheet would read as a formula is written as text.
    """
    names = {entry.pk: entry.name for entry in entries}
    places: dict[EntryId, Place] = league.places()
    heads = [_("Place"), _("Player"), _("Points"), _("Sessions"), _("Per session"), _("Best session")]
    days = [f"{session.row.number}: {session.row.played_on.isoformat()}" for session in league.counted]
    lines = [
        [
            str(places.get(row.entry, "")),
            names[row.entry],
            row.points,
            row.sessions,
            "" if row.average is None else f"{row.average:.2f}",
            "" if row.best is None else row.best,
            *["" if points is None else points for points, _total in league.points_and_totals(row.entry)],
        ]
        for row in league.rows
    ]
    return csv_text([[*heads, *days], *lines])
