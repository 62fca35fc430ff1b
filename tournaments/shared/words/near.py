"""Texts of the up-next notice: “Table 4, against Beata, to 7”, even if parts are not known yet."""

from django.utils.translation import gettext as _

from tournaments.models import MatchSlot
from tournaments.selectors.draws import DrawnMatch, DrawnSide


def up_next_parts(match: DrawnMatch, other: DrawnSide) -> list[str]:
    """Return three texts: table, opponent and match length. ``other``: the opponent's side."""
    where = _("Table %(table)s") % {"table": match.table} if match.table else _("At the next free table")
    return [where, opponent_label(other), _("to %(length)s") % {"length": match.length}]


def opponent_label(other: DrawnSide) -> str:
    """Return “against Beata”, or the match whose winner or loser will be the opponent.

    ``other``: the opponent's side.
    """
    if other.name:
        return _("against %(name)s") % {"name": other.name}
    if other.source_number is None or other.vacant:
        return _("opponent not known yet")
    is_winner = other.source_kind == MatchSlot.SourceKind.WINNER_OF
    template = (
        _("against the winner of match %(number)s")
        if is_winner
        else _("against the loser of match %(number)s")
    )
    return template % {"number": other.source_number}
