"""Views of proposed corrections of a record (``games.records.repair``), in words and on the board."""

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
    """A proposal for a game: a line for each change, and a board with the first of them."""

    key: str
    lines: tuple[str, ...]
    picture: SafeString


@dataclass(frozen=True, slots=True)
class RepairView:
    """A game with an illegal play, and the proposals for it."""

    game: int
    turn: int
    words: str
    proposals: tuple[ProposalView, ...]


def repair_views(
    repairs: Sequence[Repair], viewing: RecordView, look: BoardOptions
) -> tuple[RepairView, ...]:
    """Return the views of ``repairs``; the first ``MAX_PICTURES`` proposals have a board."""
    shown: list[RepairView] = []
    pictures = 0
    for repair in repairs:
        proposals = []
        for proposal in repair.proposals:
            pictures += 1
            proposals.append(
                _proposal_view(proposal, repair, viewing, look, pictured=pictures <= MAX_PICTURES)
            )
        shown.append(
            RepairView(repair.game, repair.turn, _problem_message(repair, viewing, look), tuple(proposals))
        )
    return tuple(shown)


def _problem_message(repair: Repair, viewing: RecordView, look: BoardOptions) -> str:
    """“Game 3, turn 17, Ann: 13/7 8/5 cannot be played with 63.”"""
    frame = viewing.game(repair.game).frame(repair.turn)
    values = {
        "game": viewing.game(repair.game).named,
        "turn": repair.turn,
        "name": viewing.players[frame.side.column] if frame.side is not None else "",
        "play": _frame_play(frame, look),
        "dice": _format_dice(frame.dice),
    }
    if not frame.play:
        return (
            _("Game %(game)s, turn %(turn)s, %(name)s: %(dice)s could be played, but no play is recorded.")
            % values
        )
    return _("Game %(game)s, turn %(turn)s, %(name)s: %(play)s cannot be played with %(dice)s.") % values


def _proposal_view(
    proposal: Proposal, repair: Repair, viewing: RecordView, look: BoardOptions, *, pictured: bool
) -> ProposalView:
    lines = tuple(change_text(change, repair.turn, viewing.players, look) for change in proposal.changes)
    return ProposalView(
        proposal.key, lines, _picture(proposal, viewing, look, lines[0]) if pictured else mark_safe("")
    )


def change_text(change: TurnChange, noticed: int, players: tuple[str, str], look: BoardOptions) -> str:
    """“13/7 13/10 instead of 13/7 8/5”, with the turn unless it is ``noticed``, where the fault shows."""
    number = {"turn": change.turn, "name": players[change.side.column]}
    if change.is_dice_change:
        values = {"new": _format_dice(change.dice), "old": _format_dice(change.written_dice)}
        words = _("roll %(new)s instead of %(old)s") % values
    else:
        new, old = (
            renumber_play(format_steps(steps), change.side, look.numbering)
            for steps in (change.steps, change.written)
        )
        words = _("%(new)s instead of %(old)s") % {"new": new or _("no play"), "old": old or _("no play")}
    if change.turn == noticed:
        return words
    return _("turn %(turn)s, %(name)s: %(change)s") % {**number, "change": words}


def stored_change_lines(changes: Sequence[Mapping[str, Any]], viewing: RecordView) -> list[str]:
    """Return a line for each changed turn of a corrected copy; games are numbered as in the file.

    ``changes``: as stored, see ``games.services.repairing``.
    """
    lines = []
    for kept in changes:
        new, old = (_format_dice(tuple(kept[name])) for name in ("dice", "written_dice"))
        if sorted(new) != sorted(old):
            words = _("roll %(new)s instead of %(old)s") % {"new": new, "old": old}
        else:
            plays = {"new": kept["play"] or _("no play"), "old": kept["written"] or _("no play")}
            words = _("%(new)s instead of %(old)s") % plays
        place = {
            "game": viewing.game(kept["game"]).named,
            "turn": kept["turn"],
            "name": viewing.players[kept["side"]],
            "change": words,
        }
        lines.append(_("Game %(game)s, turn %(turn)s, %(name)s: %(change)s") % place)
    return lines


def _picture(proposal: Proposal, viewing: RecordView, look: BoardOptions, title: str) -> SafeString:
    """The board before the first change, with the proposed roll and play."""
    change = proposal.changes[0]
    frame = viewing.game(proposal.game).frame(change.turn)
    steps = tuple((step.source, step.target, step.hit) for step in change.steps)
    drawn = replace(BoardDrawing.of(frame), dice=change.dice, steps=steps)
    return mark_safe(board_svg(drawn, look, title))  # noqa: S308 - every text in it is escaped by the drawing


def _frame_play(frame: Frame, look: BoardOptions) -> str:
    return renumber_play(frame.play, frame.side, look.numbering) if frame.side is not None else frame.play


def _format_dice(dice: tuple[int, int] | None) -> str:
    return f"{dice[0]}{dice[1]}" if dice else "–"
