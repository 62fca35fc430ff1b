"""What a record may have meant where it cannot be right, in words and on the board (`games.records.repair`)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from games.records.repair import Proposal, Repair
from games.records.replaying import compact
from games.records.slips import Change
from games.web.drawing import Drawn, svg
from games.web.viewing import Frame, Look, Viewing, renumbered

PICTURED = 12  # proposals that get a board of their own


@dataclass(frozen=True, slots=True)
class ShownProposal:
    """One way to put a game right: a line for each change, and a board with the first of them."""

    key: str
    lines: tuple[str, ...]
    picture: SafeString


@dataclass(frozen=True, slots=True)
class ShownRepair:
    """A game with a play that cannot be right, and the proposals for it."""

    game: int
    turn: int
    words: str
    proposals: tuple[ShownProposal, ...]


def shown_repairs(repairs: Sequence[Repair], viewing: Viewing, look: Look) -> tuple[ShownRepair, ...]:
    """Repairs in words; the first few proposals with a board."""
    shown: list[ShownRepair] = []
    pictures = 0
    for repair in repairs:
        proposals = []
        for proposal in repair.proposals:
            pictures += 1
            proposals.append(_proposal(proposal, repair, viewing, look, pictured=pictures <= PICTURED))
        shown.append(ShownRepair(repair.game, repair.turn, _wrong(repair, viewing, look), tuple(proposals)))
    return tuple(shown)


def _wrong(repair: Repair, viewing: Viewing, look: Look) -> str:
    """“Game 3, turn 17, Ann: 13/7 8/5 cannot be played with 63.”"""
    frame = viewing.game(repair.game).frame(repair.turn)
    values = {
        "game": viewing.game(repair.game).named,
        "turn": repair.turn,
        "name": viewing.players[frame.side.column] if frame.side is not None else "",
        "play": _frame_play(frame, look),
        "dice": _dice(frame.dice),
    }
    if not frame.play:
        return (
            _("Game %(game)s, turn %(turn)s, %(name)s: %(dice)s could be played, but no play is recorded.")
            % values
        )
    return _("Game %(game)s, turn %(turn)s, %(name)s: %(play)s cannot be played with %(dice)s.") % values


def _proposal(
    proposal: Proposal, repair: Repair, viewing: Viewing, look: Look, *, pictured: bool
) -> ShownProposal:
    lines = tuple(change_words(change, repair.turn, viewing.players, look) for change in proposal.changes)
    return ShownProposal(
        proposal.key, lines, _picture(proposal, viewing, look, lines[0]) if pictured else mark_safe("")
    )


def change_words(change: Change, noticed: int, players: tuple[str, str], look: Look) -> str:
    """“13/7 13/10 instead of 13/7 8/5”; a turn before or after the one where it was noticed is named."""
    number = {"turn": change.turn, "name": players[change.side.column]}
    if change.is_of_dice:
        values = {"new": _dice(change.dice), "old": _dice(change.written_dice)}
        words = _("roll %(new)s instead of %(old)s") % values
    else:
        new, old = (
            renumbered(compact(steps), change.side, look.numbering)
            for steps in (change.steps, change.written)
        )
        words = _("%(new)s instead of %(old)s") % {"new": new or _("no play"), "old": old or _("no play")}
    if change.turn == noticed:
        return words
    return _("turn %(turn)s, %(name)s: %(change)s") % {**number, "change": words}


def kept_lines(changes: Sequence[Mapping[str, Any]], viewing: Viewing) -> list[str]:
    """What was changed in a copy, as it was kept (`games.services.repairing.changes_of`): a line for each turn. Games are called what
    the file calls them.
    """
    lines = []
    for kept in changes:
        new, old = (_dice(tuple(kept[name])) for name in ("dice", "written_dice"))
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


def _picture(proposal: Proposal, viewing: Viewing, look: Look, title: str) -> SafeString:
    """The board before the first change, with the roll and the play that are proposed."""
    change = proposal.changes[0]
    frame = viewing.game(proposal.game).frame(change.turn)
    steps = tuple((step.source, step.target, step.hit) for step in change.steps)
    drawn = replace(Drawn.of(frame), dice=change.dice, steps=steps)
    return mark_safe(svg(drawn, look, title))  # noqa: S308 - every text in it is escaped by the drawing


def _frame_play(frame: Frame, look: Look) -> str:
    return renumbered(frame.play, frame.side, look.numbering) if frame.side is not None else frame.play


def _dice(dice: tuple[int, int] | None) -> str:
    return f"{dice[0]}{dice[1]}" if dice else "–"
