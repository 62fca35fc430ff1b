"""Proposed corrections of a record (``games.records.repair``) for pages, in words and on the board."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from games.records.repair import Proposal, Repair
from games.records.replaying import format_steps
from games.records.slips import TurnChange
from games.web.drawing import BoardDrawing, board_svg
from games.web.viewing import BoardOptions, Frame, RecordView, renumber_play

MAX_PICTURES = 12  # proposals with a board


@dataclass(frozen=True, slots=True)
class ProposalView:
    """A proposal for a game: a text for each change, and a board with the first change."""

    key: str
    lines: tuple[str, ...]
    picture: SafeString


@dataclass(frozen=True, slots=True)
class RepairView:
    """A game with an illegal play, and the proposals for its correction."""

    game: int
    turn: int
    words: str
    proposals: tuple[ProposalView, ...]


def repair_views(
    repairs: Sequence[Repair], record_view: RecordView, board_options: BoardOptions
) -> tuple[RepairView, ...]:
    """Return ``repairs`` prepared for display; the first ``MAX_PICTURES`` proposals have a board."""
    views: list[RepairView] = []
    picture_count = 0
    for repair in repairs:
        proposals = []
        for proposal in repair.proposals:
            picture_count += 1
            proposals.append(
                _proposal_view(
                    proposal, repair, record_view, board_options, has_picture=picture_count <= MAX_PICTURES
                )
            )
        views.append(
            RepairView(
                repair.game,
                repair.turn,
                _problem_message(repair, record_view, board_options),
                tuple(proposals),
            )
        )
    return tuple(views)


def _problem_message(repair: Repair, record_view: RecordView, board_options: BoardOptions) -> str:
    """Return what is wrong: “Game 3, turn 17, Ann: 13/7 8/5 cannot be played with 63.”"""
    frame = record_view.game(repair.game).frame(repair.turn)
    values = {
        "game": record_view.game(repair.game).file_number,
        "turn": repair.turn,
        "name": record_view.players[frame.side.column] if frame.side is not None else "",
        "play": _frame_play(frame, board_options),
        "dice": _format_dice(frame.dice),
    }
    if not frame.play:
        return (
            _("Game %(game)s, turn %(turn)s, %(name)s: %(dice)s could be played, but no play is recorded.")
            % values
        )
    return _("Game %(game)s, turn %(turn)s, %(name)s: %(play)s cannot be played with %(dice)s.") % values


def _proposal_view(
    proposal: Proposal,
    repair: Repair,
    record_view: RecordView,
    board_options: BoardOptions,
    *,
    has_picture: bool,
) -> ProposalView:
    lines = tuple(
        change_text(change, repair.turn, record_view.players, board_options) for change in proposal.changes
    )
    return ProposalView(
        proposal.key,
        lines,
        _picture(proposal, record_view, board_options, lines[0]) if has_picture else mark_safe(""),
    )


def change_text(
    change: TurnChange, noticed_turn: int, players: tuple[str, str], board_options: BoardOptions
) -> str:
    """Return a change as text: “13/7 13/10 instead of 13/7 8/5”.

    It names the turn unless that is ``noticed_turn``, where the illegal play shows.
    """
    number = {"turn": change.turn, "name": players[change.side.column]}
    if change.is_dice_change:
        values = {"new": _format_dice(change.dice), "old": _format_dice(change.written_dice)}
        text = _("roll %(new)s instead of %(old)s") % values
    else:
        new, old = (
            renumber_play(format_steps(steps), change.side, board_options.numbering)
            for steps in (change.steps, change.written)
        )
        text = _("%(new)s instead of %(old)s") % {"new": new or _("no play"), "old": old or _("no play")}
    if change.turn == noticed_turn:
        return text
    return _("turn %(turn)s, %(name)s: %(change)s") % {**number, "change": text}


def stored_change_lines(changes: Sequence[Mapping[str, Any]], record_view: RecordView) -> list[str]:
    """Return a text for each changed turn of a corrected copy; games are numbered as in the file.

    ``changes``: as stored, see ``games.services.repairing``.
    """
    lines = []
    for change in changes:
        new, old = (_format_dice(tuple(change[name])) for name in ("dice", "written_dice"))
        if sorted(new) != sorted(old):
            text = _("roll %(new)s instead of %(old)s") % {"new": new, "old": old}
        else:
            plays = {"new": change["play"] or _("no play"), "old": change["written"] or _("no play")}
            text = _("%(new)s instead of %(old)s") % plays
        params = {
            "game": record_view.game(change["game"]).file_number,
            "turn": change["turn"],
            "name": record_view.players[change["side"]],
            "change": text,
        }
        lines.append(_("Game %(game)s, turn %(turn)s, %(name)s: %(change)s") % params)
    return lines


def _picture(
    proposal: Proposal, record_view: RecordView, board_options: BoardOptions, title: str
) -> SafeString:
    """Return the board before the first change, with the proposed roll and play, as SVG."""
    change = proposal.changes[0]
    frame = record_view.game(proposal.game).frame(change.turn)
    steps = tuple((step.source, step.target, step.hit) for step in change.steps)
    drawing = replace(BoardDrawing.of(frame), dice=change.dice, steps=steps)
    return mark_safe(board_svg(drawing, board_options, title))  # noqa: S308 - every text in it is escaped by the drawing


def _frame_play(frame: Frame, board_options: BoardOptions) -> str:
    return (
        renumber_play(frame.play, frame.side, board_options.numbering)
        if frame.side is not None
        else frame.play
    )


def _format_dice(dice: tuple[int, int] | None) -> str:
    return f"{dice[0]}{dice[1]}" if dice else "–"
