"""Players' answers before their matches that still apply, and up-next notices sent to them."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from django.db.models import F, Q, QuerySet

from tournaments.engine.matches.answers import CallReply, ReplyChoice
from tournaments.engine.statuses import NOT_STARTED, STAGE_UNDER_WAY, MatchStatus
from tournaments.engine.types import Side
from tournaments.models import CallAnswer, CallWord, Entry, Event, Match, MatchSlot


@dataclass(frozen=True, slots=True)
class PlayerAnswer:
    """An entry's answer to a call or an up-next notice, while it applies.

    ``match`` and ``entry``: public ids; ``name``: the entry's name.
    """

    match_id: int
    match: str
    number: int
    entry_id: int
    entry: str
    name: str
    side: Side
    reply: CallReply

    @property
    def cannot(self) -> bool:
        return self.reply.coming is ReplyChoice.CANNOT


@dataclass(frozen=True, slots=True)
class SentUpNextNotice:
    """The last up-next notice to an entry: when it was sent, and how often one was sent for the match.

    ``begins_at`` and ``table``: what the notice announced.
    """

    at: datetime
    begins_at: datetime
    table: int | None
    times: int


def answers_in_event(event: Event) -> list[PlayerAnswer]:
    """Return all answers in ``event`` that apply, sorted by match and side.

    One query over the matches that have not begun.
    """
    return _load_answers(
        Q(
            match__stage__division__event=event,
            match__stage__status__in=STAGE_UNDER_WAY,
            match__status__in=NOT_STARTED,
        )
    )


def answers_about_matches(matches: Collection[int]) -> list[PlayerAnswer]:
    """Return the answers that apply to these matches (ids), sorted by match and side; one query."""
    return _load_answers(Q(match__in=matches, match__status__in=NOT_STARTED)) if matches else []


def _current_answers() -> QuerySet[CallAnswer]:
    """Return the answers of entries that are still in the match."""
    return CallAnswer.objects.filter(match__slots__entry=F("entry"))


def _load_answers(answer_filter: Q) -> list[PlayerAnswer]:
    rows = _current_answers().filter(answer_filter).annotate(side=F("match__slots__side"))
    return [
        PlayerAnswer(match_id, match_public_id, number, entry_id, entry_public_id, name, Side(side), reply)
        for match_id, match_public_id, number, status, sent_back_at, entry_id, entry_public_id, name, side, coming, reason, at in (
            rows.order_by("match_id", "side").values_list(
                *("match_id", "match__public_id", "match__number", "match__status", "match__sent_back_at"),
                *("entry_id", "entry__public_id", "entry__name", "side", "coming", "reason", "at"),
            )
        )
        if (reply := CallReply(ReplyChoice(coming), at, reason)).counts(MatchStatus(status), sent_back_at)
    ]


def own_entry_in(match: Match, user_id: int | None) -> Entry | None:
    """Return the entry in ``match`` of the account's player, or of a player whom the account looks after.

    None if there is none; one query.
    """
    if user_id is None:
        return None
    played_by_user = Q(players__user=user_id) | Q(players__guardian=user_id)
    return (
        Entry.objects.filter(played_by_user, slots__match=match)
        .select_related("division__event__club")
        .distinct()
        .first()
    )


def entries_of_match(match: Match) -> list[tuple[int, str, str]]:
    """Return database id, public id and name of the entries of ``match``, side a first; one query."""
    slots = MatchSlot.objects.filter(match=match).exclude(entry=None).order_by("side")
    return list(slots.values_list("entry_id", "entry__public_id", "entry__name"))


def up_next_notices(
    matches: Collection[int], entry: int | None = None
) -> dict[tuple[int, int], SentUpNextNotice]:
    """Return the last up-next notices, keyed by match id and entry id; one query.

    ``entry``: only those to the entry of this id.
    """
    if not matches:
        return {}
    rows = CallWord.objects.filter(match__in=matches).order_by()
    if entry is not None:
        rows = rows.filter(entry=entry)
    rows = rows.filter(match__slots__entry=F("entry"))
    return {
        (match, entry_id): SentUpNextNotice(at, begins_at, table, times)
        for match, entry_id, at, begins_at, table, times in rows.values_list(
            "match", "entry", "at", "begins_at", "table", "times"
        )
    }
