"""Whether people of the players table are within the rating limits, and in which division they belong."""

from collections.abc import Collection, Mapping

from tournaments.engine.limits import DivisionProposal, LimitStanding, LimitVerdict, propose_division
from tournaments.engine.matrix import CellState
from tournaments.models import Event
from tournaments.selectors.limits import verdicts_by_division
from tournaments.selectors.matrix import PersonRow, PlayersTable

# Withdrawn entries are intentional, and pending ones are approved or declined: neither is proposed.
_MOVABLE_STATES = frozenset({CellState.OUT, CellState.IN, CellState.WAITING})
_ABSENT_STATES = frozenset({CellState.OUT, CellState.WITHDRAWN})

Verdicts = Mapping[int, Mapping[int, LimitVerdict]]


def table_verdicts(event: Event, table: PlayersTable, people: Collection[PersonRow]) -> Verdicts:
    """Return how people's ratings compare with limits: division id to a dictionary of player id to verdict.

    Only divisions with a limit are included.
    """
    return verdicts_by_division(
        event, [column.division for column in table.columns], [person.pk for person in people]
    )


def division_proposals(
    table: PlayersTable, people: Collection[PersonRow], verdicts: Verdicts
) -> dict[str, DivisionProposal]:
    """Return the divisions proposed for these people, keyed by public id.

    Only people who should move, or for whom the division is unclear.
    """
    order = [column.division.pk for column in table.columns if column.division.team_size == 1]
    proposals: dict[str, DivisionProposal] = {}
    for person in people:
        standings = {
            pk: LimitStanding(
                division_verdicts[person.pk],
                there=person.cells[pk].state not in _ABSENT_STATES,
                can_change=person.cells[pk].state in _MOVABLE_STATES and not person.cells[pk].lock_reason,
            )
            for pk, division_verdicts in verdicts.items()
        }
        proposal = propose_division(standings, order)
        if proposal != DivisionProposal():
            proposals[person.public_id] = proposal
    return proposals
