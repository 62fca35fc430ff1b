"""Template contexts around the start of a match: up-next notice, call, ring, answers, check-in.

Most are for the player's page; `answer_contexts` is for the staff.
"""

from collections.abc import Iterable, Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext as _

from tournaments.engine.matches.answers import MAX_REASON_LENGTH, ReplyChoice
from tournaments.engine.statuses import NOT_STARTED, EventStatus, MatchStatus
from tournaments.models import Entry, Event, Match
from tournaments.selectors.check_in import checked_in_since
from tournaments.selectors.deliveries import notification_deliveries
from tournaments.selectors.entries import CONFIRMED_STATUSES
from tournaments.selectors.hall.calling import is_busy
from tournaments.selectors.hall.forecast import load_forecast
from tournaments.selectors.matches.answers import (
    SentUpNextNotice,
    answers_about_matches,
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


def before_match_contexts(
    entry: Entry, matches: Iterable[MyMatch], typed_reason: str = ""
) -> Mapping[int, Context]:
    """Return template contexts of those of ``matches`` that have not begun, keyed by database id.

    Each has the up-next notice, the answers that can be given and those that were given. ``typed_reason``: a
    reason that was just rejected and is displayed again.
    """
    event = entry.division.event
    answerable = {match.match.pk: match for match in matches if _can_answer(match)}
    notices = (
        up_next_notices(answerable, entry.pk) if getattr(entry, "last_word", True) else {}
    )  # usually none
    if notices and is_busy(entry):
        notices = {}
    contexts: dict[int, Context] = {
        pk: {
            "word": _notice_context(event, match, notices.get((pk, entry.pk))),
            "choices": _answer_choices(match, is_up_next=(pk, entry.pk) in notices),
            "key": new_submission_key(),
            "limit": MAX_REASON_LENGTH,
            "typed": typed_reason,
            "answer": "",
            "words": "",
            "reason": "",
            "later": "",
        }
        for pk, match in answerable.items()
    }
    for answer in answers_about_matches(answerable):
        context = contexts[answer.match_id]
        if answer.entry_id == entry.pk:
            reply = answer.reply
            context |= {
                "answer": reply.coming.value,
                "words": own_reply_message(reply, event),
                "reason": reply.reason,
            }
        else:
            context["later"] = late_opponent_message(answer.reply, answer.name, event)
    return contexts


def call_context(match: MyMatch, before_match: Context | None) -> Context:
    """Return the template context of a call: time of the call and lateness penalties.

    ``calls``: True if the call or up-next notice is displayed in place of the result form.
    """
    is_called = match.row.status is MatchStatus.CALLED
    called_at, event = match.match.called_at, match.match.stage.division.event
    return {
        "before": before_match,
        "calls": is_called or bool(before_match and before_match["word"]),
        "called_at": clock_time(called_at, event) if is_called and called_at is not None else "",
        "late": lateness_context(match.match) if is_called else None,
    }


def ring_context(matches: Iterable[MyMatch], before_by_match: Mapping[int, Context], event: Event) -> Context:
    """Return the template context that makes the player's open page ring at a call or up-next notice.

    ``ring``: key, kind, title and text, or None; ``waits_here``: whether the page also polls while it is
    hidden. None and False while a match of the player is being played or the event is not running.
    """
    all_matches = list(matches)
    if event.status != EventStatus.RUNNING or any(
        match.row.status is MatchStatus.PLAYING for match in all_matches
    ):
        return {"ring": None, "waits_here": False}
    called_match = next((match for match in all_matches if match.row.status is MatchStatus.CALLED), None)
    if called_match is not None:
        return {"ring": _call_ring(called_match), "waits_here": True}
    next_notice = next(
        ((pk, context["word"]) for pk, context in before_by_match.items() if context["word"]), None
    )
    if next_notice is None:
        return {"ring": None, "waits_here": bool(before_by_match)}
    pk, notice = next_notice
    label = ", ".join([*notice["parts"], _("at about %(time)s") % {"time": notice["clock"]}])
    title = _("Soon: %(where)s") % {"where": notice["parts"][0]}
    ring = {"key": f"{pk}-near-{notice['times']}", "kind": "near", "title": title, "words": label}
    return {"ring": ring, "waits_here": True}


def _call_ring(match: MyMatch) -> Context:
    """Return the ring of a call.

    Its key changes with each call, so that a second call or another table rings again.
    """
    called_at, row = match.match.called_at, match.row
    title = _("Called: table %(table)s") % {"table": row.table} if row.table else _("Called to the tables")
    label = f"{title}, {opponent_label(match.other)}"
    return {
        "key": f"{row.pk}-{row.table or 0}-{called_at:%d%H%M%S}" if called_at else str(row.pk),
        "kind": "called",
        "title": title,
        "words": label,
    }


def answer_contexts(match: Match, event: Event) -> list[Context]:
    """Return for the staff, per side: up-next notice, delivery of the call, and the answer.

    Sides without any of these are left out; empty once the match has begun.
    """
    if match.status not in NOT_STARTED:
        return []
    answers = {row.entry_id: row for row in answers_about_matches([match.pk])}
    notices = {
        entry: up_next_notice for (_match, entry), up_next_notice in up_next_notices([match.pk]).items()
    }
    is_called = match.status == MatchStatus.CALLED
    deliveries = (
        {row.entry_id: row for row in notification_deliveries([match.pk]).get(match.pk, ())}
        if is_called
        else {}
    )
    contexts: list[Context] = []
    for entry, public_id, name in entries_of_match(match):
        answer, up_next_notice = answers.get(entry), notices.get(entry)
        delivery = delivery_label(deliveries.get(entry), event)
        if answer is None and up_next_notice is None and not delivery:
            continue
        contexts.append(
            {
                "entry": public_id,
                "name": name,
                "words": staff_reply_label(answer.reply, event) if answer is not None else "",
                "cannot": answer is not None and answer.cannot,
                "reason": answer.reply.reason if answer is not None else "",
                "when": clock_time(answer.reply.at, event) if answer is not None else "",
                "notice": delivery,
                "warned": clock_time(up_next_notice.at, event) if up_next_notice is not None else "",
            }
        )
    return contexts


def _answer_choices(match: MyMatch, *, is_up_next: bool) -> list[tuple[str, str | Promise]]:
    """Return the answers with one tap as pairs of code and label.

    Empty unless the match is called or up next. "Cannot play" is always possible and not included.
    """
    if not is_up_next and match.row.status is not MatchStatus.CALLED:
        return []
    return [(choice.value, REPLY_CHOICES[choice]) for choice in (ReplyChoice.COMING, ReplyChoice.LATER)]


def _notice_context(event: Event, match: MyMatch, notice: SentUpNextNotice | None) -> Context | None:
    """Return the template context of the up-next notice, with the current forecast.

    None if the match is called or no notice was sent.
    """
    if notice is None or match.row.status is MatchStatus.CALLED:
        return None
    forecast = load_forecast(event)
    expected_start = forecast.begins.get(match.match.pk) if forecast is not None else None
    starts_at = expected_start.median if expected_start is not None else notice.begins_at
    return {
        "parts": up_next_parts(match.row, match.other),
        "iso": starts_at.isoformat(timespec="seconds"),
        "clock": clock_time(starts_at, event),
        "times": notice.times,
    }


def _can_answer(match: MyMatch) -> bool:
    return match.row.status in NOT_STARTED and not is_arranged(match.match.stage, match.row)


def check_in_context(entry: Entry, hall_code: Context | None) -> Context | None:
    """Return the template context of the check-in: ``since`` is the time of check-in, empty before it.

    None while no check-in is possible for the entry.
    """
    check_in = getattr(entry, "open_check_in", None)
    if check_in is None or entry.status not in CONFIRMED_STATUSES:
        return None
    checked_in_at = checked_in_since(entry, check_in)
    return {"since": clock_time(checked_in_at, entry.division.event), **(hall_code or {})}
