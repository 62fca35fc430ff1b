"""Rows of the director's board as plain strings: including a template for each row is slow."""

from collections.abc import Callable, Mapping, Sequence

from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.engine.matches.adjourning import Adjournment, minimum_score
from tournaments.engine.statuses import EventStatus, MatchStatus, allowed_actions
from tournaments.engine.types import Score
from tournaments.models import Event, Report
from tournaments.selectors.draws import DrawnMatch
from tournaments.selectors.hall.board import BoardPart, EventBoard
from tournaments.selectors.hall.calling import BusyPlayer
from tournaments.selectors.matches.answers import PlayerAnswer
from tournaments.shared.fragments.cards import Context, is_unplayed, match_note, placeholder_label
from tournaments.shared.fragments.since import elapsed_time_context
from tournaments.shared.words.answers import staff_reply_label
from tournaments.shared.words.flights import section_name
from tournaments.shared.words.names import (
    date_and_time,
    deadline_label,
    result_kind_note,
    round_name_from_code,
)
from tournaments.shared.words.statuses import MATCH_STATUS_STYLES, status_name

# Labels of a state that has lasted too long.
_TOO_LONG_LABELS: Mapping[MatchStatus, str | Promise] = {
    MatchStatus.CALLED: gettext_lazy("Late"),
    MatchStatus.PLAYING: gettext_lazy("Long"),
    MatchStatus.REPORTED: gettext_lazy("Unconfirmed"),
}


class RowBuilder:
    """Builder of the rows of a match board; computes once what all rows share."""

    def __init__(self, event_board: EventBoard) -> None:
        self._hall = event_board
        self._url = match_url_builder(event_board.event)
        self._running = event_board.event.status == EventStatus.RUNNING
        self._labels = {status: str(status_name(status)) for status in MatchStatus}
        self._late = {status: str(label) for status, label in _TOO_LONG_LABELS.items()}
        self._where: dict[tuple[str, str], str] = {}
        shows_division = len({part.stage.division_id for part in event_board.parts}) > 1
        has_parts = len(event_board.parts) > 1
        self._parts = {
            part.key: part_label(part, with_division=shows_division) if has_parts else ""
            for part in event_board.parts
        }

    def line(self, match: DrawnMatch, next_id: str = "") -> Context:
        """Return the template context of a match's row.

        ``next_id``: public id of the match in the next row, which is opened after a result.
        """
        event_board, status = self._hall, match.status
        is_over = status is MatchStatus.CONFIRMED
        busy_players = event_board.busy_players_of(match)
        is_arranged = status is MatchStatus.READY and event_board.is_arranged(match)
        allowed = {action.value for action in allowed_actions(status)} if self._running else set()
        allowed -= {"call", "start"} if busy_players or is_arranged else set()
        a, b = match.sides
        url = self._url(match.public_id)
        claims = event_board.reports_by_match.get(match.pk, [])
        return {
            "id": match.public_id,
            "number": match.number,
            "url": url,
            "result": f"{url}?next={next_id}" if next_id else url,
            "table": "" if is_over or match.table is None else match.table,
            "where": self._round_and_part(match),
            "a": a.name or placeholder_label(a),
            "b": b.name or placeholder_label(b),
            "known": bool(a.name and b.name),
            "winner": match.winner.value if is_over and match.winner is not None and not match.is_bye else "",
            "score": f"{match.scores[0]}–{match.scores[1]}"
            if is_over and not match.is_bye and not is_unplayed(match)
            else "",
            "length": match.length,
            "least": _minimum_score(match),
            "status": status.value,
            "label": self._labels[status],
            "tone": f"is-{MATCH_STATUS_STYLES[status].tone}",
            "since": elapsed_time_context(
                event_board.since(match),
                event_board.event,
                "",
                overdue_at=event_board.overlong_from(match),
                overdue_label=self._late.get(status, ""),
            ),
            "notes": [note for note in (match_note(match), _due_label(event_board, match)) if note],
            "answers": self._answers(match),
            "overdue": event_board.is_overdue(match),
            "arranged": is_arranged and event_board.has_matches_at_tables,
            "why_not": [busy_message(event_board, busy_player) for busy_player in busy_players],
            "can_call": "call" in allowed,
            "can_start": "start" in allowed and "call" not in allowed,
            "can_report": "report" in allowed,
            "claim": _single_report_context(claims, match.version)
            if status is MatchStatus.REPORTED
            else None,
            "claims": [_report_context(report) for report in claims],
        }

    def _answers(self, match: DrawnMatch) -> Context:
        """Return the players' answers before the match, keyed by side; empty once the match has begun."""
        return {
            answer.side.value: {
                "words": staff_reply_label(answer.reply, self._hall.event),
                "cannot": answer.cannot,
            }
            for answer in self._hall.answers.get(match.pk, ())
        }

    def _round_and_part(self, match: DrawnMatch) -> str:
        """Return the name of the match's round, followed by its part if the event has more than one."""
        part = self._hall.part_of(match).key
        label = self._where.get((part, match.round_code))
        if label is None:
            label = " · ".join(
                name for name in (round_name_from_code(match.round_code), self._parts[part]) if name
            )
            self._where[part, match.round_code] = label
        return label


def _minimum_score(match: DrawnMatch) -> str:
    """Return the least possible points of both sides such as “2-0”; empty if both are zero.

    They come from starting scores or an adjournment.
    """
    minimum = minimum_score(Score(*match.start), Adjournment.of(match.adjourned))
    return f"{minimum.a}-{minimum.b}" if minimum.a or minimum.b else ""


def _single_report_context(claims: Sequence[Report], match_version: int) -> Context | None:
    """Return the template context of the only report, which the director can confirm at once.

    None if there are several reports. ``match_version`` is sent back as ``seen``.
    """
    return (
        {"version": claims[0].version, "seen": match_version, **_report_context(claims[0])}
        if len(claims) == 1
        else None
    )


def _report_context(report: Report) -> Context:
    return {
        "who": report.entry.name if report.entry is not None else _("Director"),
        "score": f"{report.score_a}–{report.score_b}",
        "note": result_kind_note(report.kind),
    }


def reports_text(event_board: EventBoard, match: DrawnMatch) -> str:
    """Return the reports of a match that waits for a decision, such as “Ann: 5–3; Bo: 4–5”."""
    contexts = [_report_context(report) for report in event_board.reports_by_match.get(match.pk, [])]
    return "; ".join(f"{context['who']}: {context['score']}" for context in contexts)


def cannot_play_context(answer: PlayerAnswer, url: str) -> Context:
    """Return the template context of a player's answer "cannot play", with the match and the reason."""
    return {
        "key": answer.entry,
        "name": answer.name,
        "number": answer.number,
        "reason": answer.reply.reason,
        "url": url,
    }


def part_label(part: BoardPart, *, with_division: bool = True) -> str:
    """Return a name that distinguishes the part from others, such as “Intermediate · Consolation”."""
    names = [part.stage.division.name] if with_division and part.stage.division.name else []
    if part.has_sibling_stages:
        names.append(str(part.stage))
    if part.has_sibling_sections:
        names.append(section_name(part.section))
    return " · ".join(names) or str(part.stage)


def part_and_round_label(event_board: EventBoard, match: DrawnMatch) -> str:
    """Return the match's part (if the event has more than one) and its round as text."""
    name = round_name_from_code(match.round_code)
    if len(event_board.parts) < 2:
        return name
    divisions = {part.stage.division_id for part in event_board.parts}
    return f"{part_label(event_board.part_of(match), with_division=len(divisions) > 1)} · {name}"


def busy_message(event_board: EventBoard, busy_player: BusyPlayer) -> str:
    """Return why a match cannot be called, such as “Ann Ace is playing match 12 (Consolation)”."""
    params = {"name": busy_player.player, "number": busy_player.number, "event": busy_player.event}
    if busy_player.event_id != event_board.event.pk:
        return _("%(name)s is playing match %(number)s of %(event)s") % params
    match = event_board.matches_by_pk.get(busy_player.match_id)
    if match is None or len(event_board.parts) < 2:
        return _("%(name)s is playing match %(number)s") % params
    part = part_label(event_board.part_of(match))
    return _("%(name)s is playing match %(number)s (%(part)s)") % {**params, "part": part}


def match_url_builder(event: Event) -> Callable[[str], str]:
    """Return a function from a match's public id to its director's page.

    It is faster than ``reverse`` for many matches.
    """
    prefix, suffix = reverse("director:match", args=[event.public_id, "0-mark-0"]).split("0-mark-0")
    return lambda public_id: f"{prefix}{public_id}{suffix}"


def _due_label(event_board: EventBoard, match: DrawnMatch) -> str:
    """Return the agreed time of the match, or else its deadline, as text; empty without both."""
    agreed_time = event_board.agreed.get(match.pk)
    if agreed_time is not None:
        return _("agreed: %(when)s") % {"when": date_and_time(agreed_time, event_board.event)}
    return deadline_label(event_board.deadlines.get(match.pk))
