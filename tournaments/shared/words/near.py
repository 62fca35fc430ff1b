"""The word before the call: “Table 4, against Beata, to 7, in about 12 minutes”, and honest words for what nobody knows yet."""

from django.utils.translation import gettext as _

from tournaments.models import MatchSlot
from tournaments.selectors.draws import DrawnMatch, DrawnSide


def up_next_parts(match: DrawnMatch, other: DrawnSide) -> list[str]:
    """Where, against whom, to how many points."""
    where = _("Table %(table)s") % {"table": match.table} if match.table else _("At the next free table")
    return [where, opponent_label(other), _("to %(length)s") % {"length": match.length}]


def opponent_label(other: DrawnSide) -> str:
    """Against whom, so far as that is known."""
    if other.name:
        return _("against %(name)s") % {"name": other.name}
    if other.source_number is None or other.vacant:
        return _("opponent not known yet")
    winner = other.source_kind == MatchSlot.SourceKind.WINNER_OF
    words = (
        _("against the winner of match %(number)s") if winner else _("against the loser of match %(number)s")
    )
    return words % {"number": other.source_number}
