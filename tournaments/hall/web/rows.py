"""Lines of the director's board as plain strings: including a template for each line is slow."""

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
from tournaments.selectors.hall.calling import BusyIn
from tournaments.selectors.matches.answers import PlayerAnswer
from tournaments.shared.fragments.cards import Context, is_unplayed, match_note, placeholder
from tournaments.shared.fragments.since import since_context
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
    """Builder of a board's lines; computes once what all of them share."""

    def __init__(self, hall: EventBoard) -> None:
        self._hall = hall
        self._url = match_url_builder(hall.event)
        self._running = hall.event.status == EventStatus.RUNNING
        self._labels = {status: str(status_name(status)) for status in MatchStatus}
        self._late = {status: str(words) for status, words in _TOO_LONG_LABELS.items()}
        self._where: dict[tuple[str, str], str] = {}
        named = len({part.stage.division_id for part in hall.parts}) > 1
        many = len(hall.parts) > 1
        self._parts = {part.key: part_label(part, named=named) if many else "" for part in hall.parts}

    def line(self, match: DrawnMatch, following: str = "") -> Context:
        """Return the line of a match; ``following``: public id of the next line, opened after a result."""
        hall, status = self._hall, match.status
        over = status is MatchStatus.CONFIRMED
        busy = hall.busy_players_of(match)
        arranged = status is MatchStatus.READY and hall.is_arranged(match)
        can = {action.value for action in allowed_actions(status)} if self._running else set()
        can -= {"call", "start"} if busy or arranged else set()
        a, b = match.sides
        url = self._url(match.public_id)
        claims = hall.claims.get(match.pk, [])
        return {
            "id": match.public_id,
            "number": match.number,
            "url": url,
            "result": f"{url}?next={following}" if following else url,
            "table": "" if over or match.table is None else match.table,
            "where": self._round_and_part(match),
            "a": a.name or placeholder(a),
            "b": b.name or placeholder(b),
            "known": bool(a.name and b.name),
            "winner": match.winner.value if over and match.winner is not None and not match.is_bye else "",
            "score": f"{match.scores[0]}–{match.scores[1]}"
            if over and not match.is_bye and not is_unplayed(match)
            else "",
            "length": match.length,
            "least": _minimum_score(match),
            "status": status.value,
            "label": self._labels[status],
            "tone": f"is-{MATCH_STATUS_STYLES[status].tone}",
            "since": since_context(
                hall.since(match),
                hall.event,
                "",
                over=hall.overlong_from(match),
                words=self._late.get(status, ""),
            ),
            "notes": [note for note in (match_note(match), _due_label(hall, match)) if note],
            "answers": self._answers(match),
            "overdue": hall.is_overdue(match),
            "arranged": arranged and hall.at_tables,
            "why_not": [busy_message(hall, found) for found in busy],
            "can_call": "call" in can,
            "can_start": "start" in can and "call" not in can,
            "can_report": "report" in can,
            "claim": _single_report_context(claims, match.version)
            if status is MatchStatus.REPORTED
            else None,
            "claims": [_report_context(report) for report in claims],
        }

    def _answers(self, match: DrawnMatch) -> Context:
        """Return the replies before the match by side; empty if it has begun or there are none."""
        return {
            one.side.value: {"words": staff_reply_label(one.reply, self._hall.event), "cannot": one.cannot}
            for one in self._hall.answers.get(match.pk, ())
        }

    def _round_and_part(self, match: DrawnMatch) -> str:
        """Return the match's round, then its part if the event has more than one."""
        part = self._hall.part_of(match).key
        found = self._where.get((part, match.round_code))
        if found is None:
            found = " · ".join(
                words for words in (round_name_from_code(match.round_code), self._parts[part]) if words
            )
            self._where[part, match.round_code] = found
        return found


def _minimum_score(match: DrawnMatch) -> str:
    """Return the minimum points of both sides, from starting scores or an adjournment, if not zero."""
    least = minimum_score(Score(*match.start), Adjournment.of(match.adjourned))
    return f"{least.a}-{least.b}" if least.a or least.b else ""


def _single_report_context(claims: Sequence[Report], seen: int) -> Context | None:
    """Return the only report, which the director can confirm at once, with its match's version; else None."""
    return (
        {"version": claims[0].version, "seen": seen, **_report_context(claims[0])}
        if len(claims) == 1
        else None
    )


def _report_context(report: Report) -> Context:
    return {
        "who": report.entry.name if report.entry is not None else _("Director"),
        "score": f"{report.score_a}–{report.score_b}",
        "note": result_kind_note(report.kind),
    }


def reports_text(hall: EventBoard, match: DrawnMatch) -> str:
    """Return “Ann: 5–3; Bo: 4–5”: the reports of a match that waits for a decision."""
    found = [_report_context(report) for report in hall.claims.get(match.pk, [])]
    return "; ".join(f"{one['who']}: {one['score']}" for one in found)


def cannot_play_context(one: PlayerAnswer, url: str) -> Context:
    """Return a player who cannot play, with the match and the reason."""
    return {"key": one.entry, "name": one.name, "number": one.number, "reason": one.reply.reason, "url": url}


def part_label(part: BoardPart, *, named: bool = True) -> str:
    """Return “Intermediate · Consolation”: what distinguishes this part from the others of the event."""
    words = [part.stage.division.name] if named and part.stage.division.name else []
    if part.many_stages:
        words.append(str(part.stage))
    if part.many_sections:
        words.append(section_name(part.section))
    return " · ".join(words) or str(part.stage)


def part_and_round_label(hall: EventBoard, match: DrawnMatch) -> str:
    """Return the match's part, if the event has more than one, and its round."""
    name = round_name_from_code(match.round_code)
    if len(hall.parts) < 2:
        return name
    divisions = {part.stage.division_id for part in hall.parts}
    return f"{part_label(hall.part_of(match), named=len(divisions) > 1)} · {name}"


def busy_message(hall: EventBoard, found: BusyIn) -> str:
    """Return “Ann Ace is playing match 12 (Consolation)”."""
    words = {"name": found.player, "number": found.number, "event": found.event}
    if found.event_id != hall.event.pk:
        return _("%(name)s is playing match %(number)s of %(event)s") % words
    match = hall.matches_by_pk.get(found.match_id)
    if match is None or len(hall.parts) < 2:
        return _("%(name)s is playing match %(number)s") % words
    part = part_label(hall.part_of(match))
    return _("%(name)s is playing match %(number)s (%(part)s)") % {**words, "part": part}


def match_url_builder(event: Event) -> Callable[[str], str]:
    """Return a fast ``reverse`` for the director's pages of many matches."""
    before, after = reverse("director:match", args=[event.public_id, "0-mark-0"]).split("0-mark-0")
    return lambda public_id: f"{before}{public_id}{after}"


def _due_label(hall: EventBoard, match: DrawnMatch) -> str:
    """Return the agreed time of the match, or its deadline, or an empty text."""
    agreed = hall.agreed.get(match.pk)
    if agreed is not None:
        return _("agreed: %(when)s") % {"when": date_and_time(agreed, hall.event)}
    return deadline_label(hall.deadlines.get(match.pk))
