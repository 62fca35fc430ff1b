"""Rows of what needs a director now: what, where, since when, and a link. The most urgent come first."""

from collections import Counter
from collections.abc import Iterator
from datetime import datetime
from typing import Any

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from tournaments.engine.hall.lines import ATTENTION_FILTER
from tournaments.engine.statuses import OVER, MatchStatus
from tournaments.hall.web.board import table_contexts
from tournaments.hall.web.rows import match_url_builder, part_and_round_label, reports_text
from tournaments.models import Event
from tournaments.selectors.draws import Draw, DrawnMatch
from tournaments.selectors.events.counts import EventCounts
from tournaments.selectors.events.director import open_objections
from tournaments.selectors.hall.board import EventBoard
from tournaments.selectors.hall.holdups import Delays, LateMatch
from tournaments.shared.fragments.cards import Context
from tournaments.shared.fragments.since import moment_label, since_context
from tournaments.shared.frames.divisions import stage_name
from tournaments.shared.words.names import clock_time, deadline_label, round_name_from_code
from tournaments.shared.words.statuses import status_name

_IDLE_STATES = {"free", "closed", str(MatchStatus.READY)}
MAX_ROWS_PER_KIND = 4  # rows; the delays page has them all


def match_rows(hall: EventBoard, found: Delays) -> list[Context]:
    """Return rows of matches that wait for a decision: the first of each kind, and the number of others."""
    return [
        *_decision_rows(hall, found),
        *_long_match_rows(hall, found),
        *_more_delays_row(hall.event, found),
    ]


def entry_rows(event: Event, counts: EventCounts) -> Iterator[Context]:
    """Yield rows of people who wait for a director."""
    approve = reverse("director:expected", args=[event.public_id])
    if counts.expected:
        words = ngettext("%(count)s entry to approve", "%(count)s entries to approve", counts.expected)
        yield _row("info", "users", words % {"count": counts.expected}, url=approve, button=_("Review"))
    if counts.asking:
        words = ngettext(
            "%(count)s phone asks to use a personal link",
            "%(count)s phones ask to use a personal link",
            counts.asking,
        )
        yield _row("info", "lock", words % {"count": counts.asking}, url=approve, button=_("Review"))
    if counts.notes:
        words = ngettext("%(count)s open staff note", "%(count)s open staff notes", counts.notes)
        notes = reverse("director:at-desk", args=[event.public_id])
        yield _row("info", "mail", words % {"count": counts.notes}, url=notes, button=_("Read"))


def objection_rows(event: Event) -> Iterator[Context]:
    """Yield rows of open objections to results."""
    url = match_url_builder(event)
    for objection in open_objections(event):
        yield _row(
            "bad",
            "alert",
            _("Correction request, match %(number)s") % {"number": objection.match.number},
            ": ".join(part for part in (objection.entry.name, objection.text) if part),
            url=url(objection.match.public_id),
            button=_("Decide"),
            key=f"o-{objection.pk}",
        )


def _decision_rows(hall: EventBoard, found: Delays) -> Iterator[Context]:
    event, url = hall.event, match_url_builder(hall.event)
    for match in found.disputed[:MAX_ROWS_PER_KIND]:
        yield _match_row(
            hall,
            match,
            "bad",
            "alert",
            _("Conflicting reports"),
            reports_text(hall, match),
            button=_("Decide"),
        )
    for one in found.cannot[:MAX_ROWS_PER_KIND]:
        what = _("%(name)s cannot play, match %(number)s") % {"name": one.name, "number": one.number}
        reason = one.reply.reason
        yield _row(
            "bad",
            "alert",
            what,
            reason,
            url=url(one.match),
            button=_("Open match"),
            key=f"c-{one.entry}-{one.number}",
        )
    for due in found.overdue[:MAX_ROWS_PER_KIND]:
        yield _match_row(
            hall, due.match, "warn", "calendar", _("Overdue"), deadline_label(due.deadline), timed=False
        )
    waiting = [match for match in hall.matches if match.status is MatchStatus.REPORTED]
    if waiting:
        words = ngettext("%(count)s result to confirm", "%(count)s results to confirm", len(waiting))
        reports = "; ".join(reports_text(hall, match) for match in waiting[:MAX_ROWS_PER_KIND])
        yield _row(
            "plum",
            "check",
            words % {"count": len(waiting)},
            reports + (" …" if len(waiting) > MAX_ROWS_PER_KIND else ""),
            since=since_context(min(filter(None, map(hall.since, waiting)), default=None), event, ""),
            url=f"{reverse('director:board', args=[event.public_id])}?state={ATTENTION_FILTER.code}",
            button=_("Review"),
        )
    for waits in found.held:
        if waits.urgent:
            late_entry = reverse("director:late-entry", args=[event.public_id])
            yield _row(
                "bad",
                "users",
                _("%(stage)s waits for late entries") % {"stage": stage_name(waits.stage, list(hall.stages))},
                _("Nothing else of it can be played before the reserved lines are filled or closed."),
                url=f"{late_entry}?division={waits.stage.division_id}",
                button=_("Open late entry"),
                key=f"h-{waits.stage.pk}",
            )
    for match in found.reported[:MAX_ROWS_PER_KIND]:
        yield _match_row(hall, match, "warn", "flag", _("A message was reported"), timed=False)
    for late in _missing_player_delays(found)[:MAX_ROWS_PER_KIND]:
        yield _match_row(
            hall,
            late.match,
            "bad",
            "bell",
            _("Player missing"),
            _("Called at %(time)s") % {"time": _time_or_empty(hall.since(late.match), event)},
        )


def _missing_player_delays(found: Delays) -> list[LateMatch]:
    return [late for late in found.late if late.penalty.points or late.penalty.lost]


def _long_match_rows(hall: EventBoard, found: Delays) -> Iterator[Context]:
    event = hall.event
    for running in [one for one in found.running if one.over][:MAX_ROWS_PER_KIND]:
        expected = (
            _("expected to end by %(time)s") % {"time": clock_time(running.expected, event)}
            if running.expected is not None
            else ""
        )
        yield _match_row(hall, running.match, "warn", "clock", _("Long match"), expected)


def _more_delays_row(event: Event, found: Delays) -> Iterator[Context]:
    overrun = [one for one in found.running if one.over]
    kinds = (
        found.disputed,
        found.cannot,
        found.overdue,
        found.reported,
        _missing_player_delays(found),
        overrun,
    )
    more = sum(max(0, len(kind) - MAX_ROWS_PER_KIND) for kind in kinds)
    if more:
        words = ngettext("%(count)s more delay", "%(count)s more delays", more) % {"count": more}
        holdups = reverse("director:holdups", args=[event.public_id])
        yield _row("info", "clock", words, url=holdups, button=_("View all"), key="more")


def _match_row(
    hall: EventBoard,
    match: DrawnMatch,
    tone: str,
    icon: str,
    what: str,
    more: str = "",
    *,
    button: str = "",
    timed: bool = True,
) -> Context:
    names = " – ".join(side.name for side in match.sides if side.name)
    table = _("%(what)s, table %(table)s") if match.table else _("%(what)s, match %(number)s")
    return _row(
        tone,
        icon,
        table % {"what": what, "table": match.table, "number": match.number},
        more or names,
        where=part_and_round_label(hall, match),
        since=since_context(hall.since(match), hall.event, "") if timed else None,
        url=match_url_builder(hall.event)(match.public_id),
        button=button or _("Open match"),
        key=f"{icon}-{match.public_id}",
        names=names if more else "",
    )


def _row(
    tone: str,
    icon: str,
    title: str,
    text: str = "",
    *,
    url: str,
    button: str,
    where: str = "",
    since: Context | None = None,
    key: str = "",
    names: str = "",
) -> Context:
    return {
        "tone": tone,
        "icon": icon,
        "title": title,
        "text": text,
        "names": names,
        "where": where,
        "since": since,
        "url": url,
        "button": button,
        "key": key or f"{icon}-{tone}",
    }


def _time_or_empty(at: datetime | None, event: Event) -> str:
    return clock_time(at, event) if at is not None else ""


def progress_rows(hall: EventBoard) -> list[Context]:
    """Return a row for every drawn stage: matches over, current round, forecast end."""
    found = []
    for pk, draw in hall.draws.items():
        done, count = draw.played()
        if count:
            ends = hall.forecast.stages.get(pk) if hall.forecast is not None and done < count else None
            found.append(
                {
                    "name": stage_name(draw.stage, list(hall.stages)),
                    "round": _round_progress(draw),
                    "done": done,
                    "all": count,
                    "ends": moment_label(ends.ends.median, hall.event) if ends is not None else "",
                }
            )
    return found


def _round_progress(draw: Draw) -> str:
    """Return “Quarterfinals: 3 of 4”: the first round with a match left to play."""
    for one in draw.rounds:
        matches = [match for match in one.matches if draw.needs_play(match)]
        over = sum(match.status in OVER for match in matches)
        if over < len(matches):
            words = {"round": round_name_from_code(one.code), "done": over, "all": len(matches)}
            return _("%(round)s: %(done)s of %(all)s") % words
    return ""


def table_map(hall: EventBoard) -> dict[str, Any]:
    """Return every table with its state, and the number of tables in each state."""
    now = timezone.now()
    long = {
        match.table
        for match in hall.matches
        if match.status is MatchStatus.PLAYING and (at := hall.overlong_from(match)) and at <= now
    }
    words = {
        **{str(status): str(status_name(status)) for status in MatchStatus},
        "long": _("Long"),
        "closed": pgettext("table", "Closed"),
        "free": pgettext("table", "Free"),
    }
    tables: list[Context] = []
    for table in table_contexts(hall):
        look = "long" if table["number"] in long else str(table["state"])
        label = f"{words[look]}, {table['names']}" if table["names"] else words[look]
        tables.append({**table, "look": look, "words": label})
    seen = Counter(str(table["look"]) for table in tables)
    keys = [{"look": look, "words": words[look], "count": count} for look, count in seen.most_common()]
    return {
        "tables": tables,
        "table_keys": keys,
        "tables_used": sum(table["look"] not in _IDLE_STATES for table in tables),
    }
