"""What was done to matches and by repairs, in words: a sentence for each kind of action."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields
from typing import Any, Final

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.engine.brackets.correction import Repair
from tournaments.engine.lots.randomness import NETWORKS
from tournaments.engine.standings.leaving import Leaving
from tournaments.engine.statuses import MatchStatus
from tournaments.engine.trail.action import Called, TrailAction
from tournaments.engine.trail.arranging import (
    TalkReported,
    TalkSettled,
    TimeAgreed,
    TimeCalledOff,
    TimesDeclined,
    TimesOffered,
)
from tournaments.engine.trail.draws import CommitmentsPublic, RandomnessFetched, RandomnessNamed
from tournaments.engine.trail.matches import (
    AbsentPassed,
    AnswerSetAside,
    AwardTakenBack,
    CallAnswered,
    CallsUndone,
    ClockPutOn,
    ClockTakenOff,
    MatchAdjourned,
    MatchesCalled,
    MatchResumed,
    ObjectionSettled,
    PointsAwarded,
    RecordCorrected,
    RecordSettled,
    ResultAction,
    ResultAgreed,
    ResultObjected,
    ResultReported,
    TableGiven,
    TablesSwapped,
)
from tournaments.engine.trail.repairs import (
    LateEntryPlaced,
    LinesClosed,
    MatchLengthSet,
    PlayerChanged,
    RepairUndone,
    ResultCorrected,
    RoundLengthSet,
    WithdrawnAfterDraw,
)
from tournaments.engine.types import ResultKind
from tournaments.hall.services.calling import MOVES
from tournaments.shared.words.answers import trail_words
from tournaments.shared.words.moves import MOVE_WORDS
from tournaments.shared.words.names import kind_note, round_name_of
from tournaments.shared.words.rulings import AWARD_WORDS, clock_time_words

Words = str | Promise | Callable[[Any, str], str]
Pairs = Mapping[int, str]  # who plays in a match, by its database id
NOBODY: Final[Pairs] = {}
NAMES_SHOWN: Final = 6


def parts_of(action: TrailAction, subject: str) -> dict[str, Any]:
    """The places of a text: the fields of the action, and what it was done to."""
    return {"subject": subject, **{one.name: getattr(action, one.name) for one in fields(action)}}


def first_of(names: list[str]) -> str:
    """The first of ``names``, and how many more there are."""
    shown = ", ".join(names[:NAMES_SHOWN])
    if len(names) > NAMES_SHOWN:
        shown = _("%(names)s and %(more)s more") % {"names": shown, "more": len(names) - NAMES_SHOWN}
    return shown


def _score(a: int | None, b: int | None, kind: ResultKind = ResultKind.PLAYED) -> str:
    note = kind_note(kind)
    return f"{a}–{b} ({note})" if note else f"{a}–{b}"


def _with_score(action: ResultAction, subject: str) -> dict[str, str]:
    claim = action.claim
    return {"subject": subject, "score": _score(claim.score_a, claim.score_b, claim.kind)}


def _handed(text: str) -> str:
    by_code = _("Confirmed by QR code.")
    return f"{text} {by_code}"


def _reported(action: ResultReported, subject: str) -> str:
    words = {
        MatchStatus.CONFIRMED: _("Match %(subject)s: %(score)s, confirmed."),
        MatchStatus.REPORTED: _("Match %(subject)s: %(score)s reported."),
        MatchStatus.DISPUTED: _(
            "Match %(subject)s: %(score)s reported, conflicting with the other side’s report."
        ),
    }
    text = words.get(action.decision, words[MatchStatus.REPORTED]) % _with_score(action, subject)
    if action.doubtful:
        text += " " + _("The attached game record is doubtful.")
    return _handed(text) if action.handed_over else text


def _agreed(action: ResultAgreed, subject: str) -> str:
    text = _("Match %(subject)s: %(score)s agreed by both sides.") % _with_score(action, subject)
    return _handed(text) if action.handed_over else text


def _absent(action: AbsentPassed, subject: str) -> str:
    return _("Match %(subject)s: %(score)s, because an entry was withdrawn.") % _with_score(action, subject)


def _corrected(action: ResultCorrected, subject: str) -> str:
    before, after = action.before, action.after
    if after.status != MatchStatus.CONFIRMED and action.length.before != action.length.after:
        return _("Match %(subject)s was played only to %(before)s points and continues to %(after)s.") % {
            "subject": subject,
            "before": action.length.before,
            "after": action.length.after,
        }
    if after.status != MatchStatus.CONFIRMED:
        score = _score(before.score_a, before.score_b)
        return _("Match %(subject)s: result %(score)s undone.") % {
            "subject": subject,
            "score": score,
        }
    text = _("Match %(subject)s corrected: %(before)s → %(after)s.") % {
        "subject": subject,
        "before": _score(before.score_a, before.score_b),
        "after": _score(after.score_a, after.score_b),
    }
    if action.repair is Repair.VOID:
        words = _("Later results cancelled: %(matches)s.")
        text += " " + words % {"matches": ", ".join(map(str, action.voided))}
    elif action.repair is Repair.KEEP:
        text += " " + _("Later matches unchanged.")
    return f"{text} {action.note}" if action.note else text


def _changed_player(action: PlayerChanged, subject: str) -> str:
    if action.exchange:
        words = _("%(wrong)s and %(right)s swapped places.")
    elif action.from_now:
        words = _("%(right)s replaces %(wrong)s.")
    else:
        words = _("Wrong player corrected: %(right)s instead of %(wrong)s.")
    return words % parts_of(action, subject)


def _round_length(action: RoundLengthSet, _subject: str) -> str:
    return _("%(round)s: to %(after)s points instead of %(before)s.") % {
        "round": round_name_of(action.code),
        "after": action.after,
        "before": action.before,
    }


def _withdrew(action: WithdrawnAfterDraw, subject: str) -> str:
    if action.leaving is Leaving.STRIKE:
        words = _("%(name)s withdrew; the results were removed from the standings.")
    else:
        words = _("%(name)s withdrew after the draw.")
    return words % parts_of(action, subject)


def _undone(action: RepairUndone, subject: str) -> str:
    what = {
        ResultCorrected.kind: _("Undone: correction of match %(subject)s."),
        LateEntryPlaced.kind: _("Undone: late entry of %(subject)s."),
        LinesClosed.kind: _("Undone: bracket lines are reserved for late entries again."),
        WithdrawnAfterDraw.kind: _("Undone: withdrawal of %(subject)s."),
        PlayerChanged.kind: _("Undone: change of player for %(subject)s."),
        MatchLengthSet.kind: _("Undone: new length of match %(subject)s."),
    }
    return what.get(action.what, _("Undone: new length of a round.")) % {"subject": subject}


def _objected(action: ResultObjected, subject: str) -> str:
    text = _("Match %(subject)s: correction of the result requested.") % {"subject": subject}
    return f"{text} “{action.text}”" if action.text else text


def _answered(action: CallAnswered, subject: str) -> str:
    return trail_words(action.coming, subject)


def _declined(action: TimesDeclined, subject: str) -> str:
    own = _("Match %(subject)s: offered times withdrawn.")
    return (own if action.own else _("Match %(subject)s: offered times declined.")) % {"subject": subject}


def _agreed_time(action: TimeAgreed, subject: str) -> str:
    return _("Match %(subject)s: the two sides agreed to play at %(at)s.") % {
        "subject": subject,
        "at": _moment(action.at),
    }


def _called_off(action: TimeCalledOff, subject: str) -> str:
    words = {"subject": subject, "at": _moment(action.at)}
    return _("Match %(subject)s: the agreed time %(at)s was cancelled.") % words


def _moment(text: str) -> str:
    """A moment of the trail, which has no zone but UTC."""
    return f"{text[:16].replace('T', ' ')} UTC"


def _talk(action: TalkSettled, subject: str) -> str:
    closed = _("Match %(subject)s: a director closed the players’ conversation.")
    seen = _("Match %(subject)s: a director reviewed the players’ conversation, which remains open.")
    return (closed if action.closed else seen) % {"subject": subject}


def _table(action: TableGiven, subject: str) -> str:
    if action.after is None:
        return _("Match %(subject)s: table unassigned.") % {"subject": subject}
    return _("Match %(subject)s: table %(after)s.") % {"subject": subject, "after": action.after}


def _swapped_tables(action: TablesSwapped, _subject: str, pairs: Pairs = NOBODY) -> str:
    words = {"first": action.first, "second": action.second, "matches": _with_tables(action.moved, pairs)}
    return _("Tables %(first)s and %(second)s swapped: %(matches)s.") % words


def _with_tables(matches: Iterable[Called], pairs: Pairs) -> str:
    """“match 12 (table 3)”, with who plays where that is known."""
    alone, named = _("match %(number)s (table %(table)s)"), _("match %(number)s (%(pair)s, table %(table)s)")
    return ", ".join(
        (named if pairs.get(one.pk) else alone)
        % {"number": one.match, "table": one.table, "pair": pairs.get(one.pk, "")}
        for one in matches
    )


def _called(action: MatchesCalled, _subject: str, pairs: Pairs = NOBODY) -> str:
    return _("Called: %(matches)s.") % {"matches": _with_tables(action.matches, pairs)}


def _calls_undone(action: CallsUndone, _subject: str, pairs: Pairs = NOBODY) -> str:
    words = _("Calls undone: %(matches)s.") % {"matches": _with_tables(action.matches, pairs)}
    if not action.kept:
        return words
    kept = _("Unchanged: %(matches)s.") % {"matches": _with_tables(action.kept, pairs)}
    return f"{words} {kept}"


def with_pairs(action: TrailAction, subject: str, pairs: Pairs) -> str | None:
    """The sentence of an action that is about several matches, with who plays in them; None of any other."""
    match action:
        case TablesSwapped():
            return _swapped_tables(action, subject, pairs)
        case MatchesCalled():
            return _called(action, subject, pairs)
        case CallsUndone():
            return _calls_undone(action, subject, pairs)
        case _:
            return None


def _awarded(action: PointsAwarded, subject: str) -> str:
    award = action.award
    text = _(
        "Match %(subject)s: %(points)s points awarded without play (%(why)s); it starts at "
        "%(start_a)s–%(start_b)s."
    )
    words = text % {
        "subject": subject,
        "points": award.points,
        "why": str(AWARD_WORDS[award.why].why) % {"minutes": award.minutes},
        "start_a": action.start_a,
        "start_b": action.start_b,
    }
    return f"{words} {award.note}" if award.note else words


def _award_taken_back(action: AwardTakenBack, subject: str) -> str:
    words = _("Match %(subject)s: award of %(points)s points undone; it starts at %(start_a)s–%(start_b)s.")
    return words % {**parts_of(action, subject), "points": action.award.points}


def _clock_on(action: ClockPutOn, subject: str) -> str:
    where = {"subject": subject, "a": action.score_a, "b": action.score_b}
    if action.score_a is None:
        return _("Match %(subject)s: clock added.") % where
    words = _("Match %(subject)s: clock added at %(a)s–%(b)s, reserve %(reserve)s for each side.")
    return words % {**where, "reserve": clock_time_words(action.reserve)}


def _adjourned(action: MatchAdjourned, subject: str) -> str:
    how = action.adjourned
    words = {
        "subject": subject,
        "a": how.score.a,
        "b": how.score.b,
        "cube": how.cube,
        "position": how.position,
    }
    if how.position:
        return _("Match %(subject)s adjourned at %(a)s–%(b)s, cube %(cube)s, position %(position)s.") % words
    return _("Match %(subject)s adjourned at %(a)s–%(b)s, cube %(cube)s.") % words


def _record(action: RecordSettled, subject: str) -> str:
    words = (
        _("%(subject)s: game records made public.")
        if action.shown
        else _("%(subject)s: game records not public.")
    )
    return words % {"subject": subject}


def _resumed(action: MatchResumed, subject: str) -> str:
    if action.taken_back:
        return _("Match %(subject)s: adjournment undone.") % {"subject": subject}
    return _("Match %(subject)s resumed.") % {"subject": subject}


def _late(action: LateEntryPlaced, subject: str) -> str:
    if not action.opponent:
        alone = (
            _("Late entry drawn at random: %(name)s in match %(match)s.")
            if action.by_lot
            else _("Late entry: %(name)s in match %(match)s.")
        )
        return alone % parts_of(action, subject)
    text = (
        _("Late entry drawn at random: %(name)s in match %(match)s, against %(opponent)s.")
        if action.by_lot
        else _("Late entry: %(name)s in match %(match)s, against %(opponent)s.")
    )
    return text % parts_of(action, subject)


def _commitments(action: CommitmentsPublic, _subject: str) -> str:
    hashes = ", ".join(one.commitment for one in action.commitments) or "–"
    words = _("The event is public. Commitments of its draws: %(hashes)s.")
    if not action.public:
        words = _("The event is no longer public. Commitments of its draws: %(hashes)s.")
    return words % {"hashes": hashes}


def _number_named(action: RandomnessNamed, subject: str) -> str:
    network = NETWORKS.get(action.network)
    what = action.label or f"drand {network.name if network else action.network} {action.round}"
    words = _(
        "Public random number chosen for the next draw: %(what)s, %(due_at)s. Commitment %(commitment)s."
    )
    return words % {**parts_of(action, subject), "what": what}


MATCH_WORDS: Final[Mapping[type[TrailAction], Words]] = {
    **{MOVES[action]: words.in_trail for action, words in MOVE_WORDS.items()},
    TableGiven: _table,
    TablesSwapped: _swapped_tables,
    PointsAwarded: _awarded,
    AwardTakenBack: _award_taken_back,
    ClockPutOn: _clock_on,
    ClockTakenOff: gettext_lazy("Match %(subject)s: clock removed."),
    MatchAdjourned: _adjourned,
    MatchResumed: _resumed,
    RecordSettled: _record,
    RecordCorrected: gettext_lazy(
        "Match %(subject)s: corrected copy %(copy)s of the game record from report %(report)s."
    ),
    MatchesCalled: _called,
    CommitmentsPublic: _commitments,
    RandomnessNamed: _number_named,
    RandomnessFetched: gettext_lazy("Public random number fetched: %(value)s (%(read_from)s)."),
    CallsUndone: _calls_undone,
    ResultReported: _reported,
    ResultAgreed: _agreed,
    AbsentPassed: _absent,
    ResultCorrected: _corrected,
    MatchLengthSet: gettext_lazy("Match %(subject)s: to %(after)s points instead of %(before)s."),
    RoundLengthSet: _round_length,
    LateEntryPlaced: _late,
    LinesClosed: gettext_lazy("Reserved bracket lines closed: %(lines)s."),
    WithdrawnAfterDraw: _withdrew,
    PlayerChanged: _changed_player,
    RepairUndone: _undone,
    ResultObjected: _objected,
    CallAnswered: _answered,
    AnswerSetAside: gettext_lazy("Match %(subject)s: the desk marked an answer as done."),
    TimesOffered: gettext_lazy("Match %(subject)s: times offered."),
    TimesDeclined: _declined,
    TimeAgreed: _agreed_time,
    TimeCalledOff: _called_off,
    TalkReported: gettext_lazy("Match %(subject)s: one side asked a director to read the conversation."),
    TalkSettled: _talk,
    ObjectionSettled: gettext_lazy("Match %(subject)s: correction request resolved."),
}
