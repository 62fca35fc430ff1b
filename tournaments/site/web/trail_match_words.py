"""What was done to matches and by repairs, in words: a sentence for each kind of deed."""

from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import Any, Final

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.engine.brackets.correction import Repair
from tournaments.engine.standings.leaving import Leaving
from tournaments.engine.statuses import MatchStatus
from tournaments.engine.trail.matches import (
    AbsentPassed,
    AwardTakenBack,
    MatchAdjourned,
    MatchCalled,
    MatchesCalled,
    MatchResumed,
    MatchSentBack,
    MatchStarted,
    ObjectionSettled,
    PointsAwarded,
    ResultAgreed,
    ResultObjected,
    ResultReported,
    ResultTold,
    TableGiven,
)
from tournaments.engine.trail.repairs import (
    LateEntryPlaced,
    MatchLengthSet,
    PlayerChanged,
    RepairUndone,
    ResultCorrected,
    RoundLengthSet,
    WithdrawnAfterDraw,
)
from tournaments.engine.trail.told import Told
from tournaments.engine.types import ResultKind
from tournaments.shared.words.names import kind_note, round_name_of
from tournaments.shared.words.rulings import AWARD_WORDS

Words = str | Promise | Callable[[Any, str], str]


def parts_of(deed: Told, subject: str) -> dict[str, Any]:
    """The places of a text: the fields of the deed, and what it was done to."""
    return {"subject": subject, **{one.name: getattr(deed, one.name) for one in fields(deed)}}


def _score(a: int | None, b: int | None, kind: ResultKind = ResultKind.PLAYED) -> str:
    note = kind_note(kind)
    return f"{a}–{b} ({note})" if note else f"{a}–{b}"


def _with_score(deed: ResultTold, subject: str) -> dict[str, str]:
    claim = deed.claim
    return {"subject": subject, "score": _score(claim.score_a, claim.score_b, claim.kind)}


def _reported(deed: ResultReported, subject: str) -> str:
    words = {
        MatchStatus.CONFIRMED: _("Match %(subject)s: %(score)s, confirmed."),
        MatchStatus.REPORTED: _("Match %(subject)s: %(score)s reported."),
        MatchStatus.DISPUTED: _("Match %(subject)s: %(score)s reported, which contradicts the other side."),
    }
    said = words.get(deed.decision, words[MatchStatus.REPORTED])
    return said % _with_score(deed, subject)


def _agreed(deed: ResultAgreed, subject: str) -> str:
    return _("Match %(subject)s: %(score)s agreed.") % _with_score(deed, subject)


def _absent(deed: AbsentPassed, subject: str) -> str:
    return _("Match %(subject)s: %(score)s, because an entry is withdrawn.") % _with_score(deed, subject)


def _corrected(deed: ResultCorrected, subject: str) -> str:
    before, after = deed.before, deed.after
    if after.status != MatchStatus.CONFIRMED and deed.length.before != deed.length.after:
        return _("Match %(subject)s was to %(before)s points only and is played on to %(after)s.") % {
            "subject": subject,
            "before": deed.length.before,
            "after": deed.length.after,
        }
    said = _("Match %(subject)s corrected: %(before)s → %(after)s.") % {
        "subject": subject,
        "before": _score(before.score_a, before.score_b),
        "after": _score(after.score_a, after.score_b),
    }
    if deed.repair is Repair.VOID:
        words = _("Later results fell away: %(matches)s.")
        said += " " + words % {"matches": ", ".join(map(str, deed.voided))}
    elif deed.repair is Repair.KEEP:
        said += " " + _("Later matches stayed as they were.")
    return f"{said} {deed.note}" if deed.note else said


def _changed_player(deed: PlayerChanged, subject: str) -> str:
    if deed.exchange:
        words = _("%(wrong)s and %(right)s changed places.")
    elif deed.from_now:
        words = _("%(right)s takes over for %(wrong)s.")
    else:
        words = _("Wrong player: it is %(right)s, not %(wrong)s.")
    return words % parts_of(deed, subject)


def _round_length(deed: RoundLengthSet, _subject: str) -> str:
    return _("%(round)s: to %(after)s points instead of %(before)s.") % {
        "round": round_name_of(deed.code),
        "after": deed.after,
        "before": deed.before,
    }


def _withdrew(deed: WithdrawnAfterDraw, subject: str) -> str:
    if deed.leaving is Leaving.STRIKE:
        words = _("%(name)s withdrew; the results were struck from the table.")
    else:
        words = _("%(name)s withdrew after the draw.")
    return words % parts_of(deed, subject)


def _undone(deed: RepairUndone, subject: str) -> str:
    what = {
        ResultCorrected.kind: _("Taken back: the correction of match %(subject)s."),
        LateEntryPlaced.kind: _("Taken back: the late entry of %(subject)s."),
        WithdrawnAfterDraw.kind: _("Taken back: the withdrawal of %(subject)s."),
        PlayerChanged.kind: _("Taken back: the change of player of %(subject)s."),
        MatchLengthSet.kind: _("Taken back: the length of match %(subject)s."),
    }
    return what.get(deed.what, _("Taken back: the length of a round.")) % {"subject": subject}


def _objected(deed: ResultObjected, subject: str) -> str:
    said = _("Match %(subject)s: objection to the result.") % {"subject": subject}
    return f"{said} “{deed.text}”" if deed.text else said


def _table(deed: TableGiven, subject: str) -> str:
    if deed.after is None:
        return _("Match %(subject)s: table taken away.") % {"subject": subject}
    return _("Match %(subject)s: table %(after)s.") % {"subject": subject, "after": deed.after}


def _called(deed: MatchesCalled, _subject: str) -> str:
    called = [
        _("match %(number)s (table %(table)s)") % {"number": one.match, "table": one.table}
        for one in deed.matches
    ]
    return _("Called: %(matches)s.") % {"matches": ", ".join(called)}


def _awarded(deed: PointsAwarded, subject: str) -> str:
    award = deed.award
    said = _(
        "Match %(subject)s: %(points)s points without a game (%(why)s); it starts at %(start_a)s–%(start_b)s."
    )
    words = said % {
        "subject": subject,
        "points": award.points,
        "why": str(AWARD_WORDS[award.why].why) % {"minutes": award.minutes},
        "start_a": deed.start_a,
        "start_b": deed.start_b,
    }
    return f"{words} {award.note}" if award.note else words


def _award_taken_back(deed: AwardTakenBack, subject: str) -> str:
    words = _("Match %(subject)s: %(points)s points taken back; it starts at %(start_a)s–%(start_b)s.")
    return words % {**parts_of(deed, subject), "points": deed.award.points}


def _adjourned(deed: MatchAdjourned, subject: str) -> str:
    how = deed.adjourned
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


MATCH_WORDS: Final[Mapping[type[Told], Words]] = {
    MatchCalled: gettext_lazy("Match %(subject)s called."),
    MatchStarted: gettext_lazy("Match %(subject)s started."),
    MatchSentBack: gettext_lazy("Match %(subject)s sent back."),
    TableGiven: _table,
    PointsAwarded: _awarded,
    AwardTakenBack: _award_taken_back,
    MatchAdjourned: _adjourned,
    MatchResumed: gettext_lazy("Match %(subject)s goes on."),
    MatchesCalled: _called,
    ResultReported: _reported,
    ResultAgreed: _agreed,
    AbsentPassed: _absent,
    ResultCorrected: _corrected,
    MatchLengthSet: gettext_lazy("Match %(subject)s: to %(after)s points instead of %(before)s."),
    RoundLengthSet: _round_length,
    LateEntryPlaced: gettext_lazy("Late entry: %(name)s in match %(match)s, against %(opponent)s."),
    WithdrawnAfterDraw: _withdrew,
    PlayerChanged: _changed_player,
    RepairUndone: _undone,
    ResultObjected: _objected,
    ObjectionSettled: gettext_lazy("Match %(subject)s: objection settled."),
}
