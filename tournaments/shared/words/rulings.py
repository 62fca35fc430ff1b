"""Texts of points awarded without a game, adjournments and clocks, for directors, players and the public."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final

from django.utils.formats import date_format, time_format
from django.utils.functional import Promise
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from games.rules import sides as board_sides
from games.rules.policies import CorrectedUntil, MovesPolicy
from games.web.drawing import BoardDrawing, board_svg
from games.web.viewing import BoardOptions
from tournaments.engine.matches.adjourning import Adjournment
from tournaments.engine.matches.reporting import NO_START
from tournaments.engine.matches.rulings import (
    Award,
    AwardReason,
    ClockRule,
    ClockStart,
    ClockUse,
    LatenessRule,
    SlowPlayRule,
    awards_from_json,
    clock_rule_for,
    minutes_until_loss,
    reserve_seconds,
)
from tournaments.engine.statuses import MatchStatus, may_report
from tournaments.engine.types import Score, Side
from tournaments.models import Match, Stage
from tournaments.shared.words.names import clock_time

SideNames = Mapping[Side, str]
# Side a is White on every drawn board.
BOARD_SIDES = {Side.A: board_sides.Side.WHITE, Side.B: board_sides.Side.BLACK}


@dataclass(frozen=True, slots=True)
class AwardLabels:
    """Texts of one kind of award (points without a game).

    ``why``: for the audit log; ``choice``: in the form; ``line``: function from the award, its points as text
    and the names of the sides to the text beside the match.
    """

    why: str | Promise
    line: Callable[[Award, str, SideNames], str]
    choice: str | Promise = ""


def award_lines(match: Match, names: SideNames) -> list[str]:
    """Return each award of the match with its reason: “Ann was 12 minutes late: 1 point for Bob”."""
    return [
        AWARD_LABELS[award.why].line(award, points_label(award.points, names[award.to]), names)
        for award in awards_from_json(match.awards)
    ]


def _start_line(award: Award, points: str, _names: SideNames) -> str:
    line = _("Starting score: %(points)s") % {"points": points}
    return f"{line} ({award.note})" if award.note else line


def _late_line(award: Award, points: str, names: SideNames) -> str:
    minutes = award.minutes or 0
    message = ngettext(
        "%(name)s was %(minutes)s minute late", "%(name)s was %(minutes)s minutes late", minutes
    ) % {"name": names[award.to.other], "minutes": minutes}
    return f"{message}: {points}"


def _slow_line(award: Award, points: str, names: SideNames) -> str:
    minutes = award.minutes or 0
    message = ngettext(
        "Slow play by %(name)s, %(minutes)s minute over",
        "Slow play by %(name)s, %(minutes)s minutes over",
        minutes,
    ) % {"name": names[award.to.other], "minutes": minutes}
    return f"{message}: {points}"


def _penalty_line(award: Award, points: str, _names: SideNames) -> str:
    return _("Penalty: %(points)s (%(reason)s)") % {"points": points, "reason": award.note}


AWARD_LABELS: Final[Mapping[AwardReason, AwardLabels]] = {
    AwardReason.START: AwardLabels(
        gettext_lazy("starting score"),
        _start_line,
        gettext_lazy("Starting score, for example a handicap"),
    ),
    AwardReason.LATE: AwardLabels(gettext_lazy("lateness, %(minutes)s minutes"), _late_line),
    AwardReason.SLOW: AwardLabels(gettext_lazy("slow play, %(minutes)s minutes over"), _slow_line),
    AwardReason.PENALTY: AwardLabels(
        gettext_lazy("penalty"), _penalty_line, gettext_lazy("Penalty for the other side")
    ),
}


def points_label(points: int, name: str) -> str:
    """Return “2 points for Ann”, with ``name`` for Ann."""
    return ngettext("%(count)s point for %(name)s", "%(count)s points for %(name)s", points) % {
        "count": points,
        "name": name,
    }


def starting_score_label(start_a: int, start_b: int) -> str:
    """Return “starts at 2–0”; empty for a match that starts at 0–0."""
    return _("starts at %(a)s–%(b)s") % {"a": start_a, "b": start_b} if start_a or start_b else ""


def adjourned_context(match: Match, names: SideNames, *, bottom_side: Side = Side.A) -> dict[str, Any] | None:
    """Return the template context for ``matches/_adjourned.html`` with how an adjourned match resumes.

    None if the match is not adjourned or already over. ``bottom_side``: side at the bottom of the board.
    """
    adjournment = Adjournment.of(match.adjourned)
    if adjournment is None or not may_report(MatchStatus(match.status)):
        return None
    return {
        "score": [
            {
                "name": names[side],
                "points": adjournment.score.of(side),
                "colour": _colour(side) if adjournment.board else "",
            }
            for side in Side
        ],
        "cube": cube_label(adjournment, names),
        "on_roll": names[adjournment.on_roll] if adjournment.on_roll else "",
        "dice": f"{adjournment.dice[0]}-{adjournment.dice[1]}" if adjournment.dice else "",
        "clocks": [
            {"name": names[side], "words": duration_label(seconds)}
            for side, seconds in ((Side.A, adjournment.clock_a), (Side.B, adjournment.clock_b))
            if seconds is not None
        ],
        "resumes": resumption_label(adjournment),
        "place": adjournment.place,
        "note": adjournment.note,
        "position": adjournment.position,
        "board": adjourned_board(adjournment, names, bottom_side),
    }


def _colour(side: Side) -> str:
    return _("White") if side is Side.A else _("Black")


def adjourned_board(adjournment: Adjournment, names: SideNames, seen_by: Side) -> SafeString | None:
    """Return the position of an adjourned match as SVG, or None if it was adjourned between two games.

    ``seen_by``: side at the bottom of the board.
    """
    if adjournment.board is None:
        return None
    drawing = BoardDrawing(
        adjournment.board,
        adjournment.dice,
        BOARD_SIDES[adjournment.on_roll] if adjournment.on_roll else None,
        (),
        adjournment.cube,
        BOARD_SIDES[adjournment.cube_owner] if adjournment.cube_owner else None,
    )
    title = _("Position: %(white)s is White, %(black)s is Black") % {
        "white": names[Side.A],
        "black": names[Side.B],
    }
    picture = board_svg(drawing, BoardOptions(bottom=BOARD_SIDES[seen_by]), title)
    return mark_safe(picture)  # noqa: S308 - every text in it is escaped by the drawing


def cube_label(adjournment: Adjournment, names: SideNames) -> str:
    """Return value and owner of the cube: “2, owned by Ann”, or “in the middle”."""
    if adjournment.cube_owner is None:
        return _("in the middle")
    return _("%(value)s, owned by %(name)s") % {
        "value": adjournment.cube,
        "name": names[adjournment.cube_owner],
    }


def resumption_label(adjournment: Adjournment) -> str:
    """Return “resumes 3 December, 19:30”; empty without an agreed date."""
    if adjournment.resumes_on is None:
        return ""
    day = date_format(adjournment.resumes_on, "MONTH_DAY_FORMAT")
    if adjournment.resumes_at is None:
        return _("resumes %(day)s") % {"day": day}
    return _("resumes %(day)s, %(time)s") % {
        "day": day,
        "time": time_format(adjournment.resumes_at, "TIME_FORMAT"),
    }


def duration_label(seconds: int) -> str:
    """Return a number of seconds as “7:05”, in minutes and seconds."""
    return f"{seconds // 60}:{seconds % 60:02}"


MOVES_POLICY_LABELS: Final[Mapping[MovesPolicy, str | Promise]] = {
    MovesPolicy.LEGAL: gettext_lazy("Legal moves: both players point out an illegal play"),
    MovesPolicy.RESPONSIBLE: gettext_lazy("Responsible moves: the opponent may accept an illegal play"),
}
CORRECTION_LIMIT_LABELS: Final[Mapping[CorrectedUntil, str | Promise]] = {
    CorrectedUntil.FIRST_PLAY: gettext_lazy("Until the second player has played"),
    CorrectedUntil.NEXT_GAME: gettext_lazy("Until the next game is recorded"),
    CorrectedUntil.RESULT: gettext_lazy("Until the result of the match is recorded"),
}


def moves_policy_message(policy: MovesPolicy) -> str:
    """Return what happens after an illegal play, as a sentence (rule F7)."""
    return f"{MOVES_POLICY_LABELS[policy]}."


def after_crawford_message(*, holland: bool) -> str:
    """Return when the cube may be turned after the Crawford game (rule F3).

    ``holland``: the Holland rule applies.
    """
    if holland:
        return _(
            "Holland rule: after the Crawford game, doubling is allowed only once both sides have rolled "
            "twice."
        )
    return _("After the Crawford game, doubling is allowed again.")


def start_limit_message(until: CorrectedUntil) -> str:
    """Return until when a wrong starting position is corrected, as a sentence (rule F16)."""
    return {
        CorrectedUntil.FIRST_PLAY: _(
            "A wrong starting position is corrected until the second player has played."
        ),
        CorrectedUntil.NEXT_GAME: _(
            "A wrong starting position is corrected until the next game is recorded."
        ),
        CorrectedUntil.RESULT: _("A wrong starting position is corrected until the result is recorded."),
    }[until]


def score_limit_message(until: CorrectedUntil) -> str:
    """Return until when a wrong score carried into a game is corrected, as a sentence (rule F16)."""
    return {
        CorrectedUntil.FIRST_PLAY: _("A wrong score is corrected until the second player has played."),
        CorrectedUntil.NEXT_GAME: _("A wrong score is corrected until the next game is recorded."),
        CorrectedUntil.RESULT: _("A wrong score is corrected until the result is recorded."),
    }[until]


def clock_label(stage: Stage, length: int, score: Score = NO_START) -> str:
    """Return “Clock: 12 seconds per move, reserve 14:00 for each side” (rule F11), and which matches use one.

    ``length``: match length in points; ``score``: score at which the clock starts. Empty if the stage has no
    clocks.
    """
    conduct = stage.settings.conduct
    rule = conduct.clocks
    if rule is None:
        return ""
    label = _("Clock: %(delay)s seconds per move, reserve %(reserve)s for each side") % {
        "delay": rule.delay,
        "reserve": duration_label(reserve_seconds(length, rule, score)),
    }
    label = _append_overtime(rule, label)
    when = CLOCK_USE_LABELS[conduct.clock_use].when
    return f"{label} ({when})" if when else label


def _append_overtime(rule: ClockRule, label: str) -> str:
    if not rule.overtime:
        return label
    return _("%(clock)s, then %(overtime)s of overtime") % {
        "clock": label,
        "overtime": duration_label(rule.overtime),
    }


@dataclass(frozen=True, slots=True)
class ClockUseLabels:
    """Texts of a clock policy: ``choice`` in the form.

    ``when``, beside the clock's times, which matches use a clock.
    """

    choice: str | Promise
    when: str | Promise = ""


CLOCK_USE_LABELS: Final[Mapping[ClockUse, ClockUseLabels]] = {
    ClockUse.REQUIRED: ClockUseLabels(gettext_lazy("required: all matches use a clock")),
    ClockUse.PREFERRED: ClockUseLabels(
        gettext_lazy("preferred: if one side wants a clock"),
        gettext_lazy("preferred: used if one side wants it"),
    ),
    ClockUse.OPTIONAL: ClockUseLabels(
        gettext_lazy("optional: if both sides want a clock"),
        gettext_lazy("optional: used if both sides want it"),
    ),
}


def clock_use_label(use: str) -> str:
    """Return the label of a clock policy from its code.

    A code unknown to this release is returned unchanged.
    """
    return str(CLOCK_USE_LABELS[ClockUse(use)].choice) if use in list(ClockUse) else use


def clock_use_rows(stage: Stage) -> list[tuple[str, str]]:
    """Return the clock policy of a stage as a (label, value) pair in a list.

    Empty if the stage has no clocks.
    """
    conduct = stage.settings.conduct
    if conduct.clocks is None:
        return []
    return [(_("Clocks"), str(CLOCK_USE_LABELS[conduct.clock_use].choice))]


def match_clock_label(match: Match) -> str:
    """Return the times of the clock that a director started for the match, else those of the stage's clock.

    Empty without a clock.
    """
    clock_start = ClockStart.of(match.clock)
    if clock_start is None:
        return clock_label(match.stage, match.length)
    rule = clock_rule_for(match.stage.settings.conduct, match.stage.division.team_size)
    label = _("Clock since %(time)s: %(delay)s seconds per move, reserve %(reserve)s for each side") % {
        "time": clock_time(clock_start.at, match.stage.division.event),
        "delay": rule.delay,
        "reserve": duration_label(reserve_seconds(match.length, rule, clock_start.score or NO_START)),
    }
    label = _append_overtime(rule, label)
    if clock_start.score is not None:
        return _("%(clock)s (from %(a)s–%(b)s)") % {
            "clock": label,
            "a": clock_start.score.a,
            "b": clock_start.score.b,
        }
    if not rule.less_a_scored_point:
        return label
    less = duration_label(rule.less_a_scored_point)
    return _("%(clock)s, %(less)s less for each point already scored") % {
        "clock": label,
        "less": less,
    }


def lateness_message(length: int, rule: LatenessRule) -> str:
    """Return the penalties for lateness: points for each step of minutes, and when the match is lost.

    ``length``: match length in points. The schedule follows rule F15.
    """
    loss_minutes = minutes_until_loss(length, rule)
    if loss_minutes is None:
        return _("Lateness costs no points here.")
    points = ngettext("%(count)s point", "%(count)s points", rule.points) % {"count": rule.points}
    template = _(
        "%(points)s for every %(step)s minutes after the first %(grace)s; from %(lost)s minutes the "
        "match is lost."
    )
    return template % {"points": points, "step": rule.step, "grace": rule.grace, "lost": loss_minutes}


def lateness_context(match: Match) -> dict[str, str] | None:
    """Return two sentences for the players of a called match on lateness (rule F15).

    ``by``: when they must be at the table; ``after``: what happens then. None if the match is not called or
    cannot be lost by lateness.
    """
    rule, event = match.stage.settings.conduct.lateness, match.stage.division.event
    loss_minutes = minutes_until_loss(match.length, rule)
    if match.called_at is None or loss_minutes is None:
        return None
    first, last = (
        clock_time(event.lateness_starts_at(match.called_at) + timedelta(minutes=m), event)
        for m in (rule.grace + rule.step, loss_minutes)
    )
    points = ngettext("%(count)s point", "%(count)s points", rule.points) % {"count": rule.points}
    after = _(
        "After that your opponent gets %(points)s, and the same again every %(step)s minutes. At %(lost)s "
        "you lose the match."
    )
    return {
        "by": _("Be at the table by %(time)s.") % {"time": first},
        "after": after % {"points": points, "step": rule.step, "lost": last},
    }


def slow_play_message(rule: SlowPlayRule) -> str:
    """Return the penalties for slow play, in a match that takes much longer than expected (rule F15)."""
    if not rule.points:
        return _("Slow play has no fixed penalty here.")
    points = ngettext("%(count)s point", "%(count)s points", rule.points) % {"count": rule.points}
    template = _(
        "Slow play: %(points)s for every %(step)s minutes over, after the first %(grace)s; the director "
        "decides."
    )
    return template % {"points": points, "step": rule.step, "grace": rule.grace}


def changed_rules_messages(
    moves: MovesPolicy | None,
    start: CorrectedUntil | None,
    score: CorrectedUntil | None,
    holland: bool | None,
) -> list[str]:
    """Return a sentence for each rule of a stage that was changed.

    None: that rule is unchanged (rules F3, F7, F16).

    ``start``, ``score``: until when a wrong starting position or score is corrected.
    """
    sentences = [moves_policy_message(moves)] if moves is not None else []
    sentences += [start_limit_message(start)] if start is not None else []
    sentences += [score_limit_message(score)] if score is not None else []
    return sentences + ([after_crawford_message(holland=holland)] if holland is not None else [])
