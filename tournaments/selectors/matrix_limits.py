"""How everybody in the matrix stands to the limits of its divisions, and where they belong by them."""

from collections.abc import Collection, Mapping

from tournaments.engine.limits import Proposal, Standing, Verdict, proposal_for
from tournaments.engine.matrix import CellState
from tournaments.models import Event
from tournaments.selectors.limits import verdicts_in
from tournaments.selectors.matrix import Matrix, Person

# Whoever withdrew meant it, and who is expected is approved or turned away: neither is proposed.
_FREE = frozenset({CellState.OUT, CellState.IN, CellState.WAITING})
_AWAY = frozenset({CellState.OUT, CellState.LEFT})

Verdicts = Mapping[int, Mapping[int, Verdict]]


def verdicts_of(event: Event, matrix: Matrix, people: Collection[Person]) -> Verdicts:
    """By the id of a division that has a limit, and by player; nothing where no division has one."""
    return verdicts_in(event, [one.division for one in matrix.columns], [person.pk for person in people])


def proposals_of(matrix: Matrix, people: Collection[Person], verdicts: Verdicts) -> dict[str, Proposal]:
    """Where these people belong, by public id; nobody who stands where they belong and of whom all is known."""
    order = [one.division.pk for one in matrix.columns if one.division.team_size == 1]
    found: dict[str, Proposal] = {}
    for person in people:
        stands = {
            pk: Standing(
                of[person.pk],
                there=person.stands[pk].state not in _AWAY,
                free=person.stands[pk].state in _FREE and not person.stands[pk].locked,
            )
            for pk, of in verdicts.items()
        }
        proposal = proposal_for(stands, order)
        if proposal != Proposal():
            found[person.public_id] = proposal
    return found
