"""Sentences for audit actions about matches and repairs, one for each kind of action."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields
from typing import Any, Final

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.engine.brackets.correction import Repair
from tournaments.engine.lots.randomness import NETWORKS
from tournaments.engine.standings.leaving import WithdrawnResults
from tournaments.engine.statuses import MatchStatus
from tournaments.engine.trail.action import AuditAction, CalledMatch
from tournaments.engine.trail.arranging import (
    AgreedTimeCancelled,
    MessagesReported,
    MessagesReviewed,
    TimeAgreed,
    TimesDeclined,
    TimesOffered,
)
from tournaments.engine.trail.draws import CommitmentPublicitySet, RandomnessFetched, RandomnessNamed
from tournaments.engine.trail.matches import (
    AbsenceResultRecorded,
    AwardRemoved,
    CallReplyDismissed,
    CallReplyGiven,
    CallsUndone,
    ClockAdded,
    ClockRemoved,
    CorrectionRequested,
    CorrectionRequestSettled,
    MatchAdjourned,
    MatchesCalled,
    MatchResumed,
    PointsAwarded,
    RecordCorrected,
    RecordPublicitySet,
    ResultAction,
    ResultAgreed,
    ResultReported,
    TableAssigned,
    TablesSwapped,
)
from tournaments.engine.trail.repairs import (
    EntryWithdrawnAfterDraw,
    HeldLinesClosed,
    LateEntryPlaced,
    MatchLengthSet,
    PlayerChanged,
    RepairUndone,
    ResultCorrected,
    RoundLengthSet,
)
from tournaments.engine.types import ResultKind
from tournaments.hall.services.calling import MOVE_AUDIT_ACTIONS
from tournaments.shared.words.answers import audit_message
from tournaments.shared.words.moves import MATCH_ACTION_TEXTS
from tournaments.shared.words.names import result_kind_note, round_name_from_code
from tournaments.shared.words.rulings import AWARD_LABELS, duration_label

ActionMessage = str | Promise | Callable[[Any, str], str]
MatchPairs = Mapping[int, str]  # players of a match by its database id
NO_PAIRS: Final[MatchPairs] = {}
MAX_NAMES: Final = 6


def placeholders(action: AuditAction, subject: str) -> dict[str, Any]:
    """Return the values for the placeholders of a sentence: the fields of the action, and its subject."""
    return {"subject": subject, **{field.name: getattr(action, field.name) for field in fields(action)}}


def names_summary(names: list[str]) -> str:
    """Return the first names as one text, followed by the number of the others."""
    summary = ", ".join(names[:MAX_NAMES])
    if len(names) > MAX_NAMES:
        summary = _("%(names)s and %(more)s more") % {"names": summary, "more": len(names) - MAX_NAMES}
    return summary


def _score_text(a: int | None, b: int | None, kind: ResultKind = ResultKind.PLAYED) -> str:
    note = result_kind_note(kind)
    return f"{a}–{b} ({note})" if note else f"{a}–{b}"


def _score_placeholders(action: ResultAction, subject: str) -> dict[str, str]:
    claim = action.claim
    return {"subject": subject, "score": _score_text(claim.score_a, claim.score_b, claim.kind)}


def _with_qr_note(text: str) -> str:
    note = _("Confirmed by QR code.")
    return f"{text} {note}"


def _describe_reported(action: ResultReported, subject: str) -> str:
    texts = {
        MatchStatus.CONFIRMED: _("Match %(subject)s: %(score)s, confirmed."),
        MatchStatus.REPORTED: _("Match %(subject)s: %(score)s reported."),
        MatchStatus.DISPUTED: _(
            "Match %(subject)s: %(score)s reported, conflicting with the other side’s report."
        ),
    }
    text = texts.get(action.decision, texts[MatchStatus.REPORTED]) % _score_placeholders(action, subject)
    if action.doubtful:
        text += " " + _("The attached game record is doubtful.")
    return _with_qr_note(text) if action.handed_over else text


def _describe_agreed(action: ResultAgreed, subject: str) -> str:
    text = _("Match %(subject)s: %(score)s agreed by both sides.") % _score_placeholders(action, subject)
    return _with_qr_note(text) if action.handed_over else text


def _describe_absent(action: AbsenceResultRecorded, subject: str) -> str:
    return _("Match %(subject)s: %(score)s, because an entry was withdrawn.") % _score_placeholders(
        action, subject
    )


def _describe_corrected(action: ResultCorrected, subject: str) -> str:
    before, after = action.before, action.after
    if after.status != MatchStatus.CONFIRMED and action.length.before != action.length.after:
        return _("Match %(subject)s was played only to %(before)s points and continues to %(after)s.") % {
            "subject": subject,
            "before": action.length.before,
            "after": action.length.after,
        }
    if after.status != MatchStatus.CONFIRMED:
        score = _score_text(before.score_a, before.score_b)
        return _("Match %(subject)s: result %(score)s undone.") % {
            "subject": subject,
            "score": score,
        }
    text = _("Match %(subject)s corrected: %(before)s → %(after)s.") % {
        "subject": subject,
        "before": _score_text(before.score_a, before.score_b),
        "after": _score_text(after.score_a, after.score_b),
    }
    if action.repair is Repair.VOID:
        voided_text = _("Later results cancelled: %(matches)s.")
        text += " " + voided_text % {"matches": ", ".join(map(str, action.voided))}
    elif action.repair is Repair.KEEP:
        text += " " + _("Later matches unchanged.")
    return f"{text} {action.note}" if action.note else text


def _describe_player_change(action: PlayerChanged, subject: str) -> str:
    if action.exchange:
        text = _("%(wrong)s and %(right)s swapped places.")
    elif action.from_now:
        text = _("%(right)s replaces %(wrong)s.")
    else:
        text = _("Wrong player corrected: %(right)s instead of %(wrong)s.")
    return text % placeholders(action, subject)


def _describe_round_length(action: RoundLengthSet, _subject: str) -> str:
    return _("%(round)s: to %(after)s points instead of %(before)s.") % {
        "round": round_name_from_code(action.code),
        "after": action.after,
        "before": action.before,
    }


def _describe_withdrawn(action: EntryWithdrawnAfterDraw, subject: str) -> str:
    if action.leaving is WithdrawnResults.STRIKE:
        text = _("%(name)s withdrew; the results were removed from the standings.")
    else:
        text = _("%(name)s withdrew after the draw.")
    return text % placeholders(action, subject)


def _describe_repair_undone(action: RepairUndone, subject: str) -> str:
    texts = {
        ResultCorrected.kind: _("Undone: correction of match %(subject)s."),
        LateEntryPlaced.kind: _("Undone: late entry of %(subject)s."),
        HeldLinesClosed.kind: _("Undone: bracket lines are reserved for late entries again."),
        EntryWithdrawnAfterDraw.kind: _("Undone: withdrawal of %(subject)s."),
        PlayerChanged.kind: _("Undone: change of player for %(subject)s."),
        MatchLengthSet.kind: _("Undone: new length of match %(subject)s."),
    }
    return texts.get(action.what, _("Undone: new length of a round.")) % {"subject": subject}


def _describe_objected(action: CorrectionRequested, subject: str) -> str:
    text = _("Match %(subject)s: correction of the result requested.") % {"subject": subject}
    return f"{text} “{action.text}”" if action.text else text


def _describe_call_answer(action: CallReplyGiven, subject: str) -> str:
    return audit_message(action.coming, subject)


def _describe_times_declined(action: TimesDeclined, subject: str) -> str:
    withdrawn_text = _("Match %(subject)s: offered times withdrawn.")
    return (withdrawn_text if action.own else _("Match %(subject)s: offered times declined.")) % {
        "subject": subject
    }


def _describe_time_agreed(action: TimeAgreed, subject: str) -> str:
    return _("Match %(subject)s: the two sides agreed to play at %(at)s.") % {
        "subject": subject,
        "at": _moment_text(action.at),
    }


def _describe_time_cancelled(action: AgreedTimeCancelled, subject: str) -> str:
    params = {"subject": subject, "at": _moment_text(action.at)}
    return _("Match %(subject)s: the agreed time %(at)s was cancelled.") % params


def _moment_text(text: str) -> str:
    """Return a time of the audit log as text in UTC."""
    return f"{text[:16].replace('T', ' ')} UTC"


def _describe_talk_settled(action: MessagesReviewed, subject: str) -> str:
    closed_text = _("Match %(subject)s: a director closed the players’ conversation.")
    reviewed_text = _("Match %(subject)s: a director reviewed the players’ conversation, which remains open.")
    return (closed_text if action.closed else reviewed_text) % {"subject": subject}


def _describe_table(action: TableAssigned, subject: str) -> str:
    if action.after is None:
        return _("Match %(subject)s: table unassigned.") % {"subject": subject}
    return _("Match %(subject)s: table %(after)s.") % {"subject": subject, "after": action.after}


def _describe_tables_swapped(action: TablesSwapped, _subject: str, pairs: MatchPairs = NO_PAIRS) -> str:
    params = {"first": action.first, "second": action.second, "matches": _matches_text(action.moved, pairs)}
    return _("Tables %(first)s and %(second)s swapped: %(matches)s.") % params


def _matches_text(matches: Iterable[CalledMatch], pairs: MatchPairs) -> str:
    """Return text such as “match 12 (table 3)” for each match, with the players if they are known."""
    plain_text, named_text = (
        _("match %(number)s (table %(table)s)"),
        _("match %(number)s (%(pair)s, table %(table)s)"),
    )
    return ", ".join(
        (named_text if pairs.get(match.pk) else plain_text)
        % {"number": match.match, "table": match.table, "pair": pairs.get(match.pk, "")}
        for match in matches
    )


def _describe_called(action: MatchesCalled, _subject: str, pairs: MatchPairs = NO_PAIRS) -> str:
    return _("Called: %(matches)s.") % {"matches": _matches_text(action.matches, pairs)}


def _describe_calls_undone(action: CallsUndone, _subject: str, pairs: MatchPairs = NO_PAIRS) -> str:
    text = _("Calls undone: %(matches)s.") % {"matches": _matches_text(action.matches, pairs)}
    if not action.kept:
        return text
    unchanged = _("Unchanged: %(matches)s.") % {"matches": _matches_text(action.kept, pairs)}
    return f"{text} {unchanged}"


def describe_with_pairs(action: AuditAction, subject: str, pairs: MatchPairs) -> str | None:
    """Return the sentence for an action on several matches, with their players; None for other actions."""
    match action:
        case TablesSwapped():
            return _describe_tables_swapped(action, subject, pairs)
        case MatchesCalled():
            return _describe_called(action, subject, pairs)
        case CallsUndone():
            return _describe_calls_undone(action, subject, pairs)
        case _:
            return None


def _describe_award(action: PointsAwarded, subject: str) -> str:
    award = action.award
    text = _(
        "Match %(subject)s: %(points)s points awarded without play (%(why)s); it starts at "
        "%(start_a)s–%(start_b)s."
    )
    sentence = text % {
        "subject": subject,
        "points": award.points,
        "why": str(AWARD_LABELS[award.why].why) % {"minutes": award.minutes},
        "start_a": action.start_a,
        "start_b": action.start_b,
    }
    return f"{sentence} {award.note}" if award.note else sentence


def _describe_award_undone(action: AwardRemoved, subject: str) -> str:
    text = _("Match %(subject)s: award of %(points)s points undone; it starts at %(start_a)s–%(start_b)s.")
    return text % {**placeholders(action, subject), "points": action.award.points}


def _describe_clock_added(action: ClockAdded, subject: str) -> str:
    params = {"subject": subject, "a": action.score_a, "b": action.score_b}
    if action.score_a is None:
        return _("Match %(subject)s: clock added.") % params
    text = _("Match %(subject)s: clock added at %(a)s–%(b)s, reserve %(reserve)s for each side.")
    return text % {**params, "reserve": duration_label(action.reserve)}


def _describe_adjourned(action: MatchAdjourned, subject: str) -> str:
    adjournment = action.adjourned
    params = {
        "subject": subject,
        "a": adjournment.score.a,
        "b": adjournment.score.b,
        "cube": adjournment.cube,
        "position": adjournment.position,
    }
    if adjournment.position:
        return _("Match %(subject)s adjourned at %(a)s–%(b)s, cube %(cube)s, position %(position)s.") % params
    return _("Match %(subject)s adjourned at %(a)s–%(b)s, cube %(cube)s.") % params


def _describe_record_settled(action: RecordPublicitySet, subject: str) -> str:
    text = (
        _("%(subject)s: game records made public.")
        if action.shown
        else _("%(subject)s: game records not public.")
    )
    return text % {"subject": subject}


def _describe_resumed(action: MatchResumed, subject: str) -> str:
    if action.taken_back:
        return _("Match %(subject)s: adjournment undone.") % {"subject": subject}
    return _("Match %(subject)s resumed.") % {"subject": subject}


def _describe_late_entry(action: LateEntryPlaced, subject: str) -> str:
    if not action.opponent:
        unopposed_text = (
            _("Late entry drawn at random: %(name)s in match %(match)s.")
            if action.by_lot
            else _("Late entry: %(name)s in match %(match)s.")
        )
        return unopposed_text % placeholders(action, subject)
    text = (
        _("Late entry drawn at random: %(name)s in match %(match)s, against %(opponent)s.")
        if action.by_lot
        else _("Late entry: %(name)s in match %(match)s, against %(opponent)s.")
    )
    return text % placeholders(action, subject)


def _describe_commitments(action: CommitmentPublicitySet, _subject: str) -> str:
    hashes = ", ".join(commitment.commitment for commitment in action.commitments) or "–"
    text = _("The event is public. Commitments of its draws: %(hashes)s.")
    if not action.public:
        text = _("The event is no longer public. Commitments of its draws: %(hashes)s.")
    return text % {"hashes": hashes}


def _describe_number_named(action: RandomnessNamed, subject: str) -> str:
    network = NETWORKS.get(action.network)
    number_label = action.label or f"drand {network.name if network else action.network} {action.round}"
    text = _(
        "Public random number chosen for the next draw: %(what)s, %(due_at)s. Commitment %(commitment)s."
    )
    return text % {**placeholders(action, subject), "what": number_label}


MATCH_MESSAGES: Final[Mapping[type[AuditAction], ActionMessage]] = {
    **{MOVE_AUDIT_ACTIONS[action]: texts.audit_message for action, texts in MATCH_ACTION_TEXTS.items()},
    TableAssigned: _describe_table,
    TablesSwapped: _describe_tables_swapped,
    PointsAwarded: _describe_award,
    AwardRemoved: _describe_award_undone,
    ClockAdded: _describe_clock_added,
    ClockRemoved: gettext_lazy("Match %(subject)s: clock removed."),
    MatchAdjourned: _describe_adjourned,
    MatchResumed: _describe_resumed,
    RecordPublicitySet: _describe_record_settled,
    RecordCorrected: gettext_lazy(
        "Match %(subject)s: corrected copy %(copy)s of the game record from report %(report)s."
    ),
    MatchesCalled: _describe_called,
    CommitmentPublicitySet: _describe_commitments,
    RandomnessNamed: _describe_number_named,
    RandomnessFetched: gettext_lazy("Public random number fetched: %(value)s (%(read_from)s)."),
    CallsUndone: _describe_calls_undone,
    ResultReported: _describe_reported,
    ResultAgreed: _describe_agreed,
    AbsenceResultRecorded: _describe_absent,
    ResultCorrected: _describe_corrected,
    MatchLengthSet: gettext_lazy("Match %(subject)s: to %(after)s points instead of %(before)s."),
    RoundLengthSet: _describe_round_length,
    LateEntryPlaced: _describe_late_entry,
    HeldLinesClosed: gettext_lazy("Reserved bracket lines closed: %(lines)s."),
    EntryWithdrawnAfterDraw: _describe_withdrawn,
    PlayerChanged: _describe_player_change,
    RepairUndone: _describe_repair_undone,
    CorrectionRequested: _describe_objected,
    CallReplyGiven: _describe_call_answer,
    CallReplyDismissed: gettext_lazy("Match %(subject)s: the desk marked an answer as done."),
    TimesOffered: gettext_lazy("Match %(subject)s: times offered."),
    TimesDeclined: _describe_times_declined,
    TimeAgreed: _describe_time_agreed,
    AgreedTimeCancelled: _describe_time_cancelled,
    MessagesReported: gettext_lazy("Match %(subject)s: one side asked a director to read the conversation."),
    MessagesReviewed: _describe_talk_settled,
    CorrectionRequestSettled: gettext_lazy("Match %(subject)s: correction request resolved."),
}
