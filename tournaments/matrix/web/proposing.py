"""The divisions where people belong by their ratings, as ticks that a director looks at and saves."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.engine.limits import Proposal
from tournaments.engine.matrix import TICKED, Cell, Mark
from tournaments.matrix.web.form import Ticks
from tournaments.selectors.matrix import Matrix, Person


def proposed_ticks(matrix: Matrix, people: Sequence[Person], proposals: Mapping[str, Proposal]) -> Ticks:
    """What is ticked now, with what is proposed."""
    divisions = {
        Cell(person.public_id, column.key)
        for person in people
        for column in matrix.columns
        if person.stands[column.division.pk].state in TICKED
    }
    return Ticks(
        frozenset(person.public_id for person in people),
        frozenset((divisions - moved(proposals, into=False)) | moved(proposals, into=True)),
        here=frozenset(person.public_id for person in people if person.here is Mark.YES),
        paid=frozenset(person.public_id for person in people if person.paid is Mark.YES),
    )


def moved(proposals: Mapping[str, Proposal], *, into: bool) -> set[Cell]:
    """The cells that are ticked anew, or no more."""
    if into:
        return {Cell(name, str(one.into)) for name, one in proposals.items() if one.into is not None}
    return {Cell(name, str(pk)) for name, one in proposals.items() for pk in one.out_of}


def proposal_lines(people: Sequence[Person], proposals: Mapping[str, Proposal]) -> list[dict[str, Any]]:
    """What the page says above its table."""
    count = len(moved(proposals, into=True)) + len(moved(proposals, into=False))
    if count:
        words = ngettext(
            "%(count)s tick changed to match the ratings. Check it, then save.",
            "%(count)s ticks changed to match the ratings. Check them, then save.",
            count,
        )
    else:
        words = _("All players are already in the division for their rating, or have no known rating.")
    found = [{"words": words % {"count": count}, "names": ""}]
    named = {person.public_id: person.name for person in people}
    unknown = [named[name] for name, one in proposals.items() if one.unknown]
    old = [named[name] for name, one in proposals.items() if one.old]
    if unknown:
        found.append({"words": _("No rating known:"), "names": ", ".join(unknown)})
    if old:
        found.append({"words": _("Based on a rating more than a year old:"), "names": ", ".join(old)})
    return found
