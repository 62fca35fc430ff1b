"""Player's page before a match: the notice, the other side's answer, and buttons to answer with one tap."""

from collections.abc import Iterable, Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext as _

from tournaments.engine.matches.answers import MAX_REASON_LENGTH, ReplyChoice
from tournaments.engine.statuses import NOT_STARTED, EventStatus, MatchStatus
from tournaments.models import Entry, Event, Match
from tournaments.selectors.check_in import here_since
from tournaments.selectors.deliveries import notification_deliveries
from tournaments.selectors.entries import CONFIRMED_STATUSES
from tournaments.selectors.hall.calling import is_busy
from tournaments.selectors.hall.forecast import load_forecast
from tournaments.selectors.matches.answers import (
    SentUpNextNotice,
    answers_to,
    entries_of_match,
    up_next_notices,
)
from tournaments.selectors.matches.player import MyMatch
from tournaments.selectors.rounds.deadlines import is_arranged
from tournaments.shared.fragments.cards import Context
from tournaments.shared.frames.keys import new_submission_key
from tournaments.shared.words.answers import (
    REPLY_CHOICES,
    delivery_label,
    late_opponent_message,
    own_reply_message,
    staff_reply_label,
)
from tournaments.shared.words.names import clock_time
from tournaments.shared.words.near import opponent_label, up_next_parts
from tournaments.shared.words.rulings import lateness_context


def before_match_contexts(entry: Entry, matches: Iterable[MyMatch], typed: str = "") -> Mapping[int, Context]:
    """Return contexts by database id of those of ``matches`` that have not begun.

    ``typed``: a reason that was just rejected.
    """
    event = entry.division.event
    asked = {match.match.pk: match for match in matches if _can_answer(match)}
    words = up_next_notices(asked, entry.pk) if getattr(entry, "last_word", True) else {}  # usually none
    if words and is_busy(entry):
        words = {}
    found: dict[int, Context] = {
        pk: {
            "word": _notice_context(event, match, words.get((pk, entry.pk))),
            "choices": _answer_choices(match, near=(pk, entry.pk) in words),
            "key": new_submission_key(),
            "limit": MAX_REASON_LENGTH,
            "typed": typed,
            "answer": "",
            "words": "",
            "reason": "",
            "later": "",
        }
        for pk, match in asked.items()
    }
    for one in answers_to(asked):
        shape = found[one.match_id]
        if one.entry_id == entry.pk:
            reply = one.reply
            shape |= {
                "answer": reply.coming.value,
                "words": own_reply_message(reply, event),
                "reason": reply.reason,
            }
        else:
            shape["later"] = late_opponent_message(one.reply, one.name, event)
    return found


def call_context(match: MyMatch, before: Context | None) -> Context:
    """Return whether the call or notice replaces the result form, with its time and lateness penalties."""
    is_called = match.row.status is MatchStatus.CALLED
    at, event = match.match.called_at, match.match.stage.division.event
    return {
        "before": before,
        "calls": is_called or bool(before and before["word"]),
        "called_at": clock_time(at, event) if is_called and at is not None else "",
        "late": lateness_context(match.match) if is_called else None,
    }


def ring_context(matches: Iterable[MyMatch], before: Mapping[int, Context], event: Event) -> Context:
    """Return the ring of the open page.

    ``ring``: key, title and text of a call or notice, or None; ``waits_here``: whether the page polls while
    hidden, too. Both are off while a match of the player is being played.
    """
    played = list(matches)
    if event.status != EventStatus.RUNNING or any(one.row.status is MatchStatus.PLAYING for one in played):
        return {"ring": None, "waits_here": False}
    called = next((one for one in played if one.row.status is MatchStatus.CALLED), None)
    if called is not None:
        return {"ring": _call_ring(called), "waits_here": True}
    near = next(((pk, shape["word"]) for pk, shape in before.items() if shape["word"]), None)
    if near is None:
        return {"ring": None, "waits_here": bool(before)}
    pk, word = near
    words = ", ".join([*word["parts"], _("at about %(time)s") % {"time": word["clock"]}])
    title = _("Soon: %(where)s") % {"where": word["parts"][0]}
    ring = {"key": f"{pk}-near-{word['times']}", "kind": "near", "title": title, "words": words}
    return {"ring": ring, "waits_here": True}


def _call_ring(match: MyMatch) -> Context:
    """Return a ring whose key changes with each call, so that a second call or another table rings again."""
    at, row = match.match.called_at, match.row
    where = _("Called: table %(table)s") % {"table": row.table} if row.table else _("Called to the tables")
    words = f"{where}, {opponent_label(match.other)}"
    return {
        "key": f"{row.pk}-{row.table or 0}-{at:%d%H%M%S}" if at else str(row.pk),
        "kind": "called",
        "title": where,
        "words": words,
    }


def answer_contexts(match: Match, event: Event) -> list[Context]:
    """Return each side's notices, delivery state and answer for the staff; empty once the match began."""
    if match.status not in NOT_STARTED:
        return []
    answers = {one.entry_id: one for one in answers_to([match.pk])}
    words = {entry: word for (_match, entry), word in up_next_notices([match.pk]).items()}
    called = match.status == MatchStatus.CALLED
    states = (
        {one.entry_id: one for one in notification_deliveries([match.pk]).get(match.pk, ())} if called else {}
    )
    found: list[Context] = []
    for entry, public_id, name in entries_of_match(match):
        answer, word = answers.get(entry), words.get(entry)
        notice = delivery_label(states.get(entry), event)
        if answer is None and word is None and not notice:
            continue
        found.append(
            {
                "entry": public_id,
                "name": name,
                "words": staff_reply_label(answer.reply, event) if answer is not None else "",
                "cannot": answer is not None and answer.cannot,
                "reason": answer.reply.reason if answer is not None else "",
                "when": clock_time(answer.reply.at, event) if answer is not None else "",
                "notice": notice,
                "warned": clock_time(word.at, event) if word is not None else "",
            }
        )
    return found


def _answer_choices(match: MyMatch, *, near: bool) -> list[tuple[str, str | Promise]]:
    """Return the answers for one tap, if the match is called or near. "Cannot play" is always possible."""
    if not near and match.row.status is not MatchStatus.CALLED:
        return []
    return [(one.value, REPLY_CHOICES[one]) for one in (ReplyChoice.COMING, ReplyChoice.LATER)]


def _notice_context(event: Event, match: MyMatch, word: SentUpNextNotice | None) -> Context | None:
    """Return the up-next notice that was sent, with the current forecast; None if called or not sent."""
    if word is None or match.row.status is MatchStatus.CALLED:
        return None
    forecast = load_forecast(event)
    begins = forecast.begins.get(match.match.pk) if forecast is not None else None
    at = begins.median if begins is not None else word.begins_at
    return {
        "parts": up_next_parts(match.row, match.other),
        "iso": at.isoformat(timespec="seconds"),
        "clock": clock_time(at, event),
        "times": word.times,
    }


def _can_answer(match: MyMatch) -> bool:
    return match.row.status in NOT_STARTED and not is_arranged(match.match.stage, match.row)


def check_in_context(entry: Entry, tried: Context | None) -> Context | None:
    """Return whether the player of this link can check in, or has; None while no check-in is open."""
    open_now = getattr(entry, "open_check_in", None)
    if open_now is None or entry.status not in CONFIRMED_STATUSES:
        return None
    since = here_since(entry, open_now)
    return {"since": clock_time(since, entry.division.event), **(tried or {})}
