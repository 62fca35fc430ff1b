"""Double elimination: who has lost twice is out.

The main draw, a lower bracket that all its losers drop to (the same drops as in the progressive consolation), and the
final between the two winners. With *recharge* the winner of the main draw, too, has to lose twice: if they lose the
final, it is played again. The second final is always there; when it is not needed its first side stays vacant and
the winner of the first goes through it without play.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from tournaments.engine.brackets.building import Builder, loser_of, winner_of
from tournaments.engine.brackets.consolation import add_lower_rounds
from tournaments.engine.brackets.structure import MAIN, Bracket, DropRule, single_elimination
from tournaments.engine.errors import BadInput
from tournaments.engine.types import EntryId, Side

LOWER: Final = "lower"
GRAND_FINAL: Final = "grand_final"
RECHARGE: Final = "recharge"
DOUBLE_ELIMINATION: Final = (MAIN, LOWER, GRAND_FINAL)  # the sections that make one ladder of places
MIN_DOUBLE: Final = 3


def double_elimination(lines: Sequence[EntryId | None], *, recharge: bool = True) -> Bracket:
    """The bracket over these lines (see `seeding`)."""
    main = single_elimination(lines)
    count = len(main.entries)
    if count < MIN_DOUBLE:
        raise BadInput("draw.too_few_entries", {"count": count, "minimum": MIN_DOUBLE})
    builder = Builder(main)
    lower = add_lower_rounds(builder, main, LOWER, len(main.rounds), DropRule())
    finals = (winner_of(main.final.number), winner_of(lower))
    (final,) = builder.add_round(GRAND_FINAL, GRAND_FINAL, [finals])
    if recharge:
        again = (loser_of(final), winner_of(final))
        builder.add_round(GRAND_FINAL, RECHARGE, [again], rule=DropRule(side=Side.A))
    return builder.bracket()
