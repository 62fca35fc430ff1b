"""Names for codes of the engine (rounds, groups, formats, result kinds), and dates and times as text.

Only texts are made here. Templates do not spell out codes themselves.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime
from zoneinfo import ZoneInfo

from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.rules.formats import MatchFormat
from tournaments.engine.brackets.sections import SECTIONS
from tournaments.engine.types import ResultKind
from tournaments.models import Event, Match, Round, Stage
from tournaments.selectors.entries import EntryRow
from tournaments.selectors.events.formats import match_format
from tournaments.shared.words.flights import section_name

_ROUND_NAMES: Mapping[str, str | Promise] = {
    "final": gettext_lazy("Final"),
    "upper_final": gettext_lazy("Upper final"),
    "lower_final": gettext_lazy("Lower final"),
    "semifinal": gettext_lazy("Semifinal"),
    "quarterfinal": gettext_lazy("Quarterfinal"),
    "third_place": gettext_lazy("Match for third place"),
    "grand_final": gettext_lazy("Final"),
    "recharge": gettext_lazy("Second final"),
    "play_off": gettext_lazy("Play-off"),
}
_NUMBERED_ROUND_NAMES: Mapping[str, str | Promise] = {
    "last": gettext_lazy("Last %(count)s"),
    "round": gettext_lazy("Round %(count)s"),
}

# Notes beside the score of a match that was not played to the end (F12).
_RESULT_KIND_LABELS: Mapping[ResultKind, str | Promise] = {
    ResultKind.PLAYED: "",
    ResultKind.LOST_ON_TIME: gettext_lazy("lost on time"),
    ResultKind.RETIRED: gettext_lazy("retired"),
    ResultKind.WALKOVER: gettext_lazy("walkover"),
    ResultKind.FORFEIT: gettext_lazy("forfeit"),
    ResultKind.DOUBLE_WALKOVER: gettext_lazy("double walkover"),
    ResultKind.BYE: gettext_lazy("bye"),
    ResultKind.DISQUALIFIED: gettext_lazy("disqualified"),
    ResultKind.SETTLED: gettext_lazy("settled"),
    ResultKind.UNFINISHED: gettext_lazy("unfinished"),
    ResultKind.ADJOURNED: gettext_lazy("adjourned"),
}


def separation_label(policy: str) -> str:
    """Return whether players who belong together, such as those of a club, may meet.

    ``policy``: "ignore", "avoid" or "never".
    """
    return {
        "ignore": _("may meet"),
        "avoid": _("meet only if unavoidable"),
        "never": _("never meet"),
    }[policy]


def group_name(number: int) -> str:
    """Return “Group A” for number 1; groups after Z have their number instead of a letter."""
    return _("Group %(name)s") % {"name": chr(64 + number) if number <= 26 else number}


def half_points_label(half_points: int) -> str:
    """Return the points for a round without play as text. ``half_points``: 0, 1 or 2."""
    return {0: _("no point"), 1: _("half a point"), 2: _("1 point")}[half_points]


def round_name(round_: Round) -> str:
    """Return the name of a stored round: “Semifinal”, “Last 16”."""
    return round_name_from_code(round_.code)


def round_name_from_code(code: str) -> str:
    """Return the name of a round from the engine's code: “Last 16” for ``last_16``.

    Raises ``LookupError`` if the code is unknown.
    """
    if code in _ROUND_NAMES:
        return str(_ROUND_NAMES[code])
    kind, _sep, count = code.rpartition("_")
    if kind in _NUMBERED_ROUND_NAMES and count.isdecimal():
        return str(_NUMBERED_ROUND_NAMES[kind]) % {"count": count}
    raise LookupError(f"no name for round {code!r}")


def entry_title(entry: EntryRow) -> str:
    """Return the entry's name.

    If another player took it over, also the previous players and the round of the change.
    """
    if entry.before is None:
        return entry.name
    names = {"name": entry.name, "before": ", ".join(entry.before.names)}
    kind, _sep, count = entry.before.round.rpartition("_")
    if kind == "round" and count.isdecimal():
        return _("%(name)s (from round %(number)s, previously: %(before)s)") % {**names, "number": count}
    if entry.before.round:
        params = {**names, "round": round_name_from_code(entry.before.round)}
        return _("%(name)s (from: %(round)s, previously: %(before)s)") % params
    return _("%(name)s (previously: %(before)s)") % names


def withdrawn_title(entry: EntryRow) -> str:
    """Return `entry_title`, with “(withdrawn)” if so, for paper and files, which have no badges."""
    title = entry_title(entry)
    return _("%(name)s (withdrawn)") % {"name": title} if entry.withdrawn else title


def round_name_in_section(section: str, code: str) -> str:
    """Return the round's name; in a section for losers after the section: “Last chance · Semifinal”."""
    name = round_name_from_code(code)
    return f"{section_name(section)} · {name}" if SECTIONS[section].fed_by else name


def match_round_name(match: Match) -> str:
    """Return the name of the match's round, after the name of its division if it has one.

    Matches of two divisions can have the same number.
    """
    round_label = round_name_in_section(match.round.section, match.round.code)
    division = match.stage.division.name
    return f"{division} · {round_label}" if division else round_label


def result_kind_note(kind: str) -> str:
    """Return the note beside a score: “retired”, “walkover”.

    Empty without a result or if played to the end.
    """
    return str(_RESULT_KIND_LABELS[ResultKind(kind)]) if kind else ""


def result_kind_label(kind: ResultKind) -> str:
    """Return the result kind as the answer to “How did it end?”, for forms."""
    return _("Played to the end") if kind is ResultKind.PLAYED else capfirst(str(_RESULT_KIND_LABELS[kind]))


def stage_match_format(stage: Stage) -> MatchFormat:
    """Return the rules of play of a stage's longest match; for a points league, with its agreed rules."""
    form = match_format(stage, max(stage.lengths, default=None))
    if not (form.is_money and form.cube):
        return form
    money_settings = stage.settings.money
    return replace(form, jacoby=money_settings.jacoby, beavers=money_settings.beavers)


def format_labels(stage: Stage) -> list[str]:
    """Return the rules on cube and gammons in a stage as labels (rules R40, R41, F2, F5).

    They come from the rules themselves, not from the name of a preset.
    """
    form = stage_match_format(stage)
    labels = [_("doubling cube") if form.cube else _("no doubling cube")]
    if form.cube:
        if form.crawford and not form.is_money:
            labels.append(_("Crawford rule"))
        labels.append(_("Jacoby") if form.jacoby else _("no Jacoby"))
        labels.append(_("beavers") if form.beavers else _("no beavers"))
    if not form.gammons:
        labels.append(_("no gammons"))
    elif not form.backgammons:
        labels.append(_("gammons count, backgammons do not"))
    return labels


def format_sentence(stage: Stage) -> str:
    """Return `format_labels` joined to one line: “Doubling cube, Crawford rule, no Jacoby, no beavers”."""
    return capfirst(", ".join(format_labels(stage)))


def lengths_label(lengths: Sequence[int]) -> str:
    """Return match lengths as “5, 5, 7, 9” in the order of rounds; the last length is that of the final."""
    return ", ".join(str(length) for length in lengths)


def event_dates_label(event: Event) -> str:
    """Return the event's dates, “20 November 2026” or “20–22 November 2026”, in the visitor's language."""
    return date_range(event.starts_on, event.ends_on)


def date_range(first: date, last: date) -> str:
    """Return two dates as a range without repeated parts, with month names in the visitor's language."""
    parts = {
        "day": date_format(last, "j"),
        "month": date_format(last, "F"),
        "year": date_format(last, "Y"),
        "first_day": date_format(first, "j"),
        "first_month": date_format(first, "F"),
        "first_year": date_format(first, "Y"),
    }
    if first == last:
        return _("%(day)s %(month)s %(year)s") % parts
    if (first.year, first.month) == (last.year, last.month):
        return _("%(first_day)s–%(day)s %(month)s %(year)s") % parts
    if first.year == last.year:
        return _("%(first_day)s %(first_month)s – %(day)s %(month)s %(year)s") % parts
    return _("%(first_day)s %(first_month)s %(first_year)s – %(day)s %(month)s %(year)s") % parts


def date_label(day: date) -> str:
    """Return “12 December 2026” in the visitor's language."""
    return date_range(day, day)


def deadline_label(deadline: date | None) -> str:
    """Return “by 12 December 2026”; empty without a deadline."""
    return _("by %(day)s") % {"day": date_label(deadline)} if deadline is not None else ""


def location_rows(stage: Stage) -> list[tuple[str, str]]:
    """Return where the matches of a stage are played, as (label, value) pairs; empty if at the tables."""
    label = _("by arrangement: players agree on time and place")
    return [(_("Where"), label)] if stage.by_arrangement else []


def clock_time(at: datetime | None, event: Event) -> str:
    """Return the time of day of ``at`` in the event's time zone; empty for None."""
    return date_format(at.astimezone(ZoneInfo(event.timezone)), "TIME_FORMAT") if at else ""


def date_and_time(at: datetime | None, event: Event) -> str:
    """Return date and time of ``at`` in the event's time zone; empty for None."""
    return date_format(at.astimezone(ZoneInfo(event.timezone)), "DATETIME_FORMAT") if at else ""


def weekday_and_time(at: datetime | None, event: Event) -> str:
    """Return weekday, date and time of ``at`` in the event's time zone, for times that players agree on.

    Empty for None.
    """
    return (
        f"{date_format(at.astimezone(ZoneInfo(event.timezone)), 'l')}, {date_and_time(at, event)}"
        if at
        else ""
    )


def initials(name: str) -> str:
    """Return up to two initials for the round badge beside a name."""
    words = [word for word in name.split() if word[:1].isalnum()]
    return "".join(word[0] for word in ([words[0], words[-1]] if len(words) > 1 else words)).upper()
