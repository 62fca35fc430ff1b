"""Template contexts of the list of what needs a director now: what, where, since when, and a link.

The most urgent come first.
"""

from collections import Counter
from collections.abc import Iterator
from datetime import datetime
from typing import Any

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from tournaments.engine.hall.lines import UNSETTLED_FILTER
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
from tournaments.shared.fragments.since import elapsed_time_context, moment_label
from tournaments.shared.frames.divisions import stage_name
from tournaments.shared.words.names import clock_time, deadline_label, round_name_from_code
from tournaments.shared.words.statuses import status_name

_IDLE_STATES = {"free", "closed", str(MatchStatus.READY)}
MAX_ROWS_PER_KIND = 4  # rows; the delays page has them all


def match_rows(event_board: EventBoard, event_delays: Delays) -> list[Context]:
    """Return the rows of matches that wait for a decision, and of late entries.

    At most `MAX_ROWS_PER_KIND` of each kind, then one row with the number of others.
    """
    return [
        *_decision_rows(event_board, event_delays),
        *_long_match_rows(event_board, event_delays),
        *_more_delays_row(event_board.event, event_delays),
    ]


def entry_rows(event: Event, counts: EventCounts) -> Iterator[Context]:
    """Yield rows of people who wait for a director, each with a number.

    They are entries to approve, devices that ask for access to a personal link, and open staff notes.
    """
    approve_url = reverse("director:expected", args=[event.public_id])
    if counts.expected:
        label = ngettext("%(count)s entry to approve", "%(count)s entries to approve", counts.expected)
        yield _row("info", "users", label % {"count": counts.expected}, url=approve_url, button=_("Review"))
    if counts.pending_devices:
        label = ngettext(
            "%(count)s phone asks to use a personal link",
            "%(count)s phones ask to use a personal link",
            counts.pending_devices,
        )
        yield _row(
            "info", "lock", label % {"count": counts.pending_devices}, url=approve_url, button=_("Review")
        )
    if counts.notes:
        label = ngettext("%(count)s open staff note", "%(count)s open staff notes", counts.notes)
        notes_url = reverse("director:at-desk", args=[event.public_id])
        yield _row("info", "mail", label % {"count": counts.notes}, url=notes_url, button=_("Read"))


def objection_rows(event: Event) -> Iterator[Context]:
    """Yield rows of players' unsettled objections to results."""
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


def _decision_rows(event_board: EventBoard, event_delays: Delays) -> Iterator[Context]:
    event, url = event_board.event, match_url_builder(event_board.event)
    for match in event_delays.disputed[:MAX_ROWS_PER_KIND]:
        yield _match_row(
            event_board,
            match,
            "bad",
            "alert",
            _("Conflicting reports"),
            reports_text(event_board, match),
            button=_("Decide"),
        )
    for answer in event_delays.cannot[:MAX_ROWS_PER_KIND]:
        title = _("%(name)s cannot play, match %(number)s") % {"name": answer.name, "number": answer.number}
        reason = answer.reply.reason
        yield _row(
            "bad",
            "alert",
            title,
            reason,
            url=url(answer.match),
            button=_("Open match"),
            key=f"c-{answer.entry}-{answer.number}",
        )
    for overdue in event_delays.overdue[:MAX_ROWS_PER_KIND]:
        yield _match_row(
            event_board,
            overdue.match,
            "warn",
            "calendar",
            _("Overdue"),
            deadline_label(overdue.deadline),
            with_time=False,
        )
    unconfirmed = [match for match in event_board.matches if match.status is MatchStatus.REPORTED]
    if unconfirmed:
        label = ngettext("%(count)s result to confirm", "%(count)s results to confirm", len(unconfirmed))
        reports_label = "; ".join(
            reports_text(event_board, match) for match in unconfirmed[:MAX_ROWS_PER_KIND]
        )
        yield _row(
            "plum",
            "check",
            label % {"count": len(unconfirmed)},
            reports_label + (" …" if len(unconfirmed) > MAX_ROWS_PER_KIND else ""),
            since=elapsed_time_context(
                min(filter(None, map(event_board.since, unconfirmed)), default=None), event, ""
            ),
            url=f"{reverse('director:board', args=[event.public_id])}?state={UNSETTLED_FILTER.code}",
            button=_("Review"),
        )
    for held_stage in event_delays.held:
        if held_stage.urgent:
            late_entry_url = reverse("director:late-entry", args=[event.public_id])
            yield _row(
                "bad",
                "users",
                _("%(stage)s waits for late entries")
                % {"stage": stage_name(held_stage.stage, list(event_board.stages))},
                _("Nothing else of it can be played before the reserved lines are filled or closed."),
                url=f"{late_entry_url}?division={held_stage.stage.division_id}",
                button=_("Open late entry"),
                key=f"h-{held_stage.stage.pk}",
            )
    for match in event_delays.matches_with_reported_messages[:MAX_ROWS_PER_KIND]:
        yield _match_row(event_board, match, "warn", "flag", _("A message was reported"), with_time=False)
    for late_match in _missing_player_delays(event_delays)[:MAX_ROWS_PER_KIND]:
        yield _match_row(
            event_board,
            late_match.match,
            "bad",
            "bell",
            _("Player missing"),
            _("Called at %(time)s") % {"time": _time_or_empty(event_board.since(late_match.match), event)},
        )


def _missing_player_delays(event_delays: Delays) -> list[LateMatch]:
    return [
        late_match for late_match in event_delays.late if late_match.penalty.points or late_match.penalty.lost
    ]


def _long_match_rows(event_board: EventBoard, event_delays: Delays) -> Iterator[Context]:
    event = event_board.event
    for long_match in [running_match for running_match in event_delays.running if running_match.over][
        :MAX_ROWS_PER_KIND
    ]:
        expected = (
            _("expected to end by %(time)s") % {"time": clock_time(long_match.expected, event)}
            if long_match.expected is not None
            else ""
        )
        yield _match_row(event_board, long_match.match, "warn", "clock", _("Long match"), expected)


def _more_delays_row(event: Event, event_delays: Delays) -> Iterator[Context]:
    long_matches = [running_match for running_match in event_delays.running if running_match.over]
    delays_by_kind = (
        event_delays.disputed,
        event_delays.cannot,
        event_delays.overdue,
        event_delays.matches_with_reported_messages,
        _missing_player_delays(event_delays),
        long_matches,
    )
    hidden_count = sum(max(0, len(delays) - MAX_ROWS_PER_KIND) for delays in delays_by_kind)
    if hidden_count:
        label = ngettext("%(count)s more delay", "%(count)s more delays", hidden_count) % {
            "count": hidden_count
        }
        delays_url = reverse("director:holdups", args=[event.public_id])
        yield _row("info", "clock", label, url=delays_url, button=_("View all"), key="more")


def _match_row(
    event_board: EventBoard,
    match: DrawnMatch,
    tone: str,
    icon: str,
    title: str,
    text: str = "",
    *,
    button: str = "",
    with_time: bool = True,
) -> Context:
    names = " – ".join(side.name for side in match.sides if side.name)
    title_template = _("%(what)s, table %(table)s") if match.table else _("%(what)s, match %(number)s")
    return _row(
        tone,
        icon,
        title_template % {"what": title, "table": match.table, "number": match.number},
        text or names,
        location=part_and_round_label(event_board, match),
        since=elapsed_time_context(event_board.since(match), event_board.event, "") if with_time else None,
        url=match_url_builder(event_board.event)(match.public_id),
        button=button or _("Open match"),
        key=f"{icon}-{match.public_id}",
        names=names if text else "",
    )


def _row(
    tone: str,
    icon: str,
    title: str,
    text: str = "",
    *,
    url: str,
    button: str,
    location: str = "",
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
        "where": location,
        "since": since,
        "url": url,
        "button": button,
        "key": key or f"{icon}-{tone}",
    }


def _time_or_empty(at: datetime | None, event: Event) -> str:
    return clock_time(at, event) if at is not None else ""


def progress_rows(event_board: EventBoard) -> list[Context]:
    """Return a row for every drawn stage: number of matches over, current round, expected end."""
    rows = []
    for pk, draw in event_board.draws.items():
        played_count, count = draw.played()
        if count:
            stage_forecast = (
                event_board.forecast.stages.get(pk)
                if event_board.forecast is not None and played_count < count
                else None
            )
            rows.append(
                {
                    "name": stage_name(draw.stage, list(event_board.stages)),
                    "round": _round_progress(draw),
                    "done": played_count,
                    "all": count,
                    "ends": moment_label(stage_forecast.ends.median, event_board.event)
                    if stage_forecast is not None
                    else "",
                }
            )
    return rows


def _round_progress(draw: Draw) -> str:
    """Return “Quarterfinals: 3 of 4” for the first unfinished round; empty if there is none."""
    for round_ in draw.rounds:
        matches = [match for match in round_.matches if draw.needs_play(match)]
        over_count = sum(match.status in OVER for match in matches)
        if over_count < len(matches):
            params = {"round": round_name_from_code(round_.code), "done": over_count, "all": len(matches)}
            return _("%(round)s: %(done)s of %(all)s") % params
    return ""


def table_map(event_board: EventBoard) -> dict[str, Any]:
    """Return the template context of the tables: every table with its state, and a legend with counts."""
    now = timezone.now()
    long_tables = {
        match.table
        for match in event_board.matches
        if match.status is MatchStatus.PLAYING
        and (overlong_at := event_board.overlong_from(match))
        and overlong_at <= now
    }
    labels = {
        **{str(status): str(status_name(status)) for status in MatchStatus},
        "long": _("Long"),
        "closed": pgettext("table", "Closed"),
        "free": pgettext("table", "Free"),
    }
    tables: list[Context] = []
    for table in table_contexts(event_board):
        state = "long" if table["number"] in long_tables else str(table["state"])
        label = f"{labels[state]}, {table['names']}" if table["names"] else labels[state]
        tables.append({**table, "look": state, "words": label})
    state_counts = Counter(str(table["look"]) for table in tables)
    legend = [
        {"look": state, "words": labels[state], "count": count} for state, count in state_counts.most_common()
    ]
    return {
        "tables": tables,
        "table_keys": legend,
        "tables_used": sum(table["look"] not in _IDLE_STATES for table in tables),
    }
