"""Proposed corrections of impossible plays in a record, for the API."""

from typing import Annotated, Self

from games.records.repair import Proposal, Repair
from games.records.replaying import format_steps
from games.records.slips import TurnChange
from people.api.answers import Answer, field_description


class RecordChange(Answer, frozen=True):
    """One turn as it may have been: the same roll with another play, or the same play with another roll."""

    turn: Annotated[int, field_description("From 1 in each game.")]
    player: Annotated[int, field_description("0 for the left player, 1 for the right one.")]
    written_dice: Annotated[list[int], field_description("The roll in the record.")]
    dice: list[int]
    written_play: Annotated[str, field_description("In the mover's numbering; empty if none.")]
    play: Annotated[str, field_description("In the mover's numbering; empty if none.")]

    @classmethod
    def of(cls, change: TurnChange) -> Self:
        return cls(
            turn=change.turn,
            player=change.side.column,
            written_dice=list(change.written_dice),
            dice=list(change.dice),
            written_play=format_steps(change.written),
            play=format_steps(change.steps),
        )


class RecordProposal(Answer, frozen=True):
    """Changes that belong together: with all of them the game is possible and ends as the record says."""

    key: Annotated[str, field_description("Identifies the proposal whenever the same record is checked.")]
    changes: list[RecordChange]

    @classmethod
    def of(cls, proposal: Proposal) -> Self:
        return cls(key=proposal.key, changes=[RecordChange.of(change) for change in proposal.changes])


class RecordRepair(Answer, frozen=True):
    """A game with an impossible play, and what the play may have been, most likely first."""

    game: Annotated[int, field_description("From 1.")]
    turn: Annotated[int, field_description("The turn at which the problem is noticed, from 1 in each game.")]
    proposals: list[RecordProposal]

    @classmethod
    def of(cls, repair: Repair) -> Self:
        proposals = [RecordProposal.of(proposal) for proposal in repair.proposals]
        return cls(game=repair.game, turn=repair.turn, proposals=proposals)
