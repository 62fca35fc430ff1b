"""Proposed divisions by rating, as ticks that a director reviews and saves."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.engine.limits import DivisionProposal
from tournaments.engine.matrix import TICKED_STATES, Cell, CheckState
from tournaments.matrix.web.form import Ticks
from tournaments.selectors.matrix import PersonRow, PlayersTable


def proposed_ticks(
    table: PlayersTable, people: Sequence[PersonRow], proposals: Mapping[str, DivisionProposal]
) -> Ticks:
    """Return the present ticks of the table, changed as the proposals suggest."""
    divisions = {
        Cell(person.public_id, column.key)
        for person in people
        for column in table.columns
        if person.cells[column.division.pk].state in TICKED_STATES
    }
    return Ticks(
        frozenset(person.public_id for person in people),
        frozenset((divisions - changed_cells(proposals, into=False)) | changed_cells(proposals, into=True)),
        check_ins=frozenset(person.public_id for person in people if person.check_in_state is CheckState.YES),
        paid=frozenset(person.public_id for person in people if person.paid is CheckState.YES),
    )


def changed_cells(proposals: Mapping[str, DivisionProposal], *, into: bool) -> set[Cell]:
    """Return the cells that the proposals tick (``into``) or untick."""
    if into:
        return {
            Cell(name, str(proposal.target_division))
            for name, proposal in proposals.items()
            if proposal.target_division is not None
        }
    return {Cell(name, str(pk)) for name, proposal in proposals.items() for pk in proposal.left_divisions}


def proposal_messages(
    people: Sequence[PersonRow], proposals: Mapping[str, DivisionProposal]
) -> list[dict[str, Any]]:
    """Return the messages above the table, as dictionaries with text (``words``) and ``names``."""
    count = len(changed_cells(proposals, into=True)) + len(changed_cells(proposals, into=False))
    if count:
        message = ngettext(
            "%(count)s tick changed to match the ratings. Check it, then save.",
            "%(count)s ticks changed to match the ratings. Check them, then save.",
            count,
        )
    else:
        message = _("All players are already in the division for their rating, or have no known rating.")
    messages = [{"words": message % {"count": count}, "names": ""}]
    name_by_id = {person.public_id: person.name for person in people}
    unknown = [name_by_id[name] for name, proposal in proposals.items() if proposal.is_rating_unknown]
    outdated = [name_by_id[name] for name, proposal in proposals.items() if proposal.is_rating_old]
    if unknown:
        messages.append({"words": _("No rating known:"), "names": ", ".join(unknown)})
    if outdated:
        messages.append({"words": _("Based on a rating more than a year old:"), "names": ", ".join(outdated)})
    return messages
