"""Text of a repair's consequences: groups of sentences, and a table of changes in standings."""

from collections.abc import Collection
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.engine.brackets.correction import Repair
from tournaments.engine.brackets.structure import MAIN
from tournaments.engine.statuses import MatchStatus
from tournaments.selectors.draws import Draw, DrawnMatch
from tournaments.selectors.repairs.corrections import Cascade, PlaceChange, SlotChangeView, VoidedReEntry
from tournaments.shared.fragments.bracket import hidden_rounds
from tournaments.shared.fragments.standings import value_label
from tournaments.shared.words.flights import section_name
from tournaments.shared.words.names import round_name_from_code

MAX_PLACES = 12


@dataclass(frozen=True, slots=True)
class Group:
    """Sentences of one kind of consequences, under a heading."""

    title: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class StandingsRow:
    """A row of the table of changes in standings, with the place before and after the repair."""

    name: str
    before: str
    after: str
    points: str


@dataclass(frozen=True, slots=True)
class CascadeContext:
    """Template context of a repair's consequences, for ``repairs/_cascade.html``."""

    groups: tuple[Group, ...]
    table: tuple[StandingsRow, ...]

    @property
    def nothing(self) -> bool:
        return not (self.groups or self.table)


def cascade_context(cascade: Cascade, draw: Draw) -> CascadeContext:
    """Return the template context of a repair's consequences, without rounds that no page shows."""
    hidden = hidden_rounds(draw)
    groups = (
        Group(_("Pairings"), _pairing_lines(cascade, hidden)),
        Group(_("Results that will be cancelled"), _cancelled_result_lines(cascade)),
        Group(_("Results without play"), tuple(_walkover_message(*pair) for pair in cascade.awarded_matches)),
        Group(
            _("Currently at the tables"),
            tuple(_stopped_match_message(match) for match in cascade.returned_matches),
        ),
        Group(_("Places"), _place_lines(cascade.places) if cascade.consequence is not None else ()),
        _dependent_stages_group(cascade),
        Group(_("Re-entries"), tuple(_reentry_message(reentry) for reentry in cascade.voided_reentries)),
    )
    table = cascade.places if cascade.consequence is None else ()
    return CascadeContext(
        tuple(group for group in groups if group.lines), tuple(_standings_row(change) for change in table)
    )


def repair_label_and_hint(repair: Repair) -> tuple[str, str]:
    """Return the label of a repair, and a sentence that explains it."""
    return {
        Repair.REPLACE: (_("The right player advances"), _("No later matches have been played yet.")),
        Repair.VOID: (
            _("Replay from here"),
            _("The right player advances; later results of the wrong player are cancelled and replayed."),
        ),
        Repair.KEEP: (
            _("Leave later matches unchanged"),
            _("Only this result is corrected. All players keep their places in the draw."),
        ),
    }[repair]


def keep_message(match: DrawnMatch) -> str:
    """Return the sentence that says what the repair *keep* means for the two players of ``match``."""
    a, b = (side.name for side in match.sides)
    return _(
        "%(a)s and %(b)s keep the places they went to from match %(number)s, whichever of them won it."
    ) % {
        "a": a,
        "b": b,
        "number": match.number,
    }


def match_label(match: DrawnMatch) -> str:
    """Return the label of a match, such as “Match 7 (Final)”; outside the main draw with its section."""
    name = round_name_from_code(match.round_code)
    round_label = name if match.section == MAIN else f"{section_name(match.section)}, {name}"
    return _("Match %(number)s (%(round)s)") % {"number": match.number, "round": round_label}


def _pairing_lines(cascade: Cascade, hidden: Collection[int]) -> tuple[str, ...]:
    lines = [
        (seat.match.number, _pairing_message(seat))
        for seat in cascade.side_changes
        if (seat.before or seat.after) and seat.match.round_number not in hidden
    ]
    lines += [
        (
            match.number,
            _("%(match)s: %(name)s advances without play.") % {"match": match_label(match), "name": name},
        )
        for match, name in cascade.byes
        if match.round_number not in hidden
    ]
    return tuple(message for _number, message in sorted(lines, key=lambda line: line[0]))


def _pairing_message(seat: SlotChangeView) -> str:
    params = {"match": match_label(seat.match), "before": seat.before, "after": seat.after}
    if seat.before and seat.after:
        return _("%(match)s: %(after)s replaces %(before)s.") % params
    if seat.after:
        return _("%(match)s: %(after)s is added.") % params
    if seat.before and seat.vacant:
        return _("%(match)s: %(before)s leaves and is not replaced.") % params
    return _("%(match)s: %(before)s leaves; the place is open again.") % params


def _reentry_message(reentry: VoidedReEntry) -> str:
    params = {"before": reentry.before, "again": reentry.reentry_name}
    if reentry.has_begun:
        return (
            _(
                "%(before)s re-entered as %(again)s, has started to play, and would not have lost this match. "
                "Both entries are then in the event: withdraw one of them."
            )
            % params
        )
    return (
        _(
            "%(before)s re-entered as %(again)s and would not have lost this match. Both entries are then "
            "in the event: withdraw %(again)s."
        )
        % params
    )


def _cancelled_result_lines(cascade: Cascade) -> tuple[str, ...]:
    lines = [_cancelled_result_message(*pair) for pair in cascade.voided_matches]
    return (*lines, _("They no longer count for ratings either.")) if lines else ()


def _cancelled_result_message(match: DrawnMatch, status: MatchStatus) -> str:
    a, b = match.sides
    params = {
        "match": match_label(match),
        "a": a.name,
        "b": b.name,
        "score": f"{match.scores[0]}–{match.scores[1]}",
    }
    if status is MatchStatus.READY:
        return _("%(match)s: %(a)s – %(b)s %(score)s. It can be replayed immediately.") % params
    if status is MatchStatus.WAITING:
        return _("%(match)s: %(a)s – %(b)s %(score)s. It waits for its players.") % params
    return _("%(match)s: %(a)s – %(b)s %(score)s.") % params


def _walkover_message(match: DrawnMatch, winner: str) -> str:
    params = {"match": match_label(match), "name": winner}
    return (_("%(match)s: %(name)s wins.") if winner else _("%(match)s: no winner.")) % params


def _stopped_match_message(match: DrawnMatch) -> str:
    params = {"match": match_label(match), "table": match.table}
    if match.table is not None:
        return _("%(match)s at table %(table)s is stopped: its players have changed.") % params
    return _("%(match)s is stopped: its players have changed.") % params


def _place_lines(changes: tuple[PlaceChange, ...]) -> tuple[str, ...]:
    lines = [_place_message(change) for change in changes[:MAX_PLACES]]
    more_count = len(changes) - MAX_PLACES
    if more_count > 0:
        lines.append(
            ngettext("And %(count)s more.", "And %(count)s more.", more_count) % {"count": more_count}
        )
    return tuple(lines)


def _place_message(change: PlaceChange) -> str:
    params = {
        "name": change.name,
        "before": change.before,
        "after": change.after,
        "section": "" if change.section == MAIN else f"{section_name(change.section)}: ",
    }
    if change.before is not None and change.after is not None:
        return _("%(section)s%(name)s: place %(after)s instead of %(before)s.") % params
    if change.after is not None:
        return _("%(section)s%(name)s: place %(after)s.") % params
    return _("%(section)s%(name)s: place %(before)s is open again.") % params


def _dependent_stages_group(cascade: Cascade) -> Group:
    title, template = (
        (
            _("Stages drawn from these losers"),
            _(
                "%(stage)s was drawn from these losers. Its draw does not change: check that it contains the "
                "right players."
            ),
        )
        if cascade.consequence is not None
        else (
            _("Stages drawn from these standings"),
            _(
                "%(stage)s was drawn from these standings. Its draw does not change: check that it contains "
                "the right players."
            ),
        )
    )
    return Group(title, tuple(template % {"stage": str(stage)} for stage in cascade.affected_stages))


def _standings_row(change: PlaceChange) -> StandingsRow:
    return StandingsRow(
        name=change.name,
        before=str(change.before or ""),
        after=str(change.after or ""),
        points=f"{_points_text(change.points_before)} → {_points_text(change.points_after)}",
    )


def _points_text(half: int | None) -> str:
    return "–" if half is None else value_label("points", half)
